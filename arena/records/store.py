"""A run on disk: made once with its schedule, filled a shard at a time, read in schedule order.

Tables, export, replay and verification are all folds over `Run.records`.
"""

import json
import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, Self

from arena.dealer.values import FaultRecord, GameRecord, GameSpec, HandRecord, Void
from arena.errors import RecordError, RunError
from arena.players.faults import Fault
from arena.records import database, notation, queries
from arena.records.digest import PlanDigest, game_digest
from arena.records.info import NOWHERE, Kept, Premises, RunInfo
from arena.records.rows import (
    Rows,
    by_game,
    fault_row,
    read_advised,
    read_fault,
    read_faults,
    read_hand,
    read_seat,
    read_time,
    time_row,
)
from arena.rules.game import GameOutcome

INFO = Kept(RunInfo)
PREMISES = Kept(Premises)
OUTCOME = Kept(GameOutcome)

_LAST = 2**63 - 1
"""SQLite's largest number."""
_CHUNK = 256
"""Games that are read at a time: enough that queries cost nothing, and few in memory."""


class Run:
    """One run, open for reading or, by one process at a time, for writing. Close it, or use it in a `with`.

    A reader sees the run as it stood when it was opened. What the disk refuses is a `HostError` or a `RunError`; a
    record that cannot be read is a `RecordError` that names the game.

    folder: where it is. info: what it is. digest: of its plan, as written when the run was made.
    premises: what it has of its organiser's machine, nothing in a published one.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        """For `create` and `open` alone."""
        self.folder = folder
        self._connection = connection
        self._resources = ExitStack()
        row = connection.execute("SELECT info, digest, premises FROM run").fetchone()
        try:
            info, self.digest, premises = row
            self.info = INFO.read(info)
            self.premises = PREMISES.read(premises)
        except (TypeError, RecordError) as error:
            raise RunError(f"{folder / database.FILE}: the description of the run is damaged: {error}") from error
        self._names = [bot.name for bot in self.info.bots]

    @classmethod
    def create(cls, folder: Path, info: RunInfo, games: Iterable[GameSpec], premises: Premises = NOWHERE) -> Self:
        """Begin a run in a new or empty folder, with its schedule, and open it for writing. All of it or nothing.

        Raises `RunError` for a folder that holds something.
        """
        with database.explained(folder, new=True), ExitStack() as resources:
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / database.FILE).is_file():
                _check_free(folder)  # before the lock, which would be left in a folder of the user's
            resources.enter_context(database.locked(folder))
            _check_free(folder)
            with database.created(folder) as connection:
                _write_plan(connection, info, games, premises)
            return cls._opened(folder, resources, write=True)

    @classmethod
    def open(cls, folder: Path, *, write: bool = False) -> Self:
        """Open an existing run. Raises `RunError` for a folder without one, or (to write) one that is in use."""
        if not (folder / database.FILE).is_file():
            raise RunError(f"{folder}: expected the folder of a run, with {database.FILE} in it")
        with database.explained(folder), ExitStack() as resources:
            if write:
                resources.enter_context(database.locked(folder))
            return cls._opened(folder, resources, write=write)

    @classmethod
    def _opened(cls, folder: Path, resources: ExitStack, *, write: bool) -> Self:
        run = cls(folder, resources.enter_context(database.opened(folder, write=write)))
        run._resources = resources.pop_all()
        return run

    def close(self) -> None:
        """Let go of the files."""
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __len__(self) -> int:
        """How many games are scheduled."""
        ((count,),) = self._rows("SELECT count(*) FROM games")
        return int(count)

    # -- writing ------------------------------------------------------------------------------------------------

    def commit(
        self,
        records: Iterable[GameRecord],
        starts: Mapping[str, Sequence[float]] | None = None,
        voids: Iterable[Void] = (),
        networks: Mapping[str, Sequence[float]] | None = None,
    ) -> None:
        """Write finished games down, each in place of what was there of it, in one transaction.

        starts: seconds that bots took to get ready, each time, by name. voids: games that were broken off.
        networks: round trips of the network in seconds, of bots that have dialled in, by name.
        """
        outcomes, hands, faults, times = [], [], [], []
        for record in records:
            index, outcome = record.index, OUTCOME.text(record.outcome)
            lines = [notation.encode(hand) for hand in record.hands]
            digest = game_digest(index, outcome, lines, record.faults)
            outcomes.append((index, outcome, digest, json.dumps(record.advised)))
            hands += [(index, hand.number, line) for hand, line in zip(record.hands, lines, strict=True)]
            faults += [(index, number, *fault_row(fault)) for number, fault in enumerate(record.faults, 1)]
            times += [(index, seat, *time_row(time)) for seat, time in enumerate(record.times)]
        begun, trips = [
            [(self._names.index(name), seconds) for name, each in (found or {}).items() for seconds in each]
            for found in (starts, networks)
        ]
        with self._transaction() as connection:
            for forget in queries.FORGET:
                connection.executemany(forget, [(index,) for index, *_ in outcomes])
            connection.executemany("INSERT INTO results VALUES (?, ?, ?, ?)", outcomes)
            connection.executemany("INSERT INTO hands VALUES (?, ?, ?)", hands)
            connection.executemany("INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?, ?)", faults)
            connection.executemany("INSERT INTO times VALUES (?, ?, ?, ?, ?, ?, ?)", times)
            connection.executemany("INSERT INTO starts VALUES (?, ?)", begun)
            if trips:
                connection.execute(database.NETWORKS)
                connection.executemany("INSERT INTO networks VALUES (?, ?)", trips)
            connection.executemany(
                queries.VOID, [(void.index, void.fault.value, void.detail, void.index) for void in voids]
            )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with database.explained(self.folder):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # a full disk has ended it already
                    self._connection.execute("ROLLBACK")
                raise

    # -- reading ------------------------------------------------------------------------------------------------

    def games(self) -> Iterator[GameSpec]:
        """The schedule, in its order."""
        return map(self._spec, self._rows(queries.GAMES))

    def done(self) -> set[int]:
        """The games that are finished."""
        return {index for (index,) in self._rows("SELECT game FROM results")}

    def open_groups(self) -> set[int]:
        """The deal groups with a game that is not finished."""
        return {group for (group,) in self._rows(queries.OPEN_GROUPS)}

    def records(self, first: int = 0, last: int = _LAST) -> Iterator[tuple[GameSpec, GameRecord]]:
        """The games that are finished, in schedule order, one at a time. first, last: of those from one to another."""
        return self._finished(first, last)

    def record(self, index: int) -> tuple[GameSpec, GameRecord | None]:
        """A game of the schedule, and its record if it is finished. Raises `RunError` for a game that is not there."""
        games = len(self)
        # SQLite takes no number of more than 64 bits.
        rows = list(self._rows(queries.GAME, index)) if index < games else []
        if not rows:
            raise RunError(f"{self.folder}: expected a game from 0 to {games - 1}, got {index}")
        return next(self._finished(index, index), (self._spec(rows[0]), None))

    def digests(self) -> Iterator[str]:
        """The digests that were written with the finished games, in their order, see `arena.records.digest`."""
        return (str(digest) for (digest,) in self._rows("SELECT digest FROM results ORDER BY game"))

    def faults_by_game(self) -> Iterator[tuple[int, list[str]]]:
        """Every finished game in schedule order, with the bot of each fault in it; not being played is no fault."""
        rows = self._rows(queries.FAULTS_BY_GAME, Fault.QUARANTINED.value)
        for index, faults in groupby(rows, key=lambda row: int(row[0])):
            with self._reading(index):
                bots = [
                    self._names[seats[read_seat(self.info.format.seats, seat)]]
                    for _, *seats, seat in faults
                    if seat is not None
                ]
            yield index, bots

    def faults(self) -> Iterator[tuple[GameSpec, FaultRecord, HandRecord | None]]:
        """Every fault in schedule order, with its game and its hand, `None` where it was not played."""
        for *row, line in self._rows(queries.EVERY_FAULT):
            spec = self._spec(row[: queries.GAME_COLUMNS])
            with self._reading(spec.index):
                fault = read_fault(len(spec.seats), *row[queries.GAME_COLUMNS :])
                hand = None if line is None else read_hand(fault.hand, line)
            yield spec, fault, hand

    def voids(self) -> Iterator[tuple[int, Void]]:
        """Each attempt at a game that was broken off by no fault of a bot, in schedule order, with its number."""
        for index, attempt, kind, detail in self._rows(queries.VOIDS):
            with self._reading(index):
                void = Void(index, Fault(kind), detail)
            yield attempt, void

    def starts(self) -> dict[str, list[float]]:
        """How long each bot took to get ready, in seconds, each time it was started."""
        return self._seconds("starts", "the start")

    def networks(self) -> dict[str, list[float]]:
        """The network's round trips to each bot that has dialled in, in seconds; nothing where none has."""
        if not [*self._rows("SELECT name FROM sqlite_master WHERE name = 'networks'")]:
            return {}
        return {name: trips for name, trips in self._seconds("networks", "the network").items() if trips}

    def _seconds(self, table: str, what: str) -> dict[str, list[float]]:
        found: dict[str, list[float]] = {name: [] for name in self._names}
        for number, seconds in self._rows(f"SELECT bot, seconds FROM {table} ORDER BY rowid"):
            if number not in range(len(self._names)):
                raise RecordError(f"{self.folder}: expected {what} of a bot of the run, got that of bot {number}")
            found[self._names[number]].append(seconds)
        return found

    def table(self, name: str, games: Collection[int] | None = None) -> Iterator[tuple[Any, ...]]:
        """The rows of a table as they are kept, by their keys. games: of these alone."""
        if games is None:
            return self._rows(f"SELECT * FROM {name}")
        of_game = f"SELECT * FROM {name} WHERE game = ?"
        return (row for game in sorted(games) for row in self._rows(of_game, game))

    def _rows(self, query: str, *values: int | str) -> Iterator[tuple[Any, ...]]:
        with database.explained(self.folder):
            cursor = self._connection.execute(query, values)
            yield from iter(cursor.fetchone, None)  # and not the cursor: it objects to being left after its connection

    def _spec(self, game: Sequence[Any]) -> GameSpec:
        index, group, seating, *seats = game
        try:
            names = tuple([self._names[seat] for seat in seats if seat is not None])
        except IndexError:
            names = ()
        if len(names) != self.info.format.seats:
            raise RecordError(
                f"{self.folder}: game {index}: expected a game of the schedule with its bots, got {seats}"
            )
        return GameSpec(index, group, seating, names)

    def _finished(self, first: int, last: int) -> Iterator[tuple[GameSpec, GameRecord]]:
        """The finished games from one to another. No query is open between two of them."""
        while games := list(self._rows(queries.FINISHED, first, last, _CHUNK)):
            end = games[-1][0]
            hands, faults, times = [
                by_game(self._rows(query, first, end)) for query in (queries.HANDS, queries.FAULTS, queries.TIMES)
            ]
            for *game, outcome, advised in games:
                spec = self._spec(game)
                yield spec, self._record(spec, outcome, advised, hands, faults, times)
            first = end + 1

    def _record(self, spec: GameSpec, outcome: str, advised: str, hands: Rows, faults: Rows, times: Rows) -> GameRecord:
        index, seats = spec.index, len(spec.seats)
        with self._reading(index):
            return GameRecord(
                index,
                tuple([read_hand(*row) for row in hands[index]]),
                OUTCOME.read(outcome),
                tuple(read_faults(seats, faults[index])),
                tuple([read_time(*row) for row in times[index]]),
                read_advised(seats, advised),
            )

    @contextmanager
    def _reading(self, index: int) -> Iterator[None]:
        """Say of which game it is that a row cannot be read."""
        try:
            yield
        except (RecordError, ValueError, TypeError, AttributeError) as error:  # the latter of values of another type
            raise RecordError(f"{self.folder}: game {index}: {error}") from error


def check_new(folder: Path) -> None:
    """Raise `RunError` for a folder that no run can be begun in, and leave nothing there."""
    with database.explained(folder, new=True):
        place = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        if not place.is_dir():
            raise NotADirectoryError(place)
        if place == folder:
            _check_free(folder)
        if not os.access(place, os.W_OK | os.X_OK):
            raise PermissionError(f"{place} cannot be written to")


def _check_free(folder: Path) -> None:
    """Raise `RunError` for a folder that holds something."""
    if any(path.name not in database.PASSING for path in folder.iterdir()):
        go_on = f", or go on with the run that is there: arena resume {folder}"
        raise RunError(
            f"{folder}: expected a new or an empty folder, got one with something in it; "
            f"give another with --out{go_on if (folder / database.FILE).is_file() else ''}"
        )


def _write_plan(connection: sqlite3.Connection, info: RunInfo, games: Iterable[GameSpec], premises: Premises) -> None:
    text = INFO.text(info)
    digest = PlanDigest(text)
    numbers = {bot.name: number for number, bot in enumerate(info.bots)}
    seats = info.format.seats

    def rows() -> Iterator[tuple[int | None, ...]]:
        for game in games:
            digest.add(game)
            yield game.index, game.group, game.seating, *[numbers[name] for name in game.seats], *[None] * (3 - seats)

    connection.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", rows())
    connection.execute("INSERT INTO run VALUES (?, ?, ?)", (text, digest.text(), PREMISES.text(premises)))
