"""What a machine may do to a run, it survives: a full disk, processes held up, a clock that jumps, no room for bots."""

import os
import resource
import shutil
import signal
import time
from pathlib import Path
from random import Random

import pytest
from command import run_arena
from kills.processes import bots, descendants
from series_bench import BOTS, SAMPLES, ArenaProcess, play_series, results, seen, write_series

from arena.players.faults import Fault
from arena.records.store import Run
from arena.tournament.runner import RunEnd

pytestmark = pytest.mark.thorough


@pytest.fixture
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short path, so that bots listen at unix sockets in it."""
    return tmp_path_factory.mktemp("s")


@pytest.fixture(scope="module")
def leaving(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A series with a bot that has to be started again for every game."""
    bots = [BOTS / "leaver", BOTS / "dicer"]
    return write_series(tmp_path_factory.mktemp("leaving"), bots, groups=6, play="deals", tables=1)


@pytest.fixture(scope="module")
def leaving_results(leaving: Path) -> dict[str, str]:
    play_series(leaving, leaving.parent / "run")
    return results(leaving.parent / "run")


def test_a_disk_that_is_full_in_the_middle_of_a_run_ends_it_and_loses_nothing(
    pair: Path, pair_results: dict[str, str], tmp_path: Path, scratch: Path
) -> None:
    out = tmp_path / "run"
    with ArenaProcess(scratch, "run", pair, "--out", out, "--set", "tables=1") as arena:
        while not (out / "run.sqlite-wal").exists():  # no bot plays yet
            time.sleep(0.01)
        _, most = resource.prlimit(arena.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(arena.pid, resource.RLIMIT_FSIZE, (40_000, most))
        code, _, told = arena.end()
        assert (code, "Traceback" in told, str(out) in told.splitlines()[-1]) == (3, False, True)
        arena.wait_until_nothing_is_left()
    assert run_arena("resume", out).returncode == 0
    assert results(out) == pair_results


def test_processes_that_are_held_up_for_a_while_change_nothing(
    pair: Path, pair_results: dict[str, str], tmp_path: Path, scratch: Path
) -> None:
    out = tmp_path / "run"
    with ArenaProcess(scratch, "run", pair, "--out", out, "--set", "tables=1") as arena:
        while not bots(descendants(arena.pid)):
            time.sleep(0.01)
        os.kill(arena.pid, signal.SIGSTOP)  # without it the run does not end
        held = [*arena.workers(), *[bot.pid for bot in bots(descendants(arena.pid))]]
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for pid in held:
                os.kill(pid, number)
                time.sleep(0.1)
        os.kill(arena.pid, signal.SIGCONT)
        assert arena.end()[0] == 0
        arena.wait_until_nothing_is_left()
    assert len(held) >= 2  # a worker, and the bots that were ready
    assert results(out) == pair_results


def test_a_clock_that_jumps_changes_nothing(
    pair: Path, pair_results: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = Random(1)
    monkeypatch.setattr(time, "time", lambda: dice.choice((0.0, 1e9, 4e9)))
    assert play_series(pair, tmp_path / "run") is RunEnd.COMPLETE
    assert results(tmp_path / "run") == pair_results


def test_a_machine_without_room_for_bots_is_given_time(
    leaving: Path, leaving_results: dict[str, str], tmp_path: Path, scratch: Path
) -> None:
    out = tmp_path / "run"
    with ArenaProcess(scratch, "run", leaving, "--out", out) as arena:
        own = without_its_folder(arena)
        while arena.runs() and not voids(out):
            time.sleep(0.02)
        own.mkdir(exist_ok=True)
        code, _, told = arena.end()
        assert (code, "Void" in told) == (0, False)
        arena.wait_until_nothing_is_left()
    assert voids(out)
    assert results(out) == leaving_results
    assert "Games broken off, and played again from their start: spawn" in (out / "timing.md").read_text()


def test_a_machine_that_has_none_for_long_ends_the_run_and_says_why(
    leaving: Path, leaving_results: dict[str, str], tmp_path: Path, scratch: Path
) -> None:
    out = tmp_path / "run"
    with ArenaProcess(scratch, "run", leaving, "--out", out) as arena:
        without_its_folder(arena)
        code, _, told = arena.end()
        assert code == 3
        assert "5 times a bot could not be started: no private folder for the bot: [Errno 2]" in told.splitlines()[-1]
        assert told.splitlines()[-1].endswith(f"every finished game is kept; go on with: arena resume {out}")
        arena.wait_until_nothing_is_left()
    assert run_arena("resume", out).returncode == 0
    assert results(out) == leaving_results


def without_its_folder(arena: ArenaProcess) -> Path:
    """Take the folder for temporary files away from a worker, as soon as there is one."""
    while not (found := seen(arena.scratch, "gin-*/[0-9]*")):
        time.sleep(0.005)
    while found[0].exists():
        shutil.rmtree(found[0], ignore_errors=True)
    return found[0]


def voids(out: Path) -> list[Fault]:
    """Why games were broken off."""
    with Run.open(out) as run:
        return [void.fault for _, void in run.voids()]


def test_the_arena_does_not_ask_for_the_time_of_the_day() -> None:
    """But where the operator gives one, and where a server notes when something was made or came in."""
    arena = SAMPLES.parent / "arena"
    asking = {
        path.relative_to(arena).as_posix()
        for path in arena.rglob("*.py")
        if "time.time(" in path.read_text() or "datetime.now(" in path.read_text()
    }
    assert asking == {"cli/playing.py", "server/certificates.py", "server/keeper.py", "server/tokens.py"}
