"""Whose fault it is that a bot had no processor, by numbers; and what the kernel tells of real processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from arena.isolation.processes import family
from arena.players.processor import Processor, Sample, starved

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")

SPIN = "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass\n"
TELL = "print('done', flush=True)\ninput()\n"


@pytest.mark.parametrize(
    ("ran", "waits", "expected"),
    [
        (0.0, {1: 1.0}, True),
        (0.1, {1: 0.9}, True),
        (0.2, {1: 0.6}, True),
        (0.3, {1: 0.7}, False),  # a third of a processor is not nothing
        (0.0, {1: 0.0}, False),  # it slept
        (0.2, {1: 0.2}, False),
        (0.0, {}, False),
        (1.0, {1: 0.5, 2: 0.5}, False),  # two threads in each other's way, on one processor
        (2.0, dict.fromkeys(range(50), 0.96), False),  # fifty threads on two
        (0.1, dict.fromkeys(range(50), 0.45), False),  # many that wait a little are not one that waits long
        (0.0, {99: 0.8}, True),  # a thread that is new
    ],
)
def test_who_is_starved(ran: float, waits: dict[int, float], expected: bool) -> None:
    before = Sample(50.0, 7.0, dict.fromkeys([1, 2, 3], 100.0) | dict.fromkeys(range(10, 50), 0.0))
    waited = {thread: before.waited.get(thread, 0.0) + wait for thread, wait in waits.items()}
    assert starved(before, Sample(51.0, 7.0 + ran, waited)) is expected


@contextmanager
def started(program: str) -> Iterator[int]:
    """A process that has come so far as to print something."""
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            process.stdout.readline()
            yield process.pid
        finally:
            process.kill()


@needs_linux
def test_processor_time_is_that_of_the_process_itself_with_its_threads() -> None:
    program = (
        f"import threading\ndef spin():\n exec({SPIN!r})\nt = threading.Thread(target=spin)\nt.start(); t.join()\n"
    )
    with started(program + TELL) as pid:
        assert Processor(pid, pid).own() >= 0.2
        assert Processor(pid, pid).whole() >= 0.2
    with started(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {SPIN!r}])\n{TELL}") as pid:
        assert Processor(pid, pid).own() < 0.2
        assert Processor(pid, pid).sample().ran >= 0.2  # of children that have ended too


@needs_linux
def test_a_sample_has_what_children_use_that_go_on() -> None:
    child = f"{SPIN}print('done', flush=True)\nimport time; time.sleep(3600)"
    program = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {child!r}])\ninput()\n"
    with started(program) as pid:
        sample = Processor(pid, pid).sample()
        for process in family(pid)[1:]:
            os.kill(process, signal.SIGKILL)
    assert sample.ran >= 0.2
    assert len(sample.waited) == 2


@needs_linux
def test_of_a_process_that_has_gone_the_last_figure_stands() -> None:
    with started(SPIN + TELL) as pid:
        processor = Processor(pid, pid)
        known = processor.own()
    assert processor.own() == known >= 0.2
    assert processor.sample().ran == known
    assert processor.sample().waited == {}


@needs_linux
def test_a_control_group_knows_better() -> None:
    assert Processor(os.getpid(), os.getpid(), lambda: 12345.0).whole() == 12345.0
    assert Processor(os.getpid(), os.getpid(), lambda: 12345.0).sample().ran == 12345.0


@needs_linux
@pytest.mark.parametrize(
    ("change", "counts"),
    [
        ("", True),
        ("os.nice(5)", False),
        ("os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))", False),
        ("os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})", len(os.sched_getaffinity(0)) == 1),
    ]
    if sys.platform == "linux"
    else [],
)
def test_a_thread_that_steps_back_by_itself_does_not_count(change: str, counts: bool) -> None:
    with started(f"import os\n{change}\n{TELL}") as pid:
        assert bool(Processor(pid, pid).sample().waited) is counts


@needs_linux
def test_every_process_can_be_looked_at_also_those_of_no_session() -> None:
    """The first of a machine has never made one, and is grouped with nobody."""
    assert Processor(1, 1).sample().ran >= 0
