"""`arena watch`."""

import json
import os
import sys
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

from arena.cli.client import Id, Json, client, fault_json, fault_line, line_of, series_json
from arena.cli.exits import ExitCode
from arena.cli.standings import show

if TYPE_CHECKING:  # rooms are imported when a command runs
    from rich.console import RenderableType

    from arena.protocol.v1.arena_pb2 import FaultInfo, Progress, SeriesInfo, StandingsResponse, WatchResponse
    from arena.protocol.v1.arena_pb2_grpc import ArenaStub

_STEP = 0.1
"""The part of its games by which a series goes on from one line of its progress to the next, in a pipe."""
_FAULTS_SHOWN = 5
"""The last faults, below the live table."""


@client
def watch(arena: "ArenaStub", series: Id, as_json: Json = False) -> None:
    """Follow a series of an arena that serves, until it is over.

    On a terminal the table lives; in a pipe there are lines, and the tables at the end. Two who watch see the same.
    Exits 0 for a series that is finished, 1 for one that was cancelled, 3 for one that has failed. A series that is
    paused is not over. Ctrl-C ends the watching, and not the series.

    \b
    Examples:
      arena watch cup-001
      arena watch cup-001 --json | jq -c 'select(.fault)'
    """
    follow(arena, series, as_json)


def follow(arena: "ArenaStub", series: str, as_json: bool) -> None:
    """Follow a series to its end. Raises `typer.Exit` with what came of it."""
    from arena.protocol.v1.arena_pb2 import WatchRequest

    events = arena.Watch(WatchRequest(id=series))
    try:
        if as_json:
            last = _tell_json(events)
        elif sys.stdout.isatty() and os.environ.get("TERM") != "dumb":  # where nothing that was written can change
            last = _show_live(events)
        else:
            last = _tell_lines(events)
    except KeyboardInterrupt:
        events.cancel()
        typer.echo(f"No longer watched; the series goes on: arena watch {series}", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    raise typer.Exit(_code(last))


def _code(series: "SeriesInfo | None") -> ExitCode:
    from arena.protocol.v1 import arena_pb2 as pb

    if series is None or series.state == pb.SERIES_STATE_FAILED:
        return ExitCode.HOST
    return ExitCode.FINE if series.state == pb.SERIES_STATE_FINISHED else ExitCode.NO


def _tell_json(events: Iterable["WatchResponse"]) -> "SeriesInfo | None":
    """An object a line, with the kind of event as its one key."""
    from arena.server.sheets import shown

    last = None
    for event in events:
        told: object
        match event.WhichOneof("event"):
            case "progress" as kind:
                last = event.progress.series
                pace = round(event.progress.hands_per_second, 1)
                told = {**series_json(last), "hands_per_second": pace}
            case "standings" as kind:
                tables = shown(event.standings)
                told = {"title": tables.title, "standings": tables.standings.records(), "notes": tables.notes}
            case "fault" as kind:
                told = fault_json(event.fault)
            case "faults_left_out" as kind:
                told = event.faults_left_out
            case _:  # of a newer arena
                continue
        print(json.dumps({kind: told}), flush=True)
    return last


def _tell_lines(events: Iterable["WatchResponse"]) -> "SeriesInfo | None":
    """A line for what happens, and the tables at the end."""
    from arena.server.sheets import shown

    last: SeriesInfo | None = None
    tables: StandingsResponse | None = None
    told = ("", 0)
    for event in events:
        match event.WhichOneof("event"):
            case "progress":
                last = event.progress.series
                step = int(last.games_done / max(1.0, last.games * _STEP))
                now = (f"{last.state} {last.told}", step)
                if now != told:
                    told = now
                    print(_progress_line(event.progress), flush=True)
            case "standings":
                tables = event.standings
            case "fault":
                print(f"Fault: {fault_line(event.fault)}", flush=True)
            case "faults_left_out":
                print(f"Fault: {event.faults_left_out:,} more", flush=True)
    if tables is not None:
        print(f"\n{tables.title}\n")
        show(shown(tables))
    return last


def _progress_line(progress: "Progress") -> str:
    pace = f", {progress.hands_per_second:,.0f} hands/s" if progress.hands_per_second else ""
    return f"{line_of(progress.series)}{pace}"


def _show_live(events: Iterable["WatchResponse"]) -> "SeriesInfo | None":
    """The ranking as it becomes, on a terminal; at the end the whole."""
    from rich.console import Console
    from rich.live import Live

    from arena.server.sheets import shown

    progress: Progress | None = None
    tables: StandingsResponse | None = None
    faults = deque["FaultInfo"](maxlen=_FAULTS_SHOWN)
    with Live(console=Console(), transient=True, auto_refresh=False) as live:
        for event in events:
            match event.WhichOneof("event"):
                case "progress":
                    progress = event.progress
                case "standings":
                    tables = event.standings
                case "fault":
                    faults.append(event.fault)
            live.update(_screen(progress, tables, faults), refresh=True)
    if tables is not None:
        typer.echo(f"{tables.title}\n")
        show(shown(tables))
    if progress is None:
        return None
    typer.echo(line_of(progress.series), err=True)
    return progress.series


def _screen(
    progress: "Progress | None", tables: "StandingsResponse | None", faults: Iterable["FaultInfo"]
) -> "RenderableType":
    """What is seen while a series is played."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    from arena.server.sheets import sheet
    from arena.standings.sheet import render

    parts: list[RenderableType] = []
    if progress is not None:
        parts.append(Text(_progress_line(progress), style="bold"))
        parts.append(ProgressBar(total=progress.series.games, completed=progress.series.games_done))
    if tables is not None and tables.tables:
        parts.append(Text(f"\n{tables.title}\n\n{render(sheet(tables.tables[0]), 'simple')}"))
    parts += [Text(f"Fault: {fault_line(fault)}", style="red") for fault in faults]
    return Group(*parts)
