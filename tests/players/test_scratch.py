"""What bots leave goes with the arena, also where all of its processes are killed at once."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bot_bench import processes_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")

ARENA = """
import subprocess, sys, time
from arena.players.scratch import own_scratch
with own_scratch() as folder:
    (folder / "left").mkdir()
    bot = subprocess.Popen(["sleep", "3600"], env={"HOME": str(folder / "left")}, start_new_session=True)
    print(folder, flush=True)
    sys.stdin.read()
    bot.kill()
    bot.wait()
"""


@pytest.fixture
def arena(tmp_path: Path) -> "Iterator[subprocess.Popen[str]]":
    """A process with a scratch folder and a bot in it, which ends with its input."""
    with subprocess.Popen(
        [sys.executable, "-c", ARENA],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        yield process


def test_what_is_left_by_an_arena_that_is_killed_with_all_its_processes_is_removed_at_once(
    arena: "subprocess.Popen[str]",
) -> None:
    assert arena.stdout is not None
    folder = Path(arena.stdout.readline().strip())
    assert len([*processes_of(folder)]) == 1
    os.killpg(arena.pid, signal.SIGKILL)
    while folder.exists() or [*processes_of(folder)]:  # pytest ends a test that waits for ever
        time.sleep(0.01)


def test_an_arena_that_ends_well_leaves_nobody_to_wait_for_its_end(
    arena: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    arena.communicate()
    assert arena.returncode == 0
    assert [*tmp_path.iterdir()] == []
    told = Path("/proc").glob("[0-9]*/cmdline")
    waiting = [line for line in map(read, told) if str(tmp_path).encode() in line]
    assert waiting == []


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
