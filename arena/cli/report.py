"""`arena report`."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.tabled import RUN, WITHOUT


def report(
    folder: Annotated[Path, RUN],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The page [default: DIR/report.html].")
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option("--hands", min=0, metavar="N", help="Hands of each pairing at most [default: 4,000 in all]."),
    ] = None,
    without: Annotated[list[str] | None, WITHOUT] = None,
    luck: Annotated[
        bool,
        typer.Option("--luck", help="Draw the margins without the luck of the draws too, which takes longer."),
    ] = False,
    no_times: Annotated[
        bool, typer.Option("--no-times", help="No decision times: the same record makes the same file, byte for byte.")
    ] = False,
) -> None:
    """Make the results page of a run: one HTML file, to be opened in a browser or put on a web server.

    It has the tables, the intervals drawn, the crosstable shaded by how sure a difference is, and the hands, which can
    be played through card by card. It needs no network, and nothing beside it. Of a large run it has those hands that
    teach the most: those with faults, those that bots made the most different things of, and the first.

    \b
    Examples:
      arena report runs/quickstart-001
      arena report runs/cup-001 --out cup.html --hands 50
      arena report runs/cup-001 --without cheater --no-times
    """
    from arena.records.store import Run
    from arena.tournament.page import Wanted, write_page

    path = out or folder / "report.html"
    with Run.open(folder) as run:
        write_page(run, path, Wanted(hands, frozenset(without or ()), times=not no_times, luck=luck))
    typer.echo(f"{path}: {path.stat().st_size / 1e6:.1f} MB; open it in a browser")
