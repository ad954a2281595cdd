"""Programs: where they are found, and how they are started so that they do not outlive who has started them."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path


def found(program: str, folder: Path) -> str | None:
    """The full path of a program that may be run: one of the PATH, or by a path one that is sought from `folder`.

    By its name alone Windows would find no `npm.cmd`, and look for `build/bot` where this process runs.
    """
    if Path(program).name == program:
        place = shutil.which(program)
    else:
        endings = ("", ".exe") if os.name == "nt" else ("",)
        place = next(filter(None, (shutil.which(f"{folder / program}{ending}") for ending in endings)), None)
    return None if place is None else str(Path(place).absolute())


def dying_with_us(argv: Sequence[str]) -> list[str]:
    """A command line, wrapped so that what it starts is killed when this process is gone, however that comes."""
    # The signal comes when the *thread* that started the process ends, so only the main thread will do.
    wrapped = threading.current_thread() is threading.main_thread() and _can_be_had()
    return ["setpriv", "--pdeathsig", "KILL", "--", *argv] if wrapped else [*argv]


@cache
def _can_be_had() -> bool:
    """Whether `setpriv` works here: found out by running `true` through it."""
    if sys.platform != "linux" or shutil.which("setpriv") is None:
        return False
    probe = ["setpriv", "--pdeathsig", "KILL", "--", "true"]
    return subprocess.run(probe, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0
