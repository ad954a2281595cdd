"""`arena reproduce`."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.exits import ExitCode
from arena.cli.tabled import RUN

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.records.store import Run
    from arena.tournament.reproduce import Choice, Reproduced

_MOST_TOLD = 20
"""Games that differ which are told one by one."""


def reproduce(
    folder: Annotated[Path, RUN],
    sample: Annotated[str, typer.Option("--sample", metavar="SIZE", help="Games: 1% of them, or 20.")] = "1%",
    games: Annotated[
        list[int] | None, typer.Option("--game", metavar="GAME", min=0, help="This game, instead of a sample.")
    ] = None,
    seed: Annotated[str | None, typer.Option("--seed", help="Draw other games [default: from the run].")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer as JSON.")] = False,
) -> None:
    """Play games of a run again with the same bots, and compare every decision.

    Bots are started afresh, at no clock, and the run is only read. Exits 0 if every decision is the same and 1 if not,
    and then names the first decision of each game that differs. A bot that throws its own dice, learns from game to
    game or looks at the time is found out by this; one that has changed since the run is refused.

    Left out are games of bots at an address or that dial in, and games with a fault that another day may not bring,
    such as a timeout.

    \b
    Examples:
      arena reproduce runs/cup-001                     a hundredth of the games
      arena reproduce runs/cup-001 --sample 20 --seed auditor
      arena reproduce runs/cup-001 --game 17 --game 18
    """
    from arena.isolation.groups import sweep
    from arena.records.store import Run
    from arena.tournament.isolating import isolation_of
    from arena.tournament.reproduce import choose, named, parse_sample
    from arena.tournament.reproduce import reproduce as play_again
    from arena.tournament.running import job_of, take_up

    size = parse_sample(sample)
    with Run.open(folder) as run:
        series = take_up(run, lambda name: typer.echo(f"Building {name}", err=True))
        choice = named(run, series, games) if games else choose(run, series, size, run.digest if seed is None else seed)
        isolation = isolation_of(series, folder)
        with _progress(len(choice.games)) as report:
            try:
                found = play_again(job_of(run, series, isolation), choice, report)
            finally:
                sweep(isolation.groups)
        print(_json(run, choice, found) if as_json else "\n".join(_lines(run, choice, found)))
    if found.partings:
        raise typer.Exit(ExitCode.NO)


def _lines(run: "Run", choice: "Choice", found: "Reproduced") -> Iterator[str]:
    games = f"{found.games:,} of {len(run):,} games played again, {found.decisions:,} decisions"
    if not found.partings:
        yield f"{run.folder}: {games}: all equal"
    else:
        yield f"{run.folder}: {games} equal, {len(found.partings):,} games part"
        for index, (name, part) in [*found.partings.items()][:_MOST_TOLD]:
            yield f"game {index} {part} ({name})"
        if len(found.partings) > _MOST_TOLD:
            yield f"and {len(found.partings) - _MOST_TOLD:,} more"
    if choice.faulty:
        yield f"Left out: {choice.faulty:,} games with a fault that another day may not bring"
    for name, count in choice.unrenewed.items():
        yield f"Left out: {count:,} games of {name}, which cannot be started afresh"


def _json(run: "Run", choice: "Choice", found: "Reproduced") -> str:
    partings = [
        {"game": index, "hand": part.hand, "move": part.move, "bot": name, "recorded": part.recorded, "now": part.now}
        for index, (name, part) in found.partings.items()
    ]
    return json.dumps(
        {
            "run": str(run.folder),
            "equal": not partings,
            "games": [spec.index for spec, _ in choice.games],
            "decisions": found.decisions,
            "partings": partings,
            "left_out": {"faults": choice.faulty, "addresses": choice.unrenewed},
        }
    )


@contextmanager
def _progress(games: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal; elsewhere a line at the beginning."""
    if not sys.stderr.isatty():
        typer.echo(f"Playing {games} game{'s' * (games != 1)} again", err=True)
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=games)
        yield lambda done: bar.update(task, completed=done)
