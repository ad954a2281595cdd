"""What a bot gets of this machine's processors, as the kernel counts it. On Linux; elsewhere nobody tells."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.isolation.processes import family

HAS_CLOCK = sys.platform == "linux"
"""Whether the processor time of another process can be read."""
WAITED, RAN = 0.5, 0.25
"""Shares of the time: a bot is starved that waited longer than the first and ran shorter than the second."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Where a bot stands at one moment, in seconds.

    at: on the monotonic clock. ran: processor time of all its processes.
    waited: time that each of its threads, by number, was ready to run and had no processor.
    """

    at: float
    ran: float
    waited: Mapping[int, float]


class Processor:
    """The processor time of a bot's process, and of all that was started with it."""

    def __init__(self, pid: int, root: int, counted: Callable[[], float | None] = lambda: None) -> None:
        """Begin to count.

        pid: of the process that serves. root: of the process that was started, which may be no more than what isolates
        the bot. counted: processor time of all of them, where a control group counts it.
        """
        self._pid = pid
        self._root = root
        self._counted = counted
        self._last = 0.0

    def own(self) -> float:
        """Seconds used by the process that serves, with all its threads; when it has gone, as it was read last."""
        if sys.platform == "linux":
            with suppress(OSError):
                self._last = _used_by(self._pid)
        return self._last

    def whole(self) -> float:
        """Seconds used by the bot: where a control group counts, by all its processes, else by the one that serves."""
        with suppress(OSError):
            counted = self._counted()
            if counted is not None:
                return counted
        return self.own()

    def sample(self) -> Sample:
        """Where it stands now, with all that it has started. It reads many files: not to be taken for every answer."""
        processes = family(self._root) if HAS_CLOCK else []
        ran = max(sum(map(_with_children, processes)), self.whole())
        return Sample(time.monotonic(), ran, dict(_waits(processes)))


def starved(before: Sample, after: Sample) -> bool:
    """Whether a bot had to wait for a processor for most of the time between, and not because of itself.

    One of its threads waited that long, while all of them together, and its other processes, hardly ran. It cannot
    bring this about by itself: while its threads wait for one another, it runs, and the more there are, the more.
    """
    time = after.at - before.at
    waits = [wait - before.waited.get(thread, 0.0) for thread, wait in after.waited.items()]
    return max(waits, default=0.0) > WAITED * time and after.ran - before.ran < RAN * time


def _used_by(pid: int) -> float:
    """Seconds used by a process with all its threads. Raises OSError where it has gone."""
    return time.clock_gettime((~pid << 3) | 2)


def _with_children(pid: int) -> float:
    """The same with what it has started that has ended; 0 where it has gone itself."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return _used_by(pid) + (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


def _waits(processes: Iterable[int]) -> Iterator[tuple[int, float]]:
    """The threads that want a processor as much as the arena does, and how long each has waited for one.

    One that has made itself less important waits by its own choice.
    """
    for pid in processes:
        with suppress(OSError):
            if _steps_back(pid):
                continue
            for task in Path(f"/proc/{pid}/task").iterdir():
                with suppress(OSError):
                    if _as_important(int(task.name)):
                        yield int(task.name), int((task / "schedstat").read_text().split()[1]) / 1e9


def _steps_back(pid: int) -> bool:
    """Whether the session of a process, as the scheduler groups them, lets others go first."""
    try:
        words = Path(f"/proc/{pid}/autogroup").read_text().split()  # "/autogroup-17 nice 0", or nothing
    except FileNotFoundError:  # a kernel without such groups
        return False
    return bool(words) and int(words[-1]) > 0


def _as_important(thread: int) -> bool:
    if sys.platform != "linux":
        return False
    return (
        os.getpriority(os.PRIO_PROCESS, thread) <= os.getpriority(os.PRIO_PROCESS, 0)
        and os.sched_getscheduler(thread) == os.sched_getscheduler(0)
        and os.sched_getaffinity(thread) >= os.sched_getaffinity(0)
    )
