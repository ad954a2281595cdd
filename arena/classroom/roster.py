"""The roster of a class: a CSV file with a line for each student."""

import csv
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.documents import Place, Problem, refuse
from arena.errors import InputError, short
from arena.players.manifest import bot_name

_LARGEST = 10_000_000
_MOST_WORDS = 12
"""Of a name, how many may come first elsewhere."""


@dataclass(frozen=True, slots=True)
class Student:
    """A student.

    id: what the tables of the teacher call the student's bot, whatever it calls itself.
    name: for people, and to find the submission where the course system puts it in the name of a file.
    key: what else the course system knows the student by, such as a number of its own; may be empty.
    """

    id: str
    name: str
    key: str = ""


def read_roster(path: Path, taken: frozenset[str] = frozenset()) -> list[Student]:
    """The students of a roster: columns `id`, `name` and perhaps `key`, separated by commas, semicolons or tabs.

    Other columns are left alone. taken: names of bots that no student may have as an id.
    Raises `InputError` with a line for each mistake.
    """
    text = _text(path)
    lines = text.splitlines() or [""]
    delimiter = max(",;\t", key=lines[0].count)
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        heading = [cell.strip().casefold() for cell in next(rows, [])]
        if missing := [column for column in ("id", "name") if column not in heading]:
            told = f"no column {' and '.join(missing)}, expected a first line such as id,name or id,name,key"
            refuse([Problem(Place(str(path), 1, 1), told)])
        if twice := [column for column in ("id", "name", "key") if heading.count(column) > 1]:
            told = f"the column {' and '.join(twice)} comes twice, expected each once"
            refuse([Problem(Place(str(path), 1, 1), told)])
        students, problems = [], []
        seen: dict[str, int] = {}
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            cells = dict(zip(heading, map(str.strip, row), strict=False))
            student = Student(cells.get("id", ""), cells.get("name", ""), cells.get("key", ""))
            students.append(student)
            place = Place(str(path), rows.line_num, 1)
            problems += [Problem(place, wrong) for wrong in _wrong(student, seen, taken)]
            seen.setdefault(student.id.casefold(), rows.line_num)
    except csv.Error as error:
        raise InputError(
            f"{path}:{rows.line_num}:1: this is no line of a CSV file ({error}), expected cells with commas"
        ) from None
    if problems:
        refuse(problems)
    if not students:
        refuse([Problem(Place(str(path), 1, 1), "no student is in it, expected a line for each")])
    return students


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(f"{path}: larger than {_LARGEST // 1_000_000} MB, expected a roster")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}, expected a roster, a CSV file with id and name") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: this is no UTF-8, expected a roster that is saved as 'CSV UTF-8'") from None


def _wrong(student: Student, seen: dict[str, int], taken: frozenset[str]) -> Iterator[str]:
    try:
        bot_name(student.id)
    except ValueError as error:
        yield f"id is {short(student.id)!r}, expected {error}"
    if student.id.casefold() in seen:
        yield f"the id {short(student.id)!r} again, expected it once (line {seen[student.id.casefold()]} has it)"
    if student.id in taken:
        yield f"the id {short(student.id)!r} is the name of a reference, expected another: name the reference otherwise"


def alike(text: str) -> str:
    """A name without what course systems change in it: case, accents, and all but letters and digits."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return re.sub(r"[\W_]", "", "".join([char for char in plain if not unicodedata.combining(char)]))


def spellings(name: str) -> set[str]:
    """How a name may be written in the name of a file: as it stands, or with the last words first."""
    words = name.replace(",", " ").split()
    return {alike("".join(words[at:] + words[:at])) for at in range(min(len(words), _MOST_WORDS))}
