"""`arena standings`."""

from pathlib import Path
from typing import Annotated

import typer


def standings(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run.")],
    form: Annotated[
        str, typer.Option("--format", help="json, csv, or a format of tabulate: simple, pipe, github, html, latex, ...")
    ] = "simple",
    without: Annotated[
        list[str] | None, typer.Option("--without", metavar="BOT", help="Leave a bot and all its games out.")
    ] = None,
    crosstable: Annotated[bool, typer.Option("--crosstable", help="Every bot against every other.")] = False,
) -> None:
    """Show the ranked table of a run, finished or not.

    \b
    Examples:
      arena standings runs/quickstart-001
      arena standings runs/cup-001 --without cheater --format github
      arena standings runs/cup-001 --crosstable
      arena standings runs/cup-001 --format json | jq .standings
    """
    from arena.records.store import Run
    from arena.standings.sheet import render
    from arena.tournament.results import CROSSTABLE_LEGEND, results_of

    with Run.open(folder) as run:
        results = results_of(run, frozenset(without or ()))
    if form == "json":
        text = results.as_json()
    elif crosstable:
        text = render(results.crosstable, form)
    elif form in ("csv", "tsv"):
        text = render(results.standings, form)
    else:
        text = results.as_text(form)
    typer.echo(text, nl=False)
    if form == "simple":
        typer.echo("\n" + "\n".join([CROSSTABLE_LEGEND, *results.about] if crosstable else results.notes))
