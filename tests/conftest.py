import os
import signal
import sys

import pytest
from hypothesis import HealthCheck, settings

# What the tests start finds what a user's shell gives it: output that is buffered, and an interrupt that is heard, also
# where the tests themselves run in the background.
os.environ.pop("PYTHONUNBUFFERED", None)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A module is compiled once, and not again by each of the hundreds of processes that import it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Every run tries the same examples, and a busy machine fails no test.
settings.register_profile("arena", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("arena")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """For `-n auto`: two for each processor, as half of a test is waiting for the processes that it has started."""
    return 2 * len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
