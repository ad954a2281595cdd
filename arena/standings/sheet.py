"""A table as data, and the forms it can take: every format of tabulate, CSV and JSON."""

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

import tabulate

from arena.errors import InputError
from arena.standings.statistics import Estimate

Cell = str | int | float | Estimate | None
PlainCell = str | int | float | None
FORMATS = (*tabulate.tabulate_formats, "csv", "json")
"""Names that `render` takes."""

_PROGRAM_DECIMALS = 4
_MARKDOWN = ("pipe", "github")
_HEADING_WIDTH = 9

tabulate.MIN_PADDING = (
    0  # headings need no more room than cells; with 2, the default, tables are too wide for a terminal
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column.

    key: its name in CSV and JSON. heading: its name for people.
    decimals: how many its numbers are shown with. signed: whether with their sign.
    text: whether its cells are words.
    pm: the name of the half-widths in CSV and JSON, where the cells are estimates with an interval.
    """

    key: str
    heading: str
    decimals: int = 0
    signed: bool = False
    text: bool = False
    pm: str | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """Columns and rows. A cell that is `None` stands empty: there is nothing to say."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]

    def select(self, *keys: str) -> "Sheet":
        """The sheet with these columns only."""
        places = [[column.key for column in self.columns].index(key) for key in keys]
        return Sheet([self.columns[place] for place in places], [[row[place] for place in places] for row in self.rows])

    def keys(self) -> list[str]:
        """The names of the columns for programs: an interval's half-width has one of its own."""
        return [key for column in self.columns for key in (column.key, column.pm) if key is not None]

    def records(self) -> list[dict[str, PlainCell]]:
        """The rows for programs, each by `keys`."""
        return [dict(zip(self.keys(), values, strict=True)) for values in self.plain_rows()]

    def plain_rows(self) -> Iterator[list[PlainCell]]:
        """The rows for programs, in the order of `keys`."""
        for row in self.rows:
            pairs = zip(self.columns, row, strict=True)
            yield [_rounded(value, _PROGRAM_DECIMALS) for column, cell in pairs for value in _values(column, cell)]


def render(sheet: Sheet, form: str) -> str:
    """The sheet as text, ending in a newline. Raises `InputError` for a format that is none."""
    if form == "json":
        return json.dumps(sheet.records(), indent=2, ensure_ascii=False) + "\n"
    if form == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(sheet.keys())
        writer.writerows(sheet.plain_rows())
        return out.getvalue()
    if form not in tabulate.tabulate_formats:
        raise InputError(f"--format: expected one of {', '.join(FORMATS)}, got {form!r}")
    cells = [[shown(column, cell) for column, cell in zip(sheet.columns, row, strict=True)] for row in sheet.rows]
    headings = [column.heading for column in sheet.columns]
    if form in _MARKDOWN:
        cells = [[escaped(cell) for cell in row] for row in cells]
        headings = [escaped(heading) for heading in headings]
    elif form == "simple":  # the form for terminals
        headings = _wrapped(headings, cells)
    align = ["left" if column.text else "right" for column in sheet.columns]
    table = tabulate.tabulate(cells, headings, tablefmt=form, disable_numparse=True, colalign=align if cells else None)
    return table + "\n"


def shown(column: Column, cell: Cell) -> str:
    """A cell as people read it; an interval as `+0.31 ± 0.12`."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Estimate):
        mean = _number(column, cell.mean)
        return mean if cell.half_width is None else f"{mean} ± {cell.half_width:.{column.decimals}f}"
    return _number(column, cell)


def _number(column: Column, number: float) -> str:
    return f"{_rounded(number, column.decimals):{'+' if column.signed else ''}.{column.decimals}f}"


def _rounded(value: PlainCell, decimals: int) -> PlainCell:
    """A number with so many decimals; minus zero is zero."""
    return round(value, decimals) + 0.0 if isinstance(value, float) else value


def _values(column: Column, cell: Cell) -> tuple[PlainCell, ...]:
    """A cell as programs read it."""
    if isinstance(cell, Estimate):
        return cell.mean, cell.half_width
    return (cell,) if column.pm is None else (cell, None)


def escaped(text: str) -> str:
    """Text for Markdown: what would mark it up stands for itself. An underscore within a word does already."""
    return re.sub(r"[\\`*\[\]<>|~]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)


def _wrapped(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Headings over several lines, so that they widen their columns but little, and level at the bottom."""
    lines = [
        wrap(heading, max([_HEADING_WIDTH, *[len(row[place]) for row in rows]]), break_long_words=False)
        for place, heading in enumerate(headings)
    ]
    depth = max(map(len, lines))
    return ["\n".join([""] * (depth - len(part)) + part) for part in lines]
