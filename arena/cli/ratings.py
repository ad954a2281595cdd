"""`arena ratings`."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.tabled import FORMAT, RUN, WITHOUT


def ratings(
    folder: Annotated[Path, RUN],
    form: Annotated[str, FORMAT] = "simple",
    without: Annotated[list[str] | None, WITHOUT] = None,
    anchor: Annotated[
        str | None,
        typer.Option("--anchor", metavar="BOT", help="Which bot the scale begins with [default: the series']."),
    ] = None,
    pairs: Annotated[bool, typer.Option("--pairs", help="Every two bots only.")] = False,
    outranks: Annotated[
        bool, typer.Option("--outranks", help="How probably the row outranks the column, in percent.")
    ] = False,
) -> None:
    """Rate the bots of a run by all its games, and say who is better for certain.

    Of every two bots it tells the margin a hand, whether it is significant among so many pairs, and how probable it is
    that one is the stronger.

    \b
    Examples:
      arena ratings runs/cup-001
      arena ratings runs/cup-001 --anchor simple
      arena ratings runs/cup-001 --pairs --format csv
      arena ratings runs/cup-001 --outranks --format github
      arena ratings runs/cup-001 --format json | jq .cycles
    """
    from arena.extras import needing
    from arena.records.store import Run
    from arena.standings.sheet import render

    with needing("statistics"), Run.open(folder) as run:
        from arena.tournament.ratings import rated

        page = rated(run, frozenset(without or ()), anchor)
    if form == "json":
        text = page.as_json()
    elif pairs or outranks or form in ("csv", "tsv"):
        text = render(page.pairs if pairs else page.outranks if outranks else page.ratings, form)
    else:
        text = page.as_text(form)
    typer.echo(text, nl=False)
    if form == "simple":
        typer.echo("\n" + "\n".join(page.notes))
