"""Deadwood of many hands at once, in NumPy.

A hand is a mask, or its four holdings *by suit* in a row. Deadwood is found as in `arena.melds`: a table has what runs
leave of each holding, and sets are tried on top of that.
"""

import numpy as np
from numpy.typing import NDArray

from arena.cards import DECK_SIZE, PIPS

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_SUIT = (1 << 13) - 1
NEVER = 100_000
"""More than any deadwood."""


def _tables() -> tuple[Ints, Ints]:
    """For each holding in a suit: the least that runs leave of it, and how much less without one of its cards."""
    held = np.arange(_SUIT + 1)
    least = np.zeros(_SUIT + 1, dtype=np.int64)
    for holding in range(1, _SUIT + 1):
        low = holding & -holding
        ways = [least[holding ^ low] + COUNTED[low.bit_length() - 1]]
        ways += [least[holding ^ run] for run in (7 * low, 15 * low, 31 * low) if holding & run == run]
        least[holding] = min(ways)
    without = np.full(_SUIT + 1, NEVER)
    for rank in range(13):
        has = held >> rank & 1 == 1
        without[has] = np.minimum(without[has], least[held[has] ^ 1 << rank])
    return least, least - without


LOOSE = 16
"""Deadwood is counted here in pips times 16, and one for each unmatched card: of equals the fewest cards are least."""
COUNTED = np.array(PIPS) * LOOSE + 1
_LEAST, _SAVED = _tables()
CARDS = np.arange(DECK_SIZE)
_SUIT_OF, _BIT = CARDS // 13, 1 << CARDS % 13


def by_suit(masks: Ints) -> Ints:
    """Hands by suit."""
    return np.stack([masks >> 13 * suit & _SUIT for suit in range(4)], axis=1)


def least(hands: Ints) -> Ints:
    """The deadwood of hands by suit, of ten cards each. Here and below it is counted as `LOOSE` says."""
    left, whose = _choices(hands)
    return _lowest(len(hands), whose, _LEAST[left].sum(axis=1))


def least_after(hands: Ints) -> Ints:
    """The deadwood of hands by suit after the best discard, of eleven cards each."""
    left, whose = _choices(hands)
    return _lowest(len(hands), whose, _LEAST[left].sum(axis=1) - _SAVED[left].max(axis=1))


def least_without(hands: Ints, cards: Ints) -> Ints:
    """The deadwood of hands by suit without each of some cards held, as many a hand."""
    left, whose = _choices(hands)
    thrown = cards[whose]
    suit, bit = _SUIT_OF[thrown], _BIT[thrown]
    runs, held = _LEAST[left], np.take_along_axis(left, suit, axis=1)
    count = runs.sum(axis=1)[:, None] - np.take_along_axis(runs, suit, axis=1) + _LEAST[held & ~bit]
    return _lowest(cards.shape, whose, np.where(held & bit, count, NEVER))


def least_with(hands: Ints, cards: Ints) -> Ints:
    """The deadwood of hands by suit, of ten cards each, after the best discard with each card of the deck more.

    cards: masks of those that are asked for; of the others the answer says nothing. A column a card.
    """
    left, whose = _choices(hands)
    runs = _LEAST[left].sum(axis=1)
    now = _lowest(len(hands), whose, runs)
    without = _lowest(len(hands), whose, runs - _SAVED[left].max(axis=1))
    # A card that makes no meld goes itself, or stays in place of the one that is best without.
    best = np.minimum(now[:, None], without[:, None] + COUNTED)
    of, card = np.nonzero(bits(cards & melding(hands)))
    best[of, card] = least_after(added(hands[of], card))
    return np.asarray(best)


def added(hands: Ints, cards: Ints) -> Ints:
    """Hands by suit with a card more each."""
    hands[np.arange(len(hands)), _SUIT_OF[cards]] |= _BIT[cards]
    return hands


def _lowest(shape: int | tuple[int, ...], whose: Ints, counts: Ints) -> Ints:
    best = np.full(shape, NEVER)
    np.minimum.at(best, whose, counts)
    return best


def _choices(hands: Ints) -> tuple[Ints, Ints]:
    """Every way to take sets out of hands by suit, none included: what is left by suit, and of which hand."""
    c, d, h, s = hands.T
    left, whose = [hands], [np.arange(len(hands))]
    triples = c & d & (h | s) | h & s & (c | d)
    at = np.nonzero(triples)[0]
    waiting = [(hands[at], at, triples[at])]
    while waiting:
        held, of, triples = waiting.pop()
        if not len(of):
            continue
        bit = triples & -triples
        triples = triples ^ bit
        none = held & ~bit[:, None]
        four = np.nonzero((held & bit[:, None]).all(axis=1))[0]
        stays = np.repeat(none[four], 4, axis=0)  # of four cards one may stay
        stays[np.arange(len(stays)), np.tile(np.arange(4), len(four))] |= np.repeat(bit[four], 4)
        more = np.concatenate([none, stays]), np.concatenate([of, np.repeat(of[four], 4)])
        left.append(more[0])
        whose.append(more[1])
        rest = np.concatenate([triples, np.repeat(triples[four], 4)])
        for hand, owner, ranks in ((held, of, triples), (*more, rest)):
            again = np.nonzero(ranks)[0]
            waiting.append((hand[again], owner[again], ranks[again]))
    return np.concatenate(left), np.concatenate(whose)


def melding(hands: Ints) -> Ints:
    """Masks of the cards that make a meld with two cards of hands by suit."""
    up, down = hands << 1, hands >> 1
    runs = (up << 1 & up | up & down | down >> 1 & down) & _SUIT
    c, d, h, s = hands.T
    sets = (c | d) & (h | s) | c & d | h & s
    c, d, h, s = (runs | sets[:, None]).T
    return np.asarray(c | d << 13 | h << 26 | s << 39)


def bits(masks: Ints) -> Bools:
    """Masks as rows with a column for each card."""
    return (masks[:, None] >> CARDS & 1).astype(np.bool_)
