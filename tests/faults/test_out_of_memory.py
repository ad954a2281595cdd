"""Out of memory: a process that ended because the limit leaves it no more."""

from pathlib import Path

import pytest
from fault_bench import Misdeed, Played, assert_it_pays, ids, play_with

from arena.dealer.table import FaultCost
from arena.players.faults import Fault
from arena.players.memory import LAST, ran_out_of_memory

KEYS = {"isolation": "best-effort", "limits": {"memory": "192MiB"}}
CASES = [
    Misdeed("hungry", way, Fault.OUT_OF_MEMORY, "the process ran out of memory")
    for way in ("wants all memory", "ends as in C++", "ends as in Rust", "ends as in Java", "ends as in Go")
]


@pytest.mark.parametrize("misdeed", CASES, ids=ids(CASES))
def test_who_wants_more_than_there_is_pays_for_the_turn(misdeed: Misdeed, played: Played) -> None:
    assert_it_pays(misdeed, played)


def test_it_pays_with_its_game_where_that_is_declared(honest: str, tmp_path: Path) -> None:
    assert_it_pays(CASES[0], play_with(honest, CASES[:1], tmp_path, FaultCost.GAME, **KEYS))


def test_the_games_of_others_are_what_they_are_without(played: Played, alone: Played) -> None:
    assert played.lines == alone.lines


def test_without_a_limit_the_same_words_are_those_of_a_crash(honest: str, tmp_path: Path) -> None:
    words = Misdeed("hungry", "ends as in C++", Fault.CRASH, "the process was ended by SIGABRT")
    assert_it_pays(words, play_with(honest, [words], tmp_path))


def test_only_the_last_words_count() -> None:
    assert ran_out_of_memory("Traceback\nMemoryError\n")
    assert not ran_out_of_memory("MemoryError\n" + "x" * LAST)
    assert not ran_out_of_memory("IndexError: no such card")
