"""The processes of an arena, as /proc tells of them: the coordinator, its workers, and the bots."""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
CONNECTED = b"03"
"""State of a unix socket that is one end of a conversation, in /proc/net/unix."""
BUSY_SECONDS = 0.0005
"""Processor time by which a bot that answers is told from one that waits."""


@dataclass(frozen=True)
class Process:
    """One process. begun: when it started; together with the number it is never used again."""

    pid: int
    parent: int
    begun: int

    def is_there(self) -> bool:
        """Whether it has not ended; one whose end nobody has taken notice of has."""
        found = _process(self.pid)
        return found is not None and found.begun == self.begun

    def words(self) -> str:
        """Its state and its command line."""
        with suppress(OSError):
            stat, command = ((PROC / str(self.pid) / name).read_text(errors="replace") for name in ("stat", "cmdline"))
            return f"{stat.rpartition(')')[2].split()[0]} {command.replace(chr(0), ' ')}"
        return "gone since"


def descendants(pid: int) -> Iterator[Process]:
    """All processes that a process has started, and those that they have."""
    children: dict[int, list[Process]] = {}
    for entry in PROC.glob("[0-9]*"):
        process = _process(int(entry.name))
        if process is not None:
            children.setdefault(process.parent, []).append(process)
    below = [pid]
    while below:
        for child in children.get(below.pop(), ()):
            below.append(child.pid)
            yield child


def bots(processes: Iterable[Process]) -> list[Process]:
    """Those of them that are bots with an open conversation, without what they are wrapped in."""
    known = list(processes)
    parents = {process.parent for process in known}
    # The end of a conversation that a bot has accepted is counted where the other end is: here, outside its sandbox.
    sockets = [line.split() for line in (PROC / "net" / "unix").read_bytes().splitlines()]
    conversing = {words[-1] for words in sockets if words[5] == CONNECTED}
    return [process for process in known if process.pid not in parents and _listens_at(process.pid) in conversing]


def playing(processes: Iterable[Process], patience: float) -> list[Process]:
    """Those of some bots that have been at work just now: the first that are seen to be, within `patience` seconds."""
    before = {process: _cpu(process.pid) for process in processes}
    end = time.monotonic() + patience
    while True:
        time.sleep(0.005)
        busy = [process for process, cpu in before.items() if _cpu(process.pid) - cpu > BUSY_SECONDS]
        if busy or time.monotonic() > end:
            return busy


def _process(pid: int) -> Process | None:
    try:
        state, parent, *rest = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state == "Z" else Process(pid, int(parent), int(rest[17]))


def _listens_at(pid: int) -> bytes:
    """The socket of a bot, as it stands in its environment."""
    try:
        environment = (PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:
        return b""
    listen = next((word for word in environment if word.startswith(b"ARENA_LISTEN=unix:")), b"")
    return listen.partition(b"unix:")[2]


def _cpu(pid: int) -> float:
    """Seconds of processor time that a process has used; none once it is gone."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # Linux' number for the clock of a process
    except OSError:
        return 0.0


def groups_of(pids: Iterable[int]) -> list[Path]:
    """The control groups that arenas with these process numbers have made and not removed."""
    owners = {str(pid) for pid in pids}
    return [
        Path(folder, name)
        for folder, names, _ in os.walk("/sys/fs/cgroup")
        for name in names
        if name.startswith("gin-arena-") and name.split("-")[2] in owners
    ]
