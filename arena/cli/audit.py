"""`arena audit`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.tabled import RUN
from arena.errors import InputError

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.standings.audit import BotAudit

_OVERLAP = "Points of different kinds are not to be added up: one hand may have several. docs/classes.md explains each."


def audit(
    folder: Annotated[Path, RUN],
    bot: Annotated[str | None, typer.Option("--bot", metavar="NAME", help="The decisions of this bot alone.")] = None,
    form: Annotated[
        str | None, typer.Option("--format", help="The counts alone: csv, json, or a format of tabulate.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object with the hands too; not with --format.")
    ] = False,
) -> None:
    """Judge the decisions of a run from the dealer's chair, with all cards open and no bot running.

    For each bot: gins and lay-offs that were missed, defences and knocks that were not the best, cards that helped the
    opponent; how often, what it cost, and the hands where it cost most. What was an error by all that the player
    knew stands apart from what is only seen with all cards open, of which a good player has some too. Hands that ended
    by a fault are counted, and not judged.

    \b
    Examples:
      arena audit runs/quickstart-001
      arena audit runs/quickstart-001 --bot greedy
      arena audit runs/quickstart-001 --format csv > audit.csv
      arena audit runs/quickstart-001 --json | jq '.bots[0].kinds'
    """
    from arena.records.store import Run
    from arena.standings.audit import audit as audit_games
    from arena.standings.audit import audit_sheet
    from arena.standings.sheet import render
    from arena.tournament.config import config_of

    if as_json and form is not None:
        raise InputError("--json: this is another form than --format, expected one of the two")
    with Run.open(folder) as run:
        names = [one.name for one in run.info.bots]
        if bot is not None and bot not in names:
            raise InputError(f"--bot: expected a bot of the run ({', '.join(names)}), got {bot}")
        games, done = len(run), len(run.done())
        stops_itself = config_of(run.info).stops_itself
        audited = audit_games(run.info.format.rules, run.records(), names)
    shown = {name: found for name, found in audited.items() if bot in (None, name)}
    if as_json:
        told = {"run": str(folder), "games": done, "scheduled": games}
        typer.echo(json.dumps({**told, "bots": [_as_json(*one) for one in shown.items()]}, indent=2))
    elif form is not None:
        typer.echo(render(audit_sheet(shown), form), nl=False)
    else:
        for name, found in shown.items():
            for line in _page(folder, name, found):
                typer.echo(line)
        typer.echo(_OVERLAP)
    if done < games and not stops_itself:
        typer.echo(f"Not finished: {games - done} of {games} games are missing.", err=True)


def _page(folder: Path, name: str, found: "BotAudit") -> Iterator[str]:
    """What was found of a bot, for people."""
    from arena.records.fault_text import command_text
    from arena.standings.audit import audit_sheets
    from arena.standings.kinds import Kind
    from arena.standings.sheet import render

    apart = [f"{found.faulted:,} that ended by its own fault"] if found.faulted else []
    apart += [f"{found.forfeited:,} that ended by its opponent's fault"] if found.forfeited else []
    beside = f"; not judged: {', '.join(apart)}" if apart else ""
    yield f"{name}: {found.hands:,} hands judged{beside}\n"
    for heading, sheet in audit_sheets(found):
        yield f"{heading}\n\n{render(sheet, 'simple')}"
    for kind in Kind:
        for example in found.kinds[kind].examples[:_SHOWN]:
            yield f"{kind.meaning}: {example.told}"
            place = command_text(["arena", "replay", str(folder), str(example.game), str(example.hand)])
            yield f"    {place}"
    yield ""


_SHOWN = 2
"""Hands of each kind that people are shown; `--json` has more."""


def _as_json(name: str, found: "BotAudit") -> dict[str, object]:
    from arena.standings.kinds import Kind

    kinds = [
        {
            "kind": kind,
            "meaning": kind.meaning,
            "hindsight": kind.hindsight,
            "number": found.kinds[kind].number,
            "per_100_hands": found.per_100_hands(kind),
            "points_lost": found.kinds[kind].points,
            "hands": [
                {
                    "game": one.game,
                    "hand": one.hand,
                    "move": one.finding.move,
                    "points_lost": one.finding.points,
                    "told": one.finding.told,
                }
                for one in found.kinds[kind].examples
            ],
        }
        for kind in Kind
    ]
    return {
        "bot": name,
        "hands": found.hands,
        "faulted": found.faulted,
        "forfeited": found.forfeited,
        "kinds": kinds,
    }
