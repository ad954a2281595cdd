"""What was handed in, unpacked, and where in it the bot is."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from arena.errors import InputError, printable, short
from arena.kit.unpacking import is_archive, unpack
from arena.players.files import MANIFEST

_TOLD = 3
"""Names in a submission, how many are told in a message."""


def unpack_bot(source: Path, folder: Path) -> None:
    """Copy a submission into a new folder; what is an archive in its only place, is unpacked there too.

    Course systems put the file that was handed in into a folder, and students pack a packed bot.
    """
    unpack(source, folder)
    for _ in range(2):
        if any(folder.rglob(MANIFEST)):
            return
        archives = [path for path in files_of(folder) if is_archive(path)]
        if len(archives) != 1:
            return
        inner = folder.with_name("inner")
        shutil.rmtree(inner, ignore_errors=True)
        unpack(archives[0], inner)
        shutil.rmtree(folder)
        inner.rename(folder)


def bot_folder(folder: Path, *, strict: bool = True) -> Path:
    """Where a submission has its bot: the one folder with a bot.yaml that is nearest to the top.

    Raises `InputError` where there is none, or more than one at that depth; not strict, it is `folder` then.
    """
    found: dict[int, list[Path]] = {}
    for path in folder.rglob(MANIFEST):
        parent = path.relative_to(folder).parent
        if path.is_file():
            found.setdefault(len(parent.parts), []).append(parent)
    nearest = sorted(found[min(found)]) if found else []
    if len(nearest) == 1:
        return folder / nearest[0]
    if not strict:
        return folder
    if not nearest:
        has = _some([path.relative_to(folder) for path in files_of(folder)])
        raise InputError(
            f"there is no {MANIFEST} in the submission ({has or 'it is empty'}), expected the folder of a bot, as "
            "`arena pack` packs it"
        )
    raise InputError(f"there are several bots in the submission ({_some(nearest)}), expected one")


def _some(paths: Sequence[Path]) -> str:
    """Some of the paths in a submission, for a message."""
    names = [printable(short(path.as_posix())) for path in paths[:_TOLD]]
    return ", ".join([*names, *([f"and {len(paths) - _TOLD:,} more"] if len(paths) > _TOLD else [])])


def files_of(folder: Path) -> list[Path]:
    """The files below a folder, in order, no link followed."""
    found = [Path(parent, name) for parent, _, names in os.walk(folder) for name in names]
    return sorted(path for path in found if path.is_file() and not path.is_symlink())
