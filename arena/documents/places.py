"""Places in documents, and mistakes told with them."""

from collections.abc import Iterable
from typing import NamedTuple, NoReturn

from arena.errors import MOST_TOLD, InputError, printable

Keys = tuple[str | int, ...]
"""Where a value stands in a document: the keys and list indices (from 0) that lead to it."""


class Place(NamedTuple):
    """A place in a file, line and column from 1; or something that has no lines, such as a setting: line 0."""

    name: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.name}:{self.line}:{self.column}" if self.line else self.name


class Problem(NamedTuple):
    """One mistake: where it is, and `what is wrong, what was expected`."""

    place: Place
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


def refuse(problems: Iterable[Problem], foreign: Iterable[str] = ()) -> NoReturn:
    """Raise one `InputError` with a line for every problem, in the order of their places, up to `MOST_TOLD`.

    foreign: lines about other files, which follow.
    """
    lines = [printable(str(problem)) for problem in sorted(set(problems))]
    lines += [line for told in foreign for line in told.split("\n")]
    more = len(lines) - MOST_TOLD
    raise InputError("\n".join([*lines[:MOST_TOLD], *([f"and {more} more like these"] if more > 0 else [])]))


def place_after(text: str, name: str) -> Place:
    """The place of what follows `text` in the file `name`."""
    return Place(name, text.count("\n") + 1, len(text) - text.rfind("\n"))
