"""The Plackett-Luce model: each bot has a strength, and of those who are left the next place goes to one by its share.

For two players this is the model of Bradley and Terry. An order of k bots is a chain of choices: the first out of all
k, the second out of the rest, and so on; the last place is no choice any more. The likelihood knows an order only by
who was chosen (`wins`) and by how often which bots were left to choose from (`counts`).

Sources: R. A. Bradley and M. E. Terry, Biometrika 39 (1952), 324-345; R. L. Plackett, Applied Statistics 24 (1975),
193-202; D. R. Hunter, Annals of Statistics 32 (2004), 384-406.

The library choix fits one table of whole results at a time. A bootstrap fits thousands, and shares of results (a
tie is half of one order and half of the other), so they are fitted here, all at once; the tests hold them to choix.
"""

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Order = tuple[int, ...]
"""Bots by number, the first place first."""

_LONGEST_STEP = 2.0
_LEAST_GAIN = 1e-10  # in log-likelihood, of the last step: rounding allows no less where one bot hardly ever loses
_MOST_STEPS = 200


class Choices:
    """What some bots were chosen from, numbered, and how orders are counted by it.

    sets: by choice, who was left, ascending; -1 fills the rest of the row.
    width: of a count: the wins by bot, then the choices.
    """

    def __init__(self, bots: int, pairings: Sequence[Order]) -> None:
        """bots: how many there are. pairings: the numbers of those who met."""
        self.bots = bots
        orders = [order for pairing in pairings for order in permutations(pairing)]
        left = sorted({tuple(sorted(order[place:])) for order in orders for place in range(len(order) - 1)})
        self._number = {choice: bots + number for number, choice in enumerate(left)}
        seats = max(map(len, pairings))
        self.sets = np.array([choice + (-1,) * (seats - len(choice)) for choice in left])
        self.width = bots + len(left)

    def count(self, order: Order) -> Floats:
        """One order, counted."""
        row = np.zeros(self.width)
        for place in range(len(order) - 1):
            row[order[place]] += 1
            row[self._number[tuple(sorted(order[place:]))]] += 1
        return row

    def fit(self, counted: Floats, start: Floats | None = None) -> Floats:
        """The strengths that make each row of counts most likely, as natural logarithms with a mean of 0.

        There is one answer where every bot has been placed before every other, perhaps over others (Hunter's
        assumption 1); the counts have to see to that. It is found by Newton's method, with no step longer than a
        doubtful curvature may be trusted for, from `start`, where all are about. Raises `ValueError` where it is not
        found.
        """
        wins, counts = counted[:, : self.bots], counted[:, self.bots :]
        strengths = np.zeros(wins.shape) if start is None else np.tile(start, (len(wins), 1))
        left = np.arange(len(wins))
        for _ in range(_MOST_STEPS):
            step, gain = self._step(strengths[left], wins[left], counts[left])
            length = np.abs(step).max(axis=1)
            strengths[left] += step / np.maximum(1.0, length / _LONGEST_STEP)[:, None]
            left = left[gain > _LEAST_GAIN]
            if not left.size:
                centred: Floats = strengths - strengths.mean(axis=1, keepdims=True)
                return centred
        msg = "expected results with a most likely strength of every bot"
        raise ValueError(msg)

    def _step(self, strengths: Floats, wins: Floats, counts: Floats) -> tuple[Floats, Floats]:
        """Newton's step from these strengths, by row, and the gain that it promises."""
        rows, bots = strengths.shape
        nobody = np.full((rows, 1), -np.inf)
        left = np.concatenate([strengths, nobody], axis=1)[:, self.sets]  # row, choice, who was left
        shares = np.exp(left - left.max(axis=2, keepdims=True))
        shares /= shares.sum(axis=2, keepdims=True)
        expected = counts[:, :, None] * shares
        curvature = np.zeros((rows, bots + 1, bots + 1))
        chosen: Floats = np.zeros((rows, bots + 1))
        for one in range(self.sets.shape[1]):
            chosen += self._by_bot(expected[:, :, one], self.sets[:, one], bots + 1)
            for other in range(self.sets.shape[1]):
                cells = (self.sets[:, one] % (bots + 1)) * (bots + 1) + self.sets[:, other] % (bots + 1)
                joint = self._by_bot(expected[:, :, one] * shares[:, :, other], cells, (bots + 1) ** 2)
                curvature -= joint.reshape(curvature.shape)
        every = np.arange(bots)
        curvature = curvature[:, :bots, :bots]
        chosen = chosen[:, :bots]
        curvature[:, every, every] += chosen
        curvature += chosen.mean(axis=1)[:, None, None] / bots  # strengths are known but for a constant: let it stay
        slope = wins - chosen
        step = np.asarray(np.linalg.solve(curvature, slope[:, :, None])[:, :, 0], np.float64)
        return step, (slope * step).sum(axis=1)

    @staticmethod
    def _by_bot(values: Floats, cells: NDArray[np.int_], width: int) -> Floats:
        """Sums of each row's values that fall into the same cell."""
        rows = len(values)
        places = np.arange(rows)[:, None] * width + cells % width
        sums: Floats = np.bincount(places.ravel(), values.ravel(), rows * width).reshape(rows, width).astype(np.float64)
        return sums


def orders_of_places(bots: Sequence[int], places: Sequence[int]) -> list[Order]:
    """The orders that a result may stand for, each of them equally: of those who share a place all orders.

    places: of the bots, 1 the first.
    """
    ranked = sorted(set(places))
    tied = [[bot for bot, own in zip(bots, places, strict=True) if own == place] for place in ranked]
    return [sum(parts, ()) for parts in product(*map(permutations, tied))]
