"""How sure it is that one bot is better than another: Student's distribution, in closed steps and without NumPy."""

from math import exp, inf, lgamma, log

from arena.standings.statistics import Estimate, t_quantile

_TINY = 1e-300
_CLOSE = 1e-15
_STEPS = 300


def p_of_zero(estimate: Estimate, groups: int) -> float | None:
    """How often a margin at least so far from zero would come of equally good bots; `None` of one deal group.

    By Student's t: the margin by its standard error, which is its half-width by the 95 % quantile of Student's t with
    n - 1 degrees of freedom. Groups that all agree have no error to go by. Of bots equally good each of them would have
    gone to either, so that all go to one with a probability of 2 / 2^n (the sign test).
    """
    if estimate.half_width is None or groups < 2:
        return None
    if not estimate.mean:
        return 1.0
    error = estimate.half_width / t_quantile(groups - 1)
    return 2 * t_below(-abs(estimate.mean) / error, groups - 1) if error else 2.0 ** (1 - groups)


def chance_above_zero(estimate: Estimate, groups: int) -> float | None:
    """The probability that the true margin is above zero, by the margins of so many deal groups; `None` of one group.

    The margin a hand `R` has the standard error `s`. Under a flat prior the true margin is `R + s T`, with T of
    Student's distribution with n - 1 degrees of freedom, so that the probability is P(T < R / s) (Gelman et al.,
    Bayesian Data Analysis, 3rd ed., 3.2). It is one less the one-sided p-value, which is half of `p_of_zero`.
    """
    p = p_of_zero(estimate, groups)
    return None if p is None else 1 - p / 2 if estimate.mean > 0 else p / 2


def t_below(t: float, degrees: int) -> float:
    """The probability that Student's t with these degrees of freedom is below `t`.

    By the incomplete beta function (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.1).
    """
    if t in (inf, -inf):
        return float(t > 0)
    beyond = incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2
    return 1 - beyond if t > 0 else beyond


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function for a, b > 0 and 0 <= x <= 1, good to six digits and better.

    Its continued fraction (Abramowitz and Stegun, 26.5.8), taken by Lentz's method from whichever side it
    converges quickly at.
    """
    if x in (0.0, 1.0):
        return x
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    d = 1 / _away(1 - (a + b) * x / (a + 1))
    c, fraction = 1.0, d
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / _away(1 + step * d)
            c = _away(1 + step / c)
            fraction *= d * c
        if abs(d * c - 1) < _CLOSE:
            break
    return front * fraction


def _away(number: float) -> float:
    """The number, or a tiny one in place of zero."""
    return number if abs(number) > _TINY else _TINY
