"""A bot process talked to over bare gRPC, with nothing of the arena in between."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Self

import grpc

from arena.protocol.v1 import player_pb2 as pb
from arena.protocol.v1.player_pb2_grpc import PlayerStub

ROOT = Path(__file__).parents[1]
PATIENCE = 30.0


def start(program: Path | Sequence[str], listen: str | None) -> "subprocess.Popen[str]":
    """Start a Python program, or Python with arguments, as the arena would, told to listen there."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    if listen is not None:
        environment["ARENA_LISTEN"] = listen
    return subprocess.Popen(
        [sys.executable, *([str(program)] if isinstance(program, Path) else program)],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


class RawBot:
    """A running bot and one conversation with it. A context manager; leaving it ends the process."""

    def __init__(self, program: Path | Sequence[str], folder: Path, listen: str = "unix") -> None:
        """Start the program. listen: `unix` for a socket in `folder`, `tcp` for any port, or an address."""
        path = folder / "bot.sock"
        self.process = start(program, {"unix": f"unix:{path}", "tcp": "tcp:127.0.0.1:0"}.get(listen, listen))
        if listen == "unix":
            self._wait_for(path)
            self.target = f"unix:{path}"
        else:
            self.target = self._ready_line()
        self.dial()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._requests.put(None)
        self.channel.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate(timeout=PATIENCE)

    def dial(self) -> None:
        """Connect and open a stream."""
        self.channel = grpc.insecure_channel(self.target, options=[("grpc.enable_http_proxy", 0)])
        self.stub = PlayerStub(self.channel)
        self._requests: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
        self._call = self.stub.Play(iter(self._requests.get, None), timeout=PATIENCE)

    def hello(self) -> pb.HelloResponse:
        return self.stub.Hello(pb.HelloRequest(protocol_version=1, arena_version="test"), timeout=PATIENCE)

    def tell(self, request: pb.PlayRequest) -> None:
        """Send a request that has no turns, or whose answers are of no interest."""
        self._requests.put(request)

    def ask(self, request: pb.PlayRequest) -> dict[int, pb.Decision]:
        """Send a request and wait for all its decisions, by the id of their turn."""
        self.tell(request)
        decisions: dict[int, pb.Decision] = {}
        while len(decisions) < len(request.turns):
            for decision in self._next_response().decisions:
                assert decision.turn_id not in decisions
                decisions[decision.turn_id] = decision
        return decisions

    def goodbye(self) -> grpc.StatusCode:
        """Close the stream from this side, as the arena does, and see how the bot closes it."""
        self._requests.put(None)
        assert list(self._call) == []
        code: grpc.StatusCode = self._call.code()
        return code

    def broken_stream(self) -> grpc.StatusCode:
        """Wait for the stream of a bot that fails to end, and see how."""
        with suppress(grpc.RpcError):
            list(self._call)
        code: grpc.StatusCode = self._call.code()
        return code

    def end(self) -> tuple[int, str, str]:
        """Wait for the process to end by itself: exit code, standard output, standard error."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err

    def _next_response(self) -> pb.PlayResponse:
        try:
            response: pb.PlayResponse = next(self._call)
        except grpc.RpcError as error:
            raise AssertionError(f"{error.code()}; {self.end()}") from error
        return response

    def _ready_line(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("ARENA-READY "):
                return line.split()[1]
        raise AssertionError(self.process.communicate()[1])

    def _wait_for(self, path: Path) -> None:
        deadline = time.monotonic() + PATIENCE
        while not _listened_at(path):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.kill()
                raise AssertionError(self.process.communicate()[1])
            time.sleep(0.005)


def _listened_at(path: Path) -> bool:
    """Whether somebody listens at a unix socket. It exists a moment before."""
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0
