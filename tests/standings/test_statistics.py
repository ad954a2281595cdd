"""Intervals over deal groups, against published quantiles and by simulation."""

from collections.abc import Iterable
from random import Random

import pytest

from arena.standings.statistics import Estimate, ratio_over_groups, t_quantile


def estimate_of(groups: Iterable[tuple[float, float]]) -> Estimate:
    estimate = ratio_over_groups(groups)
    assert estimate is not None
    return estimate


@pytest.mark.parametrize(
    ("degrees", "published"),
    [(1, 12.706), (2, 4.303), (5, 2.571), (6, 2.447), (7, 2.365), (10, 2.228), (30, 2.042), (120, 1.980)],
)
def test_t_quantiles_are_those_of_published_tables(degrees: int, published: float) -> None:
    assert t_quantile(degrees) == pytest.approx(published, abs=0.001)


def test_no_degree_of_freedom_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        t_quantile(0)


def test_equal_weights_give_the_textbook_interval_of_a_mean() -> None:
    values = [1.0, 2.0, 4.0, 9.0]
    estimate = estimate_of((value, 1) for value in values)
    mean = 4.0
    deviation = (sum((value - mean) ** 2 for value in values) / 3) ** 0.5
    assert estimate.mean == mean
    assert estimate.half_width == pytest.approx(3.1824 * deviation / 2)
    assert estimate.low == pytest.approx(mean - 3.1824 * deviation / 2)


def test_one_group_has_a_mean_and_no_interval() -> None:
    assert ratio_over_groups([(6.0, 3)]) == Estimate(2.0, None)


def test_nothing_has_no_mean() -> None:
    assert ratio_over_groups([]) is None
    assert ratio_over_groups([(0.0, 0)]) is None


def test_groups_of_unequal_weight_give_the_interval_of_a_ratio() -> None:
    estimate = estimate_of([(6.0, 2), (6.0, 4), (0.0, 6)])
    assert estimate.mean == 1.0
    spread = (6 - 2) ** 2 + (6 - 4) ** 2 + (0 - 6) ** 2
    assert estimate.half_width == pytest.approx(4.3027 * (3 / 2 * spread) ** 0.5 / 12)


def test_groups_that_all_agree_have_an_interval_of_nothing() -> None:
    assert ratio_over_groups([(0.0, 2), (0.0, 5), (0.0, 1)]) == Estimate(0.0, 0.0)


def covered(trials: int) -> float:
    """How often the interval of a margin a hand holds the truth: 30 groups of unequal length."""
    random = Random(7)
    hits = 0
    for _ in range(trials):
        groups = []
        for _ in range(30):
            hands = random.randint(8, 14)
            groups.append((random.gauss(0.5 * hands, 20 * hands**0.5), hands))
        estimate = estimate_of(groups)
        assert estimate.low is not None
        assert estimate.high is not None
        hits += estimate.low <= 0.5 <= estimate.high
    return hits / trials


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    assert 0.935 <= covered(2000) <= 0.965


@pytest.mark.thorough
def test_at_length_the_interval_holds_the_truth_in_94_to_96_of_100() -> None:
    assert 0.94 <= covered(20_000) <= 0.96
