"""What is drawn of the figures, as numbers for the templates. Every plot is 100 units wide, whatever its screen."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import NamedTuple

from arena.standings.statistics import FEWEST_GROUPS, Estimate, ratio_over_groups
from arena.standings.tally import Sums

_POINTS = 30
"""Places along a course at which it is drawn."""
_SETTLED = 0.2
"""The first part of a course may leave the picture: few groups have intervals that would make all else flat."""


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to 0..100, with round values to label."""

    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float], margin: float = 0.05) -> "Scale":
        """The scale that shows all of these and a little more."""
        low, high = min(values), max(values)
        more = (high - low) * margin or 1.0
        return cls(low - more, high + more)

    def at(self, value: float) -> float:
        """Where a value stands, 0 to 100 where it is on the scale."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)

    def ticks(self, most: int = 6) -> list[float]:
        """Round values on the scale, ascending."""
        raw = (self.high - self.low) / most
        unit = 10 ** floor(log10(raw))
        step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= raw)
        first = floor(self.low / step) + 1
        return [round(number * step, 10) + 0.0 for number in range(first, floor(self.high / step) + 1)]


class Drawn(NamedTuple):
    """A value to be drawn with its interval, whose ends are `None` where there is none, and how people read it."""

    name: str
    value: float
    low: float | None
    high: float | None
    text: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A value with its interval on a scale; the ends are `None` where there is no interval."""

    name: str
    text: str
    at: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class DotPlot:
    """Values under one another. ticks: where a value is labelled, and the value. mark: where the middle is."""

    dots: Sequence[Dot]
    ticks: Sequence[tuple[float, float]]
    mark: float


def dot_plot(drawn: Sequence[Drawn], middle: float = 0.0, beside: Sequence[Drawn] = ()) -> DotPlot | None:
    """Draw values; `None` of nothing.

    middle: what they are compared with, which is in the picture. beside: others that are drawn on the same scale.
    """
    if not drawn:
        return None
    scale = Scale.of([middle, *[value for one in (*drawn, *beside) for value in one[1:4] if value is not None]])

    def at(value: float | None) -> float | None:
        return None if value is None else scale.at(value)

    dots = [Dot(one.name, one.text, scale.at(one.value), at(one.low), at(one.high)) for one in drawn]
    return DotPlot(dots, [(scale.at(tick), tick) for tick in scale.ticks()], scale.at(middle))


@dataclass(frozen=True, slots=True)
class Course:
    """How an estimate went while groups came in, its last value included.

    line, band: points of an SVG, y downward from 0 to 100. high, low: values at the top and the bottom.
    zero: where 0 is, if it is in the picture. hands: how many there were in the end.
    """

    name: str
    last: Estimate
    hands: int
    line: str
    band: str
    high: float
    low: float
    zero: float | None


def course_of(name: str, sums: Sums) -> Course | None:
    """The margin a hand of a bot after each part of its groups; `None` where there are too few to draw."""
    groups = [sums.groups[number] for number in sorted(sums.groups) if sums.groups[number].hands]
    if len(groups) < 4:
        return None
    counts = sorted({2 + round((len(groups) - 2) * part / _POINTS) for part in range(_POINTS + 1)})
    course = [(n, ratio_over_groups((group.hands_margin, group.hands) for group in groups[:n])) for n in counts]
    told = [
        (n, one.mean, one.low, one.high) for n, one in course if one and one.low is not None and one.high is not None
    ]
    settled = [one for one in told if one[0] >= _SETTLED * len(groups)] or told
    scale = Scale.of([value for _, _, low, high in settled for value in (low, high)], 0.1)
    across = Scale(told[0][0], told[-1][0])

    def points(values: Sequence[tuple[int, float]]) -> str:
        return " ".join([f"{across.at(n):g},{min(max(100 - scale.at(value), -200), 300):g}" for n, value in values])

    upper = [(n, high) for n, _, _, high in told]
    lower = [(n, low) for n, _, low, _ in told]
    last = course[-1][1]
    assert last is not None
    zero = 100 - scale.at(0.0) if scale.low < 0 < scale.high else None
    line = points([(n, mean) for n, mean, _, _ in told])
    return Course(name, last, sums.hands, line, points([*upper, *lower[::-1]]), scale.high, scale.low, zero)


def level(estimate: Estimate, groups: int) -> str:
    """How sure it is that an estimate over so many deal groups is not zero.

    `clear` where its interval is clear of 0, which is 95 %; `sure` from twice its half-width on, which is 99.8 % or
    more by Student's t of `FEWEST_GROUPS` groups or more; `leans` from 0.65 times on, about 80 %; else `even`. Without
    an interval or with fewer groups it is `few`.
    """
    if estimate.half_width is None or groups < FEWEST_GROUPS:
        return "few"
    size, half = abs(estimate.mean), estimate.half_width
    if not size:
        return "even"
    return next(
        name for factor, name in ((2, "sure"), (1, "clear"), (0.65, "leans"), (0, "even")) if size >= factor * half
    )
