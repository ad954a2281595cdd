"""Crash: the process ended, or closed its stream, with turns unanswered."""

from pathlib import Path

import pytest
from fault_bench import Misdeed, Played, advised, assert_it_pays, ids, play_with

from arena.dealer.table import FaultCost
from arena.players.faults import Fault

CASES = [
    Misdeed("crashing", way, Fault.CRASH, detail)
    for way, detail in {
        "exits": "the process exited with code 3",
        "exits with 0": "the process exited with code 0",
        "is killed by a signal": "the process was ended by SIGSEGV",
        "closes its stream": "the bot closed its stream",
        "ends its stream with an error": "the bot ended its stream with the status UNKNOWN",
        "closes its connection": "the bot closed its connection",
        "writes no HTTP/2": "the bot ended its stream with the status UNKNOWN",
    }.items()
]


@pytest.mark.parametrize("misdeed", CASES, ids=ids(CASES))
def test_who_is_gone_pays_for_the_turn(misdeed: Misdeed, played: Played) -> None:
    assert_it_pays(misdeed, played)


def test_who_is_gone_pays_with_its_game_where_that_is_declared(honest: str, tmp_path: Path) -> None:
    assert_it_pays(CASES[0], play_with(honest, CASES[:1], tmp_path, FaultCost.GAME))


def test_the_games_of_others_are_what_they_are_without(played: Played, alone: Played) -> None:
    assert played.lines == alone.lines


@pytest.mark.parametrize("misdeed", CASES[::2], ids=ids(CASES[::2]))
def test_an_adviser_that_is_gone_costs_nobody_anything(misdeed: Misdeed, honest: str, tmp_path: Path) -> None:
    assert [fault for record in advised(misdeed, honest, tmp_path) for fault in record.faults]
