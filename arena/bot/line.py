"""The line of a bot to the arena that it dials: one channel, and over it a `Door.Join` stream a conversation."""

import sys
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import TypeAlias

import grpc

from arena.errors import InputError, printable, short
from arena.protocol.dialling import OPTIONS, Server, dialled, told
from arena.protocol.v1 import join_pb2 as pb
from arena.protocol.v1.join_pb2_grpc import DoorStub
from arena.protocol.v1.player_pb2 import HelloResponse

_OPTIONS = OPTIONS | {
    "grpc.keepalive_time_ms": 15_000,  # a broken network is noticed while there is still some grace
    "grpc.keepalive_timeout_ms": 5_000,
    "grpc.http2.ping_timeout_ms": 5_000,  # without it the line above is a minute
    "grpc.enable_retries": 0,
    "grpc.initial_reconnect_backoff_ms": 100,  # the pauses are in the conversations
    "grpc.min_reconnect_backoff_ms": 10_000,  # what a handshake gets: by TLS, round the world, on a busy machine
    "grpc.max_reconnect_backoff_ms": 1_000,
}

BREAKS = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNKNOWN,
)
"""How a stream ends of which nobody wanted the end."""

Tell: TypeAlias = Callable[[str], None]
"""Says a line to whoever has started the bot."""


def say(line: str) -> None:
    """Say a line on standard error."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - for whoever has started the bot


def code_of(error: grpc.RpcError) -> grpc.StatusCode:
    """The status that a stream has ended with."""
    assert isinstance(error, grpc.Call)
    return error.code()


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class Line:
    """The line to one arena, for one bot.

    server: the arena. tell: says what happens.
    met: whether the arena was ever there. away: whether it is not there now, though it was dialled.
    """

    def __init__(self, server: Server, bot: str, hello: HelloResponse, tell: Tell = say) -> None:
        """Prepare to dial. bot: its name in the series. hello: how it introduces itself.

        Raises `InputError` for a server that cannot be dialled, and a name that is no text.
        """
        if not _is_text(bot):  # as of the environment
            raise InputError(f"'{printable(short(bot))}' is no UTF-8, expected the bot's name in the series")
        self.server = server
        self.tell = tell
        self.met = False
        self.away = False
        self._bot = bot
        self._hello = hello
        self._channel = dialled(server, _OPTIONS)
        self._join = DoorStub(self._channel).Join
        self._lock = threading.Lock()
        self._closing = threading.Event()

    @property
    def closing(self) -> bool:
        """Whether the bot is leaving."""
        return self._closing.is_set()

    def dial(self, conversation: str) -> "Stream":
        """Open a stream and introduce the bot. conversation: to go on with, empty for a new one."""
        introduction = pb.Introduction(hello=self._hello, bot=self._bot, conversation=conversation)
        return Stream(self._join, introduction)

    def broke(self, error: grpc.RpcError) -> None:
        """A stream is broken, or could not be had: the arena is away. Told once."""
        with self._lock:
            first, self.away = not self.away, True
        if first and not self.closing:
            broken = self.met and code_of(error) in BREAKS
            what = f"the line to the arena at {self.server.address} is broken" if broken else told(error, self.server)
            self.tell(f"{what}; trying again")

    def welcomed(self) -> None:
        """The arena is there. Told where it was not."""
        with self._lock:
            met, was_away = self.met, self.away
            self.met, self.away = True, False
        if was_away or not met:
            there = "is back with" if met else "has dialled in to"
            self.tell(f"{self._bot} {there} the arena at {self.server.address}")

    def pause(self, seconds: float) -> None:
        """Wait, but no longer than until the bot leaves."""
        self._closing.wait(seconds)

    def close(self) -> None:
        """Let nothing be dialled any more."""
        self._closing.set()

    def hang_up(self) -> None:
        """End what is still open."""
        self._channel.close()


class Stream:
    """One call of Join."""

    def __init__(
        self, join: "grpc.StreamStreamMultiCallable[pb.JoinRequest, pb.JoinResponse]", introduction: pb.Introduction
    ) -> None:
        self._said: SimpleQueue[pb.JoinRequest | None] = SimpleQueue()
        self._said.put(pb.JoinRequest(introduction=introduction))
        self._call = join(iter(self._said.get, None))

    def say(self, message: pb.JoinRequest) -> None:
        """Send a message."""
        self._said.put(message)

    def close(self) -> None:
        """Send nothing more: the arena is told, and gRPC's thread that waits for messages ends."""
        self._said.put(None)

    def cancel(self) -> None:
        """End it."""
        self._call.cancel()

    def __iter__(self) -> Iterator[pb.JoinResponse]:
        """What the arena says. Raises `grpc.RpcError` unless the arena ends the stream by itself."""
        try:
            yield from self._call
        finally:
            self.close()
