"""What still runs in a folder that is about to be removed goes with it, and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.isolation.processes import end_all_of, environment

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")


def sleeping_in(folder: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(["sleep", "60"], env={"HOME": str(folder / "home")}, start_new_session=True)


@needs_proc
def test_processes_of_a_folder_are_ended_and_those_of_its_neighbours_are_not(tmp_path: Path) -> None:
    with sleeping_in(tmp_path / "12") as mine, sleeping_in(tmp_path / "123") as neighbour:
        try:
            end_all_of(tmp_path / "12")
            assert mine.wait() == -9
            assert neighbour.poll() is None
        finally:
            neighbour.kill()
            mine.kill()


@needs_proc
def test_a_process_is_known_from_the_moment_that_its_program_begins(tmp_path: Path) -> None:
    """For some microseconds its words cannot be read yet; most of these are met in them."""
    for _ in range(100):
        with sleeping_in(tmp_path) as process:
            try:
                assert str(tmp_path).encode() in environment(Path(f"/proc/{process.pid}"))
            finally:
                process.kill()
