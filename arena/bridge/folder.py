"""A bot in a folder dials in: for each conversation one process of it is started here, and asked as ever."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from arena.bot.conversation import GaveUpError, Partner
from arena.bot.joining import Joining
from arena.bot.line import Tell
from arena.errors import HostError, InputError, printable
from arena.isolation.values import Isolation
from arena.players.place import last_lines
from arena.players.player import Player
from arena.players.process import Output
from arena.players.spec import BotSpec
from arena.protocol.codec import game_numbers
from arena.protocol.dialling import Server, dialled
from arena.protocol.v1.player_pb2 import HelloResponse, PlayRequest, PlayResponse

READY_SECONDS = 30.0
"""For a process to listen and to answer Hello."""
GOODBYE_SECONDS = 2.0
"""For a process to end by itself."""
ANSWER_SECONDS = 7 * 86400.0
"""The clock is the arena's, and so is patience."""
SHOWN_LINES = 10
"""Of what a process that has failed had printed."""

T = TypeVar("T")


class NotStartedError(InputError):
    """The bot does not start; with what it has printed."""


@contextmanager
def joined(
    spec: BotSpec, server: Server, name: str, *, processes: int, isolation: Isolation, logs: Path, tell: Tell
) -> Iterator[Joining]:
    """The bot of a folder, started and ready to dial in, by its name in the series; every process ends with it.

    processes: at most, one a conversation. logs: folder for what they print. tell: says what happens.
    Raises `InputError` for an address that cannot be dialled, `NotStartedError`, and `HostError` where this machine
    cannot go on.
    """
    dialled(server).close()  # what is wrong with it is told before anything is started
    crew = _Crew(spec, isolation, logs)
    try:
        try:
            hello = crew.begin()
        except GaveUpError as error:
            raise NotStartedError(str(error)) from None
        yield Joining(server, name, hello, crew.converse, most=processes, tell=tell)
    finally:
        crew.close()


class _Crew:
    """The processes of a bot. They live in a loop of their own, in a thread of its own."""

    def __init__(self, spec: BotSpec, isolation: Isolation, logs: Path) -> None:
        self._spec = spec
        self._isolation = isolation
        self._logs = logs
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._seats: set[_Seat] = set()
        self._first: _Seat | None = None
        self._closing = False
        self._outputs: list[Output] = []  # of processes that have ended: their number does not grow

    def begin(self) -> HelloResponse:
        """Start the first process. Returns how the bot introduces itself. Raises `GaveUpError` and `HostError`."""
        self._first = self.do(self._started())
        hello = HelloResponse()
        hello.CopyFrom(self._first.player.hello)
        hello.version = hello.version or self._spec.version
        if not hello.games:
            hello.games.extend(game_numbers(self._spec.games))
        return hello

    def converse(self) -> Partner:
        """A process for another conversation. Raises `GaveUpError` where it does not start."""
        first, self._first = self._first, None
        try:
            seat = first or self.do(self._started())
        except (HostError, CancelledError) as error:
            raise GaveUpError(str(error)) from None
        return Partner(seat.answer, seat.end)

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Let the loop do something, and wait for it. Raises `CancelledError` where the crew breaks up."""
        if self._closing:
            work.close()
            raise CancelledError
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """End every process."""
        leaving = asyncio.run_coroutine_threadsafe(self._break_up(), self._loop)
        self._closing = True
        try:
            leaving.result()
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    async def _break_up(self) -> None:
        while self._seats:  # one may be about to be taken
            await asyncio.gather(*[seat.leave() for seat in list(self._seats)])

    async def _started(self) -> "_Seat":
        output = self._outputs.pop() if self._outputs else Output(self._logs, self._spec.name)
        player = Player(
            self._spec,
            ready=READY_SECONDS,
            goodbye=GOODBYE_SECONDS,
            logs=self._logs,
            isolation=self._isolation,
            output=output,
        )
        seat = _Seat(self, player)
        self._seats.add(seat)
        try:
            failure = await seat.busy(player.start())
        except BaseException:
            await seat.leave()
            raise
        if failure is not None:
            await seat.leave()
            raise GaveUpError(_told(f"{self._spec.name} does not start: {failure.detail}", failure.output))
        return seat

    async def dismiss(self, seat: "_Seat") -> None:
        """End a process."""
        try:
            await seat.player.stop()
        finally:
            self._seats.discard(seat)
            seat.player.output.hand_on()
            self._outputs.append(seat.player.output)


class _Seat:
    """One process in one conversation."""

    def __init__(self, crew: _Crew, player: Player) -> None:
        self.player = player
        self._crew = crew
        self._work: asyncio.Future[Any] | None = None
        self._leaving: asyncio.Task[None] | None = None

    def answer(self, request: PlayRequest) -> PlayResponse:
        """Pass a request on, and wait for its answers. Raises `GaveUpError` for a process that has failed."""
        try:
            return self._crew.do(self._answer(request))
        except CancelledError:  # nobody wants to know any more
            return PlayResponse()
        except HostError as error:
            raise GaveUpError(str(error)) from None

    def end(self) -> None:
        """The conversation is over."""
        with suppress(HostError, CancelledError):
            self._crew.do(self.leave())

    async def leave(self) -> None:
        """End the process, whatever it is doing."""
        self._leaving = self._leaving or asyncio.create_task(self._leave())
        await asyncio.shield(self._leaving)

    async def busy(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something that ends when the process does."""
        if self._leaving is not None:
            work.close()
            raise asyncio.CancelledError
        self._work = task = asyncio.create_task(work)
        try:
            return await task
        finally:
            self._work = None

    async def _leave(self) -> None:
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait({self._work})
        await self._crew.dismiss(self)

    async def _answer(self, request: PlayRequest) -> PlayResponse:
        ids = [turn.id for turn in request.turns]
        answer = await self.busy(self.player.exchange(request, ids, ANSWER_SECONDS))
        if answer.failure is not None:
            failure = answer.failure
            raise GaveUpError(_told(f"{self.player.spec.name} has failed: {failure.detail}", failure.output))
        return PlayResponse(decisions=answer.decisions.values())


def _told(what: str, output: str) -> str:
    """A failure in lines: what it was, and what the process had printed last."""
    return "\n".join([printable(what), *[f"    | {line}" for line in last_lines(output, SHOWN_LINES)]])
