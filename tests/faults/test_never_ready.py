"""Never ready: no bot that could be asked came out of the start. It always costs the game, whatever is declared."""

from pathlib import Path

import pytest
from fault_bench import Misdeed, Played, ids, play_with

from arena.players.faults import Fault
from arena.rules.game import Ending

pytestmark = pytest.mark.timeout(180)  # half of them are waited for, and that twice
KEYS = {"clock": {"ready": "4s", "decision": "1h", "goodbye": "1h"}}
CASES = [
    Misdeed("starting", way, Fault.NEVER_READY, detail)
    for way, detail in {
        "exits": "the process exited with code 1 before it was ready",
        "exits with 0": "the process exited with code 0 before it was ready",
        "never listens": "the bot did not listen at the address in ARENA_LISTEN within 4 s",
        "never takes a call": "the bot did not answer Hello within 4 s",
        "never says hello": "the bot did not answer Hello within 4 s",
        "speaks no gRPC": "the bot did not answer Hello within 4 s",
        "hangs up": "the bot closed its connection before it was ready",
        "refuses to say hello": "the bot answered Hello by the status UNIMPLEMENTED before it was ready",
    }.items()
]


def assert_every_game_is_lost(misdeed: Misdeed, played: Played) -> None:
    for record in played.of(misdeed):
        (fault,) = record.faults
        assert (fault.hand, fault.move, fault.fault, fault.detail) == (1, fault.move, misdeed.fault, misdeed.detail)
        assert record.outcome.ending is Ending.FORFEIT
        assert record.outcome.places[fault.seat] == 2


@pytest.mark.parametrize("misdeed", CASES, ids=ids(CASES))
def test_who_is_never_ready_loses_its_games(misdeed: Misdeed, played: Played) -> None:
    assert_every_game_is_lost(misdeed, played)


def test_the_games_of_others_are_what_they_are_without(played: Played, alone: Played) -> None:
    assert played.lines == alone.lines


@pytest.mark.parametrize(
    ("run", "detail"),
    [
        (["./no-such-bot"], "cannot be started: there is no file './no-such-bot'"),
        (["no-such-command"], "cannot be started: there is no command 'no-such-command'"),
        (["./series.yaml"], "cannot be started: './series.yaml' may not be executed"),
    ],
)
def test_who_never_starts_loses_its_games(
    run: list[str], detail: str, honest: str, alone: Played, tmp_path: Path
) -> None:
    class Program(Misdeed):
        def command(self, *, advising: bool = False) -> tuple[str, ...]:
            return tuple(run)

    misdeed = Program("", "is no program", Fault.NEVER_READY, detail)
    played = play_with(honest, [misdeed], tmp_path)
    assert_every_game_is_lost(misdeed, played)
    assert played.lines == alone.lines


BAD_HELLOS = [
    Misdeed("starting", way, Fault.PROTOCOL, detail)
    for way, detail in {
        "speaks another version": "the bot speaks version 2 of the protocol, expected 1",
        "says hello in no protobuf": "the bot answered Hello by a message that is no HelloResponse",
        "says a long hello": "the bot sent a message of more than 1048576 bytes",
    }.items()
]


def test_who_says_hello_wrongly_breaks_the_conversation_and_loses_every_hand(
    honest: str, alone: Played, tmp_path: Path
) -> None:
    played = play_with(honest, BAD_HELLOS, tmp_path)
    for misdeed in BAD_HELLOS:
        for record in played.of(misdeed):
            told = {(fault.fault, fault.detail) for fault in record.faults}
            assert told == {(misdeed.fault, misdeed.detail)}
            assert [fault.hand for fault in record.faults] == [hand.number for hand in record.hands]
            assert record.outcome.places[record.faults[0].seat] == 2
    assert played.lines == alone.lines
