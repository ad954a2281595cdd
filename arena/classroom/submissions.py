"""The submissions of a class: found in a folder as course systems export them, and given to the students.

Jane Doe_4711_assignsubmission_file_/bot.zip      Moodle, a folder for each, or the files beside each other
doejane_LATE_4711_9001_bot.zip                    Canvas
submission_9001/ and submission_metadata.yml      Gradescope
s123/  s123.zip  s123.tar.gz                      named by the id, the key or the name of the roster
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from arena.classroom.roster import Student, alike, spellings
from arena.errors import InputError, printable, short
from arena.kit.handed_in import files_of
from arena.kit.unpacking import ARCHIVES, is_archive
from arena.players.files import MANIFEST

_METADATA = "submission_metadata.yml"
_LARGEST_METADATA = 20_000_000
_MOODLE = re.compile(r"(?P<name>.+)_(?P<key>\d+)_assignsubmission_\w+?_(?P<file>.*)")
_CANVAS = re.compile(r"(?P<name>[^_]+)_(?:(?P<late>LATE)_)?(?P<key>\d+)_(?P<submission>\d+)_(?P<file>.+)")
_GRADESCOPE = re.compile(r"submission_(\d+)")


@dataclass(frozen=True, slots=True)
class Found:
    """A file or folder of the export, and what its name tells.

    keys: what may be the id or the key of a student. names: what may be the name of one.
    late: whether the course system marks it so.
    """

    path: Path
    keys: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    late: bool = False


@dataclass(slots=True)
class Matched:
    """Who has submitted what.

    of: by id of the student; nobody who has submitted nothing. unclear: why a student's submission is not known.
    unknown: what belongs to nobody on the roster, with what there is to say of it.
    """

    of: dict[str, Found] = field(default_factory=dict)
    unclear: dict[str, str] = field(default_factory=dict)
    unknown: list[tuple[Path, str]] = field(default_factory=list)


def find_submissions(folder: Path) -> list[Found]:
    """Everything in the folder of an export that may be a submission. Raises `InputError` for a folder that is none."""
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder, expected one with the submissions")
    people = _gradescope(folder / _METADATA)
    return [_found(path, people) for path in sorted(folder.iterdir()) if _counts(path)]


def match(students: Iterable[Student], found: Iterable[Found]) -> Matched:
    """Give the submissions to the students: by key, by id, or by a name that only one of them has."""
    result = Matched()
    by_key: dict[str, list[Student]] = {}
    by_name: dict[str, list[Student]] = {}
    for student in students:
        for key in {student.id.casefold(), student.key.casefold()} - {""}:
            by_key.setdefault(key, []).append(student)
        for name in spellings(student.name):
            by_name.setdefault(name, []).append(student)
    theirs: dict[str, list[Found]] = {}
    for one in found:
        named = [student for key in one.keys for student in by_key.get(key.casefold(), [])]
        named = named or [student for name in one.names for student in by_name.get(alike(name), [])]
        owners = {student.id for student in named}
        if len(owners) == 1:
            theirs.setdefault(owners.pop(), []).append(one)
        elif owners:
            told = f"it may be of {' or '.join(sorted(owners))}: give the roster a column key that tells"
            result.unknown.append((one.path, told))
        else:
            result.unknown.append((one.path, "nobody on the roster has such an id, key or name"))
    for student_id, some in theirs.items():
        bots = [one for one in some if one.path.is_dir() or is_archive(one.path)]
        if len(bots) > 1:  # Moodle has a folder more for what was typed into its page
            bots = [one for one in bots if one.path.is_file() or _may_be_bot(one.path)] or bots
        if len(bots) == 1:
            result.of[student_id] = bots[0]
        else:
            names = ", ".join(printable(one.path.name) for one in some)
            wanted = (
                "expected one with the bot, remove the others" if bots else f"expected one of {', '.join(ARCHIVES)}"
            )
            counted = "1 submission" if len(some) == 1 else f"{len(some)} submissions"
            result.unclear[student_id] = f"{counted} ({names}), {wanted}"
    return result


def _may_be_bot(folder: Path) -> bool:
    """Whether there is an archive or a manifest in the folder."""
    return any(is_archive(path) or path.name == MANIFEST for path in files_of(folder))


def _counts(path: Path) -> bool:
    return not path.name.startswith((".", "__")) and path.name != _METADATA and (path.is_dir() or path.is_file())


def _found(path: Path, people: Mapping[str, Found]) -> Found:
    if path.name in people:
        person = people[path.name]
        return Found(path, person.keys, person.names)
    if match_ := _MOODLE.fullmatch(path.name if path.is_file() else f"{path.name.rstrip('_')}_"):
        return Found(path, (match_["key"],), (match_["name"],))
    if match_ := _CANVAS.fullmatch(path.name):
        return Found(path, (match_["key"],), (match_["name"],), match_["late"] is not None)
    name = path.name
    if path.is_file():
        end = next(
            (end for end in sorted(ARCHIVES, key=len, reverse=True) if name.casefold().endswith(end)), path.suffix
        )
        name = name[: len(name) - len(end)]
    gradescope = _GRADESCOPE.fullmatch(name)
    return Found(path, (name, gradescope[1]) if gradescope else (name,), (name,))


def _gradescope(path: Path) -> dict[str, Found]:
    """Who has submitted what, by the names of the folders, as Gradescope writes it down; nothing where it has not."""
    if not path.is_file():
        return {}
    try:
        if path.stat().st_size > _LARGEST_METADATA:
            raise InputError(f"{path}: larger than {_LARGEST_METADATA // 1_000_000} MB, expected Gradescope's metadata")
        data = yaml.load(path.read_bytes(), _Plain)  # noqa: S506 -- a safe loader, without aliases
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: this is no YAML, expected Gradescope's metadata ({short(str(error))!r})") from None
    entries = data.items() if isinstance(data, dict) else ()
    return {str(name): Found(path.parent / str(name), *_submitters(entry)) for name, entry in entries}


def _submitters(entry: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The numbers, addresses and names of those who have submitted."""
    keys, names = list[str](), list[str]()
    people = entry.get(":submitters") if isinstance(entry, dict) else None
    for person in people if isinstance(people, list) else ():
        told = {str(key).lstrip(":"): str(value) for key, value in person.items()} if isinstance(person, dict) else {}
        keys += [told[key] for key in ("sid", "email") if told.get(key)]
        names += [told["name"]] if told.get("name") else []
    return tuple(keys), tuple(names)


class _Plain(yaml.SafeLoader):
    """PyYAML's safe loader, which reads numbers and times as text and follows no alias."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 -- PyYAML declares it so

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias")
        return super().compose_node(parent, index)
