"""What isolation is asked for, and what of it there is."""

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from pathlib import Path

MIB, GIB = 1 << 20, 1 << 30
USERS = range(1_900_000_000, 2_000_000_000)
"""Numbers of users for bots, such as no system gives to a user, a container or a service."""


class Mode(StrEnum):
    """How much isolation a run demands."""

    REQUIRED = "required"
    """All of it: the run is refused where a layer is missing."""
    BEST_EFFORT = "best-effort"
    """What this machine has."""
    NONE = "none"
    """Nothing but process groups."""


class Layer(StrEnum):
    """The layers, in the order of a report. Each stops something that the others leave."""

    FILES = "files"
    """A view of the file system that has the system's programs, the bot's own folder to read, and nothing else."""
    SCRATCH = "scratch"
    """All that it can write to is in memory, has a size, and goes with it."""
    NETWORK = "network"
    """No network at all: its unix socket is its only door."""
    PROCESSES = "processes"
    """It sees no process but its own, can signal no other, and none of them outlives it."""
    USER = "user"
    """A user of its own: no file and no process of anybody else belongs to it."""
    PRIVILEGES = "privileges"
    """No capabilities, and no way to gain any, as by a setuid program."""
    SYSCALLS = "system calls"
    """A filter of those calls to the kernel that no bot needs and many attacks do."""
    LIMITS = "limits"
    """Limits that each process has: memory, open files, size of a file, processor time."""
    FORKS = "forks"
    """A limit on the number of processes and threads."""
    TOTALS = "totals"
    """A limit on the memory of all its processes together, and an account of their processor time."""

    @property
    def meaning(self) -> str:
        """What a report says of a layer that is on."""
        return _MEANINGS[self]


_MEANINGS = {
    Layer.FILES: "the system's programs and the bot's own folder, read-only",
    Layer.SCRATCH: "what a bot writes is in memory, limited in size",
    Layer.NETWORK: "none but the bot's own socket",
    Layer.PROCESSES: "a bot sees its own only, and none outlives it",
    Layer.USER: "a bot is a user of its own",
    Layer.PRIVILEGES: "none, and none to be gained",
    Layer.SYSCALLS: "those that attacks need are refused",
    Layer.LIMITS: "memory, open files, file size and CPU time of a process",
    Layer.FORKS: "the number of a bot's processes and threads",
    Layer.TOTALS: "the memory of all processes of a bot together",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot may use, by the names of the section `limits` of a series.

    memory: bytes, of each process and of all together. processes: with threads. open_files: of each process.
    file_size: bytes of one file. scratch: bytes of all files together. cpu: processor time of each process.
    """

    memory: int = GIB
    processes: int = 256
    open_files: int = 1024
    file_size: int = 64 * MIB
    scratch: int = 64 * MIB
    cpu: timedelta = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class LayerState:
    """What became of a layer: `missing` says why it is off, `remedy` what to do about it."""

    layer: Layer
    on: bool
    missing: str = ""
    remedy: str = ""

    def __str__(self) -> str:
        if self.on:
            return f"{self.layer:<13} on   {self.layer.meaning}"
        return f"{self.layer:<13} off  {self.missing}" + (f"; {self.remedy}" if self.remedy else "")


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """Where control groups can be made.

    folders: where a group of a bot is made, by controller: `memory`, `pids` and `cpuacct`, or only `unified`, which is
    all of them.
    """

    folders: tuple[tuple[str, Path], ...]


@dataclass(frozen=True, slots=True)
class Isolation:
    """What isolates the bots of a run. Found out once, and handed to whoever starts a bot.

    hidden: folders that no bot may see, even where they lie in one that it does.
    """

    mode: Mode = Mode.NONE
    limits: Limits = Limits()
    layers: tuple[LayerState, ...] = ()
    groups: Hierarchy | None = None
    hidden: tuple[Path, ...] = field(default=())

    def has(self, layer: Layer) -> bool:
        """Whether a layer is on."""
        return any(state.layer is layer and state.on for state in self.layers)

    @property
    def missing(self) -> list[LayerState]:
        """The layers that are off."""
        return [state for state in self.layers if not state.on]

    def lines(self) -> list[str]:
        """A report, one line a layer."""
        return [str(state) for state in self.layers]


NO_ISOLATION = Isolation()
