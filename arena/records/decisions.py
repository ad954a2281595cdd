"""What the bots of a game did, one decision after the other, and where two courses of the same game part."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from arena.dealer.values import GameRecord, HandRecord
from arena.rules.actions import Action, ActionKind
from arena.rules.view import HIDDEN

_CARD_IS_CHOSEN = (ActionKind.DISCARD, ActionKind.KNOCK)
_TWO_PASSES = bytes((ActionKind.PASS, HIDDEN, 1 << 4 | ActionKind.PASS, HIDDEN))


class Made(NamedTuple):
    """One decision that was made: a move, advice, or a fault in place of either.

    hand, move: from 1; the move of the hand that was asked, as in `FaultRecord`.
    plays: false for advice, which comes before the move itself.
    seat: whose. text: what, with the melds and lay-offs that counted.
    """

    hand: int
    move: int
    plays: bool
    seat: int
    text: str


class Parting(NamedTuple):
    """Where two courses of a game part. recorded, now: what was done in the one and in the other."""

    hand: int
    move: int
    seat: int
    recorded: str
    now: str

    def __str__(self) -> str:
        return f"hand {self.hand} move {self.move}: recorded {self.recorded}, now {self.now}"


def decisions(record: GameRecord) -> Iterator[Made]:
    """All decisions of a game, in their order. The draw that two passes force is the rules', and none."""
    for hand in record.hands:
        yield from sorted([*_advice(hand), *_moves(hand), *_faults(hand, record)])


def parting(recorded: GameRecord, again: GameRecord) -> Parting | None:
    """The first decision that differs, `None` where all are equal."""
    for before, after in zip_longest(decisions(recorded), decisions(again)):
        if before != after:
            first = min([made for made in (before, after) if made is not None])
            place = first[:-1]
            then, now = [
                made.text if made is not None and made[:-1] == place else "nothing" for made in (before, after)
            ]
            return Parting(first.hand, first.move, first.seat, then, now)
    return None


def _advice(hand: HandRecord) -> Iterator[Made]:
    for given in hand.advice:
        assert hand.roles.out is not None
        said = f" ({given.text!r})" if given.text else ""
        yield Made(hand.number, given.move + 1, False, hand.roles.out, f"advice {given.action}{said}")


def _moves(hand: HandRecord) -> Iterator[Made]:
    forced = 2 if hand.moves.startswith(_TWO_PASSES) else -1
    for number, (head, card) in enumerate(zip(hand.moves[::2], hand.moves[1::2], strict=True)):
        if number != forced:
            text = _text(hand, ActionKind(head & 15), card)
            yield Made(hand.number, number + 1, True, hand.roles.seat(head >> 4), text)


def _text(hand: HandRecord, kind: ActionKind, card: int) -> str:
    result = hand.result
    if kind is ActionKind.DEFEND:
        return str(Action(kind, None, result.defender_melds, result.layoffs))
    melds = result.melds if kind in (ActionKind.KNOCK, ActionKind.BIG_GIN) else None
    return str(Action(kind, card if kind in _CARD_IS_CHOSEN else None, melds))


def _faults(hand: HandRecord, record: GameRecord) -> Iterator[Made]:
    for fault in record.faults:
        if fault.hand == hand.number:
            plays = fault.seat != hand.roles.out
            yield Made(hand.number, fault.move, plays, fault.seat, f"the fault {fault.fault} ({fault.detail})")
