"""Killed: by a SIGKILL that nobody explains. The first time in a game that is the host's fault, then the bot's."""

from pathlib import Path

import pytest
from fault_bench import THREE_HAND, Misdeed, Played, adviser, assert_it_pays, play_with
from series_bench import Crew

from arena.players.faults import Culprit, Fault
from arena.players.spec import inline_spec
from arena.records.store import Run
from arena.tournament.worker import Shard

KILLED = Misdeed("dying", "is killed", Fault.CRASH, "the process was ended by SIGKILL")


def test_the_games_are_played_again_and_who_is_killed_again_pays(honest: str, alone: Played, tmp_path: Path) -> None:
    played = play_with(honest, [KILLED], tmp_path)
    assert_it_pays(KILLED, played)
    assert played.lines == alone.lines
    with Run.open(tmp_path / "run") as run:
        voids = [void for _, void in run.voids()]
    assert voids
    assert {(void.fault, void.fault.culprit) for void in voids} == {(Fault.KILLED, Culprit.HOST)}


@pytest.mark.parametrize("excused", [False, True])
def test_an_adviser_that_is_killed_costs_nobody_anything(excused: bool, honest: str, tmp_path: Path) -> None:
    crew = Crew(
        (adviser(KILLED), *(inline_spec(name, address=honest) for name in ("one", "two"))), tmp_path, THREE_HAND
    )
    (result,) = crew.work([Shard(0, 0, tuple(crew.specs(1)), frozenset(bot.name for bot in crew.bots if excused))])
    assert [void.fault for void in result.voids] == ([] if excused else [Fault.KILLED])
    assert all(fault.fault is Fault.CRASH for record in result.records for fault in record.faults)
    assert [len(record.faults) > 0 for record in result.records] == [True] * excused
