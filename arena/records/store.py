"""A run on disk: made once with its schedule, filled a shard at a time, read in schedule order.

Tables, export, replay and verification are all folds over `Run.records`.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, Self

from arena.dealer.values import FaultRecord, GameRecord, GameSpec, HandRecord, TimeUse
from arena.errors import RecordError, RunError
from arena.players.faults import Fault
from arena.records import database, notation
from arena.records.digest import PlanDigest, game_digest
from arena.records.info import Kept, RunInfo
from arena.rules.game import GameOutcome

INFO = Kept(RunInfo)
OUTCOME = Kept(GameOutcome)

_GAMES = "SELECT game, deal_group, seating, seat0, seat1, seat2 FROM games ORDER BY game"
_GAME = (
    "SELECT game, deal_group, seating, seat0, seat1, seat2, outcome FROM games LEFT JOIN results USING (game) "
    "WHERE game = ?"
)
_FINISHED = (
    "SELECT game, deal_group, seating, seat0, seat1, seat2, outcome FROM results LEFT JOIN games USING (game) "
    "ORDER BY game"
)
_HANDS = "SELECT number, line FROM hands WHERE game = ? ORDER BY number"
_FAULTS = "SELECT number, seat, hand, kind, detail FROM faults WHERE game = ? ORDER BY number"
_TIMES = "SELECT decisions, total, worst, histogram FROM times WHERE game = ? ORDER BY seat"
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
        with database.explained(folder), ExitStack() as resources:
            folder.mkdir(parents=True, exist_ok=True)
            resources.enter_context(database.locked(folder))
            if any(path.name != database.LOCK for path in folder.iterdir()):
                go_on = f", or go on with the run that is there: arena resume {folder}"
                raise RunError(
                    f"{folder}: expected a new or an empty folder, got one with something in it; "
                    f"give another with --out{go_on if (folder / database.FILE).is_file() else ''}"
                )
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

    def commit(self, records: Iterable[GameRecord], starts: Mapping[str, float] | None = None) -> None:
        """Write finished games down, each in place of what was there of it, in one transaction.

        starts: seconds that bots took to get ready, by name.
        """
        outcomes, hands, faults, times = [], [], [], []
        for record in records:
            index, outcome = record.index, OUTCOME.text(record.outcome)
            lines = [notation.encode(hand) for hand in record.hands]
            outcomes.append((index, outcome, game_digest(index, outcome, lines, record.faults)))
            hands += [(index, hand.number, line) for hand, line in zip(record.hands, lines, strict=True)]
            faults += [(index, number, *_fault_row(fault)) for number, fault in enumerate(record.faults, 1)]
            times += [(index, seat, *_time_row(time)) for seat, time in enumerate(record.times)]
        begun = [(self._names.index(name), seconds) for name, seconds in (starts or {}).items()]
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
        for *game, outcome in self._rows(_FINISHED):
            yield self._spec(game), self._record(game[0], outcome)

    def record(self, index: int) -> tuple[GameSpec, GameRecord | None]:
        """A game of the schedule, and its record if it is finished. Raises `RunError` for a game that is not there."""
        games = len(self)
        rows = list(self._rows(_GAME, index)) if index < games else []  # SQLite takes no number of more than 64 bits
        if not rows:
            raise RunError(f"{self.folder}: expected a game from 0 to {games - 1}, got {index}")
        *game, outcome = rows[0]
        return self._spec(game), None if outcome is None else self._record(index, outcome)

    def digest_of(self, index: int) -> str:
        """The digest that was written with a finished game, see `arena.records.digest`."""
        ((digest,),) = self._rows("SELECT digest FROM results WHERE game = ?", index)
        return str(digest)

    def faults_by_game(self) -> Iterator[tuple[int, list[str]]]:
        """Every finished game in schedule order, with the bot of each fault in it; not being played is no fault."""
        rows = self._rows(_FAULTS_BY_GAME, Fault.QUARANTINED.value)
        for index, faults in groupby(rows, key=lambda row: int(row[0])):
            yield index, [self._names[seats[seat]] for _, *seats, seat in faults if seat is not None]

    def starts(self) -> dict[str, list[float]]:
        """How long each bot took to get ready, in seconds, each time it was started for a shard."""
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

    def _record(self, index: int, outcome: str) -> GameRecord:
        try:
            return GameRecord(
                index,
                tuple(_hand(*row) for row in self._rows(_HANDS, index)),
                OUTCOME.read(outcome),
                tuple(_fault(place, *row) for place, row in enumerate(self._rows(_FAULTS, index), 1)),
                tuple(_time(*row) for row in self._rows(_TIMES, index)),
            )
        except (RecordError, ValueError) as error:
            raise RecordError(f"{self.folder}: game {index}: {error}") from error


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


def _hand(number: int, line: str) -> HandRecord:
    try:
        hand = notation.decode(line)
    except RecordError as error:
        raise RecordError(f"hand {number}: {error}") from error
    if hand.number != number:
        raise RecordError(f"hand {number}: expected the line of this hand, got that of hand {hand.number}")
    return hand


def _fault_row(fault: FaultRecord) -> tuple[int, int, str, str]:
    return fault.seat, fault.hand, fault.fault.value, fault.detail


def _fault(place: int, number: int, seat: int, hand: int, kind: str, detail: str) -> FaultRecord:
    if number != place:
        raise RecordError(f"expected fault {place}, got fault {number}")
    return FaultRecord(seat, hand, Fault(kind), detail)


def _time_row(time: TimeUse) -> tuple[int, float, float, str]:
    return time.decisions, time.total, time.worst, json.dumps(time.histogram)


def _time(decisions: int, total: float, worst: float, histogram: str) -> TimeUse:
    buckets = {int(bucket): count for bucket, count in json.loads(histogram).items()}
    return TimeUse(decisions, total, worst, buckets)
