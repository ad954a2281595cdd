"""A door where bots dial in, without an arena behind it; and a wire to it that can be cut."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from typing import NamedTuple, Self, TypeAlias

import grpc

from arena.protocol.v1 import join_pb2 as pb
from arena.protocol.v1 import player_pb2
from arena.protocol.v1.join_pb2_grpc import DoorServicer, add_DoorServicer_to_server

PATIENCE = 30.0

Answer: TypeAlias = dict[int, player_pb2.Decision]


class Refusal(NamedTuple):
    """What a stream is refused by."""

    code: grpc.StatusCode
    details: str


class Caller:
    """One stream that a bot has opened, welcomed.

    introduction: what it said first. metadata: of its call. ended: set when the bot has ended it, or the wire is cut.
    """

    def __init__(self, introduction: pb.Introduction, metadata: dict[str, str]) -> None:
        self.introduction = introduction
        self.metadata = metadata
        self.said: SimpleQueue[pb.JoinRequest | None] = SimpleQueue()  # None: it says nothing more
        self.saying: SimpleQueue[pb.JoinResponse | Refusal | None] = SimpleQueue()  # None: the end
        self.ended = threading.Event()
        self.asked = False

    def tell(self, request: player_pb2.PlayRequest) -> None:
        """Ask without waiting."""
        self.asked = True
        self.saying.put(pb.JoinResponse(play=request))

    def heard(self) -> pb.JoinRequest | None:
        """What the bot says next."""
        return self.said.get(timeout=PATIENCE)

    def ask(self, request: player_pb2.PlayRequest) -> Answer:
        """Ask, and wait for all decisions."""
        self.tell(request)
        return self.answers(len(request.turns))

    def probe(self) -> None:
        """Send a probe, and wait for its echo: whatever was sent before has come."""
        self.saying.put(pb.JoinResponse(probe=pb.Probe(id=1)))
        said = self.heard()
        assert said == pb.JoinRequest(echo=pb.Echo(id=1)), said

    def answers(self, turns: int) -> Answer:
        """The next decisions, by turn."""
        decisions: Answer = {}
        while len(decisions) < turns:
            said = self.heard()
            assert said is not None
            assert said.WhichOneof("said") == "play", said
            for decision in said.play.decisions:
                assert decision.turn_id not in decisions
                decisions[decision.turn_id] = decision
        return decisions

    def over(self) -> None:
        """The call is over."""
        self.ended.set()
        self.saying.put(None)

    def end(self, refusal: Refusal | None = None) -> None:
        """End the stream: well, or with a status."""
        self.saying.put(refusal)


class FakeDoor(DoorServicer):
    """Welcomes who dials in. What was asked nothing is not gone on with. A context manager.

    callers: streams, as they come. refusal: what they are refused by instead, while there is one.
    refused: how those have introduced themselves.
    """

    def __init__(
        self, port: int = 0, credentials: grpc.ServerCredentials | None = None, grace_ms: int = 20_000, version: int = 1
    ) -> None:
        self.callers: SimpleQueue[Caller] = SimpleQueue()
        self.refusal: Refusal | None = None
        self.refused: SimpleQueue[pb.Introduction] = SimpleQueue()
        self._grace_ms = grace_ms
        self._version = version
        self._count = 0
        self._known: dict[str, Caller] = {}  # by conversation
        self._server = grpc.server(ThreadPoolExecutor(256), options=[("grpc.so_reuseport", 0)])
        add_DoorServicer_to_server(self, self._server)
        address = f"localhost:{port}"
        if credentials is None:
            self.port = self._server.add_insecure_port(address)
        else:
            self.port = self._server.add_secure_port(address, credentials)
        self._server.start()

    @property
    def address(self) -> str:
        return f"localhost:{self.port}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop(None).wait(PATIENCE)

    def caller(self) -> Caller:
        """The next stream."""
        return self.callers.get(timeout=PATIENCE)

    def Join(  # noqa: N802 -- the protocol's name
        self, request_iterator: Iterator[pb.JoinRequest], context: grpc.ServicerContext
    ) -> Iterator[pb.JoinResponse]:
        introduction = next(request_iterator).introduction
        if self.refusal is not None:
            self.refused.put(introduction)
            context.abort(*self.refusal)
        caller = Caller(introduction, {key: str(value) for key, value in context.invocation_metadata()})
        context.add_callback(caller.over)
        before = self._known.get(introduction.conversation)
        if introduction.conversation and (before is None or not before.asked):
            context.abort(grpc.StatusCode.NOT_FOUND, "this conversation is over")
        self._count += 1
        name = introduction.conversation or f"c{self._count}"
        caller.asked = before is not None
        self._known[name] = caller
        yield pb.JoinResponse(
            welcome=pb.Welcome(
                protocol_version=self._version,
                arena_version="test",
                conversation=name,
                grace_ms=self._grace_ms,
            )
        )
        threading.Thread(target=_listen, args=(request_iterator, caller), daemon=True).start()
        self.callers.put(caller)
        while (said := caller.saying.get()) is not None:
            if isinstance(said, Refusal):
                context.abort(*said)
            yield said


def _listen(requests: Iterator[pb.JoinRequest], caller: Caller) -> None:
    with suppress(grpc.RpcError):
        for request in requests:
            caller.said.put(request)
        caller.said.put(None)


class Wire:
    """A TCP port that leads to another, until it is cut. A context manager."""

    def __init__(self, port: int, delay: float = 0.0) -> None:
        """delay: seconds that what is sent is on its way."""
        self._to = port
        self._delay = delay
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._whole = True
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        self._listener.close()

    def cut(self) -> None:
        """Break all connections, and let no other come through."""
        with self._lock:
            self._whole = False
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
            self._open = []

    def mend(self) -> None:
        """Let connections through again."""
        with self._lock:
            self._whole = True

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                with self._lock:
                    if not self._whole:
                        near.close()
                        continue
                    far = socket.create_connection(("127.0.0.1", self._to))
                    self._open += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=_pour, args=(source, target, self._delay), daemon=True).start()


def _pour(source: socket.socket, target: socket.socket, delay: float) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            time.sleep(delay)
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
