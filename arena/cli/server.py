"""`arena server`: the commands by which the series of an arena that serves are looked after."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.client import Id, Json, client, fault_json, fault_line, line_of, series_json, state_of
from arena.cli.tabled import FORMAT, WITHOUT

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.protocol.v1.arena_pb2 import SeriesInfo
    from arena.protocol.v1.arena_pb2_grpc import ArenaStub

_MOST = 2**32 - 1
"""The largest number that travels."""

server = typer.Typer(
    help="Look after the series of an arena that serves.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@server.command("list")
@client
def list_(arena: "ArenaStub", as_json: Json = False) -> None:
    """List the series of an arena, the newest last.

    \b
    Examples:
      arena server list
      arena server list --json | jq '.[] | select(.state == "running") | .id'
    """
    from arena.protocol.v1.arena_pb2 import ListRequest
    from arena.standings.sheet import Cell, Column, Sheet, render

    series = arena.List(ListRequest()).series
    if as_json:
        typer.echo(json.dumps([series_json(one) for one in series], indent=2))
        return
    if not series:
        typer.echo("There is no series yet; submit one: arena submit FILE")
        return
    columns = [Column("id", "id", text=True), Column("state", "state", text=True), Column("games", "games")]
    columns += [Column("of", "of"), Column("title", "title", text=True)]
    rows: list[list[Cell]] = [[one.id, state_of(one), one.games_done, one.games, one.title] for one in series]
    typer.echo(render(Sheet(columns, rows), "simple"), nl=False)
    told = [f"{one.id}: {one.told}" for one in series if one.told]
    if told:
        typer.echo("\n" + "\n".join(told))


@server.command()
@client
def status(arena: "ArenaStub", as_json: Json = False) -> None:
    """Show how an arena is doing.

    Its pace, its queue, its faults, and the bots that have dialled in.

    Rates are those of the last ten seconds. The lag is the part of the time in which workers could not run though they
    wanted to: above a few per cent the machine is too small for what it is to do.
    """
    from arena.protocol.v1.arena_pb2 import StatusRequest

    now = arena.Status(StatusRequest())
    if as_json:
        told = {
            "arena_version": now.arena_version,
            "up_seconds": round(now.up_seconds, 1),
            "running": now.running,
            "queued": now.queued,
            "hands_per_second": round(now.hands_per_second, 1),
            "decisions_per_second": round(now.decisions_per_second, 1),
            "batch_size": round(now.batch_size, 2),
            "faults": now.faults,
            "lag": round(now.lag, 4),
            "joined": [
                {
                    "bot": bot.bot,
                    "waiting": bot.waiting,
                    "playing": bot.playing,
                    "round_trip_ms": round(bot.round_trip_ms, 2),
                }
                for bot in now.joined
            ],
        }
        typer.echo(json.dumps(told, indent=2))
        return
    lines = {
        "version": f"Gin Arena {now.arena_version}, up for {now.up_seconds:,.0f} s",
        "series": f"{now.running} running, {now.queued} queued",
        "pace": f"{now.hands_per_second:,.0f} hands/s, {now.decisions_per_second:,.0f} decisions/s",
        "batches": f"{now.batch_size:.1f} decisions a message",
        "faults": f"{now.faults:,} since it started",
        "lag": f"{100 * now.lag:.1f} %",
    }
    for name, text in lines.items():
        typer.echo(f"{name:<9}{text}")
    for bot in now.joined:
        typer.echo(f"joined   {bot.bot}: {bot.waiting} waiting, {bot.playing} playing, {bot.round_trip_ms:.1f} ms away")


@server.command()
@client
def pause(arena: "ArenaStub", series: Id, as_json: Json = False) -> None:
    """Stop playing a series until it is resumed. Every finished game is kept."""
    from arena.protocol.v1.arena_pb2 import PauseRequest

    _tell(arena.Pause(PauseRequest(id=series)).series, as_json)


@server.command()
@client
def resume(arena: "ArenaStub", series: Id, as_json: Json = False) -> None:
    """Go on with a series that was stopped.

    It was paused, or has failed. One that waits for bots begins without them.
    """
    from arena.protocol.v1.arena_pb2 import ResumeRequest

    _tell(arena.Resume(ResumeRequest(id=series)).series, as_json)


@server.command()
@client
def cancel(arena: "ArenaStub", series: Id, as_json: Json = False) -> None:
    """Stop a series for good. What was played is kept, and can be looked at."""
    from arena.protocol.v1.arena_pb2 import CancelRequest

    _tell(arena.Cancel(CancelRequest(id=series)).series, as_json)


@server.command()
@client
def crosstable(
    arena: "ArenaStub",
    series: Id,
    form: Annotated[str, FORMAT] = "simple",
    without: Annotated[list[str] | None, WITHOUT] = None,
    luck: Annotated[bool, typer.Option("--luck", help="Margins without the luck of the draws as well.")] = False,
) -> None:
    """Show every bot of a series against every other, as it stands."""
    from arena.cli.standings import show_crosstable
    from arena.protocol.v1.arena_pb2 import CrosstableRequest, StandingsResponse
    from arena.server.sheets import shown

    found = arena.Crosstable(CrosstableRequest(id=series, without=without, luck=luck))
    if found.told:
        typer.echo(found.told, err=True)
    show_crosstable(shown(StandingsResponse(title=found.title, about=found.about, crosstable=found)), form)


@server.command()
@client
def hand(
    arena: "ArenaStub",
    series: Id,
    game: Annotated[int, typer.Argument(metavar="GAME", min=0, max=_MOST, help="Number of a game, from 0.")],
    number: Annotated[int, typer.Argument(metavar="HAND", min=1, max=_MOST, help="Number of a hand, from 1.")],
    as_json: Annotated[bool, typer.Option("--json", help="Its line of the export, for a program.")] = False,
) -> None:
    """Show a hand that was played, turn by turn.

    It is shown once every game on the same cards has been played, by all bots: see docs/server.md.
    """
    from arena.protocol.v1.arena_pb2 import HandRequest

    found = arena.Hand(HandRequest(id=series, game=game, hand=number))
    typer.echo(found.record if as_json else found.replay)


@server.command()
@client
def faults(
    arena: "ArenaStub",
    series: Id,
    bot: Annotated[str, typer.Option("--bot", metavar="NAME", help="Those of this bot alone.")] = "",
    as_json: Json = False,
) -> None:
    """List the faults of a series.

    What happened, and what the bot had printed, is told to the organiser and to the bot's own entrant.
    """
    from arena.players.place import last_lines
    from arena.protocol.v1.arena_pb2 import FaultsRequest

    found = arena.Faults(FaultsRequest(id=series, bot=bot)).faults
    if as_json:
        typer.echo(json.dumps([fault_json(fault) for fault in found], indent=2))
        return
    for fault in found:
        typer.echo(fault_line(fault))
        for line in last_lines(fault.output, 6):
            typer.echo(f"    | {line}")
    if not found:
        typer.echo(f"{series}: no faults{f' of {bot}' if bot else ''}")


def _tell(series: "SeriesInfo", as_json: bool) -> None:
    typer.echo(json.dumps(series_json(series), indent=2) if as_json else line_of(series))
