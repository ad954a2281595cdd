"""The draws of a hand from the stock, with what the dealer knew before each."""

from typing import NamedTuple

from arena.cards import mask_of
from arena.dealer.values import HandRecord
from arena.rules.actions import ActionKind

_TAKING = (ActionKind.TAKE, ActionKind.PILE)
_LEAVING = (ActionKind.DISCARD, ActionKind.KNOCK)


class Draw(NamedTuple):
    """A card drawn from the stock, and what the dealer knew before: everything but the order of the stock.

    position: who drew, 0 the non-dealer. mover, opponent: masks of the hands, ten cards each. stock: mask of all cards
    left, the drawn one and the last two included. card: the one that was drawn. limit: the knock limit of the hand.
    """

    position: int
    mover: int
    opponent: int
    stock: int
    card: int
    limit: int


def draws_of(hand: HandRecord, limit: int) -> list[Draw]:
    """The draws of a hand from the stock, the forced one included, in their order. limit: of the hand."""
    hands = [mask_of(hand.deck[:10]), mask_of(hand.deck[10:20])]
    stock = mask_of(hand.deck[21:])
    draws = []
    for head, card in zip(hand.moves[::2], hand.moves[1::2], strict=True):
        position, kind = head >> 4, head & 15
        if kind == ActionKind.STOCK:
            draws.append(Draw(position, hands[position], hands[1 - position], stock, card, limit))
            stock ^= 1 << card
        if kind == ActionKind.STOCK or kind in _TAKING:
            hands[position] |= 1 << card
        elif kind in _LEAVING:
            hands[position] ^= 1 << card
    return draws
