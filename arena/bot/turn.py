"""One decision as the bot that has to take it sees it."""

from random import Random

from arena.cards import mask_of
from arena.melds import deadwood, deadwood_after
from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.actions import ActionKind
from arena.rules.notices import Setup, position_of
from arena.rules.result import Position
from arena.rules.view import Advice, Role, Scores, TurnKind

_KINDS = {int(kind): kind for kind in TurnKind}
_ROLES = {int(role): role for role in Role}
_ACTIONS = {int(kind): kind for kind in ActionKind}


class Turn:
    """One decision to take, complete in itself. `bytes` hold one card each, 0 to 51.

    A property is read from the message when it is asked for: a bot pays only for what it looks at.
    """

    __slots__ = ("_message", "_random", "_worked_out", "setup")

    setup: Setup
    """What is played: the game, its rules, whether turns carry hints."""

    def __init__(self, message: pb.Turn, setup: Setup) -> None:
        self._message = message
        self._random: Random | None = None
        self._worked_out: tuple[bytes, bytes] | None = None
        self.setup = setup

    # The question.

    @property
    def kind(self) -> TurnKind:
        """What is asked."""
        return _KINDS[self._message.kind]

    @property
    def legal(self) -> tuple[ActionKind, ...]:
        """The kinds of action open. Without hints KNOCK and BIG_GIN may stand here and yet not be possible."""
        # A later version of the protocol may have more.
        return tuple([_ACTIONS[number] for number in self._message.legal[:] if number in _ACTIONS])

    @property
    def discards(self) -> bytes:
        """At a discard: the cards that may be discarded, ascending."""
        return self._message.discards

    @property
    def deadwood(self) -> bytes:
        """At a discard: the least deadwood that each of `discards` leaves. At other turns one byte, that of the hand.

        In a series without hints it is worked out here.
        """
        return self._message.deadwood if self.setup.hints else self._work_out()[0]

    @property
    def knocks(self) -> bytes:
        """At a discard: those of `discards` with which a knock is legal. Without hints they are worked out here."""
        return self._message.knocks if self.setup.hints else self._work_out()[1]

    @property
    def advising(self) -> bool:
        """Whether this player sits out, and is asked what it would advise the captain."""
        return self._message.advising

    @property
    def advice(self) -> Advice | None:
        """To the captain: what the player who sits out recommends."""
        return codec.read_advice(self._message.advice) if self._message.HasField("advice") else None

    @property
    def random(self) -> Random:
        """Dice of this decision alone, which fall the same way whenever it is asked again."""
        if self._random is None:
            self._random = Random(self._message.seed)  # noqa: S311 - for play, and to be repeated
        return self._random

    # The cards.

    @property
    def hand(self) -> bytes:
        """Own cards, ascending: ten, or eleven at a discard. An adviser sees the captain's."""
        return self._message.hand

    @property
    def drawn(self) -> int | None:
        """At a discard: the card just taken."""
        return self._message.drawn if self._message.HasField("drawn") else None

    @property
    def discard_pile(self) -> bytes:
        """The discard pile, bottom first."""
        return self._message.discard_pile

    @property
    def top(self) -> int:
        """The card on top of the discard pile, which may be taken: the upcard in the opening. Raises `IndexError`."""
        return self._message.discard_pile[-1]

    @property
    def opponent_known(self) -> bytes:
        """Cards the opponent is known to hold, ascending."""
        return self._message.opponent_known

    @property
    def stock(self) -> int:
        """How many cards are left in the stock, 2 to 31."""
        return self._message.stock

    @property
    def history(self) -> bytes:
        """All public events of the hand, two bytes each: `position << 4 | ActionKind`, then the card or 255."""
        return self._message.history

    @property
    def knocker_melds(self) -> tuple[bytes, ...]:
        """At a defence: the knocker's melds."""
        return tuple(self._message.knocker_melds)

    @property
    def knocker_unmatched(self) -> bytes:
        """At a defence: the knocker's unmatched cards."""
        return self._message.knocker_unmatched

    # The hand and the game.

    @property
    def role(self) -> Role:
        """The part this player has in the hand."""
        return _ROLES[self._message.role]

    @property
    def position(self) -> Position:
        """Where this player sits in `history`; one who sits out, with the captain."""
        return position_of(self.role)

    @property
    def limit(self) -> int:
        """The most deadwood a knock may leave; 0 is gin only."""
        return self._message.limit

    @property
    def multiplier(self) -> int:
        """Factor on everything earned in the hand: 1, or 2 where a spade upcard doubles."""
        return self._message.multiplier

    @property
    def upcard(self) -> int:
        """The upcard that was dealt."""
        return self._message.upcard

    @property
    def hand_number(self) -> int:
        """Number of the hand in its game, from 1."""
        return self._message.hand_number

    @property
    def scores(self) -> Scores:
        """The score before this hand."""
        return codec.read_scores(self._message)

    @property
    def game_id(self) -> int:
        """The same in every turn and notice of one game, and opaque."""
        return self._message.game_id

    @property
    def id(self) -> int:
        """Of this turn alone, and opaque."""
        return self._message.id

    # Time, in milliseconds.

    @property
    def decision_ms(self) -> int:
        """Time for this decision, 0 where there is no limit."""
        return self._message.decision_ms

    @property
    def bank_ms(self) -> int:
        """What is left of the game's time bank."""
        return self._message.bank_ms

    def _work_out(self) -> tuple[bytes, bytes]:
        """The hints of a series without hints: `deadwood` and `knocks`."""
        if self._worked_out is None:
            held, discards, limit = mask_of(self.hand), self.discards, self.limit
            left = deadwood_after(held, discards) if discards else bytes((deadwood(held),))
            knocks = bytes([card for card, count in zip(discards, left, strict=False) if count <= limit])
            self._worked_out = left, knocks
        return self._worked_out
