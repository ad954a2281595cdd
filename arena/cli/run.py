"""`arena run` and `arena resume`."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.exits import ExitCode
from arena.cli.playing import CLUSTER, WORKERS, building, deadline_of, interruptible, isolation_told, warn_of_changes
from arena.errors import InputError

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.isolation.values import Isolation
    from arena.records.store import Run
    from arena.tournament.runner import Progress, Runner
    from arena.tournament.series import Series

_UNTIL = typer.Option("--until", metavar="HH:MM", help="At this time of the day begin no more games, and end.")
_MAX_TIME = typer.Option("--max-time", metavar="TIME", help="The same after this time, such as 90m or 8h.")
_MOST_NAMED = 5
"""Bots that are named at the end."""


def run(
    series: Annotated[Path, typer.Argument(metavar="FILE", help="The series, a YAML file.")],
    out: Annotated[Path | None, typer.Option("--out", help="Folder of the run [default: runs/NAME-001, ...].")] = None,
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str | None, CLUSTER] = None,
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
      arena run cup.yaml --cluster tcp://node1:8786  on many machines
      arena run cup.yaml --reuse runs/cup-001        only what has changed
    """
    from arena.records.store import Run
    from arena.tournament.mustering import cluster_of
    from arena.tournament.running import begin, begin_from, built, check_reached, free_folder
    from arena.tournament.series import load_series

    deadline = deadline_of(until, max_time)
    given = [*(settings or ()), *([] if seed is None else [f"seed={seed}"])]
    loaded = load_series(series, given)
    check_reached(loaded)
    loaded = built(lambda: load_series(series, given), building)
    folder = out or free_folder(loaded.config.name)
    cluster = cluster_of(loaded, cluster)
    isolation = isolation_told(loaded, folder, cluster)
    if reuse is None:
        with begin(loaded, series.parent, folder) as new:
            typer.echo(f"Seed commitment {new.info.commitment}", err=True)  # before the first card
            _play(new, loaded, isolation, workers, cluster, deadline)
        return
    if seed is not None:
        raise InputError("--seed: the games of --reuse are on the seed of the earlier run; leave one of the two out")
    with Run.open(reuse) as old:
        new, taken = begin_from(old, loaded, series.parent, folder)
    with new:
        typer.echo(f"{taken} games are taken over from {reuse}", err=True)
        _play(new, loaded, isolation, workers, cluster, deadline)


def resume(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run that was stopped.")],
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str | None, CLUSTER] = None,
    until: Annotated[str | None, _UNTIL] = None,
    max_time: Annotated[str | None, _MAX_TIME] = None,
) -> None:
    """Go on with a run that was stopped.

    What is finished stays, the rest is played. The tables are the same as if it had never been stopped. A run that is
    complete gets its tables anew.
    """
    from arena.records.store import Run
    from arena.tournament.config import config_of
    from arena.tournament.mustering import cluster_of
    from arena.tournament.running import take_up

    deadline = deadline_of(until, max_time)
    with Run.open(folder, write=True) as stopped:
        if config_of(stopped.info).stops_itself:
            raise InputError(
                f"{folder}: this is a comparison, which stops at its verdict; go on with the command that began it and "
                f"--out: arena compare OLD NEW ... --out {folder}"
            )
        series = take_up(stopped, building)
        cluster = cluster_of(series, cluster)
        _play(stopped, series, isolation_told(series, folder, cluster), workers, cluster, deadline)


def _play(
    run: "Run",
    series: "Series",
    isolation: "Isolation",
    workers: int | None,
    cluster: str | None,
    deadline: float | None,
) -> None:
    """Play to the end or to a stop, write the tables, and say where everything is."""
    from arena.tournament.results import write_results
    from arena.tournament.runner import RunEnd
    from arena.tournament.running import runner_of

    runner = runner_of(run, series, workers, isolation, lambda line: typer.echo(f"Note: {line}", err=True), cluster)
    with interruptible(runner), _progress(runner) as report:
        end = runner.play(deadline, report)
    warn_of_changes(series, run.folder)
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
    typer.echo(f"\nRecord and tables: {run.folder}\nFor a browser, with the hands: arena report {run.folder}")
    _tell_faults(run)
    if end is RunEnd.VOID:
        _tell_voids(run)
        raise typer.Exit(ExitCode.HOST)
    if end is RunEnd.OUT_OF_TIME:
        typer.echo(f"The time is up at {done} of {games} games. Go on with: arena resume {run.folder}")


def _tell_voids(run: "Run") -> None:
    """Which games this machine could not bring to their end, and why."""
    done = run.done()
    last = {void.index: void.detail for _, void in run.voids() if void.index not in done}
    index, detail = next(iter(last.items()))
    typer.echo(
        f"Void: {len(last)} games, which this machine broke off again and again; the first is game {index}: {detail}. "
        f"Their deal groups do not count. To try them again: arena resume {run.folder}",
        err=True,
    )


def _tell_faults(run: "Run") -> None:
    """How many faults there were, whose, and where to look."""
    counts = Counter(bot for _, bots in run.faults_by_game() for bot in bots)
    if counts:
        whose = ", ".join([f"{bot} {count:,}" for bot, count in counts.most_common(_MOST_NAMED)])
        others = f" and {len(counts) - _MOST_NAMED} others" if len(counts) > _MOST_NAMED else ""
        typer.echo(
            f"Faults: {whose}{others}. What was asked, what came, and where it went wrong: arena faults {run.folder}"
        )


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
