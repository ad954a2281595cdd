"""The door: where bots dial in, and where the arena's workers find them.

To a worker a bot that has dialled in is a bot at an address: a private socket of the server's, where the door answers
for it (`arena.server.gate`). `arena.server.conversation` tells what goes on in between.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import grpc

from arena import __version__
from arena.errors import HostError, printable, short
from arena.players.scratch import scratch
from arena.protocol.codec import PROTOCOL_VERSION
from arena.protocol.v1.join_pb2 import Introduction, JoinResponse, Welcome
from arena.protocol.v1.join_pb2_grpc import DoorServicer
from arena.server.caller import Caller
from arena.server.conversation import OVER, Conversation
from arena.server.gate import ExpectedBot, Gate
from arena.server.joined import PROBE_SECONDS, BotContext, JoinedStream, MisbehavedError, read

STREAMS = 256
"""Open streams of one bot: as many as workers may play with it at once, and some that wait."""
INTRODUCTION_SECONDS = 10.0
"""For the first message on a stream."""
LARGEST_INTRODUCTION = 4096
"""Bytes."""


@dataclass(frozen=True, slots=True)
class JoinedBot:
    """A bot that has dialled in.

    waiting, playing: how many of its streams wait to be asked, and how many serve a conversation.
    round_trip: of the network in seconds, `None` where it is not known.
    """

    name: str
    waiting: int
    playing: int
    round_trip: float | None


class _RefusalError(Exception):
    """A stream is refused by this status, for this reason."""

    def __init__(self, code: grpc.StatusCode, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Door(DoorServicer):
    """Lets bots in that some series wait for. It lives in the loop of the server that it is a service of."""

    def __init__(self, who: Callable[[BotContext], Caller], *, streams: int = STREAMS) -> None:
        """Prepare. who: tells the caller of a call. streams: how many one bot may have open."""
        self._who = who
        self._most = streams
        self._bots: dict[str, ExpectedBot] = {}
        self._gates: dict[tuple[str, str], Gate] = {}  # by series and bot
        self._resources = ExitStack()
        self._folder: Path | None = None
        self._number = 0
        self._probing: asyncio.Task[None] | None = None

    # What the server asks of it

    async def addresses(self, series: str, names: Iterable[str], grace: float) -> dict[str, str]:
        """Let these bots in for a series, and say where its workers find each.

        series: what names it, until it is released. grace: seconds that a bot of it may be away.
        Raises `HostError` where no socket can be had: then it lets none of them in.
        """
        self._probing = self._probing or asyncio.create_task(self._probe_all())
        found = {}
        try:
            for name in names:
                bot = self._bots.setdefault(name, ExpectedBot(name))
                bot.graces[series] = grace
                if (series, name) not in self._gates:
                    self._gates[series, name] = await Gate.opened(bot, grace, self._socket())
                found[name] = self._gates[series, name].address
        except HostError:
            await self.release(series)
            raise
        return found

    async def release(self, series: str) -> None:
        """A series is over: its bots are let in for it no more, and those that no other waits for are sent home."""
        gates = [self._gates.pop(key) for key in [*self._gates] if key[0] == series]
        let_in = [bot for bot in self._bots.values() if bot.graces.pop(series, None) is not None]
        leaving = [self._bots.pop(bot.name) for bot in let_in if not bot.graces]
        for gate in gates:  # all is settled by now: others may call while this waits
            await gate.close()
        for bot in leaving:
            for stream in [*bot.streams]:
                stream.end()

    def present(self, name: str) -> bool:
        """Whether a bot has dialled in."""
        return name in self._bots and self._bots[name].here.is_set()

    def joined(self) -> list[JoinedBot]:
        """The bots that have dialled in, by name."""
        return [
            JoinedBot(
                bot.name,
                len(bot.waiting),
                len(bot.streams) - len(bot.waiting),
                next((stream.round_trip for stream in bot.streams if stream.round_trip is not None), None),
            )
            for bot in sorted(self._bots.values(), key=lambda bot: bot.name)
            if bot.streams
        ]

    async def close(self) -> None:
        """Send everybody home."""
        if self._probing is not None:
            self._probing.cancel()
        for series in {series for series, _ in self._gates}:
            await self.release(series)
        self._resources.close()

    # What bots ask of it

    async def Join(  # noqa: N802
        self,
        request_iterator: object,  # noqa: ARG002 - the context reads
        context: BotContext,
    ) -> AsyncIterator[JoinResponse]:
        """Serve one stream. See join.proto."""
        try:
            introduction = await _introduction(context)
            bot, stream, resumed = self._let_in(introduction, self._who(context))
        except _RefusalError as refusal:
            await context.abort(refusal.code, str(refusal))
            return
        listening = asyncio.create_task(stream.listen(context))
        try:
            grace = max(bot.graces.values()) if resumed is None else resumed.grace
            yield JoinResponse(
                welcome=Welcome(
                    protocol_version=PROTOCOL_VERSION,
                    arena_version=__version__,
                    conversation=stream.conversation,
                    grace_ms=round(grace * 1000),
                )
            )
            if resumed is None:
                bot.came(stream)
            else:
                resumed.taken(stream)
            stream.probe()
            while (response := await stream.next()) is not None:
                yield response
            if listening.done():
                listening.result()  # a bug is told in the log
            if stream.verdict is not None and stream.verdict[0] is not grpc.StatusCode.OK:
                await context.abort(*stream.verdict)
        finally:
            listening.cancel()
            bot.went(stream)
            if stream.partner is not None:
                stream.partner.lost(stream)
            await asyncio.gather(listening, return_exceptions=True)

    def _let_in(self, said: Introduction, caller: Caller) -> tuple[ExpectedBot, JoinedStream, Conversation | None]:
        """The bot, its new stream, and the conversation that it goes on with. Raises `_RefusalError`."""
        version = said.hello.protocol_version
        if version != PROTOCOL_VERSION:
            raise _RefusalError(
                grpc.StatusCode.FAILED_PRECONDITION,
                f"the bot speaks version {version} of the protocol, expected {PROTOCOL_VERSION}",
            )
        if not caller.owns(said.bot):
            own = ", ".join(sorted(caller.bots)) or "none"
            raise _RefusalError(
                grpc.StatusCode.PERMISSION_DENIED,
                f"this token may not dial in as '{short(printable(said.bot))}', expected a bot of its own: {own} "
                "(--name, or ARENA_NAME)",
            )
        bot = self._bots.get(said.bot)
        if bot is None:
            raise _RefusalError(
                grpc.StatusCode.NOT_FOUND,
                f"no series here waits for a bot '{short(printable(said.bot))}': see to its name (--name, or "
                "ARENA_NAME), or try again when there is one",
            )
        if len(bot.streams) >= self._most:
            raise _RefusalError(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                f"{bot.name} has {self._most} streams open, which is the most; close some, and keep one that waits",
            )
        stream = JoinedStream(bot.name, caller, said.hello)
        resumed = None
        if said.conversation:
            resumed = bot.conversations.get(said.conversation)
            if resumed is None or resumed.caller != caller:
                raise _RefusalError(grpc.StatusCode.NOT_FOUND, OVER)
            stream.conversation = said.conversation
        bot.streams.add(stream)
        bot.hello = stream.hello
        bot.here.set()
        return bot, stream, resumed

    async def _probe_all(self) -> None:
        """Measure the network to all that wait, now and then."""
        while True:
            await asyncio.sleep(PROBE_SECONDS)
            for bot in self._bots.values():
                for stream in bot.streams:
                    stream.probe()

    def _socket(self) -> str:
        """Where the next gate may listen."""
        if sys.platform == "win32":
            return "127.0.0.1:0"
        if self._folder is None:
            self._folder = self._resources.enter_context(scratch())
        self._number += 1
        return f"unix:{self._folder / str(self._number)}"


async def _introduction(context: BotContext) -> Introduction:
    """The first message of a stream. Raises `_RefusalError` where it is none."""
    try:
        async with asyncio.timeout(INTRODUCTION_SECONDS):
            first = await read(context)
    except TimeoutError:
        told = f"no introduction within {INTRODUCTION_SECONDS:g} s, expected it at once"
        raise _RefusalError(grpc.StatusCode.DEADLINE_EXCEEDED, told) from None
    except MisbehavedError as error:
        raise _RefusalError(grpc.StatusCode.INVALID_ARGUMENT, str(error)) from None
    if first is None or not first.HasField("introduction"):
        raise _RefusalError(grpc.StatusCode.INVALID_ARGUMENT, "the stream begins without an introduction, expected one")
    size = first.ByteSize()
    if size > LARGEST_INTRODUCTION:
        told = f"an introduction of {size} bytes, expected {LARGEST_INTRODUCTION} or less"
        raise _RefusalError(grpc.StatusCode.INVALID_ARGUMENT, told)
    return first.introduction
