"""What the commands that play a run have in common: options, what is told, and how they are stopped."""

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from datetime import time as time_of_day
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from arena.cli.colours import colours_wanted
from arena.errors import InputError

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.isolation.values import Isolation
    from arena.tournament.runner import Runner
    from arena.tournament.series import Series

WORKERS = typer.Option("--workers", min=1, max=1024, help="Worker processes, instead of the series' number.")
CLUSTER = typer.Option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on the Dask cluster whose scheduler is there, as in tcp://HOST:8786, or 'none' for this machine.",
)


def building(name: str) -> None:
    """Say that a bot is being built."""
    typer.echo(f"Building {name}", err=True)


def isolation_told(series: "Series", folder: Path, cluster: str | None = None) -> "Isolation":
    """What will isolate the bots of a run in this folder, after it was told. cluster: where they play, if not here."""
    from arena.tournament.isolating import isolation_elsewhere, isolation_of, isolation_report

    if cluster is not None:
        line = f"Playing on the cluster {cluster}. Isolation: {series.config.isolation}, as each machine there can."
        typer.secho(line, err=True, dim=colours_wanted(sys.stderr))
        return isolation_elsewhere(series)
    isolation = isolation_of(series, folder)
    for line in isolation_report(series, isolation):
        typer.secho(line, err=True, dim=colours_wanted(sys.stderr))
    return isolation


def warn_of_changes(series: "Series", folder: Path) -> None:
    """Say which bots have changed their own folders during a run."""
    from arena.tournament.running import changed_bots

    for name in changed_bots(series):
        typer.echo(
            f"Warning: the folder of {name} has changed during the run. What a bot writes there is a memory of deals "
            f"that it meets again from the other side; and {folder} cannot be resumed with a changed bot.",
            err=True,
        )


@contextmanager
def interruptible(runner: "Runner") -> Iterator[None]:
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


def deadline_of(until: str | None, max_time: str | None) -> float | None:
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
