"""`arena effects`."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.tabled import FORMAT, RUN, WITHOUT


def effects(
    folder: Annotated[Path, RUN],
    form: Annotated[str, FORMAT] = "simple",
    without: Annotated[list[str] | None, WITHOUT] = None,
    without_advice: Annotated[
        Path | None,
        typer.Option("--without-advice", metavar="DIR", help="The same series played with adviser_view: none."),
    ] = None,
) -> None:
    """Show what the seat, dealing and in three-hand the roles are worth, and what advice is.

    The worth of advice takes two runs of the same series, seed and bots, one of them without advice; the same deal
    groups are held against each other.

    \b
    Examples:
      arena effects runs/cup-001
      arena effects runs/cup-001 --format json | jq .effects
      arena run three.yaml --out runs/with
      arena run three.yaml --out runs/silent --set rules.adviser_view=none
      arena effects runs/with --without-advice runs/silent
    """
    from arena.records.store import Run
    from arena.standings.sheet import render
    from arena.tournament.effects import effects_of

    with ExitStack() as runs:
        run = runs.enter_context(Run.open(folder))
        unadvised = None if without_advice is None else runs.enter_context(Run.open(without_advice))
        page = effects_of(run, frozenset(without or ()), unadvised)
    if form == "json":
        text = page.as_json()
    elif form in ("csv", "tsv"):
        text = render(page.effects, form)
    else:
        text = page.as_text(form)
    typer.echo(text, nl=False)
    if form == "simple":
        typer.echo("\n" + "\n".join(page.notes))
