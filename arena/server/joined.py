"""One Join stream of a bot that has dialled in, as the door holds it."""

import asyncio
import secrets
import time
from collections import deque
from statistics import median
from typing import Protocol

import grpc
from google.protobuf.message import DecodeError
from grpc.aio import ServicerContext

from arena.protocol.v1.join_pb2 import JoinRequest, JoinResponse, Probe
from arena.protocol.v1.player_pb2 import HelloResponse, PlayRequest, PlayResponse
from arena.server.caller import Caller

BotContext = ServicerContext[JoinRequest, JoinResponse]

PROBES = 5
"""Round trips that are kept: what counts is their median."""
PROBE_SECONDS = 10.0
"""Between two probes of one stream."""
CLOSED_SECONDS = 0.1
"""A stream whose other side has said its last was broken, and not closed, if it is cancelled within this time."""


class MisbehavedError(Exception):
    """The bot does what no bot may: what, as a sentence for its author. It costs its stream."""


class Partner(Protocol):
    """Who asks a bot on its stream: a conversation."""

    def heard(self, answer: PlayResponse) -> None:
        """The bot has answered. Raises `MisbehavedError`."""

    def lost(self, stream: "JoinedStream") -> None:
        """The stream has ended, or is broken."""

    @property
    def quiet(self) -> bool:
        """Whether nothing is asked that is not answered."""


class JoinedStream:
    """One Join stream. It waits until a conversation takes it, and serves that until one of the two ends.

    bot: whom it is of, by its name. caller: who opened it. hello: how the bot introduced itself.
    conversation: what names it: unguessable, and told to nobody but the bot.
    partner: the conversation, `None` as long as it waits.
    verdict: how the arena ends it, with its reason; `None` as long as it does not, and for one that breaks.
    left: whether the bot has closed it.
    """

    def __init__(self, bot: str, caller: Caller, hello: HelloResponse) -> None:
        self.bot = bot
        self.caller = caller
        self.hello = hello
        self.conversation = secrets.token_urlsafe(24)
        self.partner: Partner | None = None
        self.verdict: tuple[grpc.StatusCode, str] | None = None
        self.left = False
        self._out: asyncio.Queue[JoinResponse | None] = asyncio.Queue()  # few: a request waits for its answers
        self._trips: deque[float] = deque(maxlen=PROBES)
        self._probe = 0  # the one that is not echoed yet
        self._probed = -PROBE_SECONDS  # when it was sent, or the last one

    @property
    def round_trip(self) -> float | None:
        """Of the network in seconds, the median of the last probes; `None` where none was echoed."""
        return median(self._trips) if self._trips else None

    @property
    def over(self) -> bool:
        """Whether it is to serve no more."""
        return self.left or self.verdict is not None

    def say(self, response: JoinResponse) -> None:
        """Send a message."""
        self._out.put_nowait(response)

    def ask(self, request: PlayRequest) -> None:
        """Ask the bot, or tell it what has ended."""
        self.say(JoinResponse(play=request))

    def probe(self) -> None:
        """Measure the network, unless that was done just now, or something is asked: a busy bot would be slow."""
        due = time.monotonic() - self._probed >= PROBE_SECONDS
        if due and not self._probe and (self.partner is None or self.partner.quiet):
            self._probe = secrets.randbits(64) or 1
            self.say(JoinResponse(probe=Probe(id=self._probe)))

    def end(self, code: grpc.StatusCode = grpc.StatusCode.OK, reason: str = "") -> None:
        """End it."""
        if not self.over:
            self.verdict = code, reason
            self._out.put_nowait(None)

    async def next(self) -> JoinResponse | None:
        """What is to be sent next, `None` at the end."""
        response = await self._out.get()
        if response is not None and response.HasField("probe"):
            self._probed = time.monotonic()
        return response

    async def listen(self, context: BotContext) -> None:
        """Take what the bot says, until it closes its stream or misbehaves. To be cancelled where the stream breaks.

        Nothing more is to be sent afterwards, also where it fails.
        """
        try:
            while (request := await read(context)) is not None:
                self._take(request)
            await asyncio.sleep(CLOSED_SECONDS)
            self.left = True
        except MisbehavedError as error:
            self.end(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        finally:
            self._out.put_nowait(None)

    def _take(self, request: JoinRequest) -> None:
        match request.WhichOneof("said"):
            case "echo":
                if not self._probe or request.echo.id != self._probe:
                    raise MisbehavedError("an echo of no probe that was sent, expected one of the last probe")
                self._probe = 0
                self._trips.append(time.monotonic() - self._probed)
            case "play" if self.partner is not None:
                self.partner.heard(request.play)
            case "play":
                raise MisbehavedError("decisions on a stream on which nothing was asked yet, expected none")
            case "introduction":
                raise MisbehavedError("a second introduction on one stream, expected decisions or an echo")
            case _:
                raise MisbehavedError("a message with nothing in it, expected decisions or an echo")


async def read(context: BotContext) -> JoinRequest | None:
    """The bot's next message, `None` at the end of its stream. Raises `MisbehavedError` for one that is none."""
    try:
        request: object = await context.read()  # or gRPC's sign of the end
    except DecodeError:
        raise MisbehavedError("a message that is no JoinRequest, expected one") from None
    return request if isinstance(request, JoinRequest) else None
