"""Protocol: a breach of the conversation. Whatever else such an answer says does not count."""

from pathlib import Path

import pytest
from fault_bench import Misdeed, Played, advised, assert_it_pays, ids, play_with

from arena import dealing
from arena.dealer.table import FaultCost
from arena.players.faults import Fault

TWICE, STRANGE = "the bot answered a turn a second time", "the bot answered a turn that it was not asked"
CASES = [
    Misdeed("breaching", way, Fault.PROTOCOL, detail)
    for way, detail in {
        "answers twice": TWICE,
        "answers an unknown turn": STRANGE,
        "answers a stale turn": STRANGE,
        "answers more than it was asked": STRANGE,
        "floods": STRANGE,
        "floods with nothing": "the bot sent more than 1000 answers without a decision",
        "sends 100 MB": "the bot sent a message of more than 1048576 bytes",
        "sends no protobuf": "the bot sent a message that is no PlayResponse",
    }.items()
]


@pytest.mark.parametrize("misdeed", CASES, ids=ids(CASES))
def test_who_breaks_the_conversation_pays_for_the_turn(misdeed: Misdeed, played: Played) -> None:
    assert_it_pays(misdeed, played)


def test_who_breaks_the_conversation_pays_with_its_game_where_that_is_declared(honest: str, tmp_path: Path) -> None:
    assert_it_pays(CASES[0], play_with(honest, CASES[:1], tmp_path, FaultCost.GAME))


def test_the_games_of_others_are_what_they_are_without(played: Played, alone: Played) -> None:
    assert played.lines == alone.lines


@pytest.mark.parametrize("misdeed", CASES[::3], ids=ids(CASES[::3]))
def test_an_adviser_that_breaks_it_costs_nobody_anything(misdeed: Misdeed, honest: str, tmp_path: Path) -> None:
    assert [fault for record in advised(misdeed, honest, tmp_path) for fault in record.faults]


def test_who_answers_a_turn_of_its_opponent_pays_and_nobody_hears_of_it(
    honest: str, alone: Played, tmp_path: Path
) -> None:
    """It could not know the turn's id. Here it is told: that of its opponent's second turn in its first game."""
    game, seat = len(alone.games), 0  # the culprit's games come next
    turn_id = dealing.opaque_id(alone.shared.seed, game, seat) << 16 | 2
    misdeed = Misdeed("breaching", f"answers a turn of others: {turn_id}", Fault.PROTOCOL, STRANGE)
    assert_it_pays(misdeed, play_with(honest, [misdeed], tmp_path))


def test_who_answers_again_when_its_answer_is_taken_pays_with_the_next_turn(honest: str, tmp_path: Path) -> None:
    """What came too much is read with the answer to the next request. No turn fails alone there, so the first pays."""
    misdeed = Misdeed("breaching", "answers in two messages", Fault.PROTOCOL)
    played = play_with(honest, [misdeed], tmp_path)
    assert {fault.fault for fault in played.faults(misdeed)} == {Fault.PROTOCOL}
    for got, wanted in zip(played.of(misdeed), played.imagined(misdeed), strict=True):
        intact = min((fault.hand for fault in got.faults), default=len(wanted.hands) + 1) - 1
        assert got.hands[:intact] == wanted.hands[:intact]
