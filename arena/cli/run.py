"""`arena run` and `arena resume`."""

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from datetime import time as time_of_day
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.exits import ExitCode
from arena.errors import InputError

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.records.store import Run
    from arena.tournament.runner import Progress, Runner
    from arena.tournament.series import Series

_WORKERS = typer.Option("--workers", min=1, max=1024, help="Worker processes, instead of the series' number.")
_UNTIL = typer.Option("--until", metavar="HH:MM", help="At this time of the day begin no more games, and end.")
_MAX_TIME = typer.Option("--max-time", metavar="TIME", help="The same after this time, such as 90m or 8h.")


def run(
    series: Annotated[Path, typer.Argument(metavar="FILE", help="The series, a YAML file.")],
    out: Annotated[Path | None, typer.Option("--out", help="Folder of the run [default: runs/NAME-001, ...].")] = None,
    workers: Annotated[int | None, _WORKERS] = None,
    seed: Annotated[str | None, typer.Option("--seed", help="Seed, instead of the series' own.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set a key of the series: --set groups=20.")
    ] = None,
    reuse: Annotated[
        Path | None,
        typer.Option("--reuse", metavar="DIR", help="Take over the games of an earlier run whose bots are the same."),
    ] = None,
    until: Annotated[str | None, _UNTIL] = None,
    max_time: Annotated[str | None, _MAX_TIME] = None,
) -> None:
    """Play a series to its ranked tables.

    The run's folder gets its record (run.sqlite), the tables (standings, crosstable) and the bots' logs. Ctrl-C keeps
    every finished game and says how to go on.

    \b
    Examples:
      arena run tournaments/quickstart.yaml
      arena run cup.yaml --out runs/cup --workers 2 --until 06:00
      arena run cup.yaml --set groups=20 --set rules.gin_bonus=20
      arena run cup.yaml --reuse runs/cup-001      only what changed, on the old seed
    """
    from arena.records.store import Run
    from arena.tournament.running import begin, begin_from, built, free_folder
    from arena.tournament.series import load_series

    deadline = _deadline(until, max_time)
    given = [*(settings or ()), *([] if seed is None else [f"seed={seed}"])]
    loaded = built(lambda: load_series(series, given), _building)
    folder = out or free_folder(loaded.config.name)
    if reuse is None:
        with begin(loaded, series.parent, folder) as new:
            _play(new, loaded, workers, deadline)
        return
    if seed is not None:
        raise InputError("--seed: the games of --reuse are on the seed of the earlier run; leave one of the two out")
    with Run.open(reuse) as old:
        new, taken = begin_from(old, loaded, series.parent, folder)
    with new:
        typer.echo(f"{taken} games are taken over from {reuse}", err=True)
        _play(new, loaded, workers, deadline)


def resume(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run that was stopped.")],
    workers: Annotated[int | None, _WORKERS] = None,
    until: Annotated[str | None, _UNTIL] = None,
    max_time: Annotated[str | None, _MAX_TIME] = None,
) -> None:
    """Go on with a run that was stopped.

    What is finished stays, the rest is played. The tables are the same as if it had never been stopped. A run that is
    complete gets its tables anew.
    """
    from arena.records.store import Run
    from arena.tournament.running import take_up

    deadline = _deadline(until, max_time)
    with Run.open(folder, write=True) as stopped:
        _play(stopped, take_up(stopped, _building), workers, deadline)


def _building(name: str) -> None:
    typer.echo(f"Building {name}", err=True)


def _play(run: "Run", series: "Series", workers: int | None, deadline: float | None) -> None:
    """Play to the end or to a stop, write the tables, and say where everything is."""
    from arena.tournament.results import write_results
    from arena.tournament.runner import RunEnd
    from arena.tournament.running import changed_bots, runner_of

    runner = runner_of(run, series, workers)
    with _interruptible(runner), _progress(runner) as report:
        end = runner.play(deadline, report)
    for name in changed_bots(series):
        typer.echo(
            f"Warning: the folder of {name} has changed during the run. What a bot writes there is a memory of deals "
            f"that it meets again from the other side; and {run.folder} cannot be resumed with a changed bot.",
            err=True,
        )
    done, games = runner.progress.games_done, runner.progress.games
    if end is RunEnd.INTERRUPTED:
        typer.echo(
            f"Stopped at {done} of {games} games; every finished one is kept. Go on with: arena resume {run.folder}",
            err=True,
        )
        _tell_faults(run)
        raise typer.Exit(ExitCode.INTERRUPTED)
    try:
        results = write_results(run)
    except KeyboardInterrupt:
        told = "Interrupted before the tables were written; every finished game is kept. Go on with"
        typer.echo(f"{told}: arena resume {run.folder}", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    typer.echo(results.title + "\n")
    typer.echo(results.as_text("simple"))
    for note in results.notes:
        typer.echo(note)
    typer.echo(f"\nRecord and tables: {run.folder}")
    _tell_faults(run)
    if end is RunEnd.OUT_OF_TIME:
        typer.echo(f"The time is up at {done} of {games} games. Go on with: arena resume {run.folder}")


def _tell_faults(run: "Run") -> None:
    """Where to look after faults: what the bots wrote, if they did, and the first hand with one."""
    game = next((index for index, bots in run.faults_by_game() if bots), None)
    if game is None:
        return
    _, record = run.record(game)
    hand = f" {record.faults[0].hand}" if record is not None and record.hands else ""
    logs = run.folder / "logs"
    written = f"what the bots wrote is in {logs}; " if logs.is_dir() else ""
    typer.echo(f"Faults: {written}the first: arena replay {run.folder} {game}{hand}")


@contextmanager
def _interruptible(runner: "Runner") -> Iterator[None]:
    """Let Ctrl-C, a polite kill and a closed terminal stop the run cleanly; the last not under `nohup`."""
    signals = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signals.append(signal.SIGHUP)
    before = [signal.signal(number, lambda *_: runner.interrupt()) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)


@contextmanager
def _progress(runner: "Runner") -> Iterator[Callable[["Progress"], None]]:
    """A progress bar on a terminal; elsewhere a line at the beginning and one at the end."""
    progress = runner.progress
    start = time.monotonic()
    if not sys.stderr.isatty():
        typer.echo(f"Playing {progress.games - progress.games_done} of {progress.games} games", err=True)
        yield lambda _: None
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        pace_column = TextColumn("{task.fields[pace]}")
        columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), pace_column)
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("games", total=progress.games, completed=progress.games_done, pace="")

            def report(now: "Progress") -> None:
                pace = f"{now.hands / (time.monotonic() - start):.0f} hands/s" if now.hands else "starting bots"
                bar.update(task, completed=now.games_done, pace=pace)

            yield report
    seconds = time.monotonic() - start
    typer.echo(f"{progress.hands} hands in {seconds:.1f} s, {progress.hands / seconds:.0f} hands/s", err=True)


def _deadline(until: str | None, max_time: str | None) -> float | None:
    """When to stop, on the monotonic clock; the earlier of the two, `None` for neither."""
    from arena.tournament.durations import parse_duration

    ends = []
    if until is not None:
        try:
            clock = time_of_day.fromisoformat(until)
        except ValueError:
            raise InputError(f"--until: expected a time of the day such as 06:00, got {until!r}") from None
        now = datetime.now().astimezone()
        end = now.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
        ends.append(((end if end > now else end + timedelta(days=1)) - now).total_seconds())
    if max_time is not None:
        try:
            ends.append(parse_duration(max_time).total_seconds())
        except ValueError as error:
            raise InputError(f"--max-time: expected {error}, got {max_time!r}") from None
    return time.monotonic() + min(ends) if ends else None
