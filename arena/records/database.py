"""The file of a run: its tables, its version, its lock, and what to tell a person when SQLite refuses.

A folder has one run in `run.sqlite`. One process may write it, which holds `run.lock`; any number may read.
"""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from arena import locks
from arena.errors import HostError, RunError

FILE = "run.sqlite"
LOCK = "run.lock"
_DRAFT = "run.sqlite.part"
PASSING = frozenset({LOCK, _DRAFT, f"{_DRAFT}-journal"})
"""What an arena that was killed while it began a run may leave in the folder; another begins one all the same."""
VERSION = 3
"""Version of the file. Any change of the tables, or of what is in them, raises it."""
APPLICATION = 0x47494E41
"""Marks the file as a run of Gin Arena, in SQLite's own header field for it (`GINA`)."""

TABLES = (
    """CREATE TABLE run (            -- one row: what is fixed before the first card
        info TEXT NOT NULL,          -- RunInfo as JSON
        digest TEXT NOT NULL,        -- of info and games
        premises TEXT NOT NULL       -- Premises as JSON: the organiser's own, and in no digest
    )""",
    """CREATE TABLE games (          -- the schedule
        game INTEGER PRIMARY KEY,    -- place in the schedule, from 0
        deal_group INTEGER NOT NULL,
        seating INTEGER NOT NULL,    -- in which order the bots of a pairing took their seats
        seat0 INTEGER NOT NULL,      -- bots by seat, as numbers into RunInfo.bots
        seat1 INTEGER NOT NULL,
        seat2 INTEGER                -- three-hand only
    )""",
    """CREATE TABLE results (        -- games that were finished
        game INTEGER PRIMARY KEY REFERENCES games,
        outcome TEXT NOT NULL,       -- GameOutcome as JSON
        digest TEXT NOT NULL,        -- of the outcome, the hands and the faults
        advised TEXT NOT NULL        -- JSON: by seat, how often it was asked for advice; in no digest
    )""",
    """CREATE TABLE hands (
        game INTEGER NOT NULL REFERENCES results,
        number INTEGER NOT NULL,     -- from 1
        line TEXT NOT NULL,          -- see docs/notation.md
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID""",
    """CREATE TABLE faults (
        game INTEGER NOT NULL REFERENCES results,
        number INTEGER NOT NULL,     -- from 1, in the order they happened
        seat INTEGER NOT NULL,       -- whose bot it was
        hand INTEGER NOT NULL,       -- 0 in a game that was not played
        move INTEGER NOT NULL,       -- of the hand, from 1, the one that was asked; 0 where none was
        kind TEXT NOT NULL,
        detail TEXT NOT NULL,
        output TEXT NOT NULL,        -- the end of what the bot had printed: private, and in no digest
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID""",
    """CREATE TABLE voids (          -- games broken off by no fault of a bot, to be played again; in no digest
        game INTEGER NOT NULL REFERENCES games,
        attempt INTEGER NOT NULL,    -- from 1
        kind TEXT NOT NULL,
        detail TEXT NOT NULL,
        PRIMARY KEY (game, attempt)
    ) WITHOUT ROWID""",
    """CREATE TABLE times (          -- in seconds; never the same twice, so in no digest
        game INTEGER NOT NULL REFERENCES results,
        seat INTEGER NOT NULL,
        decisions INTEGER NOT NULL,
        total REAL NOT NULL,
        worst REAL NOT NULL,
        histogram TEXT NOT NULL,     -- JSON: decisions by bucket, see TimeUse
        overtime REAL NOT NULL,      -- drawn from the bank
        PRIMARY KEY (game, seat)
    ) WITHOUT ROWID""",
    """CREATE TABLE starts (         -- how long bots took to get ready, in seconds
        bot INTEGER NOT NULL,
        seconds REAL NOT NULL
    )""",
)

NETWORKS = """CREATE TABLE IF NOT EXISTS networks (  -- round trips to bots that have dialled in, in seconds
    bot INTEGER NOT NULL,
    seconds REAL NOT NULL
)"""
"""A table that a run has from the first time on that there is something in it."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Be the one process that writes to this folder. Raises `RunError` if another is."""
    try:
        with locks.locked(folder / LOCK):
            yield
    except locks.LockedError:
        raise RunError(f"{folder}: another arena is at work on this run; wait for its end, or stop it") from None


@contextmanager
def created(folder: Path) -> Iterator[sqlite3.Connection]:
    """A new file with empty tables, to be filled. It has its name once it is whole; if that fails nothing is left."""
    draft = folder / _DRAFT
    _remove_drafts(folder)
    try:
        with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            connection.execute("BEGIN")
            for table in TABLES:
                connection.execute(table)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
            yield connection
            connection.execute("COMMIT")
        draft.replace(folder / FILE)
    except BaseException:
        _remove_drafts(folder)
        raise


def _remove_drafts(folder: Path) -> None:
    for name in PASSING - {LOCK}:
        (folder / name).unlink(missing_ok=True)


@contextmanager
def opened(folder: Path, *, write: bool) -> Iterator[sqlite3.Connection]:
    """An existing file. A reader is in a transaction, so that it sees one state of the run.

    Raises `RunError` for a file that this program cannot read.
    """
    path = folder / FILE
    place = f"{path.absolute().as_uri()}?mode={'rw' if write else 'ro'}"
    with closing(sqlite3.connect(place, uri=True, isolation_level=None)) as connection:
        _check_version(path, connection)
        if not write:
            connection.execute("BEGIN")
            yield connection
            return
        connection.execute("PRAGMA journal_mode = WAL")
        yield connection
        # Back to a single file, which can be copied, and read in a folder that cannot be written. With a reader about
        # SQLite refuses, and the file stays as it is: right all the same.
        connection.execute("PRAGMA busy_timeout = 0")
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = DELETE")


def _check_version(path: Path, connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise RunError(f"{path}: expected a run of Gin Arena, got another file; give another folder")
    if version != VERSION:
        raise RunError(
            f"{path}: the run has file version {version}, this program reads {VERSION}; use the Gin Arena that made it"
        )


@contextmanager
def explained(folder: Path, *, new: bool = False) -> Iterator[None]:
    """Turn what SQLite and the file system refuse into one line with a remedy. new: there is no run in it yet."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        known = _full(folder, new=new) if code == sqlite3.SQLITE_FULL else _explain(folder, code, str(error))
        if known is None:
            raise
        raise known from error
    except UnicodeDecodeError as error:  # in the file's own words about its tables
        raise _damaged(folder, str(error)) from error
    except (FileExistsError, NotADirectoryError) as error:
        raise RunError(f"{folder}: expected a folder, got a file, here or above; give another folder") from error
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        raise (_full(folder, new=new) if full else _unusable(folder, str(error))) from error


def _explain(folder: Path, code: int, said: str) -> HostError | RunError | None:
    """The error for a primary result code of SQLite; `None` for one that only a mistake in this program can bring."""
    match code:
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_IOERR:
            return _unusable(folder, said)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return RunError(f"{folder}: another program is using {FILE}; close it and try again")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_ERROR:  # the last: tables are not as made
            return _damaged(folder, said)
        case 0:  # Python's own error, of a text that is no UTF-8
            return _damaged(folder, said)
        case _:
            return None


def _damaged(folder: Path, said: str) -> RunError:
    return RunError(f"{folder / FILE}: the file is damaged ({said}); restore a copy, or play the series again")


def _full(folder: Path, *, new: bool) -> HostError:
    if new:
        return HostError(f"{folder}: the disk is full, and no run was begun; make room, or give another --out")
    return HostError(
        f"{folder}: the disk is full; make room, then `arena resume {folder}`: every finished game is kept"
    )


def _unusable(folder: Path, said: str) -> HostError:
    return HostError(f"{folder}: the folder cannot be used ({said}); see to its permissions and to the disk")
