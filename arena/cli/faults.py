"""`arena faults`."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.errors import InputError

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.records.fault_text import Wording
    from arena.records.store import Run

_COLOURS = {"name": typer.colors.CYAN, "fault": typer.colors.RED}
_BOLD = ("title", "name")


def faults(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run, or of an entrant's archive.")],
    bot: Annotated[str | None, typer.Option("--bot", metavar="NAME", help="The faults of this bot alone.")] = None,
    full: Annotated[bool, typer.Option("--full", help="All that is kept of what the bot had printed.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for a program.")] = False,
) -> None:
    """List what went wrong in a run, and where.

    Each fault has a line of its own: the place in the bot's source, the game and the hand, what was asked, and the
    command that asks that turn again. Below it stand what came instead of an answer, the end of what the bot had
    printed, and how to look at the hand. Equal faults are one entry. Games that were broken off by the machine or by
    you come last. Exits 0, whatever there is.

    \b
    Examples:
      arena faults runs/cup-001
      arena faults runs/cup-001 --bot ginny --full
      arena faults runs/cup-001 --json | jq '.faults[].where'
    """
    from arena.cli.colours import colours_wanted
    from arena.records.fault_text import LINES, fault_list
    from arena.records.faults import broken_off, folders_of, problems_of
    from arena.records.store import Run
    from arena.rules.words import plain

    with Run.open(folder) as run:
        names = [one.name for one in run.info.bots]
        if bot is not None and bot not in names:
            raise InputError(f"--bot: expected a bot of the run ({', '.join(names)}), got {bot}")
        problems = [one for one in problems_of(run.faults(), folders_of(run)) if bot in (None, one.bot)]
        broken = broken_off(run.voids(), run.done()) if bot is None else []
        wording = wording_of(run)
        commands = {one.name: home.command or None for one, home in zip(run.info.bots, run.premises.bots, strict=False)}
    if as_json:
        told = {
            "run": str(folder),
            "faults": [{**one.as_json(), "command": commands.get(one.bot)} for one in problems],
            "broken_off": [one.as_json() for one in broken],
        }
        typer.echo(json.dumps(told, indent=2))
        return
    style = _styled if colours_wanted() else plain
    lines = list(fault_list(problems, broken, wording, lines=10**6 if full else LINES, style=style))
    for line in lines or [f"{folder}: no faults{f' of {bot}' if bot else ''}"]:
        typer.echo(line)


def wording_of(run: "Run") -> "Wording":
    """What a list of faults names, as commands take it in the folder where this is run."""
    from arena.cli.ask import newest_run
    from arena.players.launch import filled_in
    from arena.records.fault_text import Wording, command_text
    from arena.records.faults import folders_of
    from arena.tournament.config import config_of

    folders = folders_of(run)
    option = "" if run.folder == newest_run() else f" --run {command_text([str(run.folder)])}"
    started, again = {}, {}
    for one, home in zip(run.info.bots, run.premises.bots, strict=False):
        if home.command:
            within = f", in {home.origin}" if home.origin else ""
            started[one.name] = f"{command_text(filled_in(home.command))}{within}"
        elif home.origin:
            started[one.name] = f"its author, at {home.origin}"
        place = home.origin if home.origin and not home.command else _near(folders.get(one.name))
        again[one.name] = f"arena ask{option} {command_text([place]) if place else 'BOT'}"
    name = command_text([str(run.folder)])
    return Wording(name, started, again, "" if config_of(run.info).stops_itself else f"arena resume {name}")


def _near(folder: str | None) -> str | None:
    """The folder of a bot as it is typed here, `None` where there is no bot any more."""
    if folder is None or not Path(folder, "bot.yaml").is_file():
        return None
    try:
        near = os.path.relpath(folder)
    except ValueError:  # another drive
        return folder
    return near if len(near) < len(folder) else folder


def _styled(kind: str, word: str) -> str:
    if kind not in _COLOURS and kind not in _BOLD:
        return word
    return typer.style(word, fg=_COLOURS.get(kind), bold=kind in _BOLD or None)
