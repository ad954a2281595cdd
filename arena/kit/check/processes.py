"""The processes of a bot, where the system tells them: Linux does."""

import os
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def processes_of(folder: Path) -> dict[int, str]:
    """Every process that was started with this private folder, whoever started it: numbers and command lines.

    Empty where the system does not tell.
    """
    found = {}
    for entry in Path("/proc").glob("[0-9]*") if sys.platform == "linux" else ():
        with suppress(OSError):  # it has gone, or is another user's
            if os.fsencode(folder) in (entry / "environ").read_bytes():
                words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
                found[int(entry.name)] = " ".join(words).strip()
    return found


def end(processes: Iterable[int]) -> None:
    """Kill these processes."""
    for pid in processes:
        with suppress(OSError):  # it has gone meanwhile
            os.kill(pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)


def memory_of(folder: Path) -> int:
    """Bytes of memory that these processes hold together; 0 where the system does not tell."""
    pages = 0
    for pid in processes_of(folder):
        with suppress(OSError):
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") if pages else 0
