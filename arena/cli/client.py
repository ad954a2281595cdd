"""What the commands have in common that call an arena: how it is reached, and how a series is told."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.dialled import ADDRESS, Ca, Plaintext, Tls, Token

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.protocol.v1.arena_pb2 import FaultInfo, SeriesInfo

HERE = "127.0.0.1:7777"
"""Where `arena serve` listens unless it is told otherwise."""
Id = Annotated[str, typer.Argument(metavar="ID", help="The series, as `arena server list` names it.")]
Json = Annotated[bool, typer.Option("--json", help="JSON, for a program.")]


def _dial(
    address: Annotated[str, ADDRESS] = HERE,
    token: Token = "",
    ca: Ca = None,
    tls: Tls = False,
    plaintext: Plaintext = False,
) -> None:
    """The options of every command that calls an arena."""


def client(command: Callable[..., None]) -> Callable[..., None]:
    """A command that calls an arena: its first parameter is the arena's stub, and it gets the options to reach it."""

    @wraps(command)
    def call(**given: Any) -> None:  # noqa: ANN401 - whatever the command takes
        from arena.protocol.dialling import Server, calling
        from arena.protocol.v1.arena_pb2_grpc import ArenaStub

        server = Server(**{name: given.pop(name) for name in options})
        with calling(server) as channel:
            command(ArenaStub(channel), **given)

    options = inspect.signature(_dial).parameters
    signature = inspect.signature(command)
    _, *own = signature.parameters.values()
    call.__signature__ = signature.replace(parameters=[*own, *options.values()])  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in (*own, *options.values())}
    del call.__dict__["__wrapped__"]  # or its signature would count
    return call


def state_of(series: "SeriesInfo") -> str:
    """How a series stands, in a word."""
    from arena.protocol.v1.arena_pb2 import SeriesState

    return SeriesState.Name(series.state).removeprefix("SERIES_STATE_").lower()


def line_of(series: "SeriesInfo") -> str:
    """A series in a line."""
    told = f": {series.told}" if series.told else ""
    return f"{series.id} {state_of(series)}, {series.games_done:,} of {series.games:,} games{told}"


def series_json(series: "SeriesInfo") -> dict[str, object]:
    """A series for a program."""
    return {
        "id": series.id,
        "title": series.title,
        "state": state_of(series),
        "games_done": series.games_done,
        "games": series.games,
        "bots": list(series.bots),
        "told": series.told or None,
        "commitment": series.commitment or None,
    }


def fault_json(fault: "FaultInfo") -> dict[str, object]:
    """A fault for a program."""
    return {
        "bot": fault.bot,
        "game": fault.game,
        "hand": fault.hand or None,
        "kind": fault.kind,
        "told": fault.told or None,
        "output": fault.output or None,
    }


def fault_line(fault: "FaultInfo") -> str:
    """A fault in a line."""
    from arena.errors import printable

    hand = f" hand {fault.hand}" if fault.hand else ""
    told = f": {printable(fault.told)}" if fault.told else ""
    return f"{fault.bot}, game {fault.game}{hand}, {fault.kind}{told}"
