"""From what was measured to one table: medians over the rounds, ratios, and whether they are what they should be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import NamedTuple

from tabulate import tabulate

Key = tuple[str, str]
"""What was measured, and which figure of it."""
Round = Mapping[Key, float]
"""All figures of one round."""


class Ratio(NamedTuple):
    """What a figure is divided by, and the target of the ratio, `at_least` or `at_most`, if it has one."""

    by: Key
    at_least: float | None = None
    at_most: float | None = None

    @property
    def target(self) -> str:
        """The target as text, empty for none."""
        if self.at_least is not None:
            return f"at least {self.at_least:g}"
        return "" if self.at_most is None else f"at most {self.at_most:g}"

    def reached(self, value: float) -> bool | None:
        """Whether a ratio reaches the target; `None` where there is none."""
        if self.at_least is not None:
            return value >= self.at_least
        return None if self.at_most is None else value <= self.at_most


@dataclass(frozen=True)
class Row:
    """One figure: its median, lowest and highest value, and the median of each round's own ratio."""

    what: str
    unit: str
    median: float
    lowest: float
    highest: float
    ratio: float | None = None
    by: str = ""
    target: str = ""
    reached: bool | None = None


def rows_of(rounds: Sequence[Round], ratios: Mapping[Key, Ratio]) -> list[Row]:
    """A row for each figure, in the order of the first round."""
    return [_row(key, rounds, ratios.get(key)) for key in rounds[0]]


def _row(key: Key, rounds: Sequence[Round], ratio: Ratio | None) -> Row:
    values = [figures[key] for figures in rounds]
    row = Row(*key, median(values), min(values), max(values))
    if ratio is None:
        return row
    if ratio.by not in rounds[0]:
        return replace(row, by=f"{', '.join(ratio.by)}: not measured", target=ratio.target)
    value = median([figures[key] / figures[ratio.by] for figures in rounds])
    by = ratio.by[0] if ratio.by[1] == row.unit else ", ".join(ratio.by)
    return replace(row, ratio=value, by=by, target=ratio.target, reached=ratio.reached(value))


def as_table(rows: Sequence[Row]) -> str:
    """The rows for a person, what was measured only where it changes."""
    lines, before = [], ""
    for row in rows:
        what, before = "" if row.what == before else row.what, row.what
        spread = f"{_number(row.lowest)} - {_number(row.highest)}"
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        reached = {True: "yes", False: "NO", None: ""}[row.reached]
        lines.append((what, _number(row.median), row.unit, spread, ratio, row.by, row.target, reached))
    headers = ("measured", "median", "", "lowest - highest", "ratio", "to", "target", "reached")
    return tabulate(lines, headers, disable_numparse=True, colalign=("left", "right", "left", "left", "right"))


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
