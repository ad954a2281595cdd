"""An arena that serves, as a process, and its clients."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self, TypeVar

import grpc
import pytest
from bot_bench import processes_of
from command import call_arena

from arena.protocol.dialling import Server, dialled
from arena.protocol.v1 import arena_pb2 as pb
from arena.protocol.v1.arena_pb2_grpc import ArenaStub

T = TypeVar("T")
OVER = (pb.SERIES_STATE_FINISHED, pb.SERIES_STATE_CANCELLED, pb.SERIES_STATE_FAILED)
PATIENCE = 150.0
"""Seconds. Pytest ends a test soon after."""
SLOW_BOT = """
import time
from arena.bot import Bot, serve
class Slow(Bot):
    def discard(self, turn):
        time.sleep(0.003)
        return super().discard(turn)
serve(Slow)
"""
LONG: dict[str, Any] = {
    "bots": [{"sample": "random"}, {"name": "slow", "run": ["{python}", "-c", SLOW_BOT]}],
    "groups": 20_000,
    "tables": 4,
}
"""A series that is not finished while a test looks at it, and leaves it the processors."""


def series_file(folder: Path, name: str = "cup", **keys: object) -> Path:
    """A small series of sample bots, quick to begin."""
    path = folder / f"{name}.yaml"
    series: dict[str, object] = {
        "name": name,
        "bots": [{"sample": "random"}, {"sample": "simple"}],
        "rules": {"target": 40},
        "groups": 20,
        "seed": 7,
        "workers": 1,
        "isolation": "none",
        "clock": {"ready": "1h", "decision": "1h"},
    }
    path.write_text(json.dumps(series | keys))  # which is YAML
    return path


class Serving:
    """`arena serve` at work, in a session of its own. Leaving it kills what is left.

    data: its folder. scratch: its folder for temporary files. address: where it listens. told: its lines for who starts
    it, at first the one with the address.
    """

    def __init__(self, data: Path, scratch: Path, *options: str) -> None:
        self.data = data
        self.scratch = scratch
        scratch.mkdir(exist_ok=True)
        self.log = scratch.parent / f"{scratch.name}.log"
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "arena", "serve", data, "--listen", "127.0.0.1:0"),
                *("--isolation", "none", "--log", str(self.log), *options),
            ],
            env=os.environ | {"TMPDIR": str(scratch)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self.told = [self._process.stdout.readline()]
        found = re.search(r" at (127\.0\.0\.1:[0-9]+)$", self.told[0])
        if found is None:
            raise AssertionError(self._process.communicate())
        self.address = found[1]
        self._channel = dialled(Server(self.address))
        self.stub = ArenaStub(self._channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._channel.close()
        for pid in [*processes_of(self.scratch)]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.kill()
        self._process.communicate()

    def command(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """A command of a client, in this process."""
        return call_arena(*arguments, environment={"ARENA_SERVER": self.address})

    def start(self, *arguments: str | Path) -> "subprocess.Popen[str]":
        """A command of a client, as a process that is not waited for."""
        return subprocess.Popen(
            [sys.executable, "-m", "arena", *map(str, arguments)],
            env=os.environ | {"ARENA_SERVER": self.address},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def submit(self, series: Path) -> str:
        """Submit a series, whose bots are all the arena's own. Returns its id."""
        parts = [pb.SubmitRequest(series=pb.SeriesFile(yaml=series.read_text(), name=series.name))]
        return self.stub.Submit(iter(parts)).series.id

    def info(self, id_: str) -> pb.SeriesInfo:
        """How a series stands."""
        return next(one for one in self.stub.List(pb.ListRequest()).series if one.id == id_)

    def wait(self, id_: str, *states: "pb.SeriesState.ValueType") -> pb.SeriesInfo:
        """Wait until a series is in one of these states; fails where it ends in another."""

        def look() -> pb.SeriesInfo | None:
            info = self.info(id_)
            assert info.state in states or info.state not in OVER, info
            return info if info.state in states else None

        return wait_for(look)

    def wait_for_games(self, id_: str, games: int) -> pb.SeriesInfo:
        """Wait until so many games of a series are recorded."""
        return wait_for(lambda: info if (info := self.info(id_)).games_done >= games else None)

    def run(self, id_: str) -> Path:
        """The folder of a series' run."""
        return self.data / "series" / id_

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the server alone."""
        self._process.send_signal(number)

    def end(self) -> int:
        """Wait for its end. Then `told` has all that it has told."""
        self._channel.close()
        assert self._process.stdout is not None
        self.told += self._process.stdout.read().splitlines()  # `communicate` knows nothing of what was read ahead
        self._process.communicate()
        return self._process.returncode

    def processes(self) -> list[int]:
        """Its processes, and those of what it plays."""
        return [*processes_of(self.scratch)]


def wait_for(look: Callable[[], T | None]) -> T:
    """Wait until there is something."""
    end = time.monotonic() + PATIENCE
    while (found := look()) is None:
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


@contextmanager
def refused(code: grpc.StatusCode, *words: str) -> Iterator[None]:
    """A call that is refused by this status, in a sentence with these words."""
    with pytest.raises(grpc.RpcError) as caught:
        yield
    error = caught.value
    assert isinstance(error, grpc.Call)
    assert error.code() is code, error.details()
    for word in words:
        assert word in (error.details() or "")
