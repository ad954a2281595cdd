"""The state of one hand, and what of it a player sees. How it moves on is in `arena.rules.hand`."""

from collections.abc import Sequence
from copy import copy
from enum import IntEnum
from itertools import product
from typing import Self

from arena.cards import by_rank, cards_of
from arena.melds import deadwood, deadwood_after
from arena.rules.actions import ActionKind
from arena.rules.deal import Deal
from arena.rules.options import Rules
from arena.rules.result import HandResult, Position
from arena.rules.showdown import terms
from arena.rules.view import HandView, TurnKind


class Phase(IntEnum):
    """What a hand waits for."""

    UPCARD_NONDEALER = 0
    """D1."""
    UPCARD_DEALER = 1
    """D2."""
    DRAW = 2
    """D3."""
    DISCARD = 3
    """D4 to D6: a discard, a knock with its melds, or big gin."""
    LAST_DISCARD = 4
    """A8: the last discard may be taken to knock with it, or left to the wall."""
    MUST_KNOCK = 5
    """A8: the last discard was taken."""
    DEFEND = 6
    """D7 and D8."""
    SCORED = 7
    """Over by a showdown or a forfeit."""
    WALL = 8
    """Over, and nobody scores."""


# Reaching a member through its enum costs 0.2 us in Python 3.11, a name 0.01.
_PASS, _TAKE, _STOCK, _PILE = ActionKind.PASS, ActionKind.TAKE, ActionKind.STOCK, ActionKind.PILE
_DISCARD, _KNOCK, _BIG_GIN, _DEFEND = ActionKind.DISCARD, ActionKind.KNOCK, ActionKind.BIG_GIN, ActionKind.DEFEND
_AT_DISCARD, _AT_DEFEND = Phase.DISCARD, Phase.DEFEND

_DISCARD_TURN = TurnKind.DISCARD
_ASKED: tuple[tuple[TurnKind, tuple[ActionKind, ...]], ...] = (
    (TurnKind.UPCARD, (_PASS, _TAKE)),
    (TurnKind.UPCARD, (_PASS, _TAKE)),
    (TurnKind.DRAW, (_STOCK, _PILE)),
    (_DISCARD_TURN, ()),
    (TurnKind.DRAW, (_PILE, _PASS)),
    (_DISCARD_TURN, ()),
    (TurnKind.DEFEND, (_DEFEND,)),
)
"""The kind of turn and the legal kinds of action, by phase; at a discard they come from `_OPEN`."""

_OPEN = {
    flags: tuple(kind for kind, flag in zip((_DISCARD, _KNOCK, _BIG_GIN), flags, strict=True) if flag)
    for flags in product((False, True), repeat=3)
}
"""The legal kinds at a discard, by whether each is open."""


class HandState:
    """A hand between two actions, its positions 0 (the non-dealer) and 1 (the dealer). `Hand` alone changes it.

    rules: what is played by. limit, multiplier: see `HandView`.
    deal: the cards of both players.
    phase: what the hand waits for.
    to_act: the position that decides now; says nothing once the hand is over.
    drawn: the card just taken, while a discard is asked. barred: the card that may not be discarded (A3).
    picks: cards taken from the discard pile so far, the upcard included (A13).
    melds: what the knocker has laid down.
    result: how the hand ended, `None` while it is in play.
    """

    __slots__ = (
        "barred", "deal", "drawn", "limit", "melds", "multiplier", "phase", "picks", "result", "rules", "to_act",
    )  # fmt: skip

    def __init__(self, rules: Rules, deck: Sequence[int]) -> None:
        self.rules = rules
        self.deal = Deal(deck, two_ended=rules.stock == "two_ended")
        self.limit, self.multiplier = terms(rules, self.deal.upcard)
        self.phase = Phase.UPCARD_NONDEALER
        self.to_act = 0
        self.drawn: int | None = None
        self.barred: int | None = None
        self.picks = 0
        self.melds: tuple[int, ...] = ()
        self.result: HandResult | None = None

    def copy(self) -> Self:
        """The same hand, to be played on apart from this one."""
        twin = copy(self)
        twin.deal = self.deal.copy()
        return twin

    @property
    def moves(self) -> bytes:
        """Every event with its true card, for the record: `Deal.moves`."""
        return self.deal.moves

    def view(self, position: int, hints: bool) -> HandView:
        """The decision to take now, as `position`, which must be the one to act, sees it.

        Nothing in it depends on a card the position has not seen. Without hints nothing in it tells whether a knock is
        possible either, the question of A8 aside, which is asked only of a player who could knock.
        Raises `ValueError` where that position has nothing to decide.
        """
        if position != self.to_act or self.result is not None:
            raise ValueError(f"the {position_name(position)} has nothing to decide")
        deal, phase = self.deal, self.phase
        held = deal.masks[position]
        kind, legal = _ASKED[phase]
        drawn: int | None = None
        discards = left = knocks = unmatched = b""
        melds: tuple[bytes, ...] = ()
        if kind is _DISCARD_TURN:
            drawn = self.drawn
            discards = self.discards()
            may_declare = self.rules.big_gin != "none"
            if hints:
                left = deadwood_after(held, discards)
                knocks = bytes([card for card, count in zip(discards, left, strict=True) if count <= self.limit])
                may_declare = may_declare and deadwood(held) == 0
            legal = _OPEN[phase is _AT_DISCARD, not hints or knocks != b"", may_declare]
        elif hints:
            left = bytes((deadwood(held),))
        if phase is _AT_DEFEND:
            melds = tuple([by_rank(meld) for meld in self.melds])
            unmatched = cards_of(deal.masks[1 - position] ^ sum(self.melds))
        return HandView(
            kind,
            position,
            deal.hands[position],
            drawn,
            deal.pile,
            deal.known[1 - position],
            deal.stock,
            deal.history,
            legal,
            discards,
            left,
            knocks,
            melds,
            unmatched,
        )

    def discards(self) -> bytes:
        """The cards that the position to act may discard, ascending."""
        held = self.deal.hands[self.to_act]
        return held if self.barred is None else held.replace(bytes((self.barred,)), b"")


def position_name(position: int) -> str:
    """A position in a message."""
    return Position(position).name.lower()
