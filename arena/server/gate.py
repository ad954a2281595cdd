"""Where the workers of a series find a bot that dials in: a private socket, and the bot's streams behind it."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

import grpc

from arena.errors import HostError
from arena.protocol.v1.player_pb2 import HelloRequest, HelloResponse, PlayResponse
from arena.protocol.v1.player_pb2_grpc import PlayerServicer, add_PlayerServicer_to_server
from arena.server.conversation import Context, Conversation
from arena.server.joined import JoinedStream


@dataclass(eq=False)
class ExpectedBot:
    """A bot that some series wait for.

    graces: of these series, in seconds. waiting: streams that were asked nothing yet. streams: all that are open.
    hello: its last introduction. here: set while a stream is open.
    """

    name: str
    graces: dict[str, float] = field(default_factory=dict)
    waiting: deque[JoinedStream] = field(default_factory=deque)
    streams: set[JoinedStream] = field(default_factory=set)
    hello: HelloResponse = field(default_factory=HelloResponse)
    here: asyncio.Event = field(default_factory=asyncio.Event)
    conversations: dict[str, Conversation] = field(default_factory=dict)
    _claims: deque[asyncio.Future[JoinedStream]] = field(default_factory=deque)

    def came(self, stream: JoinedStream) -> None:
        """A stream waits."""
        while self._claims:
            claim = self._claims.popleft()
            if not claim.done():
                claim.set_result(stream)
                return
        self.waiting.append(stream)

    def take_now(self) -> JoinedStream | None:
        """The stream that has waited longest, `None` where none waits."""
        while self.waiting:
            stream = self.waiting.popleft()
            if not stream.over:
                return stream
        return None

    async def take(self) -> JoinedStream:
        """The same, as soon as there is one."""
        while (stream := self.take_now()) is None:
            claim: asyncio.Future[JoinedStream] = asyncio.get_running_loop().create_future()
            self._claims.append(claim)
            try:
                stream = await claim
            except asyncio.CancelledError:
                if claim.done() and not claim.cancelled():
                    self.came(claim.result())
                raise
            if stream in self.streams and not stream.over:
                break
        return stream

    def married(self, conversation: Conversation) -> None:
        """See `arena.server.conversation.Waiting`."""
        self.conversations[conversation.name] = conversation

    def parted(self, conversation: Conversation) -> None:
        """See `arena.server.conversation.Waiting`."""
        self.conversations.pop(conversation.name, None)

    def went(self, stream: JoinedStream) -> None:
        """A stream has ended, in whatever way."""
        self.streams.discard(stream)
        with suppress(ValueError):
            self.waiting.remove(stream)
        if not self.streams:
            self.here.clear()


class Gate(PlayerServicer):
    """Where the workers of a series find one bot: what a bot serves, served for it."""

    def __init__(self, bot: ExpectedBot, grace: float) -> None:
        """Prepare. grace: seconds that a bot of the series may be away."""
        self.bot = bot
        self.address = ""
        self._grace = grace
        self._server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        add_PlayerServicer_to_server(self, self._server)

    @classmethod
    async def opened(cls, bot: ExpectedBot, grace: float, address: str) -> "Gate":
        """A gate that listens. Raises `HostError` where no socket can be had."""
        gate = cls(bot, grace)
        try:
            port = gate._server.add_insecure_port(address)
            await gate._server.start()
        except RuntimeError as error:
            await gate.close()
            raise HostError(f"no socket can be had for {bot.name}: {error}") from error
        gate.address = address if address.startswith("unix:") else f"127.0.0.1:{port}"
        return gate

    async def close(self) -> None:
        """Let nobody in any more."""
        await self._server.stop(None)

    async def Hello(self, request: HelloRequest, context: object) -> HelloResponse:  # noqa: ARG002, N802
        """Answer for the bot, as soon as it is there."""
        await self.bot.here.wait()
        return self.bot.hello

    async def Play(  # noqa: N802
        self,
        request_iterator: object,  # noqa: ARG002 - the context reads
        context: Context,
    ) -> AsyncIterator[PlayResponse]:
        """Pass on what is asked, and what is answered."""
        async with aclosing(Conversation(self.bot, self._grace).serve(context)) as responses:
            async for response in responses:
                yield response
