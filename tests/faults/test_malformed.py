"""Malformed: a decision that is none. As advice it is none, and no fault."""

from pathlib import Path

import pytest
from fault_bench import Misdeed, Played, advised, assert_it_pays, ids, play_with

from arena.dealer.table import FaultCost
from arena.players.faults import Fault

CASES = [
    Misdeed("garbling", way, Fault.MALFORMED, detail)
    for way, detail in {
        "chooses no action": "expected an action from 1 to 8, got 0",
        "chooses an unknown action": "expected an action from 1 to 8, got 99",
        "names no card": "expected a card with the action, got none",
        "names card 52": "expected a card from 0 to 51, got 52",
        "declares melds that overlap": "expected cards in melds from 0 to 51, each once, got ",
        "declares six melds": "expected at most 5 melds, got 6",
        "lays off a million cards": "expected at most 52 cards to lay off, got 1000000",
    }.items()
]


@pytest.mark.parametrize("misdeed", CASES, ids=ids(CASES))
def test_who_decides_nothing_pays_for_the_turn(misdeed: Misdeed, played: Played) -> None:
    assert_it_pays(misdeed, played)


def test_who_decides_nothing_pays_with_its_game_where_that_is_declared(honest: str, tmp_path: Path) -> None:
    assert_it_pays(CASES[0], play_with(honest, CASES[:1], tmp_path, FaultCost.GAME))


def test_the_games_of_others_are_what_they_are_without(played: Played, alone: Played) -> None:
    assert played.lines == alone.lines


@pytest.mark.parametrize("misdeed", CASES[::3], ids=ids(CASES[::3]))
def test_malformed_advice_is_none(misdeed: Misdeed, honest: str, tmp_path: Path) -> None:
    assert not any(record.faults for record in advised(misdeed, honest, tmp_path, fault=False))
