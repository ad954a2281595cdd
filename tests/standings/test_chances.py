"""Student's distribution against its tables, and the probability that is made of it."""

from math import inf

import pytest

from arena.standings.chances import chance_above_zero, incomplete_beta, p_of_zero, t_below
from arena.standings.statistics import Estimate, ratio_over_groups, t_quantile


@pytest.mark.parametrize(
    ("t", "degrees", "probability"),
    [
        # Abramowitz and Stegun, table 26.10.
        (6.314, 1, 0.95),
        (2.920, 2, 0.95),
        (2.132, 4, 0.95),
        (2.228, 10, 0.975),
        (2.750, 30, 0.995),
        (1.980, 120, 0.975),
        (-2.228, 10, 0.025),
        (0.0, 7, 0.5),
    ],
)
def test_the_distribution_is_that_of_the_tables(t: float, degrees: int, probability: float) -> None:
    assert t_below(t, degrees) == pytest.approx(probability, abs=1e-4)


def test_closed_forms_are_met() -> None:
    # With one degree it is Cauchy's, 1/2 + arctan(1) / pi; with two 1/2 + t / (2 sqrt(2 + t^2)).
    assert t_below(1.0, 1) == pytest.approx(0.75, abs=1e-10)
    assert t_below(1.0, 2) == pytest.approx(0.5 + 1 / (2 * 3**0.5), abs=1e-10)
    assert [incomplete_beta(1, 1, x) for x in (0.0, 0.3, 1.0)] == pytest.approx([0.0, 0.3, 1.0])
    assert incomplete_beta(2, 3, 0.4) == pytest.approx(0.5248)  # 6 x^2 - 8 x^3 + 3 x^4
    assert (t_below(inf, 5), t_below(-inf, 5)) == (1.0, 0.0)


def test_an_interval_that_just_touches_zero_is_97_5_percent() -> None:
    for groups in (2, 5, 40, 1000):
        assert chance_above_zero(Estimate(1.0, 1.0), groups) == pytest.approx(0.975, abs=2e-4)
        assert chance_above_zero(Estimate(-1.0, 1.0), groups) == pytest.approx(0.025, abs=2e-4)


def test_by_hand_from_three_groups() -> None:
    # Margins of 1, 2 and 3 a hand: mean 2, standard error 1 / sqrt(3); t = 2 sqrt(3) with two degrees.
    margin = ratio_over_groups([(2.0, 2.0), (4.0, 2.0), (6.0, 2.0)])
    assert margin is not None
    assert margin.half_width == pytest.approx(t_quantile(2) / 3**0.5)
    t = 2 * 3**0.5
    assert chance_above_zero(margin, 3) == pytest.approx(0.5 + t / (2 * (2 + t * t) ** 0.5), abs=1e-4)


def test_a_p_value_is_that_of_scipy_to_its_last_figures() -> None:
    from scipy.special import stdtr  # noqa: PLC0415 - loads for a second

    for groups in (2, 3, 7, 40, 1000, 20_000):
        for t in (0.01, 1.0, 2.5, 8.0, 30.0):
            estimate = Estimate(t, t_quantile(groups - 1))  # the standard error is 1
            assert p_of_zero(estimate, groups) == pytest.approx(2 * float(stdtr(groups - 1, -t)), rel=1e-6)


def test_one_group_tells_nothing_and_groups_that_agree_no_more_than_their_number() -> None:
    assert chance_above_zero(Estimate(3.0, None), 1) is None
    chances = [chance_above_zero(Estimate(mean, 0.0), 9) for mean in (1.0, 0.0, -1.0)]
    assert chances == [1 - 1 / 2**9, 0.5, 1 / 2**9]
