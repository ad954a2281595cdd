"""`arena publish`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.tabled import RUN


def publish(
    folder: Annotated[Path, RUN],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="A new folder [default: DIR/published].")
    ] = None,
    incomplete: Annotated[
        bool, typer.Option("--incomplete", help="Also of a run that is not complete, what is complete of it.")
    ] = False,
) -> None:
    """Publish a run: a folder for everybody, and an archive for each entrant.

    `public` has the record, which `arena verify` accepts alone, the tables, a page for browsers as `arena report` makes
    it, the export, and every hand as text, a file a pairing in replays.zip. There is nothing in it that a bot has
    printed, and no path of this machine. `private` has a zip for each bot with its own faults, its own logs, and the
    record of its own games: `arena faults`, `arena ask` and `arena replay` work from it, unpacked. The same run makes
    the same files, byte for byte. A run is verified before it is published.

    With --incomplete no hand is shown of a deal group that is not complete. But the seed is in every record, and who
    has it knows all decks: do not go on with a run that was published.

    \b
    Examples:
      arena publish runs/cup-001
      arena publish runs/cup-001 --out cup-results
    """
    from arena.records.store import Run
    from arena.tournament.publish import publish as put

    with Run.open(folder) as run:
        found = put(run, out or folder / "published", incomplete=incomplete, report=_report)
        left = len(run) - found.games
    _report("")
    typer.echo(f"{found.folder / 'public'}: {found.games:,} games, {found.verified.hands:,} hands: all agree")
    typer.echo(f"{found.folder / 'private'}: an archive for each of {len(run.info.bots)} bots")
    typer.echo(f"digest {found.verified.digest}")
    if left:
        typer.echo(
            f"{left:,} games are left out, as their deal groups are not complete. The seed is published, so everybody "
            "knows their decks: do not go on with this run.",
            err=True,
        )


def _report(what: str) -> None:
    """Tell what is being done: on a terminal in one line that is written over, elsewhere in a line each."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{f'Publishing: {what}' if what else ''}", end="", file=sys.stderr, flush=True)
    elif what and not what.startswith("archive of"):
        typer.echo(f"Publishing: {what}", err=True)
