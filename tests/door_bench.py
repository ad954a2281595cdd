"""A door at work, and raw clients that dial in to it: nothing of the product's own client."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from enum import Enum, auto
from typing import Any, Self, TypeVar

import grpc

from arena.bot import Action, Bot, Turn, discard, knock, makes_meld
from arena.bot.games import Games
from arena.protocol.v1 import join_pb2 as pb
from arena.protocol.v1.join_pb2_grpc import add_DoorServicer_to_server
from arena.protocol.v1.player_pb2 import HelloResponse, PlayRequest, PlayResponse
from arena.server.access import SERVER_OPTIONS
from arena.server.caller import ORGANISER, Caller, Role
from arena.server.door import Door
from arena.server.joined import BotContext

PATIENCE = 50.0
"""Seconds, less than pytest gives a test."""
GRACE = 30.0

T = TypeVar("T")


class Dice(Bot):
    """Plays by the dice of its turns alone."""

    def draw(self, turn: Turn) -> bool:
        return makes_meld(turn.top, turn.hand)

    def discard(self, turn: Turn) -> Action:
        if turn.knocks and turn.random.random() < 0.7:
            return knock(turn.random.choice(turn.knocks))
        ranked = sorted(zip(turn.deadwood, turn.discards, strict=True))
        return discard(turn.random.choice(ranked[:3])[1])


class Deed(Enum):
    """What a bot does when it is asked."""

    ANSWER = auto()
    DROP = auto()
    """Its connection breaks, and it comes back."""
    VANISH = auto()
    """Its connections break, and it never comes back."""
    LEAVE = auto()
    """It closes the stream."""
    STALL = auto()
    """It says nothing any more on this stream."""


Behave = Callable[[PlayRequest], Deed]


def hello(name: str = "raw", version: int = 1) -> HelloResponse:
    return HelloResponse(protocol_version=version, name=name)


class DoorBench:
    """A server with a door in a thread of its own. A context manager.

    door: it. address: where bots dial in.
    """

    def __init__(self, *, streams: int = 64) -> None:
        self._streams = streams
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._tasks: set[asyncio.Task[None]] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        self.run(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.run(self._close())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def run(self, doing: Coroutine[Any, Any, T]) -> T:
        """Do something in the server's loop."""
        return asyncio.run_coroutine_threadsafe(doing, self._loop).result(PATIENCE)

    def expect(self, *names: str, series: str = "cup", grace: float = GRACE) -> dict[str, str]:
        """Let bots in."""
        return self.run(self.door.addresses(series, names, grace))

    def begin(self, doing: Coroutine[Any, Any, None]) -> None:
        """Do something in the server's loop from now on, at most until the bench is left."""

        async def create() -> None:
            task = asyncio.create_task(doing)
            self._tasks.add(task)

        self.run(create())

    def bot(self, name: str, behave: Behave = lambda _: Deed.ANSWER, *, delay: float = 0.0) -> "DiallingBot":
        """A bot that dials in from now on, and is there."""
        bot = DiallingBot(self.address, name, behave, delay)
        self.begin(bot.run())
        self.run(self._there(name))
        return bot

    def has_waiting(self) -> bool:
        """Whether a bot keeps a stream waiting."""
        return any(bot.waiting for bot in self.door.joined())

    def unanswered(self, name: str) -> int:
        """How many turns a bot was asked, and has not answered."""
        return sum(len(one._unanswered) for one in self.door._bots[name].conversations.values())

    async def _there(self, name: str) -> None:
        await self.door._bots[name].here.wait()

    async def _open(self) -> None:
        self.door = Door(self._who, streams=self._streams)
        self._server = grpc.aio.server(options=SERVER_OPTIONS)
        add_DoorServicer_to_server(self.door, self._server)
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        await self._server.start()

    async def _close(self) -> None:
        for task in self._tasks:
            task.cancel()
        results = await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.door.close()
        await self._server.stop(None)
        for result in results:
            if isinstance(result, Exception):
                raise result

    @staticmethod
    def _who(context: BotContext) -> Caller:
        said = dict(context.invocation_metadata() or ())
        own = said.get("own")
        return ORGANISER if own is None else Caller(Role.ENTRANT, frozenset(str(own).split()), str(said.get("label")))


class Stream:
    """One call of Join, with its messages as they come."""

    def __init__(self, call: "grpc.aio.StreamStreamCall[bytes, pb.JoinResponse]") -> None:
        self._call = call
        self.conversation = ""

    async def say(self, **said: Any) -> None:  # noqa: ANN401 - as the message takes it
        await self._call.write(pb.JoinRequest(**said).SerializeToString())

    async def say_bytes(self, data: bytes) -> None:
        """Say what may be no message."""
        await self._call.write(data)

    async def introduce(self, bot: str, conversation: str = "") -> pb.Welcome:
        await self.say(introduction=pb.Introduction(hello=hello(bot), bot=bot, conversation=conversation))
        response = await self.next()
        assert response is not None
        assert response.WhichOneof("said") == "welcome", response
        self.conversation = response.welcome.conversation
        return response.welcome

    async def next(self) -> pb.JoinResponse | None:
        """The next message, `None` at the end. Raises `grpc.aio.AioRpcError`."""
        response = await self._call.read()
        return response if isinstance(response, pb.JoinResponse) else None

    async def asked(self) -> PlayRequest:
        """The next request; probes are echoed."""
        while (response := await self.next()) is not None:
            match response.WhichOneof("said"):
                case "probe":
                    await self.say(echo=pb.Echo(id=response.probe.id))
                case "play":
                    return response.play
        raise AssertionError("the stream has ended")

    async def verdict(self) -> tuple[grpc.StatusCode, str]:
        """How the arena ends the stream."""
        try:
            while await self.next() is not None:
                pass
        except grpc.aio.AioRpcError:
            pass
        return await self._call.code(), await self._call.details() or ""

    async def close(self) -> None:
        await self._call.done_writing()

    def cancel(self) -> None:
        self._call.cancel()


class Muffled:
    """A way to an address that goes silent: nothing comes through any more, and nobody is told.

    address: where it begins. A context manager.
    """

    def __init__(self, address: str) -> None:
        self._host, _, self._port = address.rpartition(":")
        self._silent = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._ends: list[asyncio.StreamWriter] = []

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for end in self._ends:
            end.close()
        await asyncio.gather(*self._tasks)

    def go_silent(self) -> None:
        self._silent = True

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(self._host, int(self._port))
        self._ends += [writer, far_writer]
        for source, target in ((reader, far_writer), (far_reader, writer)):
            self._tasks.add(asyncio.create_task(self._pour(source, target)))

    async def _pour(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(1 << 16):
                if not self._silent:
                    target.write(data)
                    await target.drain()


async def until(holds: Callable[[], bool]) -> None:
    """Wait for something."""
    while not holds():  # noqa: ASYNC110 - what it hangs on gives no sign
        await asyncio.sleep(0.01)


@asynccontextmanager
async def dialled(address: str, metadata: Iterable[tuple[str, str]] = ()) -> AsyncIterator[Stream]:
    """A stream on a connection of its own, which is cut at the end."""
    options = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_http_proxy", 0)]
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        join: grpc.aio.StreamStreamMultiCallable[bytes, pb.JoinResponse] = channel.stream_stream(
            "/arena.v1.Door/Join", response_deserializer=pb.JoinResponse.FromString
        )
        yield Stream(join(metadata=tuple(metadata)))


class DiallingBot:
    """A bot that keeps a stream waiting, answers what is asked, and comes back when it was cut off.

    requests: how many it got. breaks: how often it was cut off. endings: how its streams ended.
    """

    def __init__(self, address: str, name: str, behave: Behave, delay: float = 0.0) -> None:
        self.name = name
        self.requests = self.breaks = 0
        self.endings: list[tuple[grpc.StatusCode, str]] = []
        self._address = address
        self._behave = behave
        self._delay = delay  # of everything it says, as if it was far away
        self._group: asyncio.TaskGroup | None = None
        self._gone = asyncio.Event()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as self._group:
            self._group.create_task(self._converse())

    async def _converse(self) -> None:
        games = Games(Dice)
        conversation = ""
        while not self._gone.is_set():
            async with dialled(self._address) as stream:
                resumed = bool(conversation)
                conversation = (await stream.introduce(self.name, conversation)).conversation
                if not await self._stay(stream, games, fresh=not resumed):
                    return
                self.breaks += 1

    async def _stay(self, stream: Stream, games: Games, *, fresh: bool) -> bool:
        """Serve one stream. Returns whether to come back."""
        while True:
            try:
                response = await stream.next()
            except grpc.aio.AioRpcError:
                response = None
            if response is None:
                self.endings.append(await stream.verdict())
                return False
            if response.HasField("probe"):
                await asyncio.sleep(self._delay)
                await stream.say(echo=pb.Echo(id=response.probe.id))
                continue
            if fresh:
                fresh = False
                assert self._group is not None
                self._group.create_task(self._converse())
            self.requests += 1
            deed = self._behave(response.play)
            if deed in (Deed.VANISH, Deed.DROP):
                if deed is Deed.VANISH:
                    self._gone.set()
                return deed is Deed.DROP
            if deed is Deed.LEAVE:
                await stream.close()
                continue
            if deed is Deed.ANSWER:
                answer = games.answer(response.play)
                await asyncio.sleep(self._delay)
                await stream.say(play=answer if answer.decisions else PlayResponse())
