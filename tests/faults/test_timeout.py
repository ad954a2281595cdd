"""Timeout: no decision within the limit. As advice it is none, and no fault; but then no more is asked for.

Here no bot is ever excused by a busy machine, which would make its games void.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fault_bench import Misdeed, Played, advised, assert_it_pays, ids, play_with, same_games

from arena.dealer.table import FaultCost
from arena.players.faults import Fault

pytestmark = pytest.mark.timeout(180)  # a turn that fails is asked again
KEYS = {"clock": {"ready": "1h", "decision": "500ms", "bank": "1500ms", "goodbye": "1h"}}
LONG_AFTER = 30
"""Seconds: the limit is 2, and is over by then on any machine."""
CASES = [
    Misdeed("stalling", way, Fault.TIMEOUT, "the bot did not answer in time")
    for way in (
        "hangs",
        "spins",
        "is stopped",
        "answers the others",
        "answers with an empty batch",
        "sends no message of gRPC",
        f"answers after {LONG_AFTER} s",
    )
]


@pytest.fixture(autouse=True, scope="module")
def _strict() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.players.clock.starved", lambda *_: False)
        yield


@pytest.mark.parametrize("misdeed", CASES, ids=ids(CASES))
def test_who_is_late_pays_for_the_turn(misdeed: Misdeed, played: Played) -> None:
    assert_it_pays(misdeed, played)


def test_who_is_late_pays_with_its_game_where_that_is_declared(honest: str, tmp_path: Path) -> None:
    assert_it_pays(CASES[0], play_with(honest, CASES[:1], tmp_path, FaultCost.GAME, **KEYS))


def test_the_games_of_others_are_what_they_are_without(played: Played, alone: Played) -> None:
    assert played.lines == alone.lines


def test_who_is_late_by_less_than_its_bank_pays_nothing(honest: str, tmp_path: Path) -> None:
    """It takes longer than the time for a decision, and may: the rest comes from its bank."""
    misdeed = Misdeed("stalling", "answers after 0.6 s", Fault.TIMEOUT)
    clock = {"ready": "1h", "decision": "500ms", "bank": "1h", "goodbye": "1h"}
    played = play_with(honest, [misdeed], tmp_path, clock=clock)
    assert same_games(played.of(misdeed), played.imagined(misdeed))


@pytest.mark.parametrize("misdeed", CASES[:3], ids=ids(CASES[:3]))
def test_late_advice_is_none(misdeed: Misdeed, honest: str, tmp_path: Path) -> None:
    records = advised(misdeed, honest, tmp_path, decision=0.5, bank=1.5)
    assert not any(record.faults for record in records)
