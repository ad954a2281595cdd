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


_lasting = threading.local()


def last() -> None:
    """State that this thread lasts as long as what it starts is to last, as the main thread does anyway."""
    _lasting.stated = True


def dying_with_us(argv: Sequence[str]) -> list[str]:
    """A command line, wrapped so that what it starts is killed when this process is gone, however that comes."""
    # The signal comes when the *thread* that started the process ends, so not every thread will do.
    lasts = threading.current_thread() is threading.main_thread() or hasattr(_lasting, "stated")
    if not (lasts and _can_be_had()):
        return [*argv]
    return ["setpriv", "--pdeathsig", "KILL", "--", "/bin/sh", "-c", _UNLESS_ALONE, "sh", str(os.getpid()), *argv]


_UNLESS_ALONE = 'test "$PPID" = "$1" || exit 1; shift; unset PWD OLDPWD SHLVL _; exec "$@"'
"""Of who has gone before the signal was asked for, none comes: so what has another parent by then does not begin."""


@cache
def _can_be_had() -> bool:
    """Whether `setpriv` works here: found out by running `true` through it."""
    if sys.platform != "linux" or shutil.which("setpriv") is None:
        return False
    probe = ["setpriv", "--pdeathsig", "KILL", "--", "true"]
    return subprocess.run(probe, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0
