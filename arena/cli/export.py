"""`arena export`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from arena.cli.tabled import RUN


def export(
    folder: Annotated[Path, RUN],
    what: Annotated[Literal["hands", "games"], typer.Option("--what", help="What a line is.")] = "hands",
    form: Annotated[Literal["jsonl"], typer.Option("--format", help="JSON Lines.")] = "jsonl",  # noqa: ARG001
) -> None:
    """Write a run as JSON Lines.

    An object for each hand or game, one a line, in schedule order. Everything can be computed again from it.
    docs/export.md explains every field.

    \b
    Examples:
      arena export runs/cup-001 > hands.jsonl
      arena export runs/cup-001 --what games | jq .margins
    """
    from arena.records import export as rooms
    from arena.records.store import Run

    with Run.open(folder) as run:
        for line in rooms.export(run, rooms.What(what)):
            print(line)
