"""What one seat may see at one decision, as values.

`HandView` is made by `arena.rules.hand.Hand`, `Scores` by `arena.rules.game.Game`; the dealer puts them
into a `Turn`. The protocol carries a turn to the bot, where `arena.bot.Turn` shows it field by field.
Nothing in here may depend on a card the seat has not seen.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from arena.rules.actions import Action, ActionKind


class GameKind(IntEnum):
    """The games. Oklahoma is gin with the knock limit set by the upcard, under its own name."""

    GIN = 1
    THREE_HAND = 2
    OKLAHOMA = 3


GAMES = {kind.name.lower().replace("_", "-"): kind for kind in GameKind}
"""The games as they are written: gin, three-hand, oklahoma."""
GAME_NAMES = {kind: name for name, kind in GAMES.items()}
"""How they are written."""


class Role(IntEnum):
    """The part a player has in a hand. BOX deals against CAPTAIN; OUT sits out and may advise."""

    __hash__ = int.__hash__  # as in ActionKind

    NONDEALER = 1
    DEALER = 2
    BOX = 3
    CAPTAIN = 4
    OUT = 5


class TurnKind(IntEnum):
    """What is asked."""

    __hash__ = int.__hash__  # as in ActionKind

    UPCARD = 1
    """PASS or TAKE the upcard."""
    DRAW = 2
    """STOCK or PILE; at the last discard under `wall_last_discard: knock_only`, PILE or PASS."""
    DISCARD = 3
    """DISCARD, KNOCK or BIG_GIN, holding eleven cards."""
    DEFEND = 4
    """DEFEND against a knock."""


HIDDEN = 255
"""Stands in a history for a card drawn from the stock."""


class HandView(NamedTuple):
    """One hand as the player in one position sees it. `bytes` hold one card each, 0 to 51.

    kind: what is asked.
    position: 0 non-dealer, 1 dealer.
    hand: own cards, ascending: ten, or eleven at DISCARD.
    drawn: the card just taken (from stock, pile or as the upcard) at DISCARD, else `None`.
    discard_pile: bottom first, the card that may be taken last; never empty but at DISCARD or DEFEND.
    opponent_known: cards the opponent is known to hold (taken face up and not discarded since), ascending.
    stock: cards left in the stock.
    history: all public events, two bytes each: `position << 4 | ActionKind`, then the card
        (taken or discarded; HIDDEN for a stock draw and where there is none).
    legal: the kinds of action open at this turn. Without hints KNOCK (and BIG_GIN, where the rules have it)
        stand here whenever a discard is asked, for the bot to find out itself.
    discards: the cards that may be discarded (at DISCARD), ascending.
    deadwood: hint; at DISCARD the least deadwood each of `discards` leaves, in their order; at other turns one byte,
        that of the hand held. Empty without hints.
    knocks: hint; those of `discards` with which a knock is legal.
    knocker_melds, knocker_unmatched: at DEFEND, what the knocker has laid down.
    """

    kind: TurnKind
    position: int
    hand: bytes
    drawn: int | None
    discard_pile: bytes
    opponent_known: bytes
    stock: int
    history: bytes
    legal: tuple[ActionKind, ...]
    discards: bytes = b""
    deadwood: bytes = b""
    knocks: bytes = b""
    knocker_melds: tuple[bytes, ...] = ()
    knocker_unmatched: bytes = b""

    def public(self) -> "HandView":
        """The same decision with the player's own cards and all that follows from them left out.

        Only for a view without hints, whose `legal` says nothing of the cards.
        """
        return self._replace(hand=b"", drawn=None, discards=b"")


class Scores(NamedTuple):
    """The score before this hand as one seat sees it: itself first, then the others in order of play.

    That order is the non-dealer, the dealer, who sits out: a player of three-hand finds its opponent second.

    totals: points so far (Hollywood: the sum over the columns).
    hands_won: hands won so far.
    columns: Hollywood only, three entries, each the points of the seats in the same order.
    open: Hollywood only, which of the three columns can still take points.
    """

    totals: tuple[int, ...]
    hands_won: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...] = ()
    open: tuple[bool, ...] = ()


class Advice(NamedTuple):
    """A recommendation of the player who sits out: a legal action and a short text."""

    action: Action
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What all turns of one seat in one hand have in common. Two frames are never equal: each is a hand of its own.

    game_id: an opaque number, the same in every turn of a game.
    hand_number: 1 for the first hand of the game.
    limit: the most deadwood a knock may leave; 0 is gin only.
    multiplier: 1, or 2 where a spade upcard doubles the hand.
    upcard: the upcard that was dealt.
    decision_ms: time for a decision, 0 where there is no limit.
    """

    game_id: int
    hand_number: int
    role: Role
    scores: Scores
    limit: int
    multiplier: int
    upcard: int
    decision_ms: int = 0


class Turn(NamedTuple):
    """One decision asked of one bot, complete in itself.

    id: an opaque number.
    seed: 64 random bits of this decision alone, the same whenever it is asked again.
    advising: true where the bot sits out and is asked what it would advise the captain.
    advice: what the adviser recommended, or `None`.
    """

    id: int
    frame: Frame
    view: HandView
    seed: int
    advising: bool = False
    advice: Advice | None = None
