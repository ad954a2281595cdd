"""The processes of a bot, where the system tells them: Linux does."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from arena.isolation.processes import KILL, processes_of


def told_of(folder: Path) -> dict[int, str]:
    """Every process that was started with this private folder, whoever started it: numbers and command lines."""
    found = {}
    for pid in processes_of(folder):
        with suppress(OSError):  # it has gone meanwhile
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
            found[pid] = " ".join(words).strip()
    return found


def end(processes: Iterable[int]) -> None:
    """Kill these processes."""
    for pid in processes:
        with suppress(OSError):  # it has gone meanwhile
            os.kill(pid, KILL)


def memory_of(folder: Path) -> int:
    """Bytes of memory that these processes hold together; 0 where the system does not tell."""
    pages = 0
    for pid in processes_of(folder):
        with suppress(OSError):
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") if pages else 0
