"""The page of a run: what is on it, as values, and how it becomes one file of HTML.

Names, versions and advice are strangers' texts: the templates escape all text, and the hands travel as JSON in which
nothing can end the element it stands in. The page's policy forbids everything that is not in it: no address is ever
asked, and no script runs but the one whose hash it names.
"""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from jinja2.loaders import PackageLoader

from arena.pages.hands import Data
from arena.pages.plots import Course, DotPlot, level
from arena.standings.sheet import Sheet, shown
from arena.standings.statistics import Estimate

_TEMPLATES = files("arena.pages") / "templates"
_SCRIPTS = ("cards.js", "list.js", "board.js", "replay.js")


@dataclass(frozen=True, slots=True)
class Figures:
    """A table on the page. about: what has to be known to read it, a sentence each."""

    name: str
    heading: str
    sheet: Sheet
    about: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the crosstable, empty where the two have not met.

    level: how sure the difference is, see `arena.pages.plots.level`. ahead: whether the row is, by the mean.
    hands: whether it leads to hands.
    """

    text: str = ""
    level: str = ""
    ahead: bool = False
    hands: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """The crosstable. left_out: bots at its end for which there was no room."""

    names: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell | None]]]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Plot:
    """Values drawn as dots with their intervals. unit: of the values. about: what has to be known, a sentence each."""

    heading: str
    unit: str
    plot: DotPlot
    about: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """Everything on the page, in its order.

    title: name of the series and what was played. facts: what was played, by name.
    progress: of a run in play, how much of it is finished; empty for a complete one.
    hands: what the page's script reads, see `arena.pages.hands`.
    """

    title: str
    facts: Sequence[tuple[str, str]]
    progress: str
    ranking: Figures
    plots: Sequence[Plot]
    grid: Grid
    grid_legend: str
    courses: Sequence[Course]
    tables: Sequence[Figures]
    times: Figures | None
    notes: Sequence[str]
    hands: Data


def grid_of(
    names: Sequence[str], sheet: Sheet, groups: Mapping[tuple[str, str], int], met: set[frozenset[str]], most: int
) -> Grid:
    """The crosstable as cells.

    groups: of every two bots that met, their deal groups. met: every two bots of whose games hands are shown.
    """
    rows = []
    for row in sheet.rows[:most]:
        name = str(row[0])
        cells: list[Cell | None] = []
        for column, cell in list(zip(sheet.columns, row, strict=True))[1 : most + 1]:
            if isinstance(cell, Estimate):
                hands = frozenset((name, column.heading)) in met
                cells.append(Cell(shown(column, cell), level(cell, groups[name, column.heading]), cell.mean > 0, hands))
            else:
                cells.append(None if column.heading == name else Cell())
        rows.append((name, cells))
    return Grid(names[:most], rows, max(len(names) - most, 0))


def render_page(page: Page) -> str:
    """The page as one file of HTML."""
    script = "\n".join([_TEMPLATES.joinpath(name).read_text("utf-8") for name in _SCRIPTS])
    style = _TEMPLATES.joinpath("report.css").read_text("utf-8")
    environment = Environment(
        loader=PackageLoader("arena.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["json"] = safe_json
    environment.filters["minus"] = _minus
    environment.filters["signed"] = _signed
    environment.globals["shown"] = shown
    return environment.get_template("report.html").render(
        page=page,
        script=script,
        style=style,
        policy=f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'",
    )


def safe_json(value: object) -> str:
    """A value as JSON that can stand in a script element: it is ASCII, and there is no `<`, `>` or `&` in it."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _hash(text: str) -> str:
    """What a policy calls an element with this text."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _signed(number: float, decimals: int = 0) -> str:
    """A number with its sign, and a true minus."""
    return _minus(f"{round(number, decimals) + 0.0:+.{decimals}f}")


def _minus(text: str) -> str:
    """A number as text, with a true minus."""
    return text.replace("-", "\N{MINUS SIGN}")
