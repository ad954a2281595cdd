"""However a run ends, nothing is left of it but its folder, and it can be gone on with."""

import os
import signal
import time
from pathlib import Path

import pytest
from command import run_arena
from series_bench import BOTS, SAMPLES, ArenaProcess, play_series, results, write_series
from thinning import thinned


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


def rascal(name: str, *arguments: str) -> dict[str, object]:
    return {"name": name, "run": ["{python}", str(BOTS / "rascal" / "bot.py"), *arguments]}


@pytest.mark.thorough
def test_ctrl_c_does_not_wait_for_a_bot_that_does_not_start_nor_does_another_arena_come_between(
    tmp_path: Path, scratch: Path
) -> None:
    program = "import time; print('started', flush=True); time.sleep(3600)"
    sleeper = {"name": "sleeper", "run": ["{python}", "-c", program]}
    out, series = tmp_path / "run", write_series(tmp_path, [SAMPLES / "simple", sleeper], groups=1)
    with ArenaProcess(scratch, "run", series, "--out", out) as arena:
        while not (out / "logs/sleeper/stdout.log").exists():
            time.sleep(0.01)
        for arguments in (("resume", out), ("run", series, "--out", out)):
            refused = run_arena(*arguments)
            assert (refused.returncode, "another arena is at work on this run" in refused.stderr) == (2, True)
        assert run_arena("standings", out).returncode == 0
        arena.interrupt()
        code, _, told = arena.end()
        assert (code, "Stopped at 0 of 2 games" in told, "Traceback" in told) == (130, True, False)
        arena.wait_until_nothing_is_left()


@pytest.mark.thorough
def test_a_polite_kill_stops_like_ctrl_c_and_waits_for_no_bot_that_does_not_leave(
    tmp_path: Path, scratch: Path
) -> None:
    bots = [rascal("one", "stay", "1"), rascal("two", "stay", "1")]
    series = write_series(tmp_path, bots, groups=1000, tables=1, isolation="none")
    with ArenaProcess(scratch, "run", series, "--out", tmp_path / "run") as arena:
        arena.wait_for_games(tmp_path / "run", 1)
        os.kill(arena.pid, signal.SIGTERM)
        code, _, told = arena.end()
        assert (code, "Go on with" in told, "Traceback" in told) == (130, True, False)
        arena.wait_until_nothing_is_left()


def test_bots_and_workers_die_with_the_arena(
    pair: Path, pair_results: dict[str, str], tmp_path: Path, scratch: Path
) -> None:
    out = tmp_path / "run"
    with ArenaProcess(scratch, "run", pair, "--out", out, "--set", "tables=1", "--workers", "2") as arena:
        arena.wait_for_games(out, 1)
        os.kill(arena.pid, signal.SIGKILL)
        arena.end()
        arena.wait_until_nothing_is_left()
    play_series(pair, out)
    assert results(out) == pair_results


@pytest.mark.parametrize("number", thinned([signal.SIGKILL, signal.SIGTERM], 2))
def test_a_killed_worker_costs_nothing(
    pair: Path, pair_results: dict[str, str], tmp_path: Path, scratch: Path, number: int
) -> None:
    out = tmp_path / "run"
    with ArenaProcess(scratch, "run", pair, "--out", out, "--set", "tables=1") as arena:
        arena.wait_for_games(out, 1)
        (worker,) = arena.workers()
        os.kill(worker, number)
        code, _, told = arena.end()
        assert (code, "Traceback" in told) == (0, False)
        arena.wait_until_nothing_is_left()
    assert results(out) == pair_results


@pytest.mark.parametrize(
    "number",
    [signal.SIGINT, *(pytest.param(number, marks=pytest.mark.thorough) for number in (signal.SIGHUP, signal.SIGTERM))],
)
def test_what_reaches_all_processes_of_the_terminal_stops_cleanly(
    pair: Path, pair_results: dict[str, str], tmp_path: Path, scratch: Path, number: int
) -> None:
    out = tmp_path / "run"
    with ArenaProcess(scratch, "run", pair, "--out", out, "--set", "tables=1", "--workers", "2") as arena:
        arena.wait_for_games(out, 1)
        os.killpg(arena.pid, number)
        code, _, told = arena.end()
        assert (code, told.splitlines()[-1].partition(" at ")[0], "Traceback" in told) == (130, "Stopped", False)
        arena.wait_until_nothing_is_left()
    assert run_arena("resume", out).returncode == 0
    assert results(out) == pair_results


@pytest.mark.thorough
def test_under_nohup_a_closed_terminal_is_no_matter(
    pair: Path, pair_results: dict[str, str], tmp_path: Path, scratch: Path
) -> None:
    out = tmp_path / "run"
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # which a new process inherits
    try:
        arena = ArenaProcess(scratch, "run", pair, "--out", out, "--set", "tables=1")
    finally:
        signal.signal(signal.SIGHUP, before)
    with arena:
        arena.wait_for_games(out, 1)
        os.killpg(arena.pid, signal.SIGHUP)
        assert arena.end()[0] == 0
        arena.wait_until_nothing_is_left()
    assert results(out) == pair_results


@pytest.mark.thorough
def test_ctrl_c_does_not_wait_for_a_worker_that_is_held_up(pair: Path, tmp_path: Path, scratch: Path) -> None:
    out = tmp_path / "run"
    with ArenaProcess(scratch, "run", pair, "--out", out, "--set", "tables=1", "--workers", "2") as arena:
        arena.wait_for_games(out, 1)
        os.kill(arena.workers()[0], signal.SIGSTOP)
        arena.interrupt()
        code, _, told = arena.end()
        assert (code, "Go on with" in told, "Traceback" in told) == (130, True, False)
        arena.wait_until_nothing_is_left()
