"""What all measurements share: how long they last, what is counted, and which bots play."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
EMPTY = ROOT / "benchmarks" / "bots" / "empty"
SIMPLE = ROOT / "sample_bots" / "simple"

ARENA_COST, BOTS_COST = "us of the arena", "us of the bots"
"""CPU time a decision: of the process that asks, all its threads together, and of the two that answer."""

Figures = dict[str, float]
"""What one measurement found, by metric."""


class Size(NamedTuple):
    """How much is measured.

    warm: seconds of play that are not counted. seconds: how long is counted.
    series: seconds a series is played, from the first hand; its shards have full size after the first half.
    groups: deal groups of that series, more than can be played in the time.
    hands: how many the meld solver gets. marks: after how many hands of a series its memory is looked at.
    """

    warm: float
    seconds: float
    series: float
    groups: int
    hands: int
    marks: tuple[int, ...]


FULL = Size(warm=1.0, seconds=3.0, series=10.0, groups=20_000, hands=5000, marks=(1_000, 10_000, 100_000))
QUICK = Size(warm=0.05, seconds=0.1, series=0.2, groups=500, hands=50, marks=(20, 100))


class Meter:
    """Counts the decisions and the messages of this process, and what they cost it."""

    def __init__(self) -> None:
        self.decisions = 0
        self.messages = 0

    def count(self, decisions: int) -> None:
        """One more message, with so many decisions."""
        self.decisions += decisions
        self.messages += 1

    async def window(self, size: Size, tasks: Collection[asyncio.Task[object]], bots: Collection[int]) -> Figures:
        """Let `tasks` play, warm up, and measure for a while. An exception in one of them is raised here.

        bots: process ids. What a decision costs them is measured where the system tells it.
        """
        await self.reach(1, tasks)
        await _play(size.warm, tasks)
        decisions, messages, start = self.decisions, self.messages, time.perf_counter()
        arena_before, bots_before = time.process_time(), sum(map(_cpu_seconds, bots))
        while self.decisions == decisions or time.perf_counter() - start < size.seconds:
            await _play(size.seconds, tasks)
        seconds = time.perf_counter() - start
        arena, theirs = time.process_time() - arena_before, sum(map(_cpu_seconds, bots)) - bots_before
        decisions, messages = self.decisions - decisions, self.messages - messages
        costs = {ARENA_COST: arena / decisions * 1e6} | ({BOTS_COST: theirs / decisions * 1e6} if theirs else {})
        return {"decisions/s": decisions / seconds} | costs | {"turns a message": decisions / messages}

    async def reach(self, decisions: int, tasks: Collection[asyncio.Task[object]]) -> None:
        """Let `tasks` play until so many decisions have been taken."""
        while self.decisions < decisions:
            await _play(0.01, tasks)


def _cpu_seconds(pid: int) -> float:
    """CPU time that another process has used so far: known on Linux, 0 elsewhere."""
    return time.clock_gettime(~pid << 3 | 2) if sys.platform == "linux" else 0.0


async def _play(seconds: float, tasks: Collection[asyncio.Task[object]]) -> None:
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        raise RuntimeError("the play ended before it was measured") from task.exception()


class Process(NamedTuple):
    """A process: its parent, and the memory it holds, in MB."""

    pid: int
    parent: int
    memory: float


def processes() -> list[Process]:
    """All processes of this machine, but for the one that lists them."""
    with subprocess.Popen(["ps", "-A", "-o", "pid=,ppid=,rss="], stdout=subprocess.PIPE, text=True) as listing:
        text, _ = listing.communicate()
    fields = [[int(field) for field in line.split()] for line in text.splitlines()]
    return [Process(pid, parent, rss / 1024) for pid, parent, rss in fields if pid != listing.pid]
