"""Illegal: an action that the rules forbid. As advice it is none, and no fault."""

from pathlib import Path

import pytest
from fault_bench import Misdeed, Played, advised, assert_it_pays, ids, play_with, same_games

from arena.dealer.table import FaultCost
from arena.players.faults import Fault
from arena.rules.actions import ActionKind
from arena.rules.view import TurnKind

DISCARD, DEFEND = TurnKind.DISCARD, TurnKind.DEFEND
CASES = [
    Misdeed("cheating", way, Fault.ILLEGAL, detail, every, kind)
    for way, detail, every, kind in [
        ("discards what it does not hold", "expected discard of ", 100, DISCARD),
        ("knocks above the limit", "expected at most ", 100, DISCARD),
        ("melds what is no meld", "expected a set or a run", 3, DEFEND),
        ("melds what it does not hold", "expected melds of cards held", 3, DEFEND),
        ("lays off what does not fit", "expected ", 3, DEFEND),
        ("lays off what it does not hold", "expected ", 3, DEFEND),
    ]
]
OPEN = {
    TurnKind.UPCARD: {ActionKind.PASS, ActionKind.TAKE},
    TurnKind.DRAW: {ActionKind.STOCK, ActionKind.PILE},
    TurnKind.DISCARD: {ActionKind.DISCARD, ActionKind.KNOCK},
    TurnKind.DEFEND: {ActionKind.DEFEND},
}
"""What may be done. A knock that comes too early is among CASES."""
OUT_OF_TURN = [Misdeed("cheating", "acts out of turn", Fault.ILLEGAL, "expected ", 1, kind) for kind in TurnKind]


@pytest.mark.parametrize("misdeed", CASES, ids=ids(CASES))
def test_who_breaks_the_rules_pays_for_the_turn(misdeed: Misdeed, played: Played) -> None:
    assert_it_pays(misdeed, played)


def test_who_breaks_the_rules_pays_with_its_game_where_that_is_declared(honest: str, tmp_path: Path) -> None:
    assert_it_pays(CASES[0], play_with(honest, CASES[:1], tmp_path, FaultCost.GAME))


def test_the_games_of_others_are_what_they_are_without(played: Played, alone: Played) -> None:
    assert played.lines == alone.lines


@pytest.mark.thorough
def test_every_kind_of_action_is_illegal_out_of_its_turn(honest: str, tmp_path: Path) -> None:
    played = play_with(honest, OUT_OF_TURN, tmp_path, groups=2, rules={"target": 400})
    for misdeed in OUT_OF_TURN:
        assert same_games(played.of(misdeed), played.imagined(misdeed, Fault.ILLEGAL))
        assert misdeed.kind is not None
        told = {fault.detail.partition(", got ")[2].split()[0] for fault in played.faults(misdeed)}
        closed = {action.name.lower() for action in {*ActionKind} - OPEN[misdeed.kind]}
        assert {"big_gin" if word == "eleven" else word for word in told} >= closed


@pytest.mark.parametrize("misdeed", [*CASES[::3], OUT_OF_TURN[0]], ids=ids([*CASES[::3], OUT_OF_TURN[0]]))
def test_illegal_advice_is_none(misdeed: Misdeed, honest: str, tmp_path: Path) -> None:
    assert not any(record.faults for record in advised(misdeed, honest, tmp_path, fault=False))
