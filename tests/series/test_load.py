"""What a shard and a run tell of their load: how much was asked of bots, in how many messages, and a machine's lag."""

import time
from dataclasses import replace
from pathlib import Path

import pytest
from series_bench import SAMPLES, Crew, InThisProcess, records_of, write_series

from arena.dealer.room import Room
from arena.players.manifest import read_manifest
from arena.records.store import Run
from arena.tournament import local
from arena.tournament.running import begin, runner_of
from arena.tournament.series import load_series

SIMPLE = read_manifest(SAMPLES / "simple")


def test_a_shard_tells_what_was_asked_and_in_how_many_messages(tmp_path: Path) -> None:
    """Told are the decisions of the records, since nothing had to be asked twice."""
    crew = Crew((replace(SIMPLE, name="ann"), replace(SIMPLE, name="bob")), tmp_path, tables=4)
    specs = crew.specs(8)
    for result in crew.shards(specs[:4], specs[4:]):
        load, decisions = result.load, [time.decisions for record in result.records for time in record.times]
        assert load.decisions == sum(decisions)
        assert load.decisions / 4 <= load.requests < load.decisions


def test_a_loop_that_is_held_up_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take = Room._take

    def held_up(room: Room, *answer: object) -> None:
        time.sleep(0.2)  # as a machine that stops the process would have it
        monkeypatch.setattr(Room, "_take", take)
        take(room, *answer)  # type: ignore[arg-type]

    monkeypatch.setattr(Room, "_take", held_up)
    crew = Crew((replace(SIMPLE, name="ann"), replace(SIMPLE, name="bob")), tmp_path)
    (result,) = crew.shards(crew.specs(1))
    assert result.load.away > 0.1


def test_a_run_adds_its_load_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "WorkerPool", InThisProcess)
    path = write_series(tmp_path, [SAMPLES / "simple", SAMPLES / "random"], groups=3)
    with begin(load_series(path), tmp_path, tmp_path / "run") as run:
        player = runner_of(run, load_series(path))
        player.play(None, lambda _: None)
        load = player.progress.load
    times = [time for _, record in records_of(tmp_path / "run") for time in record.times]
    assert load.decisions == sum(time.decisions for time in times) > load.requests > 0
    with Run.open(tmp_path / "run", write=True) as run:
        assert runner_of(run, load_series(path)).progress.load.decisions == 0
