"""What is odd, and no fault: the games are what an honest bot would have played."""

import pytest
from fault_bench import Misdeed, Played, ids, same_games

from arena.players.faults import Fault

KEYS = {"clock": {"ready": "1h", "decision": "1h", "goodbye": "200ms"}}
CASES = [
    Misdeed(program, way, Fault.CRASH)
    for program, way in [
        ("starting", "changes its name"),
        ("printing", "prints a million lines"),
        ("printing", "prints no text"),
        ("leaving", "sleeps through the goodbye"),
        ("leaving", "ignores TERM"),
        ("leaving", "exits with its stream"),
    ]
]


@pytest.mark.parametrize("misdeed", CASES, ids=ids(CASES))
def test_it_plays_as_any_other(misdeed: Misdeed, played: Played) -> None:
    assert same_games(played.of(misdeed), played.imagined(misdeed))


def test_the_games_of_others_are_what_they_are_without(played: Played, alone: Played) -> None:
    assert played.lines == alone.lines
