"""A lock between processes: the operating system's, which frees it however its holder ends."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

_POLL_SECONDS = 0.1


class LockedError(Exception):
    """Another process holds the lock."""


@contextmanager
def locked(path: Path, patience: float = 0.0) -> Iterator[None]:
    """Hold the lock of this file, which is made where it is not there.

    It is reached through an empty database, because SQLite knows how to lock a file on every system.
    patience: seconds to wait for another holder. Raises `LockedError` if that was not enough, and `sqlite3.Error` for a
    file that cannot be used.
    """
    end = time.monotonic() + patience
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
        while True:
            try:
                connection.execute("PRAGMA journal_mode = OFF")  # nothing is written, so no second file is wanted
                connection.execute("BEGIN EXCLUSIVE")
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
            if time.monotonic() >= end:
                raise LockedError
            time.sleep(_POLL_SECONDS)  # here and not in SQLite, where Ctrl-C is not heard
        yield
