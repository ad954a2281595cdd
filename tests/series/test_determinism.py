"""Tables and exports are the same, byte for byte, whatever the workers, the tables in flight, and the interruptions."""

from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from command import run_arena
from series_bench import PAIR_GAMES, ArenaProcess, games_done, play_series, results

from arena.tournament import runner
from arena.tournament.runner import RunEnd


@pytest.mark.parametrize("settings", [["workers=2", "tables=3"], ["tables=256", "batch=256"]], ids=" ".join)
def test_workers_and_tables_change_nothing(
    settings: list[str], pair: Path, pair_results: dict[str, str], tmp_path: Path
) -> None:
    play_series(pair, tmp_path / "run", *settings)
    assert results(tmp_path / "run") == pair_results


@pytest.mark.thorough
def test_time_that_is_up_changes_nothing(
    pair: Path, pair_results: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    done = run_arena("run", pair, "--out", out, "--max-time", "0s")
    assert done.returncode == 0
    assert done.stdout.endswith(f"The time is up at 0 of {PAIR_GAMES} games. Go on with: arena resume {out}\n")
    with monkeypatch.context() as patched:
        patched.setattr(runner, "time", SimpleNamespace(monotonic=count().__next__))  # time for the first shards
        assert play_series(pair, out, deadline=1) is RunEnd.OUT_OF_TIME
    assert 0 < games_done(out) < PAIR_GAMES
    assert play_series(pair, out) is RunEnd.COMPLETE
    assert results(out) == pair_results


@pytest.mark.thorough
def test_interruptions_keep_every_finished_game_and_change_nothing(
    pair: Path, pair_results: dict[str, str], tmp_path: Path
) -> None:
    out, scratch, dice = tmp_path / "run", tmp_path / "scratch", Random(3)
    scratch.mkdir()
    kept = 0
    command: list[str | Path] = ["run", pair, "--out", out, "--set", "tables=1"]
    for _ in range(2):
        with ArenaProcess(scratch, *command) as arena:
            arena.wait_for_games(out, kept + dice.randint(1, 10))
            before = games_done(out)
            arena.interrupt()
            code, printed, told = arena.end()
            assert (code, printed) == (130, "")
            kept = games_done(out)
            assert told.splitlines()[-1] == (
                f"Stopped at {kept} of {PAIR_GAMES} games; every finished one is kept. Go on with: arena resume {out}"
            )
            assert kept >= before
            arena.wait_until_nothing_is_left()
        command = ["resume", out]
    with ArenaProcess(scratch, *command) as arena:
        code, printed, told = arena.end()
        assert (code, "Traceback" in told) == (0, False)
        assert printed.endswith(f"Record and tables: {out}\nFor a browser, with the hands: arena report {out}\n")
        arena.wait_until_nothing_is_left()
    assert results(out) == pair_results
