"""Ratings: what all games together say of each bot, on one scale, with intervals by a bootstrap over deal groups.

docs/statistics.md has the formulas and says how to read them. NumPy is loaded with this module: whoever needs no
ratings leaves it alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import permutations
from math import exp, factorial, log, sqrt

import numpy as np

from arena.standings.significance import Pair, cycles_of, pairs_of
from arena.standings.statistics import NORMAL_QUANTILE, t_quantile
from arena.standings.strengths import Choices, Floats, Order, orders_of_places
from arena.standings.tally import Finish, Tally

COPIES = 2000
"""How often the deal groups are weighed anew. No probability is nearer to 0 or 1 than one in so many and two."""
SCALE = 400 / log(10)
"""Points of a rating for a natural logarithm of odds: 400 points are odds of ten to one."""
AT = 1500.0

DRAWN = exp(-0.57721566490153286) / 2
"""How much of a deal group every bot is taken to have drawn besides those it has played: 0.28.

The bootstrap weighs each way of it by a gamma variate of shape 1/2, and half of this has the mean logarithm of one; so
a rating is amid its samples also where all games were won. (The exponent is Euler's constant.)
"""

_MOST_NUMBERS = 4_000_000  # held at once: 32 MB
_DECIMALS = 6
_LEAST_SHARE = 1e-7  # of a group; so that every fit has a summit that can be found


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a bot.

    games, groups: that it is made of. low, high: the 95 % interval, `None` where there are too few groups, and of the
    anchor, whose rating is given.
    """

    bot: str
    games: int
    groups: int
    rating: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of a run.

    bots: the highest first. unrated: bots of which no game counts.
    outranks: by two bots, how probable it is that the first has the higher strength; empty where there are too few
        groups for an interval.
    pairs: who met, by the margin a hand, see `arena.standings.significance`. cycles: of these, what no scale can show.
    anchor: the bot that stands at `at`; without one the mean of all does.
    """

    bots: tuple[Rating, ...]
    unrated: tuple[str, ...]
    outranks: Mapping[tuple[str, str], float]
    pairs: tuple[Pair, ...]
    cycles: tuple[tuple[str, ...], ...]
    anchor: str | None
    at: float


def ratings_of(tally: Tally, seed: str, anchor: str | None = None, at: float = AT) -> Ratings | str:
    """The ratings of all bots with games that count, or the sentence why there are none.

    seed: of the run, in hexadecimal: the bootstrap's numbers come from it, so that the same games give the same table.
    """
    bots = [name for name, bot in tally.bots.items() if bot.sums.games]
    if not bots:
        return "no ratings: no deal group is complete yet"
    if parts := _apart(bots, tally):
        return (
            "no ratings: these have met nobody of the others, neither directly nor over other bots, and cannot be "
            f"compared: {'; '.join(parts)}"
        )
    if anchor is not None and anchor not in bots:
        return f"no ratings: their anchor is {anchor}, of which no game counts here: expected one of {', '.join(bots)}"
    data = _Results(bots, tally.finishes)
    middle = data.strengths(data.middle()).round(_DECIMALS)  # so that equal bots are
    copies = data.copies(seed, middle)
    groups = min(len(tally.bots[name].sums.groups) for name in bots)
    if groups > 1:
        median = np.median(copies, axis=0)
        copies = median + _stretch(groups) * (copies - median)
    pairs = pairs_of(tally)
    return Ratings(
        bots=tuple(_rated(tally, bots, middle, copies, anchor, at, certain=groups > 1)),
        unrated=tuple(name for name in tally.bots if name not in bots),
        outranks=_outranks(bots, copies) if groups > 1 else {},
        pairs=pairs,
        cycles=cycles_of(pairs),
        anchor=anchor,
        at=at,
    )


def _rated(
    tally: Tally, bots: Sequence[str], middle: Floats, copies: Floats, anchor: str | None, at: float, *, certain: bool
) -> Iterator[Rating]:
    """The strengths on the scale, the highest first. certain: whether there are groups enough for intervals."""

    def scaled(strengths: Floats) -> Floats:
        zero = strengths.mean(axis=1) if anchor is None else strengths[:, bots.index(anchor)]
        points: Floats = at + SCALE * (strengths - zero[:, None])
        return points

    (points,) = scaled(middle[None])
    lows, highs = np.quantile(scaled(copies), (0.025, 0.975), axis=0)
    for bot in sorted(range(len(bots)), key=lambda bot: -middle[bot]):
        name = bots[bot]
        low, high = (float(lows[bot]), float(highs[bot])) if certain and name != anchor else (None, None)
        sums = tally.bots[name].sums
        yield Rating(name, sums.games, len(sums.groups), float(points[bot]), low, high)


class _Results:
    """The results of a run as rows of counts, one a deal group, and what every bot is taken to have drawn besides.

    Of each pairing every order is taken to have come up a little oftener, so that a bot that has won or lost all its
    games has a strength. The shares of a bot make one group in all, of which `DRAWN` counts: a pairing has 1 / d of it,
    where d is the smallest number of pairings that one of its bots has played in.
    """

    def __init__(self, bots: Sequence[str], finishes: Mapping[Finish, Mapping[int, int]]) -> None:
        number = {name: place for place, name in enumerate(bots)}
        pairings = sorted({tuple([number[name] for name in names]) for names, _ in finishes})
        self.choices = Choices(len(bots), pairings)
        groups = sorted({group for counts in finishes.values() for group in counts})
        row = {group: place for place, group in enumerate(groups)}
        self.rows = np.zeros((len(groups), self.choices.width))
        games = dict.fromkeys(pairings, 0)
        played: dict[Order, set[int]] = {pairing: set() for pairing in pairings}
        for (names, places), counts in finishes.items():
            pairing = tuple([number[name] for name in names])
            orders = orders_of_places(pairing, places)
            counted = sum([self.choices.count(order) for order in orders], np.zeros(self.choices.width)) / len(orders)
            self.rows[[row[group] for group in counts]] += np.outer([*counts.values()], counted)
            games[pairing] += sum(counts.values())
            played[pairing].update(counts)
        busy = np.bincount([bot for pairing in pairings for bot in pairing], minlength=len(bots))
        self._shares: list[float] = []  # by order, of a group
        prior = []
        for pairing in pairings:
            share = 1 / min(busy[bot] for bot in pairing) / factorial(len(pairing))
            for order in permutations(pairing):
                self._shares.append(share)
                prior.append(self.choices.count(order) * games[pairing] / len(played[pairing]))
        self.prior = np.array(prior)

    def middle(self) -> Floats:
        """All that was counted, and what is taken to be drawn."""
        shares: Floats = DRAWN * np.array(self._shares)
        counted: Floats = np.concatenate([self.rows, shares[:, None] * self.prior]).sum(axis=0)
        return counted

    def strengths(self, counted: Floats) -> Floats:
        """The most likely strengths of one row of counts."""
        strengths: Floats = self.choices.fit(counted[None])[0]
        return strengths

    def copies(self, seed: str, middle: Floats) -> Floats:
        """The strengths, as often as the deal groups and the shares of the drawn one are weighed anew.

        middle: the strengths of all that was counted.

        The weights are those of the Bayesian bootstrap (D. B. Rubin, Annals of Statistics 9 (1981), 130-134): each
        group has a weight from the exponential distribution, the same in all pairings, and a share of a drawn group one
        from the gamma distribution of that shape. For one pairing of independent games that is the Beta distribution
        of Jeffreys' interval.
        """
        # The old generator, because its numbers are the same in every version of NumPy.
        random = np.random.RandomState(np.frombuffer(sha256(f"ratings {seed}".encode()).digest(), np.uint32))
        widest = max(len(self.rows), len(self.prior), self.choices.sets.size)
        at_once = max(1, _MOST_NUMBERS // widest)
        parts = []
        for first in range(0, COPIES, at_once):
            size = min(at_once, COPIES - first)
            weights = random.standard_exponential((size, len(self.rows)))
            shares = random.standard_gamma(self._shares, (size, len(self._shares)))
            counted = weights @ self.rows + np.maximum(shares, _LEAST_SHARE) @ self.prior
            parts.append(self.choices.fit(counted, middle))
        return np.concatenate(parts)


def _stretch(groups: int) -> float:
    """By how much the bootstrap's deviations are too small for so few groups.

    Its variance of a mean is that of Student's t-interval times (n - 1) / (n + 1), and its quantiles are normal. For
    the remedy compare T. C. Hesterberg, The American Statistician 69 (2015), 371-386.
    """
    return t_quantile(groups - 1) * sqrt((groups + 1) / (groups - 1)) / NORMAL_QUANTILE


def _outranks(bots: Sequence[str], copies: Floats) -> dict[tuple[str, str], float]:
    """How probable it is that one bot is stronger than another: the share of the copies in which it is.

    One copy more is counted each way (Laplace's rule), so that no number of them proves anything.
    """
    shares = {}
    for one, name in enumerate(bots):
        for other, rival in enumerate(bots):
            if one != other:
                ahead = float(np.sign(copies[:, one] - copies[:, other]).sum() + COPIES) / 2
                shares[name, rival] = (ahead + 1) / (COPIES + 2)
    return shares


def _apart(bots: Sequence[str], tally: Tally) -> list[str]:
    """The bots by who can be compared, where not all can."""
    met: dict[str, set[str]] = {name: {name} for name in bots}
    for one, other in tally.against:
        if met[one] is not met[other]:
            met[one] |= met[other]
            for name in met[other]:
                met[name] = met[one]
    parts = {id(part): part for part in met.values()}
    return [", ".join(name for name in bots if name in part) for part in parts.values()] if len(parts) > 1 else []
