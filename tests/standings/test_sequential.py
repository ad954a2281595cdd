"""The sequential test: its formulas against slow ways to the same numbers, its promises by simulation."""

from collections.abc import Callable
from math import inf, log, pi, sqrt
from random import Random
from statistics import fmean, pstdev, stdev

import pytest

from arena.standings import sequential
from arena.standings.sequential import Bounds, Sample, SequentialTest, Side, Unit

SCORES = [0.0, 12.5, -3.0, 0.0, 0.0, 40.5, -18.0, 7.0, 0.0, 1.5]
SERIES = 400


def sample_of(scores: list[float]) -> Sample:
    sample = Sample()
    for score in scores:
        sample.add(score)
    return sample


def test_a_sample_knows_its_mean_and_its_spread() -> None:
    sample = sample_of(SCORES)
    assert sample.groups == len(SCORES)
    assert sample.mean == pytest.approx(fmean(SCORES))
    assert sample.squares == pytest.approx(len(SCORES) * pstdev(SCORES) ** 2)


def test_a_sample_begins_with_the_spread_that_is_expected() -> None:
    assert Sample().sd(8.0) == 8.0
    n, prior = len(SCORES), sequential.PRIOR_GROUPS
    squares = n * pstdev(SCORES) ** 2 + prior * 20**2
    assert sample_of(SCORES).sd(20.0) == pytest.approx(sqrt(squares / (n + prior)))


def test_a_sample_that_spreads_more_widely_than_expected_is_believed() -> None:
    assert sample_of(SCORES).sd(8.0) == pytest.approx(stdev(SCORES))


def likeliest(sample: Sample, mean_of: str, bound: float) -> float:
    """The logarithm of the likelihood with a bound mean and the spread that suits it best, found by trying spreads."""
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 - loads for a second

    spread = sample.sd(8.0) ** 2

    def unlikely(sd: float) -> float:
        mean = bound if mean_of == "points" else bound * sd
        return log(sd) + log(2 * pi) / 2 + (spread + (sample.mean - mean) ** 2) / (2 * sd**2)

    return -sample.groups * float(minimize_scalar(unlikely, bounds=(0.01, 100), method="bounded").fun)


@pytest.mark.parametrize(("unit", "low", "high"), [(Unit.POINTS, -3.0, 1.0), (Unit.SD, -0.1, 0.3)])
def test_the_ratio_is_that_of_the_likeliest_distributions(unit: Unit, low: float, high: float) -> None:
    sample = sample_of(SCORES)
    expected = likeliest(sample, unit, high) - likeliest(sample, unit, low)
    assert SequentialTest(Bounds(low, high, unit), 8.0).ratio(sample) == pytest.approx(expected, abs=1e-6)


def test_a_sample_without_groups_says_nothing() -> None:
    test = SequentialTest(Bounds(-1, 0), 8.0)
    assert test.ratio(Sample()) == 0
    assert test.side(Sample()) is None
    assert test.half_width(Sample()) == inf


def test_few_groups_say_nothing_however_clear_they_are() -> None:
    test = SequentialTest(Bounds(-1, 0), 8.0)
    sample = sample_of([-50.0] * (sequential.FEWEST - 1))
    assert test.side(sample) is None
    sample.add(-50.0)
    assert test.side(sample) is Side.LOW


def test_groups_that_are_all_alike_do_not_stand_for_those_that_were_not_met() -> None:
    test = SequentialTest(Bounds(-0.3, 0), 8.0)
    assert test.side(sample_of([0.0] * 600)) is None
    assert test.side(sample_of([0.0] * 800)) is Side.HIGH


def rate(count: int) -> float:
    """The lower end of the 95 % interval of a rate, so many in `SERIES`."""
    from scipy.stats import binomtest  # noqa: PLC0415 - loads for a second

    return float(binomtest(count, SERIES).proportion_ci(0.95, method="exact").low)


def heavy(dice: Random) -> float:
    """A score that is 0 in 19 of 20 cases and large in the other, with the mean 0."""
    return dice.choice((-40.0, 10.0, 30.0)) if dice.random() < 0.05 else 0.0


DRAWS: dict[str, tuple[Callable[[Random], float], float]] = {
    "as expected": (lambda dice: dice.gauss(0, 8), 8.0),
    "wider": (lambda dice: dice.gauss(0, 20), 20.0),
    "heavy": (heavy, sqrt(0.05 * (1600 + 100 + 900) / 3)),
}
"""Scores with the mean 0, and their standard deviation."""


@pytest.mark.parametrize("unit", Unit)
@pytest.mark.parametrize("at", [Side.LOW, Side.HIGH])
@pytest.mark.parametrize(("draw", "sd"), DRAWS.values(), ids=DRAWS)
def test_each_wrong_word_is_said_in_5_of_100_cases_at_most(
    unit: Unit, at: Side, draw: Callable[[Random], float], sd: float
) -> None:
    bounds = Bounds(-3.0, 0.0) if unit is Unit.POINTS else Bounds(-0.3, 0.0, unit)
    truth = 0.0 if at is Side.HIGH else bounds.low * (1 if unit is Unit.POINTS else sd)
    test, wrong, groups = SequentialTest(bounds, 8.0), 0, 0
    for number in range(SERIES):
        dice, sample, side = Random(f"{unit} {at} {number}"), Sample(), None
        while side is None and sample.groups < 10_000:
            sample.add(truth + draw(dice))
            side = test.side(sample)
        wrong += side is not at
        groups += sample.groups
    assert rate(wrong) <= sequential.ERROR
    if sd == 8:  # and it takes about as many groups as is told before
        assert groups / SERIES == pytest.approx(test.expected(sd).at_bounds, rel=0.4)


@pytest.mark.thorough
def test_rare_great_losses_do_not_pass_for_small_gains() -> None:
    test, wrong = SequentialTest(Bounds(0.0, 0.3), 8.0), 0
    for number in range(SERIES):
        dice, sample, side = Random(f"lopsided {number}"), Sample(), None
        while side is None:
            sample.add(dice.choice((-40.0, *[5.0] * 8)) if dice.random() < 0.1 else 0.0)
            side = test.side(sample)
        wrong += side is Side.HIGH
    assert rate(wrong) <= sequential.ERROR


def test_the_interval_holds_at_all_looks_together() -> None:
    test, left = SequentialTest(Bounds(-3.0, 0.0), 8.0), 0
    for number in range(SERIES):
        dice, sample = Random(number), Sample()
        for _ in range(300):
            sample.add(heavy(dice))
            if abs(sample.mean) > test.half_width(sample):
                left += 1
                break
    assert rate(left) <= sequential.ERROR


def test_the_interval_is_what_its_formula_says() -> None:
    """The margin of I. Waudby-Smith and others, with the spread of the mixture that they advise for 277 groups."""
    sample = sample_of(SCORES * 20)
    test = SequentialTest(Bounds(-1.0, 0.0), 8.0)
    n, best = sample.groups, test.expected(8.0).between
    rho = sqrt((-2 * log(0.05) + log(-2 * log(0.05) + 1)) / best)
    margin = sqrt(2 * (n * rho**2 + 1) / (n**2 * rho**2) * log(sqrt(n * rho**2 + 1) / 0.05))
    assert test.half_width(sample) == pytest.approx(sample.sd(8.0) * margin)


@pytest.mark.parametrize("sd", [0.0, 3.0, 8.0, 20.0])
def test_the_groups_that_it_takes_allow_for_those_that_a_sample_begins_with(sd: float) -> None:
    test, n = SequentialTest(Bounds(-0.3, 0), 8.0), 1000.0
    for _ in range(200):
        variance = max(sd**2, (n * sd**2 + sequential.PRIOR_GROUPS * 64) / (n + sequential.PRIOR_GROUPS))
        n = (n + test.limit**2 * variance / 0.3**2) / 2
    assert test.expected(sd).between == pytest.approx(n)


def test_it_takes_longer_where_less_is_to_be_seen() -> None:
    wide, narrow = [SequentialTest(Bounds(-width, 0), 8.0).expected(8.0) for width in (0.6, 0.3)]
    assert narrow.at_bounds == pytest.approx(4 * wide.at_bounds)
    assert narrow.between > narrow.at_bounds
    assert SequentialTest(Bounds(-0.1, 0, Unit.SD), 8.0).expected(8.0) == SequentialTest(Bounds(-0.8, 0), 8.0).expected(
        8.0
    )
