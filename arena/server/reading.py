"""What is read out of runs, in the process that does the reading: functions of values that travel.

Messages come back as their bytes. Folders are told to nobody: an error names the series by its id.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.documents import parse_document
from arena.errors import InputError, RecordError, RunError
from arena.players.faults import Fault
from arena.protocol.v1 import arena_pb2 as pb
from arena.records import database
from arena.records.export import hand_line
from arena.records.replay import hand_text
from arena.records.store import Run
from arena.server.caller import Caller, Role
from arena.server.sheets import crosstable_message, standings_message
from arena.server.visibility import MOST_OUTPUT, Visibility
from arena.standings.luck import Luck, luck_of
from arena.tournament.isolating import isolation_of
from arena.tournament.results import Results, results_of, title_of
from arena.tournament.schedule import schedule_of
from arena.tournament.series import Series, series_of

MOST_FAULTS = 5000
"""Of an answer."""


class NotYetError(InputError):
    """What is asked for will be there later."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Which tables are wanted: without some bots, with margins less luck, with the crosstable or it alone."""

    without: tuple[str, ...] = ()
    luck: bool = False
    crosstable: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """What there is to know of a series that is submitted: see `arena.server.catalogue.Entry`."""

    name: str
    title: str
    bots: tuple[str, ...]
    games: int
    joining: tuple[str, ...]
    wait: float
    grace: float


def standings(folder: Path, wish: Wish) -> bytes:
    """A `StandingsResponse`. Raises `ArenaError`."""
    with _opened(folder) as run:
        results, told = _results(run, wish)
    return standings_message(results, crosstable=wish.crosstable, told=told).SerializeToString()


def crosstable(folder: Path, wish: Wish) -> bytes:
    """A `CrosstableResponse`. Raises `ArenaError`."""
    with _opened(folder) as run:
        results, told = _results(run, wish)
    return crosstable_message(results, told=told).SerializeToString()


def hand(folder: Path, game: int, number: int) -> bytes:
    """A `HandResponse`. Raises `NotYetError` for one that may not be seen yet, else `ArenaError`."""
    with _opened(folder) as run:
        if game >= len(run):
            raise InputError(f"expected a game from 0 to {len(run) - 1}, got {game}")
        spec, record = run.record(game)
        if record is None:
            raise NotYetError(f"game {game} is not finished, so its hands cannot be seen yet")
        if why := Visibility(run).hidden(spec):
            raise NotYetError(why)
        return pb.HandResponse(
            record=hand_line(run.info, spec, record, number), replay=hand_text(run.info, spec, record, number)
        ).SerializeToString()


def faults(folder: Path, bot: str, caller: Caller) -> bytes:
    """A `FaultsResponse`, with as much of each as the caller may see. bot: of this one alone. Raises `ArenaError`.

    What an entrant's bot has printed may tell of its cards, so it is shown when the hand may be.
    """
    found = pb.FaultsResponse()
    with _opened(folder) as run:
        names = [one.name for one in run.info.bots]
        if bot and bot not in names:
            raise InputError(f"expected a bot of the series ({', '.join(names)}), got {bot!r:.80}")
        visibility = Visibility(run)
        for spec, fault, _ in run.faults():
            whose = spec.seats[fault.seat]
            if fault.fault is Fault.QUARANTINED or bot not in ("", whose):
                continue
            if len(found.faults) == MOST_FAULTS:
                break
            info = found.faults.add(bot=whose, game=spec.index, hand=fault.hand, kind=fault.fault)
            if caller.role is Role.ORGANISER or (caller.owns(whose) and not visibility.hidden(spec)):
                info.told, info.output = fault.detail, fault.output[-MOST_OUTPUT:]
    return found.SerializeToString()


def games_done(folder: Path) -> int:
    """How many games of a run are finished; none where it is not begun."""
    if not (folder / database.FILE).is_file():
        return 0
    with _opened(folder) as run:
        return len(run.done())


def proposal(base: Path, source: str, name: str, runs: Path) -> Proposal:
    """Check a series that is submitted. base: what its paths are relative to. runs: the folder of all runs.

    Raises `InputError` with a line for each mistake, its place that in the file `name`.
    """
    try:
        series = series_of(parse_document(source, name), base)
        _check(series, name)
        if series.config.cluster is None:
            isolation_of(series, runs)
    except InputError as error:
        raise InputError(str(error).replace(f"{base}/", "").replace(str(base), ".")) from None
    return Proposal(
        name=series.config.name,
        title=title_of(series.config),
        bots=tuple([bot.name for bot in series.bots]),
        games=len(schedule_of(series, bytes(32))),
        joining=series.joining,
        wait=series.config.remote.wait.total_seconds(),
        grace=series.config.remote.grace.total_seconds(),
    )


def _check(series: Series, name: str) -> None:
    if series.config.stops_itself:
        raise InputError(f"{name}: format is compare, which is played by 'arena compare', expected another")


@contextmanager
def _opened(folder: Path) -> Iterator[Run]:
    """A run, whose errors do not tell where it is."""
    if not (folder / database.FILE).is_file():
        raise NotYetError(f"{folder.name} has not begun, so there is nothing to be seen yet")
    try:
        with Run.open(folder) as run:
            yield run
    except (RunError, RecordError) as error:
        raise type(error)(str(error).replace(str(folder), folder.name)) from None


def _results(run: Run, wish: Wish) -> tuple[Results, str]:
    """The tables, and why luck was not judged though that was asked for."""
    judge = luck_of(run.info) if wish.luck else None
    without = frozenset(wish.without)
    if isinstance(judge, Luck):
        return results_of(run, without, luck=judge), ""
    return results_of(run, without), judge or ""
