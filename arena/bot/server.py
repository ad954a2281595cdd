"""A bot as a process: it listens where it is told to, answers the arena, and ends when there is nothing more to do."""

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import NamedTuple, NoReturn, TypeAlias, TypeVar

import grpc

from arena.protocol.codec import PROTOCOL_VERSION, game_numbers
from arena.protocol.v1 import player_pb2 as pb
from arena.protocol.v1.player_pb2_grpc import PlayerServicer, add_PlayerServicer_to_server
from arena.rules.view import GameKind

LISTEN = "ARENA_LISTEN"
JOIN, NAME = "ARENA_JOIN", "ARENA_NAME"
READY = "ARENA-READY"
MAX_STREAMS = 32
"""A stream holds a thread; one too many would wait without a word."""
GOODBYE_SECONDS = 1.0
"""For the last answers to leave."""
_LOOK_SECONDS = 0.5

T = TypeVar("T")
Answer: TypeAlias = Callable[[pb.PlayRequest], pb.PlayResponse]
"""Takes a request and gives the decisions on all its turns."""

_HOW_TO_START = (
    f"this is a Gin Arena bot: the arena starts it, as the bots of a series or with the command of its bot.yaml. "
    f"To let it wait for arenas by itself, set {LISTEN}=tcp:127.0.0.1:5000, to let it dial in to one, {JOIN}=host:port"
)


class Address(NamedTuple):
    """Where a bot listens.

    host: of TCP, empty for a unix socket.
    target: as gRPC writes it, `unix:/path` or `host:port`.
    private: whether one arena alone is expected, the one that started the bot: on a unix socket, or on a port that
        the system chooses.
    """

    host: str
    target: str
    private: bool


def parse_address(text: str) -> Address:
    """The address that `ARENA_LISTEN` names: `unix:/path` or `tcp:host:port`. Raises `ValueError`."""
    scheme, _, rest = text.partition(":")
    if scheme == "unix" and rest:
        return Address("", text, private=True)
    host, _, port = rest.rpartition(":")
    if scheme == "tcp" and host and port.isdecimal():
        return Address(host, rest, private=int(port) == 0)
    raise ValueError(f"expected {LISTEN}=unix:/path or {LISTEN}=tcp:host:port, got {text!r}")


def introduction(
    name: str, *, version: str = "", max_batch: int = 0, games: Iterable[GameKind] = (), advises: bool = False
) -> pb.HelloResponse:
    """What a bot says of itself."""
    return pb.HelloResponse(
        protocol_version=PROTOCOL_VERSION,
        name=name,
        version=version,
        max_batch=max_batch,
        games=game_numbers(games),
        advises=advises,
    )


def given_address() -> Address:
    """Where the environment says that this bot listens. Without it the process ends with code 2, and says why."""
    given = os.environ.get(LISTEN)
    if not given:
        leave(2, _HOW_TO_START)
    try:
        return parse_address(given)
    except ValueError as error:
        leave(2, f"cannot listen: {error}")


def listen(
    address: Address,
    hello: pb.HelloResponse,
    converse: Callable[[], Answer],
    goodbye: Callable[[], None] = lambda: None,
) -> NoReturn:
    """Serve arenas until the end of the process, as `serve` says. Never returns.

    hello: answers Hello. converse: called for each stream, for what answers its requests. goodbye: called when it ends.
    """
    ending: SimpleQueue[float] = SimpleQueue()  # its put() is safe in a signal handler
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ending.put(0.0))
    try:
        server = grpc.server(ThreadPoolExecutor(MAX_STREAMS), options=[("grpc.so_reuseport", 0)])
        port = server.add_insecure_port(address.target)
    except RuntimeError as error:
        goodbye()
        leave(2, f"cannot listen: {error}")
    hang_up = (lambda: ending.put(GOODBYE_SECONDS)) if address.private else (lambda: None)
    add_PlayerServicer_to_server(_Service(hello, converse, hang_up), server)
    server.start()
    if address.host:
        print(f"{READY} {address.host}:{port}", flush=True)  # noqa: T201 - the arena reads it
    grace = the_end(ending)
    goodbye()
    server.stop(grace).wait(GOODBYE_SECONDS)
    leave(0)


def the_end(ending: "SimpleQueue[T]") -> T:
    """Wait in the main thread for what a signal handler puts there.

    Now and then it looks up: a signal that comes in the moment before the wait does not wake it.
    """
    while True:
        with suppress(Empty):
            return ending.get(timeout=_LOOK_SECONDS)


class _Service(PlayerServicer):
    """The bot's side of the conversation."""

    def __init__(self, hello: pb.HelloResponse, converse: Callable[[], Answer], hang_up: Callable[[], None]) -> None:
        """Answer as `listen` says; `hang_up` is called when no stream is open any more."""
        self._hello = hello
        self._converse = converse
        self._hang_up = hang_up
        self._streams = 0
        self._lock = threading.Lock()

    def Hello(self, request: pb.HelloRequest, context: grpc.ServicerContext) -> pb.HelloResponse:  # noqa: ARG002, N802
        return self._hello

    def Play(  # noqa: N802
        self, request_iterator: Iterator[pb.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[pb.PlayResponse]:
        with self._lock:
            self._streams += 1
        if not context.add_callback(self._stream_closed):
            self._stream_closed()
        answer = self._converse()
        with suppress(grpc.RpcError):  # the arena has gone without a goodbye
            for request in request_iterator:
                response = _answered(answer, request)
                if response.decisions:
                    yield response

    def _stream_closed(self) -> None:
        with self._lock:
            self._streams -= 1
            if not self._streams:
                self._hang_up()


def _answered(answer: Answer, request: pb.PlayRequest) -> pb.PlayResponse:
    """Answer a request, or end the process: gRPC would swallow what goes wrong, and leave a bot that says nothing."""
    try:
        return answer(request)
    except SystemExit as leaving:
        if leaving.code is None or isinstance(leaving.code, int):
            leave(leaving.code or 0)
        leave(1, str(leaving.code))
    except BaseException:  # noqa: BLE001 - whatever it is, the process ends by it
        traceback.print_exc()
        leave(1)


def leave(code: int, message: str = "") -> NoReturn:
    """End the process now, with all that it has printed, whatever its other threads are doing."""
    with suppress(OSError, ValueError):
        if message:
            print(message, file=sys.stderr)  # noqa: T201 - for the bot's author
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
