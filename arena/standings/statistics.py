"""The few figures of statistics that the tables need, with their formulas."""

from collections.abc import Iterable
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95
FEWEST_GROUPS = 10
"""Deal groups from which on a difference is called sure or significant: intervals of fewer may be narrow by chance."""
NORMAL_QUANTILE = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
"""Two-sided, 1.96."""
_T_OF_FEW = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706)


class Estimate(NamedTuple):
    """A mean and the half-width of its 95 % interval; the half-width is `None` where one group cannot tell."""

    mean: float
    half_width: float | None

    @property
    def low(self) -> float | None:
        """Lower end of the interval."""
        return None if self.half_width is None else self.mean - self.half_width

    @property
    def high(self) -> float | None:
        """Upper end of the interval."""
        return None if self.half_width is None else self.mean + self.half_width

    def turned(self) -> "Estimate":
        """The same seen from the other side: with the other sign."""
        return Estimate(-self.mean, self.half_width)


def t_quantile(degrees: int) -> float:
    """Two-sided 95 % quantile of Student's t.

    A table up to five degrees of freedom, then the expansion around the normal quantile of Abramowitz and
    Stegun, Handbook of Mathematical Functions, 26.7.5 (error below 0.001).
    """
    if degrees < 1:
        msg = f"expected at least one degree of freedom, got {degrees}"
        raise ValueError(msg)
    if degrees <= len(_T_OF_FEW):
        return _T_OF_FEW[degrees - 1]
    z, n = NORMAL_QUANTILE, float(degrees)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / n + second / n**2 + third / n**3 + fourth / n**4


def ratio_over_groups(groups: Iterable[tuple[float, float]]) -> Estimate | None:
    """The ratio of two totals, such as points a hand, with its interval over deal groups; `None` of nothing.

    Each group gives its sum of the numerator and of the denominator. Games of one group share their decks, so
    the groups and not the games are what is independent. Linearised variance of a ratio of cluster totals:
    `n / (n - 1) * sum((y - R x)^2) / sum(x)^2` (Cochran, Sampling Techniques, 3rd ed., 6.4).
    """
    pairs = list(groups)
    weight = sum(x for _, x in pairs)
    if not weight:
        return None
    ratio = sum(y for y, _ in pairs) / weight
    n = len(pairs)
    if n < 2:
        return Estimate(ratio, None)
    spread = sum((y - ratio * x) ** 2 for y, x in pairs)
    return Estimate(ratio, t_quantile(n - 1) * sqrt(n / (n - 1) * spread) / weight)
