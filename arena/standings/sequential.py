"""A sequential test of a mean: it looks after every deal group, and stops as soon as the groups can carry a word.

Two hypotheses about the mean score of a group are held against each other: that it is `low`, and that it is `high`. The
test is the generalised sequential probability ratio test (GSPRT) of a normal mean with unknown spread; beside it stands
an interval that holds at all looks together. docs/compare.md has the formulas and the sources.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import inf, log, sqrt, tanh

ERROR = 0.05
"""How often each of the two wrong words may be said, where its opposite is true."""
PRIOR_GROUPS = 120
"""Groups of the expected spread that a sample begins with, unless its own is wider: few groups, of which most may be
exactly 0, know nothing of the rare ones that decide.
"""
FEWEST = 30
"""Groups before the first look."""


class Unit(StrEnum):
    """What bounds are measured in: points a hand, or standard deviations of a group's score."""

    POINTS = "points"
    SD = "sd"


class Side(StrEnum):
    """Which of the two hypotheses the groups speak for."""

    LOW = "low"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is to be told apart: a mean of `low` or less, and one of `high` or more."""

    low: float
    high: float
    unit: Unit = Unit.POINTS

    @property
    def width(self) -> float:
        """How far they are apart."""
        return self.high - self.low

    @property
    def of(self) -> str:
        """The unit, as it is written after a number."""
        return "standard deviations" if self.unit is Unit.SD else "points a hand"


@dataclass(frozen=True)
class SequentialTest:
    """A test of the mean of group scores.

    prior_sd: the spread of a group's score that is expected, in points a hand.
    error: how often each wrong word may be said.
    """

    bounds: Bounds
    prior_sd: float
    error: float = ERROR

    @cached_property
    def limit(self) -> float:
        """What the logarithm of the likelihood ratio has to reach, to either side.

        A ratio of the true hypothesis to the wrong one, turned round, ever reaches 1 / error in no more than that share
        of cases (Ville's inequality).
        """
        return log(1 / self.error)

    def ratio(self, sample: "Sample") -> float:
        """The logarithm of the likelihood ratio, `high` over `low`, each with the spread that suits it best."""
        if not sample.groups:
            return 0.0
        low, high = [self._fit(sample, bound) for bound in (self.bounds.low, self.bounds.high)]
        return sample.groups * (high - low)

    def side(self, sample: "Sample") -> Side | None:
        """The hypothesis that the sample speaks for clearly enough, `None` while it does not.

        The ratio says so, or the interval, where all of it is beyond a bound. Where the mean is far outside both, the
        ratio is slow: to either hypothesis the groups look like ones of a wide spread.
        """
        if sample.groups < FEWEST:
            return None
        ratio = self.ratio(sample)
        if abs(ratio) >= self.limit:
            return Side.HIGH if ratio > 0 else Side.LOW
        unit = sample.sd(self.prior_sd) if self.bounds.unit is Unit.SD else 1.0
        if not self.bounds.low * unit <= sample.mean <= self.bounds.high * unit:
            half = self.half_width(sample)
            if sample.mean + half < self.bounds.low * unit:
                return Side.LOW
            if sample.mean - half > self.bounds.high * unit:
                return Side.HIGH
        return None

    def half_width(self, sample: "Sample") -> float:
        """Half of an interval around the sample's mean that holds the true mean at all looks together.

        It is the asymptotic confidence sequence of Robbins' normal mixture. Infinite before the first look.
        """
        if sample.groups < FEWEST:
            return inf
        n = sample.groups
        best = max(self.expected(self.prior_sd).between, float(FEWEST))  # where it is to be narrowest
        alpha = -2 * log(self.error)
        mixed = n * (alpha + log(alpha + 1)) / best + 1  # n rho^2 + 1
        return sample.sd(self.prior_sd) * sqrt(2 * mixed / (n * (mixed - 1)) * log(sqrt(mixed) / self.error))

    def expected(self, sd: float) -> "Expected":
        """How many groups the test takes on average if scores spread like that (Wald's approximation)."""
        factors = (2 * tanh(self.limit / 2) * self.limit, self.limit**2)
        return Expected(*[self._groups(factor / self.bounds.width**2, sd) for factor in factors])

    def _groups(self, each: float, sd: float) -> float:
        """The number of groups that is `each` times the square of the spread that a sample of so many has.

        It solves n = each * (n sd^2 + prior) / (n + PRIOR_GROUPS), see `Sample.sd`.
        """
        if self.bounds.unit is Unit.SD:
            return each
        if sd >= self.prior_sd:
            return each * sd**2
        half = (each * sd**2 - PRIOR_GROUPS) / 2
        return half + sqrt(half**2 + each * PRIOR_GROUPS * self.prior_sd**2)

    def _fit(self, sample: "Sample", bound: float) -> float:
        """The logarithm of the likelihood of a group under a hypothesis, without what both have in common."""
        spread = sample.sd(self.prior_sd) ** 2
        if self.bounds.unit is Unit.POINTS:
            return -log(spread + (sample.mean - bound) ** 2) / 2
        square, product = spread + sample.mean**2, bound * sample.mean
        scale = (product + sqrt(product**2 + 4 * square)) / (2 * square)  # 1 / the likeliest spread
        return log(scale) - (square * scale**2 - 2 * product * scale + bound**2) / 2


@dataclass(frozen=True, slots=True)
class Expected:
    """Groups that a test takes on average: where the truth is one of the bounds, and half-way between them."""

    at_bounds: float
    between: float


@dataclass(slots=True)
class Sample:
    """The groups so far: how many, the mean of their scores, and the sum of the squares around it."""

    groups: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, score: float) -> None:
        """Take in a group. B. P. Welford, Note on a method for calculating corrected sums, Technometrics 4 (1962)."""
        self.groups += 1
        away = score - self.mean
        self.mean += away / self.groups
        self.squares += away * (score - self.mean)

    @property
    def own_sd(self) -> float:
        """The standard deviation of the scores, 0 of less than two."""
        return sqrt(self.squares / (self.groups - 1)) if self.groups > 1 else 0.0

    def sd(self, prior_sd: float) -> float:
        """The spread of a score, with `PRIOR_GROUPS` of the expected spread taken in where that makes it wider.

        Where it would make it narrower the groups are believed: else bots that differ widely would be told apart by too
        few of them.
        """
        mixed = (self.squares + PRIOR_GROUPS * prior_sd**2) / (self.groups + PRIOR_GROUPS)
        return max(sqrt(mixed), self.own_sd)
