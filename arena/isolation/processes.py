"""The processes of a bot, as they are seen from outside of its sandbox."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""What ends a process at once."""

_ENDING_SECONDS = 2.0
"""Processes that were killed are gone a moment later."""
_STARTING_SECONDS = 0.5
"""Of a program that begins: until its words can be read it takes microseconds."""


def is_root() -> bool:
    """Whether this process is root's."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def family(pid: int) -> list[int]:
    """A process and all that it and they have started, parents first."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):  # it has gone
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    found = [pid]
    for process in found:
        found += sorted(children.get(process, ()))
    return found


def signal_group(pid: int, number: int) -> None:
    """Signal a process and all of its group.

    The group's number stays taken as long as one of them is left. Where none is, a new process could in theory
    have it, between the exit and its notice: numbers are handed out in turn, and the gap is milliseconds.
    """
    with suppress(ProcessLookupError, PermissionError):  # macOS says the latter of a group of zombies
        if hasattr(os, "killpg"):
            os.killpg(pid, number)
        else:
            os.kill(pid, number)


def end_all_of(folder: Path) -> None:
    """Kill all processes whose environment names a place in a folder, as far as this process may. By /proc.

    That is how a bot is told whose arena was killed while its sandbox was made: of its processes one may have had no
    parent any more to die with, by the time that it asked for that.
    """
    end = time.monotonic() + _ENDING_SECONDS
    while (found := [*processes_of(folder)]) and time.monotonic() < end:
        for pid in found:
            with suppress(OSError):  # it has gone
                os.kill(pid, KILL)
        time.sleep(0.002)


def processes_of(folder: Path) -> Iterator[int]:
    """The processes whose environment names a place in a folder, whoever started them, but for this one.

    None where the system does not tell: Linux does.
    """
    inside = os.fsencode(folder) + b"/"
    for entry in Path("/proc").glob("[0-9]*") if sys.platform == "linux" else ():
        with suppress(OSError):  # it has gone, or is another user's
            if inside in environment(entry) and int(entry.name) != os.getpid():
                yield int(entry.name)


def environment(process: Path) -> bytes:
    """What a process was started with, by its folder in /proc; raises OSError.

    One whose program just begins shows nothing yet: that is waited for.
    """
    end = time.monotonic() + _STARTING_SECONDS
    while not (words := (process / "environ").read_bytes()) and time.monotonic() < end:
        (process / "exe").readlink()  # which those that have no program, of the kernel or dead, have not
        if (process / "cmdline").read_bytes():
            return (process / "environ").read_bytes()
        time.sleep(0.0005)
    return words
