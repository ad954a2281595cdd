"""Spawn: this machine could not start a bot. The games are void, played again, and tell nothing of it."""

import errno
from collections.abc import Callable
from pathlib import Path

import pytest
from fault_bench import Misdeed, Played, play_with, same_games

from arena.players import launch
from arena.players.faults import Culprit, Fault
from arena.records.store import Run

HONEST = Misdeed("crashing", "plays", Fault.SPAWN, every=0)


def failing_once(make: Callable[[], Path]) -> Callable[[], Path]:
    failures = [OSError(errno.ENOSPC, "No space left on device")]

    def make_or_fail() -> Path:
        if failures:
            raise failures.pop()
        return make()

    return make_or_fail


def test_a_start_that_fails_once_costs_nobody_anything(
    honest: str, alone: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "make_private_folder", failing_once(launch.make_private_folder))
    played = play_with(honest, [HONEST], tmp_path)
    assert same_games(played.of(HONEST), played.imagined(HONEST))
    assert played.lines == alone.lines
    with Run.open(tmp_path / "run") as run:
        ((attempt, void),) = run.voids()
    assert (attempt, void.fault, void.fault.culprit) == (1, Fault.SPAWN, Culprit.HOST)
    assert "No space left on device" in void.detail
