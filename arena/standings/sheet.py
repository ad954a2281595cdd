"""A table as data, and the forms it can take: every format of tabulate, CSV and JSON."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass

from tabulate import tabulate, tabulate_formats

from arena.errors import InputError

Cell = str | int | float | None
FORMATS = (*tabulate_formats, "csv", "json")
"""Names that `render` takes."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its key in CSV and JSON, its heading for people, and how many decimals its numbers have."""

    key: str
    heading: str
    decimals: int = 0
    signed: bool = False
    text: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """Columns and rows. A cell that is `None` stands empty: there is nothing to say."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]

    def records(self) -> list[dict[str, Cell]]:
        """The rows by key, numbers rounded as they are shown."""
        return [
            {column.key: _rounded(column, cell) for column, cell in zip(self.columns, row, strict=True)}
            for row in self.rows
        ]


def render(sheet: Sheet, form: str) -> str:
    """The sheet as text, ending in a newline. Raises `InputError` for a format that is none."""
    if form == "json":
        return json.dumps(sheet.records(), indent=2, ensure_ascii=False) + "\n"
    if form == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([column.key for column in sheet.columns])
        writer.writerows([_rounded(*pair) for pair in zip(sheet.columns, row, strict=True)] for row in sheet.rows)
        return out.getvalue()
    if form not in tabulate_formats:
        raise InputError(f"--format: expected one of {', '.join(FORMATS)}, got {form!r}")
    cells = [[shown(column, cell) for column, cell in zip(sheet.columns, row, strict=True)] for row in sheet.rows]
    headings = [column.heading for column in sheet.columns]
    align = ["left" if column.text else "right" for column in sheet.columns]
    return tabulate(cells, headings, tablefmt=form, disable_numparse=True, colalign=align if cells else None) + "\n"


def shown(column: Column, cell: Cell) -> str:
    """A cell as people read it."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    value = _rounded(column, cell)
    return f"{value:+.{column.decimals}f}" if column.signed else f"{value:.{column.decimals}f}"


def _rounded(column: Column, cell: Cell) -> Cell:
    """A number with the decimals of its column; minus zero is zero."""
    if not isinstance(cell, float):
        return cell
    return round(cell, column.decimals) + 0.0
