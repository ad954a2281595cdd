"""`arena join`."""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.dialled import Ca, Plaintext, Tls, Token
from arena.cli.exits import ExitCode
from arena.cli.isolated import ISOLATION, isolation_for, missing_layers
from arena.errors import InputError

if TYPE_CHECKING:  # rooms are imported when a command runs
    from rich.console import Console

    from arena.isolation.values import Isolation
    from arena.players.spec import BotSpec

PROCESSES = 25
"""A series asks on up to 24 (`arena.tournament.running`), and one waits. They are started as they are asked for."""


def join(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Where the arena serves, host:port.")],
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="The folder of a bot, with its bot.yaml.")],
    token: Token = "",
    ca: Ca = None,
    tls: Tls = False,
    plaintext: Plaintext = False,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What the series calls the bot; else its bot.yaml's name.")
    ] = "",
    processes: Annotated[
        int, typer.Option("--processes", min=1, max=256, help="At most so many processes, one a conversation.")
    ] = PROCESSES,
    logs: Annotated[
        Path | None, typer.Option("--logs", metavar="DIR", help="Keep what the bot prints in this folder.")
    ] = None,
    isolation: Annotated[str, ISOLATION] = "best-effort",
) -> None:
    """Let a bot on this machine play in an arena elsewhere.

    The bot is built and started here, in any language, and dials in: nothing need reach this machine. It plays until
    Ctrl-C. A connection that breaks is dialled again, and the bot goes on with its games. A process that fails ends its
    conversation, you see what it has printed last, and a fresh one serves the next. Exits 1 for a bot that does not
    build or start, 2 for an arena that does not want it, 130 after Ctrl-C.

    \b
    Examples:
      arena join arena.example:7777 --token gin_... --ca arena.pem -- my/ginny
      arena join localhost:7777 my/ginny --name ginny-2 --processes 4
    """
    from arena.bridge import NotStartedError, joined
    from arena.isolation.values import Limits
    from arena.players.launch import unreadable
    from arena.players.manifest import read_manifest
    from arena.players.scratch import own_scratch
    from arena.protocol.dialling import Server

    spec = read_manifest(bot)
    if name:
        _check_name(name)
    server = Server(address, token, ca, tls=tls, plaintext=plaintext)
    layers = isolation_for(isolation, Limits())
    if wrong := unreadable(spec, layers):
        raise InputError(wrong)
    for line in missing_layers(layers):
        typer.echo(line, err=True)
    with ExitStack() as stack:
        stack.enter_context(own_scratch())
        _build(spec, layers)
        kept = logs or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gin-join-")))
        screen = _Screen()
        try:
            joining = stack.enter_context(
                joined(
                    spec, server, name or spec.name, processes=processes, isolation=layers, logs=kept, tell=screen.say
                )
            )
        except NotStartedError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(ExitCode.NO) from None
        with screen.showing(lambda: state(joining.counts)):
            code = joining.run()
        typer.echo(_answered(joining.counts.turns), err=True)
    raise typer.Exit(code)


def state(counts: tuple[bool, int, int, int]) -> str:
    """How a bot is doing, for a line: see `Counts` of arena.bot.joining."""
    connected, waiting, playing, turns = counts
    if not connected:
        return "not connected"
    doing = f"playing {playing} conversation{'s' * (playing != 1)}" if playing else "waiting" if waiting else "busy"
    return f"{doing}, {_answered(turns)}"


def _answered(turns: int) -> str:
    return f"{turns:,} turn{'s' * (turns != 1)} answered"


def _check_name(name: str) -> None:
    """Raises `InputError` for a name that no series gives a bot."""
    from arena.errors import printable, short
    from arena.players.manifest import bot_name

    try:
        bot_name(name)
    except ValueError as error:
        raise InputError(f"--name: '{printable(short(name))}' is no bot's name, expected {error}") from None


def _build(spec: "BotSpec", layers: "Isolation") -> None:
    """Build what has to be built."""
    from arena.players.build import build

    try:
        build(spec, begin=lambda: typer.echo(f"Building {spec.name}", err=True), isolate=lambda: layers)
    except InputError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(ExitCode.NO) from None


class _Screen:
    """Standard error: lines that stay, and on a terminal below them one that changes."""

    def __init__(self) -> None:
        self._console: Console | None = None

    def say(self, text: str) -> None:
        """Say lines that stay."""
        if self._console is None:
            typer.echo(text, err=True)
        else:
            self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    @contextmanager
    def showing(self, state: Callable[[], str]) -> Iterator[None]:
        """Show how the bot is doing, where there is a terminal."""
        if not sys.stderr.isatty():
            yield
            return
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        self._console = Console(stderr=True)
        try:
            with Live(get_renderable=lambda: Text(state()), console=self._console, transient=True):
                yield
        finally:
            self._console = None
