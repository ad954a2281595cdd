"""What is drawn stands where its number is."""

import pytest

from arena.pages.plots import Drawn, Scale, course_of, dot_plot, level
from arena.standings.statistics import FEWEST_GROUPS, Estimate, ratio_over_groups, t_quantile
from arena.standings.tally import Sums


@pytest.mark.parametrize(
    ("mean", "half", "groups", "told"),
    [
        (3.0, 1.0, 40, "sure"),
        (-2.0, 1.0, 40, "sure"),
        (1.99, 1.0, 40, "clear"),
        (-1.0, 1.0, 40, "clear"),
        (0.99, 1.0, 40, "leans"),
        (0.64, 1.0, 40, "even"),
        (0.0, 0.0, 40, "even"),
        (-9.5, 0.0, FEWEST_GROUPS, "sure"),
        (-9.5, 0.0, FEWEST_GROUPS - 1, "few"),
        (3.0, None, 1, "few"),
    ],
)
def test_how_sure_a_difference_is(mean: float, half: float | None, groups: int, told: str) -> None:
    assert level(Estimate(mean, half), groups) == told


def test_of_the_fewest_groups_twice_the_half_width_is_as_sure_as_it_is_called() -> None:
    """The two-sided 99.8 % quantile of Student's t with nine degrees of freedom is 4.297 (tables)."""
    assert 2 * t_quantile(FEWEST_GROUPS - 1) > 4.297


def test_dots_stand_where_their_values_are_and_ticks_are_round() -> None:
    plot = dot_plot([Drawn("a", 10.0, 8.0, 12.0, "+10.00"), Drawn("b", -30.0, None, None, "-30.00")])
    assert plot is not None
    scale = Scale.of([0.0, 10.0, 8.0, 12.0, -30.0])
    for dot, value in zip(plot.dots, (10.0, -30.0), strict=True):
        assert dot.at == scale.at(value)
    assert (plot.dots[0].low, plot.dots[0].high) == (scale.at(8.0), scale.at(12.0))
    assert (plot.dots[1].low, plot.dots[1].high) == (None, None)
    assert [value for _, value in plot.ticks] == [-30.0, -20.0, -10.0, 0.0, 10.0]
    assert {value: at for at, value in plot.ticks}[0.0] == plot.mark
    assert dot_plot([]) is None


def test_values_that_are_all_alike_are_drawn() -> None:
    plot = dot_plot([Drawn("a", 0.0, 0.0, 0.0, "0.00"), Drawn("b", 0.0, 0.0, 0.0, "0.00")])
    assert plot is not None
    assert {dot.at for dot in plot.dots} == {50.0}


def test_a_course_ends_where_the_table_is() -> None:
    sums = Sums()
    for group in range(100):
        sums.add(group, 3, float(group * 37 % 101 - 45), 1 + group % 3)
    course = course_of("a", sums)
    assert course is not None
    assert course.last == sums.margin_a_hand()
    assert course.hands == sums.hands
    scale = Scale(course.low, course.high)
    points = [tuple(map(float, point.split(","))) for point in course.line.split()]
    assert points[0][0] == 0.0
    assert points[-1] == pytest.approx((100.0, 100 - scale.at(course.last.mean)), abs=0.01)
    half = ratio_over_groups((one.hands_margin, one.hands) for one in list(sums.groups.values())[:51])
    assert half is not None
    assert min(abs(y - (100 - scale.at(half.mean))) for _, y in points) < 0.01


def test_too_few_groups_have_no_course() -> None:
    sums = Sums()
    for group in range(3):
        sums.add(group, 3, 1.0, 1)
    assert course_of("a", sums) is None
