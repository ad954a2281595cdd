"""What is started does not outlive who has started it."""

import subprocess
import sys

import pytest

from arena.players.programs import dying_with_us

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of a parent's death")
PRINTS = [sys.executable, "-c", "import os; print(sorted(os.environ))"]


@needs_linux
def test_a_program_begins_where_its_parent_is_there() -> None:
    done = subprocess.run(dying_with_us(PRINTS), capture_output=True, text=True, env={"LANG": "C"}, check=True)
    assert set(done.stdout.strip("[]\n").split(", ")) <= {"'LANG'", "'LC_CTYPE'"}


@needs_linux
def test_a_program_does_not_begin_where_its_parent_has_gone_before_the_signal_was_asked_for() -> None:
    """Whoever has adopted it is no parent: here that is a process between."""
    between = [sys.executable, "-c", "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"]
    done = subprocess.run([*between, *dying_with_us(PRINTS)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


@needs_linux
def test_what_cannot_be_executed_says_so() -> None:
    done = subprocess.run(dying_with_us(["/nowhere/at-all"]), capture_output=True, text=True, check=False)
    assert done.returncode == 127
    assert "/nowhere/at-all" in done.stderr
