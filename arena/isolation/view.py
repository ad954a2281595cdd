"""What of the file system a bot sees: the system's programs, and what the program needs that it is.

The rule for a program outside the system's folders, such as one of a user's own Python or Node: a program in `X/bin`
may need all of X. That is never so where X is a home, or holds one: then it is only the folder of the program.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")))
"""Folders of programs and libraries, which hold nothing of a user's."""
SETTINGS = (
    *("alternatives", "ca-certificates*", "crypto-policies", "dotnet", "fonts", "group", "hosts", "java*", "ld.so.*"),
    *("localtime", "magic*", "maven", "mime.types", "mono", "nsswitch.conf", "passwd", "perl", "php*", "pki"),
    *("protocols", "services", "ssl", "timezone"),
)
"""Of /etc, what libraries and runtimes read, as patterns. No password, key or setting of a user is among them."""
NETWORK = ("resolv.conf",)
"""What they read there beside, where there is a network."""
_KEPT = (".local", ".cargo")
"""Folders of a home where what is installed lies beside what its owner keeps, such as passwords."""
_ENTER = 0o005
"""The right of everybody else to read a folder and to enter it."""
_MOST_SHOWN = 2000
"""Bubblewrap takes no more than nine thousand words, three for each of what is shown, and a few hundred others."""
_BINARIES = ("bin", "sbin", "shims")


@cache
def system(*, network: bool = False) -> tuple[Path, ...]:
    """The folders and files of the system that every program sees, with those that it needs to use a network."""
    settings = [path for pattern in (*SETTINGS, *(NETWORK if network else ())) for path in Path("/etc").glob(pattern)]
    return tuple(path for path in (*SYSTEM, *sorted(settings)) if path.exists())


@cache
def runtime(words: tuple[str, ...], folder: Path) -> tuple[Path, ...]:
    """What a command needs outside the system's folders and its own: the programs that it names, with all they need.

    A program has to be the arena's Python, or one that the PATH leads to: what else a stranger's command names is not
    shown to it. words: the command. folder: where it runs.
    """
    found: dict[Path, None] = {}
    for word in words:
        if word == sys.executable:
            found |= dict.fromkeys([*_of_program(Path(word)), *_of_python()])
        elif (program := shutil.which(Path(word).name)) and word in (program, Path(word).name):
            found |= dict.fromkeys(_of_program(Path(program).absolute()))
    outside = [path for path in found if not any(path.is_relative_to(top) for top in (*SYSTEM, folder))]
    return tuple(path for path in outside if not any(path != other and path.is_relative_to(other) for other in outside))


def is_open(folder: Path) -> bool:
    """Whether every user may read a folder and enter it."""
    return folder.stat().st_mode & _ENTER == _ENTER


def closed(folder: Path, names: Iterable[str]) -> Path | None:
    """The first of some files of a folder, given as paths in it, that another user may not read; `None` for none.

    The folder's own rights do not matter, unless there is so much in it that it could not be shown one by one.
    """
    if not is_open(folder) and len([*folder.iterdir()]) > _MOST_SHOWN:
        return folder
    for name in names:
        path = folder / name
        between = [parent for parent in path.parents if parent.is_relative_to(folder) and parent != folder]
        if not path.stat().st_mode & 0o004 or any(not parent.stat().st_mode & 0o001 for parent in between):
            return path
    return None


def _of_program(program: Path) -> Iterator[Path]:
    """A program, what it is a link to, and what that needs."""
    for _ in range(40):  # links in a circle
        yield _prefix(program)
        if not program.is_symlink():
            break
        program = Path(os.path.normpath(program.parent / program.readlink()))
    real = program.resolve()
    if real != program:  # through a folder that is a link
        yield _prefix(real)


def _prefix(program: Path) -> Path:
    folder = program.parent
    if folder.name in _BINARIES and not _holds_home(folder.parent):
        return folder.parent
    return program if _holds_home(folder) else folder


def _holds_home(folder: Path) -> bool:
    """Whether somebody's home is in a folder, or all that he has installed beside what he keeps."""
    home = Path.home()
    return home.is_relative_to(folder) or folder in (Path("/"), Path("/home"), *(home / name for name in _KEPT))


def _of_python() -> Iterator[Path]:
    """The arena's own Python, with the arena, which its bots import."""
    yield Path(sys.prefix)
    yield Path(sys.base_prefix)
    package = Path(__file__).parent.parent
    yield package.parent if package.parent.name.endswith("-packages") else package
