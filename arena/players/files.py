"""The files that a bot is made of, and the hash by which a changed bot is told from an unchanged one."""

import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from arena.errors import InputError

MANIFEST = "bot.yaml"
_KERNELS = (Path("/proc"), Path("/sys"), Path("/dev"))
"""Where files are none that lie on a disk."""
_MADE = ("__pycache__", "build", "node_modules", "target")
_PIECE = 1 << 20


def content_hash(folder: Path) -> str:
    """SHA-256 in hex of all files of a bot. Raises `InputError` for what cannot be read."""
    digest = hashlib.sha256()
    for path in bot_files(folder):
        try:
            with (folder / path).open("rb") as file:
                digest.update(_heading(path, os.fstat(file.fileno()).st_size))
                while piece := file.read(_PIECE):  # a bot may have gigabytes of weights
                    digest.update(piece)
        except OSError as error:
            raise _unreadable(folder / path, error) from None
    return digest.hexdigest()


def hash_of(files: Iterable[tuple[str, bytes]]) -> str:
    """The content hash of a bot with these paths, in their order, and bytes."""
    digest = hashlib.sha256()
    for path, data in files:
        digest.update(_heading(path, len(data)))
        digest.update(data)
    return digest.hexdigest()


def _heading(path: str, size: int) -> bytes:
    """What stands in a content hash before the bytes of a file."""
    return f"{path}\0{size}\0".encode(errors="surrogateescape")


def _unreadable(path: Path, error: OSError, what: str = "file") -> InputError:
    return InputError(f"{path}: {error.strerror}, expected a {what} that can be read")


def read_file(folder: Path, path: str) -> bytes:
    """One of a bot's files. Raises `InputError` if it cannot be read."""
    try:
        return (folder / path).read_bytes()
    except OSError as error:
        raise _unreadable(folder / path, error) from None


def bot_files(folder: Path) -> list[str]:
    """The files that a bot is made of, as paths in its folder with slashes, in their order.

    Left out is what changes without the bot: what a build or an installer makes, so folders named `build`, `target`,
    `node_modules` or `__pycache__` or with a dot at the front, and virtual environments. Links to files count as
    files, other links not, nor those to what the kernel makes up. Raises `InputError` for a folder that cannot be
    looked into.
    """

    def refuse(error: OSError) -> NoReturn:
        raise error

    found = []
    try:
        for parent, folders, files in os.walk(folder, onerror=refuse):
            folders[:] = [
                name
                for name in folders
                if not name.startswith(".") and name not in _MADE and not Path(parent, name, "pyvenv.cfg").exists()
            ]
            for name in files:
                path = Path(parent, name)
                if path.exists() and not is_special(path):
                    found.append(path.relative_to(folder).as_posix())
    except OSError as error:
        raise _unreadable(Path(error.filename), error, "file or folder") from None
    except RecursionError:
        raise InputError(f"{folder}: folders in folders without end, expected a bot's files") from None
    return sorted(found)


def is_special(path: Path) -> bool:
    """Whether it is a pipe, a device or the like, which reading would wait for or never come to the end of.

    A link may lead to what the kernel calls a file, such as its messages to come or all of the memory.
    """
    mode = path.stat().st_mode
    if path.is_symlink() and any(path.resolve().is_relative_to(top) for top in _KERNELS):
        return True
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
