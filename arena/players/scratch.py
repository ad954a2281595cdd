"""The folder for all that bots leave in the file system while a run or a command lasts, removed however it ends.

With it goes what still runs in it.

Its lock is held as long as the run lasts. Where all processes of a run are killed at once, one that has only waited for
that clears up; where that was killed too it is the next arena on the machine, which finds a folder whose lock is free.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from arena.errors import HostError
from arena.isolation.processes import end_all_of
from arena.locks import LockedError, locked
from arena.players.launch import remove_private_folder

PREFIX = "gin-"
LOCK = "gin-arena.lock"
"""A name of our own: what else is called `gin-...` among the temporary files is not removed."""
_LAST = 'read -r _ && exit; exec "$@"'
"""What waits for the end: a line is said before a good one. It is a shell, which costs no time and little memory."""
_TRIES = 5
"""Another arena may take a folder for one that was left, in the moment before its lock is held."""


@contextmanager
def scratch() -> Iterator[Path]:
    """A fresh folder for the private folders of all bots. Raises `HostError` where none can be had.

    What earlier runs of this user have left is removed.
    """
    with ExitStack() as held:
        folder = _own_folder(held)
        try:
            _remove_left(folder)
            held.enter_context(_outlived(folder))
            yield folder
        finally:
            held.close()
            end_all_of(folder)
            remove_private_folder(folder)


@contextmanager
def own_scratch() -> Iterator[Path]:
    """The same as the place of temporary files, for a command that starts bots in its own process."""
    before = tempfile.tempdir
    with scratch() as folder:
        tempfile.tempdir = str(folder)
        try:
            yield folder
        finally:
            tempfile.tempdir = before


def leave(folder: Path, own: Path) -> None:
    """Remove a worker's own part of the folder, and the folder if it was the last and the run does not hold it."""
    end_all_of(own)
    remove_private_folder(own)
    with suppress(OSError):
        if {path.name for path in folder.iterdir()} <= {LOCK}:
            _remove_free(folder)


@contextmanager
def _outlived(folder: Path) -> Iterator[None]:
    """Have a folder removed, with what still runs in it, also where this process and all of its own are killed.

    A bot may have been about to begin just then, and then has nobody to die with: bubblewrap asks for that late.
    """
    if sys.platform == "win32":
        yield
        return
    words = ["/bin/sh", "-c", _LAST, "sh", sys.executable, "-m", __name__, str(folder)]
    path = os.pathsep.join(map(os.path.abspath, sys.path))
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={"PYTHONPATH": path},
        start_new_session=True,  # or what kills this process with all of its group would kill it too
    ) as last:
        try:
            yield
        finally:
            with suppress(OSError):
                last.communicate(b"\n")


def _own_folder(held: ExitStack) -> Path:
    problem: Exception | None = None
    for _ in range(_TRIES):
        try:
            folder = Path(tempfile.mkdtemp(prefix=PREFIX))
            held.enter_context(locked(folder / LOCK))
            if (folder / LOCK).exists():
                return folder
        except (LockedError, sqlite3.Error, OSError) as error:
            problem = error
    raise HostError(f"no temporary folder can be made ({problem}); set TMPDIR to a folder on a disk that has room")


def _remove_left(own: Path) -> None:
    """Remove the folders that nobody holds any more."""
    user = own.stat().st_uid
    for lock in own.parent.glob(f"{PREFIX}*/{LOCK}"):
        with suppress(OSError):
            if lock.parent != own and lock.parent.lstat().st_uid == user:
                _remove_free(lock.parent)


def _remove_free(folder: Path) -> None:
    """Remove a folder, unless a run holds it."""
    with suppress(LockedError, sqlite3.Error, OSError), locked(folder / LOCK):
        end_all_of(folder)
        remove_private_folder(folder)


if __name__ == "__main__":
    _remove_free(Path(sys.argv[1]))
