"""A run on disk: made once with its schedule, filled a shard at a time, read in schedule order.

Tables, export, replay and verification are all folds over `Run.records`.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, Self

from arena.dealer.values import GameRecord, GameSpec
from arena.errors import RecordError, RunError
from arena.players.faults import Fault
from arena.records import database, notation
from arena.records.digest import PlanDigest, game_digest
from arena.records.info import Kept, RunInfo
from arena.records.rows import Rows, by_game, fault_row, read_fault, read_hand, read_time, time_row
from arena.rules.game import GameOutcome

INFO = Kept(RunInfo)
OUTCOME = Kept(GameOutcome)

_GAMES = "SELECT game, deal_group, seating, seat0, seat1, seat2 FROM games ORDER BY game"
_GAME = "SELECT game, deal_group, seating, seat0, seat1, seat2 FROM games WHERE game = ?"
# Of the games from one to another. The tables are kept in this order, so that nothing is sorted.
_FINISHED = (
    "SELECT game, deal_group, seating, seat0, seat1, seat2, outcome FROM results LEFT JOIN games USING (game) "
    "WHERE game BETWEEN ? AND ? ORDER BY game LIMIT ?"
)
_HANDS = "SELECT game, number, line FROM hands WHERE game BETWEEN ? AND ? ORDER BY game, number"
_FAULTS = "SELECT game, number, seat, hand, kind, detail FROM faults WHERE game BETWEEN ? AND ? ORDER BY game, number"
_TIMES = "SELECT game, decisions, total, worst, histogram FROM times WHERE game BETWEEN ? AND ? ORDER BY game, seat"
_LAST = 2**63 - 1
"""SQLite's largest number."""
_CHUNK = 256
"""Games that are read at a time: enough that queries cost nothing, and few in memory."""
_FAULTS_BY_GAME = (
    "SELECT results.game, seat0, seat1, seat2, seat FROM results JOIN games USING (game) "
    "LEFT JOIN faults ON faults.game = results.game AND kind != ? ORDER BY results.game, number"
)
_FORGET = tuple(f"DELETE FROM {table} WHERE game = ?" for table in ("results", "hands", "faults", "times"))


class Run:
    """One run, open for reading or, by one process at a time, for writing. Close it, or use it in a `with`.

    A reader sees the run as it stood when it was opened. What the disk refuses is a `HostError` or a `RunError`; a
    record that cannot be read is a `RecordError` that names the game.

    folder: where it is. info: what it is. digest: of its plan, as written when the run was made.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        """For `create` and `open` alone."""
        self.folder = folder
        self._connection = connection
        self._resources = ExitStack()
        row = connection.execute("SELECT info, digest FROM run").fetchone()
        try:
            info, self.digest = row
            self.info = INFO.read(info)
        except (TypeError, RecordError) as error:
            raise RunError(f"{folder / database.FILE}: the description of the run is damaged: {error}") from error
        self._names = [bot.name for bot in self.info.bots]

    @classmethod
    def create(cls, folder: Path, info: RunInfo, games: Iterable[GameSpec]) -> Self:
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
                _write_plan(connection, info, games)
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

    def commit(self, records: Iterable[GameRecord], starts: Mapping[str, Sequence[float]] | None = None) -> None:
        """Write finished games down, each in place of what was there of it, in one transaction.

        starts: seconds that bots took to get ready, each time, by name.
        """
        outcomes, hands, faults, times = [], [], [], []
        for record in records:
            index, outcome = record.index, OUTCOME.text(record.outcome)
            lines = [notation.encode(hand) for hand in record.hands]
            outcomes.append((index, outcome, game_digest(index, outcome, lines, record.faults)))
            hands += [(index, hand.number, line) for hand, line in zip(record.hands, lines, strict=True)]
            faults += [(index, number, *fault_row(fault)) for number, fault in enumerate(record.faults, 1)]
            times += [(index, seat, *time_row(time)) for seat, time in enumerate(record.times)]
        begun = [(self._names.index(name), seconds) for name, each in (starts or {}).items() for seconds in each]
        with self._transaction() as connection:
            for forget in _FORGET:
                connection.executemany(forget, [(index,) for index, *_ in outcomes])
            connection.executemany("INSERT INTO results VALUES (?, ?, ?)", outcomes)
            connection.executemany("INSERT INTO hands VALUES (?, ?, ?)", hands)
            connection.executemany("INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?)", faults)
            connection.executemany("INSERT INTO times VALUES (?, ?, ?, ?, ?, ?)", times)
            connection.executemany("INSERT INTO starts VALUES (?, ?)", begun)

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
        return map(self._spec, self._rows(_GAMES))

    def done(self) -> set[int]:
        """The games that are finished."""
        return {index for (index,) in self._rows("SELECT game FROM results")}

    def records(self) -> Iterator[tuple[GameSpec, GameRecord]]:
        """The games that are finished, in schedule order, one at a time."""
        return self._finished(0, _LAST)

    def record(self, index: int) -> tuple[GameSpec, GameRecord | None]:
        """A game of the schedule, and its record if it is finished. Raises `RunError` for a game that is not there."""
        games = len(self)
        rows = list(self._rows(_GAME, index)) if index < games else []  # SQLite takes no number of more than 64 bits
        if not rows:
            raise RunError(f"{self.folder}: expected a game from 0 to {games - 1}, got {index}")
        return next(self._finished(index, index), (self._spec(rows[0]), None))

    def digests(self) -> Iterator[str]:
        """The digests that were written with the finished games, in their order, see `arena.records.digest`."""
        return (str(digest) for (digest,) in self._rows("SELECT digest FROM results ORDER BY game"))

    def faults_by_game(self) -> Iterator[tuple[int, list[str]]]:
        """Every finished game in schedule order, with the bot of each fault in it; not being played is no fault."""
        rows = self._rows(_FAULTS_BY_GAME, Fault.QUARANTINED.value)
        for index, faults in groupby(rows, key=lambda row: int(row[0])):
            yield index, [self._names[seats[seat]] for _, *seats, seat in faults if seat is not None]

    def starts(self) -> dict[str, list[float]]:
        """How long each bot took to get ready, in seconds, each time it was started."""
        starts: dict[str, list[float]] = {name: [] for name in self._names}
        for number, seconds in self._rows("SELECT bot, seconds FROM starts ORDER BY rowid"):
            starts[self._names[number]].append(seconds)
        return starts

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
        while games := list(self._rows(_FINISHED, first, last, _CHUNK)):
            end = games[-1][0]
            hands, faults, times = [by_game(self._rows(query, first, end)) for query in (_HANDS, _FAULTS, _TIMES)]
            for *game, outcome in games:
                spec = self._spec(game)
                yield spec, self._record(spec.index, outcome, hands, faults, times)
            first = end + 1

    def _record(self, index: int, outcome: str, hands: Rows, faults: Rows, times: Rows) -> GameRecord:
        try:
            return GameRecord(
                index,
                tuple([read_hand(*row) for row in hands[index]]),
                OUTCOME.read(outcome),
                tuple([read_fault(place, *row) for place, row in enumerate(faults[index], 1)]),
                tuple([read_time(*row) for row in times[index]]),
            )
        except (RecordError, ValueError, TypeError, AttributeError) as error:  # the latter of values of another type
            raise RecordError(f"{self.folder}: game {index}: {error}") from error


def _check_free(folder: Path) -> None:
    """Raise `RunError` for a folder that holds something."""
    if any(path.name != database.LOCK for path in folder.iterdir()):
        go_on = f", or go on with the run that is there: arena resume {folder}"
        raise RunError(
            f"{folder}: expected a new or an empty folder, got one with something in it; "
            f"give another with --out{go_on if (folder / database.FILE).is_file() else ''}"
        )


def _write_plan(connection: sqlite3.Connection, info: RunInfo, games: Iterable[GameSpec]) -> None:
    text = INFO.text(info)
    digest = PlanDigest(text)
    numbers = {bot.name: number for number, bot in enumerate(info.bots)}
    seats = info.format.seats

    def rows() -> Iterator[tuple[int | None, ...]]:
        for game in games:
            digest.add(game)
            yield game.index, game.group, game.seating, *[numbers[name] for name in game.seats], *[None] * (3 - seats)

    connection.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", rows())
    connection.execute("INSERT INTO run VALUES (?, ?)", (text, digest.text()))
