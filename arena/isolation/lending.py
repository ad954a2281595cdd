"""A folder lent to the user of a sandbox, who is to write in it."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.isolation.values import USERS


@contextmanager
def lent(folder: Path, user: int | None) -> Iterator[None]:
    """Give a folder with all in it to a user, by number, and afterwards back to its owner. `None` is nobody else.

    Only root can do so, and only root has to. Links are left alone, and what they lead to.
    """
    if user is None:
        yield
        return
    owner = folder.stat()
    back = (0, 0) if owner.st_uid in USERS else (owner.st_uid, owner.st_gid)  # lent by an arena that was killed
    mode = stat.S_IMODE(owner.st_mode)
    folder.chmod(mode | 0o055)  # bubblewrap enters it before it is the user
    _give(folder, user, user)
    try:
        yield
    finally:
        try:
            _give(folder, *back)
        finally:
            folder.chmod(mode)


def _give(folder: Path, user: int, group: int) -> None:
    found = [os.fspath(folder)]
    while found:  # and not by `os.walk`, which goes no deeper than a stranger may go
        path = found.pop()
        with suppress(FileNotFoundError):  # it was removed just now
            os.chown(path, user, group, follow_symlinks=False)
            if stat.S_ISDIR(os.lstat(path).st_mode):
                with os.scandir(path) as entries:
                    found += [entry.path for entry in entries]
