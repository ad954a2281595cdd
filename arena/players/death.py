"""Processes that do not outlive the one that has started them, where that can be had."""

import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from functools import cache


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
