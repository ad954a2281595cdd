"""`arena verify`."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.exits import ExitCode
from arena.cli.tabled import RUN
from arena.errors import RecordError


def verify(folder: Annotated[Path, RUN]) -> None:
    """Deal and score a whole run again, with no bot.

    Every hand is made again from the seed and the record. Exits 0 if everything agrees and 1 at the first difference,
    which it names. The digest that is shown is the same for the same run on any machine, times aside: published right
    after a contest, it protects the record.
    """
    from arena.records.store import Run
    from arena.records.verify import verify as check

    try:
        with Run.open(folder) as run:
            found = check(run)
    except RecordError as difference:
        typer.echo(f"{folder}: {str(difference).removeprefix(f'{folder}: ')}")  # of what cannot be read, it is there
        raise typer.Exit(ExitCode.NO) from difference
    typer.echo(f"{folder}: {found.games:,} of {found.scheduled:,} games, {found.hands:,} hands: all agree")
    typer.echo(f"digest {found.digest}")
