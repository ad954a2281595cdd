"""A hand is hidden as long as somebody may be yet to play on its cards."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from finished_runs import finished, run_of

from arena.dealer.values import OWN_GROUPS, FaultRecord, GameSpec
from arena.players.faults import Fault
from arena.server.child import TellingRun, Voice
from arena.server.visibility import Visibility


def test_hands_of_a_group_are_hidden_until_all_its_games_are_there_in_all_pairings(tmp_path: Path) -> None:
    schedule, records = finished("gin")
    done = {record.index for record in records}
    with run_of("gin", tmp_path / "run") as run:
        visibility = Visibility(run)
        hidden = {spec.index for spec in schedule if visibility.hidden(spec)}
    # One game of ann and cid is missing, which hides the games of every pairing on the same cards.
    (missing,) = [spec for spec in schedule if spec.index not in done]
    assert hidden == {spec.index for spec in schedule if spec.group == missing.group}
    assert len({frozenset(spec.seats) for spec in schedule if spec.index in hidden}) == 3
    assert 0 < len(hidden) < len(schedule)


def test_it_is_said_which_cards_are_meant(tmp_path: Path) -> None:
    schedule, _ = finished("gin")
    with run_of("gin", tmp_path / "run") as run:
        told = Visibility(run).hidden(schedule[17])
    assert told == "the hands of game 17 are shown when every game on the same cards is played (deal group 2)"


def test_a_game_on_cards_of_its_own_is_seen_at_once(tmp_path: Path) -> None:
    with run_of("gin", tmp_path / "run") as run:
        assert Visibility(run).hidden(GameSpec(0, OWN_GROUPS + 5, 0, ("ann", "bob"))) == ""


@pytest.mark.parametrize("name", ["gin", "three-hand"])
def test_a_series_can_hide_all_of_it_until_its_end(name: str, tmp_path: Path) -> None:
    schedule, records = finished(name)
    config = _config("end")
    with run_of(name, tmp_path / "run", config=config) as run:
        visibility = Visibility(run)
    complete = len(records) == len(schedule)
    assert [bool(visibility.hidden(spec)) for spec in schedule] == [not complete] * len(schedule)


@pytest.mark.parametrize(
    ("group", "hands_shown", "seen"),
    [(OWN_GROUPS, "group", True), (OWN_GROUPS, "end", False), (0, "group", False), (0, "end", False)],
)
def test_with_a_fault_it_is_told_whether_its_hand_may_be_seen_now(
    tmp_path: Path, group: int, hands_shown: str, seen: bool
) -> None:
    spec, told = GameSpec(0, group, 0, ("ann", "bob")), StringIO()
    fault = FaultRecord(1, 1, 1, Fault.TIMEOUT, "it slept", "ouch")
    record = replace(finished("gin")[1][0], faults=(fault,))
    with run_of("gin", tmp_path / "other") as run:
        info = replace(run.info, config=_config(hands_shown))
    with TellingRun.create(tmp_path / "run", info, [spec]) as run:
        run.voice = Voice(told)
        run.commit([record])
    (line,) = told.getvalue().splitlines()
    (event,) = json.loads(line)["faults"]
    assert (event["bot"], event["seen"]) == ("bob", seen)


def _config(hands_shown: str) -> str:
    return f'{{"name":"x","bots":["ann","bob"],"hands_shown":"{hands_shown}"}}'
