"""Control groups, of version 1 or 2: limits on all processes of a bot together, and an account of them.

A group is a folder in a file system of the kernel's. It is made for one start of a bot, entered by the command line
that starts it, and removed when all its processes have ended. It carries the number of the arena's process in its name,
so that what an arena that was killed has left can be told and removed by the next.
"""

import os
import shlex
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from arena.isolation.values import Hierarchy, Limits

_PREFIX = "gin-arena-"
_UNIFIED = "unified"
_OWN_PROCESSES = 2
"""What a start has in its group beside the bot: the two of bubblewrap."""
_REMOVAL_SECONDS = 2.0
"""Processes that were killed leave their group a moment later."""
_numbers = count(1)


class Group:
    """The control group of one start of a bot."""

    def __init__(self, hierarchy: Hierarchy, limits: Limits) -> None:
        """Make it. Raises OSError."""
        name = f"{_PREFIX}{os.getpid()}-{next(_numbers)}"
        self._folders = {controller: folder / name for controller, folder in hierarchy.folders}
        try:
            for folder in dict.fromkeys(self._folders.values()):
                folder.mkdir()
            for controller, file, value in _settings(limits):
                if controller in self._folders:
                    _write(self._folders[controller] / file, value)
            for file in ("memory.memsw.limit_in_bytes", "memory.swap.max"):
                for folder in self._folders.values():
                    if (folder / file).exists():  # no kernel without swap has it
                        _write(folder / file, 0 if file.endswith("max") else limits.memory)
        except OSError:
            self.remove()
            raise

    def entering(self) -> str:
        """The words of a shell by which it enters the group itself."""
        files = [folder / "cgroup.procs" for folder in dict.fromkeys(self._folders.values())]
        return " && ".join(f"echo 0 >{shlex.quote(str(file))}" for file in files)

    def cpu_seconds(self) -> float:
        """Processor time that all its processes have used, those that have ended too."""
        if _UNIFIED in self._folders:
            return _number(self._folders[_UNIFIED] / "cpu.stat", "usage_usec") / 1e6
        return _number(self._folders["cpuacct"] / "cpuacct.usage") / 1e9

    def out_of_memory(self) -> bool:
        """Whether the kernel has killed one of its processes because their memory was used up."""
        if _UNIFIED in self._folders:
            return _number(self._folders[_UNIFIED] / "memory.events", "oom_kill") > 0
        return _number(self._folders["memory"] / "memory.oom_control", "oom_kill") > 0

    def kill(self) -> None:
        """Kill every process in it that this process may kill."""
        for folder in self._folders.values():
            _kill(folder)

    def remove(self) -> None:
        """Remove it. What still runs in it is killed."""
        for folder in dict.fromkeys(self._folders.values()):
            _remove(folder)


def hierarchies() -> Iterator[Hierarchy]:
    """Where groups might be made, the nearest to this process first. To be tried: not all can be."""
    mounts = _mounts()
    own = _own_paths()
    if all(controller in mounts for controller in ("memory", "pids", "cpuacct")):
        places = []
        for controller in ("memory", "pids", "cpuacct"):
            folder = mounts[controller] / own.get(controller, "")
            # In a container the path may be that of the machine outside, of which only the end is mounted.
            places.append((controller, folder if folder.is_dir() else mounts[controller]))
        yield Hierarchy(tuple(places))
    if _UNIFIED in mounts:
        root = mounts[_UNIFIED]
        folder = root / own.get(_UNIFIED, "")
        # A group with processes can have no groups with limits below it, so it is one above that of this process.
        while folder.is_relative_to(root):
            with suppress(OSError):
                if {"memory", "pids"} <= set((folder / "cgroup.subtree_control").read_text().split()):
                    yield Hierarchy(((_UNIFIED, folder),))
            folder = folder.parent


def sweep(hierarchy: Hierarchy | None, also: int = 0) -> None:
    """Remove the groups of arenas that have gone. also: the number of one that is about to go."""
    for _, folder in hierarchy.folders if hierarchy else ():
        for group in folder.glob(f"{_PREFIX}*"):
            pid = group.name.removeprefix(_PREFIX).partition("-")[0]
            if pid == str(also):
                _remove(group)
            elif not Path("/proc", pid).exists():
                with suppress(OSError):  # it is in use: another container's, whose processes have other numbers
                    group.rmdir()


def _remove(folder: Path) -> None:
    """Remove a group, and kill what still runs in it."""
    end = time.monotonic() + _REMOVAL_SECONDS
    while time.monotonic() < end:
        try:
            folder.rmdir()
        except FileNotFoundError:  # another arena sweeps too
            return
        except OSError:
            _kill(folder)
            time.sleep(0.002)
        else:
            return


def _kill(folder: Path) -> None:
    """Kill what is in a group, as far as this process may."""
    with suppress(OSError):
        for line in (folder / "cgroup.procs").read_text().splitlines():
            if line != "0":  # a process that has no number here
                os.kill(int(line), signal.SIGKILL)


def _settings(limits: Limits) -> list[tuple[str, str, int]]:
    processes = limits.processes + _OWN_PROCESSES
    return [
        ("memory", "memory.limit_in_bytes", limits.memory),
        ("pids", "pids.max", processes),
        (_UNIFIED, "memory.max", limits.memory),
        (_UNIFIED, "pids.max", processes),
    ]


def _mounts() -> dict[str, Path]:
    """Where the file system of each controller is mounted."""
    found: dict[str, Path] = {}
    with suppress(OSError):
        for line in Path("/proc/self/mounts").read_text().splitlines():
            _, place, kind, options, *_ = line.split(" ")
            if kind == "cgroup2":
                found.setdefault(_UNIFIED, Path(place))
            elif kind == "cgroup":
                for controller in options.split(","):
                    found.setdefault(controller, Path(place))
    return found


def _own_paths() -> dict[str, str]:
    """The group of this process, by controller, as a path without the slash at its front."""
    found: dict[str, str] = {}
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            for controller in controllers.split(",") if controllers else [_UNIFIED]:
                found[controller] = path.removeprefix("/")
    return found


def _number(file: Path, key: str = "") -> int:
    """The number in a file of the kernel's, or of one line of it; 0 where there is none."""
    with suppress(OSError, ValueError):
        for line in file.read_text().splitlines():
            name, _, value = line.rpartition(" ")
            if name == key:
                return int(value)
    return 0


def _write(file: Path, value: int) -> None:
    file.write_text(str(value))
