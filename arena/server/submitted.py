"""The paths of a submitted series: those of its archives lead to where they are unpacked, others have to be allowed.

A series is written on another machine, where `../bots/ada` or `/home/me/bots/ada` may be a folder. Its archives are
unpacked below the submission's own folder: what led out of the series' folder there, leads to `_up/bots/ada` or
`_root/home/me/bots/ada` here, and the series is rewritten so.
"""

import json
from collections.abc import Iterator, Sequence
from glob import glob
from pathlib import Path
from posixpath import normpath

import yaml

from arena.documents import Document, Place, Problem, one_of, parse_document, refuse
from arena.documents.nodes import child
from arena.errors import InputError, printable, short
from arena.isolation.values import Mode
from arena.kit.unpacking import DEEPEST, LONGEST_NAME, LONGEST_PATH

UP, ROOT = "_up", "_root"
_STRICTER = (Mode.NONE, Mode.BEST_EFFORT, Mode.REQUIRED)


def inside(path: str) -> str:
    """Where a path of a series leads within the submission's folder. Raises `InputError` for one that leads nowhere."""
    told = printable(short(path))
    if not path or "\0" in path:
        raise InputError(f"{told!r} is no path, expected that of a bot's folder")
    parts = normpath(path).split("/")
    if parts[0] == "":
        parts = [ROOT, *parts[1:]]
    parts = [UP if part == ".." else part for part in parts if part]
    sizes = [len(part.encode(errors="surrogateescape")) for part in parts]
    if len(parts) > DEEPEST or max(sizes) > LONGEST_NAME or sum(sizes) > LONGEST_PATH:
        raise InputError(f"the path {told!r} is too long, expected that of a bot's folder")
    if set(parts) <= {".", UP, ROOT}:
        raise InputError(f"the path {told!r} is a folder above the bots, expected that of one bot")
    return "/".join(parts)


def settled(text: str, name: str, folder: Path, allow: Sequence[Path], floor: Mode) -> str:
    """The text of a submitted series, with its paths as they are here.

    name: what messages call it. folder: where its archives were unpacked. allow: the folders of this machine that a
    series may name, absolute. floor: the least isolation that it has to ask for.

    Raises one `InputError` with everything that is not allowed. What else is wrong is left to who loads the series.
    """
    document = parse_document(text, name)
    problems, changes = [], []
    for place, node, path in _paths(document):
        try:
            here = inside(path)
        except InputError as error:
            problems.append(Problem(place, str(error)))
            continue
        if glob(here, root_dir=folder):  # noqa: PTH207 - of a pattern that a stranger wrote, relative to the folder
            if here != path:
                changes.append((node, here))
        elif wrong := _not_allowed(path, allow):
            problems.append(Problem(place, wrong))
    problems += _secret(document, allow)
    problems += _isolation(document, floor)
    if problems:
        refuse(problems)
    return _rewritten(text, changes)


def _paths(document: Document) -> Iterator[tuple[Place, yaml.ScalarNode, str]]:
    """The paths of a series' bots."""
    bots = child(document.root, "bots")
    for node in bots.value.value if bots is not None and isinstance(bots.value, yaml.SequenceNode) else ():
        entry = child(node, "path") if isinstance(node, yaml.MappingNode) else None
        scalar = entry.value if entry is not None else node
        if isinstance(scalar, yaml.ScalarNode):
            place = Place(document.name, scalar.start_mark.line + 1, scalar.start_mark.column + 1)
            yield place, scalar, scalar.value


def _not_allowed(path: str, allow: Sequence[Path]) -> str | None:
    """Why a folder of this machine may not be named by a series."""
    told = printable(short(path))
    if not path.startswith("/"):
        return f"{told!r} did not come with the series, expected the path of a bot that was submitted with it"
    if _is_below(path, allow):  # before a pattern is looked for anywhere
        found = [Path(match).resolve() for match in glob(path)] or [Path(path).resolve()]  # noqa: PTH207 - as a series
        tops = [top.resolve() for top in allow]
        if all(any(match.is_relative_to(top) for top in tops) for match in found):
            return None
    allowed = f"a folder below {one_of(map(str, allow))}" if allow else "a folder that --allow of 'arena serve' names"
    return f"{told!r} did not come with the series, expected a bot that did, or {allowed}"


def _is_below(path: str, allow: Sequence[Path]) -> bool:
    """Whether a path, as it is written, is below one of the folders, as they are written or as they are."""
    return any(Path(normpath(path)).is_relative_to(top) for folder in allow for top in (folder, folder.resolve()))


def _secret(document: Document, allow: Sequence[Path]) -> Iterator[Problem]:
    path = document.value.get("secret_file")
    if isinstance(path, str) and "\0" not in path and (not path.startswith("/") or _not_allowed(path, allow)):
        wrong = f"secret_file is {short(path)!r}, expected a file of the arena's machine below a folder that it allows"
        yield Problem(document.at(("secret_file",)), wrong)


def _isolation(document: Document, floor: Mode) -> Iterator[Problem]:
    asked = document.value.get("isolation", Mode.BEST_EFFORT)
    enough = _STRICTER[_STRICTER.index(floor) :]
    if asked in list(Mode) and asked not in enough:
        yield Problem(
            document.at(("isolation",)), f"isolation is {asked}, expected {one_of(enough)}: this arena demands it"
        )


def _rewritten(text: str, changes: Sequence[tuple[yaml.ScalarNode, str]]) -> str:
    """The text with other values in place of scalars; all else stays as it was written."""
    for node, value in sorted(changes, key=lambda change: change[0].start_mark.index, reverse=True):
        start, end = node.start_mark.index, node.end_mark.index
        after = "\n" if text[start:end].endswith("\n") else ""
        text = text[:start] + json.dumps(value, ensure_ascii=False) + after + text[end:]
    return text
