"""Starved: late, but on a machine that left it no processor. The games are void, and played again."""

from pathlib import Path

import pytest
from fault_bench import Misdeed, Played, assert_it_pays, play_with

from arena.players.faults import Culprit, Fault
from arena.records.store import Run

LATE = Misdeed("stalling", "hangs", Fault.TIMEOUT, "the bot did not answer in time")
CLOCK = {"ready": "1h", "decision": "500ms", "bank": "1500ms", "goodbye": "1h"}


def test_who_was_starved_plays_again_and_pays_only_if_it_is_late_then(
    honest: str, alone: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first time it is late the machine is said to be busy, and never again."""
    said = iter([True])
    monkeypatch.setattr("arena.players.clock.starved", lambda *_: next(said, False))
    played = play_with(honest, [LATE], tmp_path, clock=CLOCK)
    assert_it_pays(LATE, played)
    assert played.lines == alone.lines
    with Run.open(tmp_path / "run") as run:
        voids = [void for _, void in run.voids()]
    assert voids
    assert {(void.fault, void.fault.culprit) for void in voids} == {(Fault.STARVED, Culprit.HOST)}
