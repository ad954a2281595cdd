"""The folder for all that bots leave in the file system while a run or a command lasts, removed however it ends.

With it goes what still runs in it.

Its lock is held as long as the run lasts. Where all processes of a run are killed at once nobody is left to clear up;
then the next arena on the machine finds a folder whose lock is free.
"""

import sqlite3
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
