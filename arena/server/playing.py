"""The process that plays a series, seen from the server: what it says, and how fast it is."""

import asyncio
import json
import sys
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from arena.errors import HostError
from arena.server.child import Orders

WINDOW = 10.0
"""Seconds over which a rate is taken."""
_LONGEST_LINE = 16 << 20

Event = dict[str, Any]
"""What the process says, see `arena.server.child`."""


class Playing:
    """A process that plays. Made by `begun`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def begun(cls, orders: Orders, log: Path) -> Self:
        """Start a process and tell it what to play. log: gets what it says on standard error.

        Raises `HostError` where this machine cannot start one.
        """
        try:
            with log.open("ab") as errors:
                process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    *("-m", "arena.server.child"),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=errors,
                    limit=_LONGEST_LINE,
                    start_new_session=True,  # a terminal's Ctrl-C is for the server, which then stops this in order
                )
        except OSError as error:
            raise HostError(f"the process that plays cannot be started: {error.strerror}") from error
        assert process.stdin is not None
        process.stdin.write(orders.text().encode())
        return cls(process)

    async def events(self) -> AsyncIterator[Event]:
        """What it says, until it ends. A line that it was killed in says nothing."""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            if line.endswith(b"\n"):
                yield json.loads(line)

    async def ended(self) -> int:
        """Wait for its end. Returns its exit code, negative for a signal."""
        return await self._process.wait()

    def interrupt(self) -> None:
        """Have it stop: it keeps every finished game, and ends within some seconds. Does not wait."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def kill(self) -> None:
        """End it at once: its workers and their bots end with it."""
        with suppress(ProcessLookupError):
            self._process.kill()


class Sample(NamedTuple):
    """What was played when. at: on the monotonic clock. away: see `arena.tournament.worker.Load`."""

    at: float
    hands: int
    decisions: int
    requests: int
    away: float


class Pace(NamedTuple):
    """What was played lately: hands and decisions a second, requests a second, and seconds away a second."""

    hands: float = 0.0
    decisions: float = 0.0
    requests: float = 0.0
    away: float = 0.0

    def __add__(self, other: object) -> "Pace":
        """Both together."""
        assert isinstance(other, Pace)
        return Pace(*[one + two for one, two in zip(self, other, strict=True)])


class Speedometer:
    """How fast a series is played, over the last `WINDOW` seconds."""

    def __init__(self) -> None:
        self._samples = deque([Sample(time.monotonic(), 0, 0, 0, 0.0)])

    def note(self, event: Event) -> None:
        """Take note of what the process says of its progress."""
        now = time.monotonic()
        self._samples.append(Sample(now, event["hands"], event["decisions"], event["requests"], event["away"]))
        while len(self._samples) > 2 and self._samples[1].at < now - WINDOW:
            self._samples.popleft()

    @property
    def pace(self) -> Pace:
        """How fast it is."""
        first, last = self._samples[0], self._samples[-1]
        seconds = max(last.at - first.at, 1e-3)
        return Pace(*[(new - old) / seconds for old, new in zip(first[1:], last[1:], strict=True)])
