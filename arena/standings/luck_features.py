"""What the value function looks at: both hands and the set of cards that are left, in numbers.

A *row* is a draw and a card that may come in it. Of the eleven cards the one goes that leaves least, of equals the one
that promises least; the ten that stay are looked at, beside the opponent's, and what one card more would make of
either. Nothing here knows the order of the stock, nor which card came.

It is worked out in NumPy for many draws at once.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.cards import DECK_SIZE, FULL_DECK
from arena.melds import arrangements, best_melds, closure, deadwood, quick_pips
from arena.rules.options import Rules
from arena.standings.luck_draws import Draw
from arena.standings.luck_hands import (
    COUNTED,
    LOOSE,
    NEVER,
    Bools,
    Ints,
    added,
    bits,
    by_suit,
    least,
    least_with,
    least_without,
    melding,
)

FEATURES = (
    "own",  # deadwood of who drew, after the discard
    "own_knocks", "own_gin",  # whether that is enough
    "own_scores",  # what a knock would score now, lay-offs and undercut included; 0 without one
    "own_loose",  # how many cards it is
    "other", "other_loose",  # the same of the opponent
    "stock", "limit",  # how many cards are left, and the knock limit
    "own_next", "own_next_knocks", "own_next_gin", "own_next_gains",  # with one card more from the stock: means
    "own_given", "own_given_knocks", "own_given_gin",  # with one of the opponent's
    "other_next", "other_next_knocks", "other_next_gin", "other_next_gains",  # the opponent with one from the stock
    "other_given", "other_given_knocks", "other_given_gin",  # with one of those kept
    "other_taken", "other_taken_knocks", "other_taken_gin", "other_taken_gains",  # with the discard
    "own_best_next",  # the least that a card from the stock can leave
    "own_promise", "other_promise",  # pairs that a card of the stock makes a meld
    "pips",  # of the discard
)  # fmt: skip
"""What a row holds. Gains are deadwood of the other less own, where that is enough to knock."""

MOST_DRAWS = 1000
"""How many draws `rows_of` takes at once: their numbers and a mask go into 63 bits."""

_PROMISES = 64
"""More than any card promises."""


class Rows(NamedTuple):
    """Rows of features. draw, card: which draw each is of, and which card comes in it."""

    draw: Ints
    card: Ints
    features: NDArray[np.float64]


def rows_of(draws: Sequence[Draw], rules: Rules, cards: Sequence[int] | None = None) -> Rows:
    """The rows of some draws, in their order: one for each card of the stock, ascending.

    cards: masks of those cards that are to be looked at in each draw, where it is not the whole stock.
    """
    _, mover, opponent, stock, _, limit = np.array(draws, dtype=np.int64).T
    live = bits(stock)
    draw, card = np.nonzero(live if cards is None else bits(np.array(cards, dtype=np.int64)))
    thrown, left = _discards(mover, stock, draw, card)
    own = left // LOOSE
    kept = (mover[draw] | 1 << card) ^ 1 << thrown
    # Many cards that come leave the same ten.
    ten, which = np.unique(draw << DECK_SIZE | kept, return_inverse=True)
    of, hand = ten >> DECK_SIZE, ten & FULL_DECK
    rest = stock[of] & ~hand
    his, after = by_suit(opponent), np.maximum(live.sum(axis=1) - 1, 1)[draw]
    his_left, limits = least(his)[draw], limit[draw]
    other = his_left // LOOSE
    next_ = least_with(by_suit(hand), rest | opponent[of]) // LOOSE
    his_next = least_with(his, FULL_DECK ^ opponent) // LOOSE
    drawn = _Futures(next_, bits(rest), limit[of]).less(which, card)
    given = _Futures(next_, bits(opponent)[of], limit[of]).all(which)
    his_drawn = _Futures(his_next, live, limit).less(draw, card)
    his_given = _Futures(his_next[of], bits(hand), limit[of]).all(which)
    taken = his_next[draw, thrown]
    columns = [
        own, own <= limits, own == 0, _scores(rules, limits, kept, opponent[draw], own, other), left % LOOSE,
        other, his_left % LOOSE, after, limits,
        drawn.total / after, drawn.knocks / after, drawn.gins / after,
        (drawn.knocks * other - drawn.knocking) / after,
        given.total / 10, given.knocks / 10, given.gins / 10,
        his_drawn.total / after, his_drawn.knocks / after, his_drawn.gins / after,
        (his_drawn.knocks * own - his_drawn.knocking) / after,
        his_given.total / 10, his_given.knocks / 10, his_given.gins / 10,
        taken, taken <= limits, taken == 0, (taken <= limits) * (own - taken),
        np.where(bits(rest), next_, NEVER).min(axis=1)[which],
        _promise(hand, rest)[which], _promise(opponent, stock)[draw],
        COUNTED[thrown] // LOOSE,
    ]  # fmt: skip
    return Rows(draw, card, np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1))


class _Sums(NamedTuple):
    """Over some cards that may come: the deadwood with them, how many are enough to knock or gin, deadwood of those."""

    total: Ints
    knocks: Ints
    gins: Ints
    knocking: Ints


class _Futures:
    """What the cards of a set would leave, each. left: deadwood by hand and card. over: the cards of the set."""

    def __init__(self, left: Ints, over: Bools, limit: Ints) -> None:
        knocks = (left <= limit[:, None]) & over
        self._each = left * over, knocks, (left == 0) & over, left * knocks
        self._sums = [each.sum(axis=1) for each in self._each]

    def all(self, which: Ints) -> _Sums:
        """For rows of these hands: over all cards."""
        return _Sums(*[total[which] for total in self._sums])

    def less(self, which: Ints, card: Ints) -> _Sums:
        """For rows of these hands: over all cards but one."""
        return _Sums(*[total[which] - each[which, card] for total, each in zip(self._sums, self._each, strict=True)])


# The discard, melds to come, and a knock.


def _discards(mover: Ints, stock: Ints, draw: Ints, card: Ints) -> tuple[Ints, Ints]:
    """For each row the card that goes, and the deadwood that is left."""
    hands = by_suit(mover)
    ten = np.nonzero(bits(mover))[1].reshape(-1, 10)
    now, without = least(hands), least_without(hands, ten)
    eleven = np.concatenate([ten[draw], card[:, None]], axis=1)
    # A card that makes no meld adds its pips, unless it goes itself.
    left = np.concatenate([without[draw] + COUNTED[card][:, None], now[draw][:, None]], axis=1)
    melds = np.nonzero(melding(hands)[draw] >> card & 1)[0]
    left[melds] = least_without(added(hands[draw[melds]], card[melds]), eleven[melds])
    promised = _promises(mover, stock)[draw[:, None], eleven]
    at = np.arange(len(draw)), (left * _PROMISES + promised).argmin(axis=1)
    return eleven[at], left[at]


def _promise(hands: Ints, live: Ints) -> Ints:
    """Of masks: the pairs of cards held that a live card makes a meld, counted once for each such card."""
    held, may = by_suit(hands), by_suit(live)
    up, down = held << 1, held >> 1
    count = np.bitwise_count(up << 1 & up & may) + np.bitwise_count(up & down & may)
    total = (count + np.bitwise_count(down >> 1 & down & may)).sum(axis=1)
    for one in range(4):
        for other in range(one):
            pair = held[:, one] & held[:, other]
            total = total + np.bitwise_count(pair[:, None] & may).sum(axis=1)
    return np.asarray(total, dtype=np.int64)


def _promises(hands: Ints, live: Ints) -> Ints:
    """Of masks: with how many pairs of a card held and a live one each card of the deck makes a meld."""
    held, may = (bits(masks).reshape(-1, 4, 13).astype(np.int64) for masks in (hands, live))
    count = (held.sum(axis=1, keepdims=True) - held) * (may.sum(axis=1, keepdims=True) - may)
    wide, open_ = (np.pad(cards, ((0, 0), (0, 0), (2, 2))) for cards in (held, may))
    for one, other in ((0, 1), (1, 3), (3, 4)):
        count += wide[..., one : one + 13] * open_[..., other : other + 13]
        count += open_[..., one : one + 13] * wide[..., other : other + 13]
    return np.asarray(count.reshape(-1, DECK_SIZE))


def _scores(rules: Rules, limits: Ints, kept: Ints, opponent: Ints, own: Ints, other: Ints) -> Ints:
    """What a knock would score for each row, 0 where there can be none."""
    scores = np.where(own == 0, rules.gin_bonus + other, 0)
    for row in np.nonzero((own > 0) & (own <= limits))[0].tolist():
        scores[row] = _score(rules, int(kept[row]), int(opponent[row]))
    return scores


@lru_cache(maxsize=4096)
def _score(rules: Rules, hand: int, opponent: int) -> int:
    """What a knock scores, below 0 where it is undercut: `arena.rules.showdown`, for melds that are chosen best."""
    melds, count = best_melds(hand), deadwood(hand)
    left = min([quick_pips(loose ^ closure(melds, loose)) for loose in _loose(opponent)])
    if count < left:
        return left - count
    return 0 if count == left and not rules.undercut_on_tie else left - count - rules.undercut_bonus


@lru_cache(maxsize=16)
def _loose(hand: int) -> list[int]:
    """The unmatched cards of a hand, as masks, for all its families of melds."""
    return [hand ^ sum(family) for family in arrangements(hand)]
