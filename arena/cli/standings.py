"""`arena standings`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.dialled import Ca, Plaintext, Tls, Token
from arena.cli.tabled import FORMAT, WITHOUT
from arena.errors import InputError

if TYPE_CHECKING:
    from arena.dealer.values import GameRecord, GameSpec
    from arena.protocol.dialling import Server
    from arena.records.store import Run
    from arena.tournament.results import Shown


def standings(
    run: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run; with --server a series, by its id.")],
    form: Annotated[str, FORMAT] = "simple",
    without: Annotated[list[str] | None, WITHOUT] = None,
    crosstable: Annotated[bool, typer.Option("--crosstable", help="Every bot against every other.")] = False,
    luck: Annotated[
        bool, typer.Option("--luck", help="Margins without the luck of the draws as well: some milliseconds a hand.")
    ] = False,
    address: Annotated[
        str | None,
        typer.Option("--server", metavar="ADDRESS", help="Those of a series of an arena that serves: host:port."),
    ] = None,
    token: Token = "",
    ca: Ca = None,
    tls: Tls = False,
    plaintext: Plaintext = False,
) -> None:
    """Show the ranked table of a run, finished or not.

    \b
    Examples:
      arena standings runs/quickstart-001
      arena standings runs/cup-001 --without cheater --format github
      arena standings runs/cup-001 --crosstable
      arena standings runs/cup-001 --luck
      arena standings runs/cup-001 --format json | jq .standings
      arena standings cup-001 --server arena.example:7777
    """
    if address is None:
        if not run.exists():
            raise InputError(
                f"{run}: there is no such folder, expected that of a run; a series of an arena that serves needs "
                "--server ADDRESS"
            )
        shown, told = _of_folder(run, without or [], luck)
    else:
        from arena.protocol.dialling import Server

        server = Server(address, token, ca, tls=tls, plaintext=plaintext)
        wanted = crosstable or form == "json"
        shown, told = _of_server(server, str(run), without or [], luck, crosstable=wanted)
    if told:
        typer.echo(told, err=True)
    if crosstable and form != "json":
        show_crosstable(shown, form)
    else:
        show(shown, form)


def show(shown: "Shown", form: str = "simple") -> None:
    """Print the standings in a format, for people with what they have to know."""
    from arena.standings.sheet import render

    if form == "json":
        text = shown.as_json()
    elif form in ("csv", "tsv"):
        text = render(shown.standings, form)
    else:
        text = shown.as_text(form)
    typer.echo(text, nl=False)
    if form == "simple":
        typer.echo("\n" + "\n".join(shown.notes))


def show_crosstable(shown: "Shown", form: str = "simple") -> None:
    """Print the crosstable likewise."""
    from arena.tournament.results import CROSSTABLE_LEGEND, LESS_LUCK

    typer.echo(shown.crosstable_as(form), nl=False)
    if form == "simple":
        legend = [CROSSTABLE_LEGEND, *([LESS_LUCK] if shown.less_luck else [])]
        typer.echo("\n" + "\n".join([*legend, *shown.about]))


def _of_folder(folder: Path, without: list[str], luck: bool) -> tuple["Shown", str]:
    """The tables of a run, and why luck was not judged."""
    from arena.records.store import Run
    from arena.standings.luck import Luck, luck_of
    from arena.tournament.results import results_of

    with Run.open(folder) as run:
        judge = luck_of(run.info) if luck else None
        if isinstance(judge, Luck):
            return results_of(run, frozenset(without), _passing(run), luck=judge), ""
        return results_of(run, frozenset(without)), judge or ""


def _of_server(
    server: "Server", series: str, without: list[str], luck: bool, *, crosstable: bool
) -> tuple["Shown", str]:
    """The same of a series of an arena that serves."""
    from arena.protocol.dialling import calling
    from arena.protocol.v1.arena_pb2 import StandingsRequest
    from arena.protocol.v1.arena_pb2_grpc import ArenaStub
    from arena.server.sheets import shown

    request = StandingsRequest(id=series, without=without, luck=luck, crosstable=crosstable)
    with calling(server) as channel:
        found = ArenaStub(channel).Standings(request)
    return shown(found), found.told


def _passing(run: "Run") -> Iterator[tuple["GameSpec", "GameRecord"]]:
    """The games of a run, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield from run.records()
        return
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield from track(run.records(), "judging luck", total=len(run.done()), console=console, transient=True)
