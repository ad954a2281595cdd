"""The wire to one bot: one gRPC channel, one `Hello`, one `Play` stream.

To give up a read or a write of a gRPC stream is to give up the whole call. That is right here, since a bot that did
not answer in time is started afresh anyway, and it keeps the exchange, the hot path of the arena, free of tasks: a
write, a read, and a timer that is hardly ever due. A write to a bot that does not read blocks on even when its call is
cancelled, so it is the waiting that ends at the limit.
"""

import asyncio
import contextlib
from collections.abc import Collection
from dataclasses import dataclass

from google.protobuf.message import DecodeError
from grpc import StatusCode
from grpc.aio import (
    AioRpcError,
    StreamStreamCall,
    StreamStreamMultiCallable,
    UnaryUnaryMultiCallable,
    insecure_channel,
)

from arena import __version__
from arena.players.clock import NO_PROCESSOR, Stopwatch
from arena.players.faults import Fault
from arena.players.limit import Limit
from arena.protocol.codec import PROTOCOL_VERSION
from arena.protocol.v1.player_pb2 import Decision, HelloRequest, HelloResponse, Link, PlayRequest, PlayResponse

LARGEST_ANSWER = 1 << 20
"""Bytes of the largest message a bot may send: a batch of 256 decisions is far below."""
MOST_EMPTY = 1000
"""Answers without a decision that a bot may send to one request: each takes the arena's time, not the bot's."""

_OPTIONS = (
    ("grpc.max_receive_message_length", LARGEST_ANSWER),
    ("grpc.enable_http_proxy", 0),
    ("grpc.enable_retries", 0),
    ("grpc.use_local_subchannel_pool", 1),  # two players of one address have a connection each
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 200),
)
_OF_A_SOCKET = (("grpc.default_authority", "localhost"),)
"""Else gRPC names the path as the authority, which strict servers (tonic) refuse."""
_AWAY = "dropped its connection, and did not come back in time"


RETURN_SECONDS = 10.0
"""What is waited for a bot that is away beyond its grace: the door, which counts that, ends the stream before."""


@dataclass(frozen=True, slots=True)
class Remote:
    """What holds for a bot that dials in, in seconds.

    grace: how long it may be away. network: the most that is taken off its time for the way there and back.
    """

    grace: float = 0.0
    network: float = 0.0


class BrokenError(Exception):
    """The conversation is over: by what fault, and what the bot did, as the rest of a sentence about it.

    lost: the connection was lost, as by the end of the process. said: the bot's own words about it.
    """

    def __init__(self, fault: Fault, deed: str, *, lost: bool = False, said: str = "") -> None:
        super().__init__(deed)
        self.fault = fault
        self.deed = deed
        self.lost = lost
        self.said = said


class Connection:
    """A conversation with a bot that listens. Not to be used further once it has raised BrokenError.

    round_trips: of the network in seconds, each that a door has told of.
    """

    def __init__(self, target: str, watch: Stopwatch, remote: Remote | None = None) -> None:
        """Dial `target`: `unix:/path` or `host:port`. watch: what measures the bot's time for an answer.

        remote: where it is a door that listens, for a bot that has dialled in. What any other says of its `link` is
        passed over, as it could help itself to time.
        """
        self.round_trips: list[float] = []
        self._remote = remote
        options = (*_OPTIONS, *_OF_A_SOCKET) if target.startswith("unix:") else _OPTIONS
        self._channel = insecure_channel(target, options=options)
        # Answers are taken as bytes: gRPC would log a traceback of a message that is none, and read `None`.
        self._hello: UnaryUnaryMultiCallable[HelloRequest, bytes] = self._channel.unary_unary(
            "/arena.v1.Player/Hello", HelloRequest.SerializeToString
        )
        self._play: StreamStreamMultiCallable[PlayRequest, bytes] = self._channel.stream_stream(
            "/arena.v1.Player/Play", PlayRequest.SerializeToString
        )
        self._call: StreamStreamCall[PlayRequest, bytes] | None = None
        self._limit = Limit()
        self._watch = watch
        self._gone = False

    async def greet(self) -> HelloResponse:
        """Say hello and open the stream. Set the limit outside; this may be cancelled. Raises BrokenError."""
        request = HelloRequest(protocol_version=PROTOCOL_VERSION, arena_version=__version__)
        try:
            hello = HelloResponse.FromString(await self._hello(request, wait_for_ready=True))
            self._call = self._play()
            await self._call.wait_for_connection()
        except DecodeError:
            raise BrokenError(Fault.PROTOCOL, "answered Hello by a message that is no HelloResponse") from None
        except AioRpcError as error:
            raise _broken("answered Hello by", error.code(), error.details()) from None
        if hello.protocol_version != PROTOCOL_VERSION:
            told = f"speaks version {hello.protocol_version} of the protocol, expected {PROTOCOL_VERSION}"
            raise BrokenError(Fault.PROTOCOL, told)
        return hello

    async def ask(
        self, request: PlayRequest, ids: Collection[int], limit: float, decisions: dict[int, Decision]
    ) -> None:
        """Send a request and put the decisions on its turns into `decisions`, by turn id, as they come.

        ids: of the turns in the request. limit: seconds for all of it, as the stopwatch counts. Raises BrokenError.
        """
        assert self._call is not None
        call, pending, written, empty = self._call, set(ids), False, 0
        try:
            with self._limit.of(0 if self._gone else limit, self._watch):
                await call.write(request)
                written = True
                while pending:
                    response = _response(await call.read())
                    if self._remote is not None and response.HasField("link"):
                        self._heed(response.link, self._remote)
                        continue  # a door says nothing else with it
                    self._limit.check()
                    if not _take(response, pending, decisions) and (empty := empty + 1) > MOST_EMPTY:
                        raise BrokenError(Fault.PROTOCOL, f"sent more than {MOST_EMPTY} answers without a decision")
        except TimeoutError:
            if self._gone:
                raise BrokenError(Fault.CRASH, "closed its connection") from None
            if self._watch.held:
                raise BrokenError(Fault.CRASH, _AWAY) from None
            if self._watch.starved(limit):
                raise BrokenError(Fault.STARVED, f"did not answer in time, {NO_PROCESSOR}") from None
            # How much time was left is chance, and what is told is part of the record.
            raise BrokenError(Fault.TIMEOUT, "did not answer in time") from None
        except (AioRpcError, asyncio.InvalidStateError) as error:
            if not written and isinstance(error, AioRpcError):  # gRPC does not tell why it cannot write
                raise BrokenError(Fault.CRASH, "closed its stream", lost=True) from None
            code, details = await call.code(), await call.details()
            raise self._told_by_door(code, details) or _broken("ended its stream with", code, details) from None

    def _heed(self, link: Link, remote: Remote) -> None:
        """Take in what the door says of the network."""
        trip = link.round_trip_us / 1e6
        if trip and self.round_trips[-1:] != [trip]:
            self.round_trips.append(trip)
        self._watch.network = min(trip, remote.network)
        if link.away:
            self._watch.hold(remote.grace + RETURN_SECONDS)
        else:
            self._watch.go_on()
        self._limit.look()

    def _told_by_door(self, code: StatusCode, details: str | None) -> BrokenError | None:
        """What the bot did, as the door has it."""
        if self._remote is not None and code is StatusCode.DEADLINE_EXCEEDED:
            return BrokenError(Fault.CRASH, details or _AWAY)
        if self._remote is not None and code is StatusCode.INVALID_ARGUMENT:
            return BrokenError(Fault.PROTOCOL, f"broke the conversation: {details}")
        return None

    def cut(self) -> None:
        """The bot has gone: end what is being waited for."""
        self._gone = True
        self._limit.cut()

    async def say_goodbye(self, limit: float) -> None:
        """Tell the bot that nothing more will be asked, and let it finish: up to `limit` seconds."""
        assert self._call is not None
        gone = contextlib.suppress(TimeoutError, AioRpcError, asyncio.InvalidStateError)
        with gone, self._limit.of(limit):
            await self._call.done_writing()
            while isinstance(await self._call.read(), bytes):
                pass  # what it still has to say is of no interest

    async def close(self) -> None:
        """Close the channel and what is open on it."""
        self._limit.close()
        await self._channel.close()


def _response(data: object) -> PlayResponse:
    """The message that was read. Raises BrokenError."""
    if not isinstance(data, bytes):
        raise BrokenError(Fault.CRASH, "closed its stream")
    try:
        return PlayResponse.FromString(data)
    except DecodeError:
        raise BrokenError(Fault.PROTOCOL, "sent a message that is no PlayResponse") from None


def _take(response: PlayResponse, pending: set[int], decisions: dict[int, Decision]) -> int:
    """Move the turns that a message answers from `pending` to `decisions`. Returns how many. Raises BrokenError."""
    fresh = {decision.turn_id: decision for decision in response.decisions}
    if len(fresh) < len(response.decisions) or not fresh.keys().isdisjoint(decisions):
        raise BrokenError(Fault.PROTOCOL, "answered a turn a second time")
    if not fresh.keys() <= pending:
        raise BrokenError(Fault.PROTOCOL, "answered a turn that it was not asked")
    pending.difference_update(fresh)
    decisions.update(fresh)
    return len(fresh)


def _broken(deed: str, code: StatusCode, details: str | None) -> BrokenError:
    """What a call's final status means."""
    if code is StatusCode.RESOURCE_EXHAUSTED and "larger than max" in (details or ""):
        return BrokenError(Fault.PROTOCOL, f"sent a message of more than {LARGEST_ANSWER} bytes")
    if code is StatusCode.UNAVAILABLE:  # its details are gRPC's own and name a temporary path
        return BrokenError(Fault.CRASH, "closed its connection", lost=True)
    if code is StatusCode.OK:
        return BrokenError(Fault.CRASH, "closed its stream")
    return BrokenError(Fault.CRASH, f"{deed} the status {code.name}", said=details or "")
