"""Every limit slept through by a real bot in a real series, and an arena that is not there for a while."""

import os
import signal
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from series_bench import BOTS, SAMPLES, ArenaProcess, named, play_series, records_of, write_series
from thinning import thinned

from arena.players.faults import Fault
from arena.tournament.runner import RunEnd

AMPLE = {"ready": "1h", "decision": "1h", "goodbye": "1h"}


def rascal(way: str) -> dict[str, object]:
    return {"name": "rascal", "run": ["{python}", str(BOTS / "rascal" / "bot.py"), way, "8"]}


@pytest.mark.parametrize(
    "clock",
    thinned(
        [
            {"decision": "1s", "bank": "0s"},
            {"decision": "500ms", "bank": "1s"},
            {"hand": "1s"},
            {"decision": "10ms", "bank": "10ms", "measure": "cpu"},
        ],
        3,
    ),
)
def test_who_sleeps_through_a_limit_loses_a_hand_and_the_series_goes_on(clock: dict[str, str], tmp_path: Path) -> None:
    path = write_series(
        tmp_path, [rascal("stall"), SAMPLES / "simple"], clock=AMPLE | clock, groups=1, play="deals", timed=True
    )
    assert play_series(path, tmp_path / "run") is RunEnd.COMPLETE
    records = records_of(tmp_path / "run")
    faults = [(spec.seats[fault.seat], fault.fault) for spec, record in records for fault in record.faults]
    assert {*faults} == {("rascal", Fault.TIMEOUT)}
    assert "| rascal" in (tmp_path / "run" / "timing.md").read_text()


def test_who_sleeps_through_the_goodbye_is_ended_and_pays_nothing(tmp_path: Path) -> None:
    path = write_series(
        tmp_path, [rascal("stay"), SAMPLES / "simple"], clock=AMPLE | {"goodbye": "200ms"}, groups=1, play="deals"
    )
    assert play_series(path, tmp_path / "run") is RunEnd.COMPLETE
    assert not any(record.faults for _, record in records_of(tmp_path / "run"))


def test_nobody_pays_for_an_arena_that_is_stopped_for_longer_than_the_limit(tmp_path: Path) -> None:
    """Both bots take a nap at every turn, so that one of them is nearly always being waited for."""
    bots = [BOTS / "drowsy", named("dozy", BOTS / "drowsy")]
    clock = AMPLE | {"decision": "2s", "bank": "0s"}
    path = write_series(tmp_path, bots, clock=clock, groups=1, play="deals", timed=True, tables=1)
    out = tmp_path / "run"
    with TemporaryDirectory() as scratch, ArenaProcess(Path(scratch), "run", path, "--out", out) as arena:
        while not (out / "logs" / "drowsy" / "stdout.log").exists():
            time.sleep(0.01)
        (worker,) = arena.workers()
        for _ in range(2):
            os.kill(worker, signal.SIGSTOP)
            time.sleep(3)
            os.kill(worker, signal.SIGCONT)
            time.sleep(0.2)
        code, _, told = arena.end()
        assert code == 0, told
    records = records_of(out)
    assert len(records) == 2
    assert not any(record.faults for _, record in records)
    assert max(use.worst for _, record in records for use in record.times) < 2.0
