"""Open files are counted before a run starts: what does not fit is cut down, and said."""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from series_bench import BOTS, write_series

from arena.tournament.descriptors import Fitting, fitting

LIMITED = "import resource, os, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])))"


def fitting_below(soft: int, hard: int, *wanted: int) -> tuple[list[object], int]:
    """What fits in a process with these limits, and its soft limit afterwards."""
    program = (
        f"{LIMITED}\nimport json; from dataclasses import astuple; from arena.tournament.descriptors import fitting\n"
        "print(json.dumps([astuple(fitting(*map(int, sys.argv[3:]))), resource.getrlimit(resource.RLIMIT_NOFILE)[0]]))"
    )
    arguments = [str(number) for number in (soft, hard, *wanted)]
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    fits, limit = json.loads(done.stdout)
    return fits, limit


def test_the_limit_is_raised_no_further_than_needed() -> None:
    assert fitting_below(64, 4096, 2, 6, 2) == ([2, 6, ""], 104)
    assert fitting_below(1024, 4096, 8, 6, 3) == ([8, 6, ""], 1024)


def test_what_does_not_fit_is_cut_down_and_told() -> None:
    told = "the limit on open files is 90 (ulimit -n): 14 workers instead of 40, 4 groups of bots kept running by a"
    assert fitting_below(64, 90, 40, 6, 2) == ([14, 4, f"{told} worker instead of 6"], 90)


def test_without_a_limit_all_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    monkeypatch.setattr(resource, "getrlimit", lambda _: unlimited)
    assert fitting(1000, 6, 3) == Fitting(1000, 6)


def arena_below(limit: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = f"{LIMITED}\nos.execv(sys.executable, [sys.executable, '-m', 'arena', *sys.argv[3:]])"
    words = [sys.executable, "-c", program, str(limit), str(limit), *arguments]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.thorough
def test_a_run_keeps_below_a_low_limit_to_its_end(tmp_path: Path) -> None:
    """With more pairings than there is room for crews, and bots that are started again all the time."""
    bots = [BOTS / "dicer", BOTS / "leaver", BOTS / "learner"]
    series = write_series(tmp_path, bots, groups=2, play="deals", isolation="none")
    done = arena_below(72, "run", str(series), "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    told = "Note: the limit on open files is 72 (ulimit -n): 2 groups of bots kept running by a worker instead of 6"
    assert told in done.stderr
    assert "Faults" not in done.stdout


def test_a_limit_too_low_for_one_pair_of_bots_is_refused(tmp_path: Path) -> None:
    series = write_series(tmp_path, [BOTS / "dicer", BOTS / "learner"], groups=1, isolation="none")
    refused = arena_below(60, "run", str(series), "--out", str(tmp_path / "run"))
    assert refused.returncode == 3
    assert refused.stderr.splitlines()[-1] == (
        "the limit on open files is 60 (ulimit -n), and a run needs 64 at least: "
        "raise it, such as with `ulimit -n 1024`"
    )
