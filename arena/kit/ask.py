"""A recorded turn, asked of a bot again: with all the time in the world, at its author's terminal.

The bot is started as the author would start it by hand, with the terminal as its input and output, so that a debugger
works in it. There are no limits and there is no isolation.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from arena.dealer.table import Table
from arena.errors import BadDecision, InputError
from arena.kit.play.person import question
from arena.kit.play.screen import YOU, Screen
from arena.kit.play.story import Story
from arena.players import launch
from arena.players.clock import Stopwatch
from arena.players.connection import BrokenError, Connection
from arena.players.faults import Fault, fault_of
from arena.players.process import READY_LINE, exit_text
from arena.players.spec import BotSpec
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import Decision, PlayRequest
from arena.records.turns import AskedTurn
from arena.rules.game import GameFormat
from arena.rules.roles import Roles
from arena.rules.view import Advice
from arena.rules.words import Words

FOR_EVER = 10.0 * 365 * 86400
"""Seconds."""
GOODBYE_SECONDS = 2.0
_POLL_SECONDS = 0.02
_PIECE = 4096


class Answer(NamedTuple):
    """What a bot answered. text: its action, or what went wrong. fault: `None` for an answer that is legal."""

    text: str
    fault: Fault | None
    seconds: float


async def ask(spec: BotSpec, format_: GameFormat, turn: AskedTurn, *, hints: bool, bank_ms: int = 0) -> Answer:
    """Send a turn to a bot and take its answer to the table, which moves on. bank_ms: told as left of the bank."""
    table = turn.table
    assert table.asked is not None
    request = PlayRequest(
        setup=codec.setup_message(format_.game, format_.hollywood, format_.rules.as_text(), hints=hints)
    )
    codec.add_turn(request, table.asked, bank_ms)
    decisions: dict[int, Decision] = {}
    start = time.monotonic()
    try:
        async with _met(spec) as connection:
            await connection.greet()
            start = time.monotonic()
            await connection.ask(request, [table.asked.id], FOR_EVER, decisions)
            seconds = time.monotonic() - start
            await connection.say_goodbye(GOODBYE_SECONDS)
    except BrokenError as broken:
        said = f" ({broken.said})" if broken.said else ""
        return Answer(f"the bot {broken.deed}{said}", broken.fault, time.monotonic() - start)
    return _judged(table, decisions[table.asked.id], seconds)


def _judged(table: Table, decision: Decision, seconds: float) -> Answer:
    """An answer as the dealer takes it."""
    turn = table.asked
    assert turn is not None
    if turn.advising and not decision.action:
        return Answer("no advice", None, seconds)
    said = ""
    try:
        action = codec.read_decision(decision)
        said = f"{action}: "
        if turn.advising:
            table.advise(Advice(action, codec.read_text(decision)))
        else:
            table.decide(action)
    except BadDecision as error:
        return Answer(f"{said}{error}", fault_of(error), seconds)
    return Answer(str(action), None, seconds)


@asynccontextmanager
async def _met(spec: BotSpec) -> AsyncIterator[Connection]:
    """A connection to a bot that listens already, or to one that is started here and ended afterwards."""
    if spec.address is not None:
        connection = Connection(spec.address, Stopwatch())
        try:
            yield connection
        finally:
            await connection.close()
        return
    folder = spec.folder or Path.cwd()
    missing = launch.missing_program(spec.run, folder)
    if missing is not None:
        raise InputError(f"{folder}: the bot cannot be started: {missing}")
    private = launch.make_private_folder()
    try:
        async with _started(spec, folder, launch.listen_address(spec.transport, private)) as connection:
            yield connection
    finally:
        launch.remove_private_folder(private)


@asynccontextmanager
async def _started(spec: BotSpec, folder: Path, listen: str) -> AsyncIterator[Connection]:
    own = launch.environment(spec.run, folder, listen)
    kept = {name: value for name, value in own.items() if name not in ("HOME", "TMPDIR")}
    tcp = listen.startswith("tcp:")
    process = await asyncio.create_subprocess_exec(
        *launch.command(spec.run, folder),
        cwd=folder,
        env={**os.environ, **kept},
        stdout=asyncio.subprocess.PIPE if tcp else None,
    )
    shown: asyncio.Task[None] | None = None
    connection: Connection | None = None
    try:
        ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        if tcp:
            assert process.stdout is not None
            shown = asyncio.create_task(_show(process.stdout, ready))
        else:
            shown = asyncio.create_task(_listening(listen, ready))
        ended = asyncio.create_task(process.wait())
        watched: list[asyncio.Future[str] | asyncio.Future[int]] = [ready, ended]
        await asyncio.wait(watched, return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            code = exit_text(ended.result())
            raise BrokenError(Fault.NEVER_READY, f"could not be asked: its process {code} before it listened")
        connection = Connection(ready.result(), Stopwatch())
        ended.add_done_callback(lambda _: connection.cut())
        yield connection
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(ended), GOODBYE_SECONDS)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if shown is not None:
            shown.cancel()
            await asyncio.gather(shown, return_exceptions=True)
        if connection is not None:
            await connection.close()


async def _listening(listen: str, ready: "asyncio.Future[str]") -> None:
    """Wait until somebody listens at a unix socket."""
    while True:
        try:
            _, writer = await asyncio.open_unix_connection(listen.removeprefix("unix:"))
        except OSError:
            await asyncio.sleep(_POLL_SECONDS)
        else:
            writer.close()
            ready.set_result(listen)
            return


async def _show(output: asyncio.StreamReader, ready: "asyncio.Future[str]") -> None:
    """Show what the bot prints, and find in it where it listens."""
    seen = b""
    while piece := await output.read(_PIECE):
        sys.stdout.buffer.write(piece)
        sys.stdout.flush()
        if not ready.done():
            seen += piece
            if found := READY_LINE.search(seen):
                ready.set_result(found[1].decode())


def turn_lines(format_: GameFormat, names: Sequence[str], turn: AskedTurn) -> list[Words]:
    """A turn as a person reads it, from the seat that was asked. names: of the bots by seat."""
    table = turn.table
    asked, seats = table.asked, len(names)
    assert asked is not None

    def moved(seat: int) -> int:
        return (seat - table.seat) % seats

    out = table.roles.out
    roles = Roles(moved(table.roles.nondealer), moved(table.roles.dealer), None if out is None else moved(out))
    near = [YOU, *[names[(table.seat + step) % seats] for step in range(1, seats)]]
    screen = Screen(format_, near)
    captain = near[roles.nondealer] if asked.advising else ""
    lines = [
        *screen.deal(turn.name.hand, roles, table.hand),
        *Story(screen, table.hand, roles).go_on(to_the_end=True),
        [],
        *screen.state(asked, roles, {}),
    ]
    if asked.advice is not None and roles.out is not None:
        lines.append(screen.advice(roles.out, asked.advice.action, asked.advice.text))
    return [*lines, question(asked.view, captain)]
