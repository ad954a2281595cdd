"""What a bot does wrong is found out, charged to it in the hand in which it happened, and costs what was declared.

Runs of real processes are compared with the same games at a table without any, where every doomed turn is a fault.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from bots_at_table import bot_class, play_by
from series_bench import BOTS, GIN, Crew, bot_spec, games, sleeper
from thinning import thinned

from arena.bot import Bot
from arena.dealer.table import FaultCost
from arena.dealer.values import FaultRecord, GameRecord
from arena.players.faults import Failure, Fault
from arena.players.manifest import read_manifest
from arena.players.spec import Transport
from arena.rules.game import Ending
from arena.rules.options import Rules
from arena.rules.result import ResultKind
from arena.rules.view import Turn

EVERY = 107
"""About one turn in so many of the rascal's is doomed."""
NEVER = 2**64 + 1
HONEST = bot_class("rascal", BOTS)
GAMES = 3
"""In one a hand is forfeited and the game goes on, in one it is the last, in one there is nothing wrong."""
TO_80 = replace(GIN, rules=Rules(target=80))

RASCAL = 1
"""Its seat."""

WAYS = {
    "crash": Fault.CRASH,
    "illegal": Fault.ILLEGAL,
    "malformed": Fault.MALFORMED,
    "stranger": Fault.PROTOCOL,
    "repetition": Fault.PROTOCOL,
}


WORDS = {
    "crash": {"the process exited with code 3"},
    "illegal": {"expected stock or pile, got defend"},
}


def crew(way: str, logs: Path, size: int = 128, cost: FaultCost = FaultCost.HAND) -> Crew:
    """An honest bot and a rascal. size: tables in flight, and the largest batch."""
    honest, rascal = (
        bot_spec(*bot) for bot in (("honest", "rascal", "", str(NEVER)), (way, "rascal", way, str(EVERY)))
    )
    return Crew((honest, rascal), logs, TO_80, cost, size, size)


def imagined(crew: Crew, fault: Fault | None, count: int = GAMES) -> list[GameRecord]:
    """The crew's games as they have to be."""

    def fate(turn: Turn, seat: int) -> Failure | None:
        return Failure(fault, "") if fault and seat == RASCAL and turn.seed % EVERY == 0 else None

    return [play_by(crew.shared, spec, (HONEST, HONEST), fate) for spec in crew.specs(count)]


def public(record: GameRecord) -> GameRecord:
    """A record without its times, and without what the bots printed."""
    return replace(record, times=(), faults=tuple([replace(fault, output="") for fault in record.faults]))


def faults(records: list[GameRecord]) -> list[FaultRecord]:
    return [fault for record in records for fault in record.faults]


def test_what_is_imagined_here_is_worth_it(tmp_path: Path) -> None:
    wanted = imagined(crew("crash", tmp_path), Fault.CRASH)
    assert [(len(record.hands), [fault.hand for fault in record.faults]) for record in wanted] == [
        (4, [3]), (2, [2]), (6, []),
    ]  # fmt: skip


@pytest.mark.parametrize("way", thinned(["stranger", "malformed", "repetition"], 3))
def test_a_fault_is_charged_to_its_turn(way: str, tmp_path: Path) -> None:
    players = crew(way, tmp_path)
    assert games(players.play(players.specs(GAMES))) == games(imagined(players, WAYS[way]))


@pytest.mark.parametrize("way", thinned(["crash", "illegal"], 2))
def test_the_tables_in_flight_and_the_batch_change_nothing_not_even_the_words(way: str, tmp_path: Path) -> None:
    by_size = []
    for size in (1, 128):
        players = crew(way, tmp_path, size)
        by_size.append([public(record) for record in players.play(players.specs(GAMES))])
    assert by_size[0] == by_size[1]
    assert games(by_size[0]) == games(imagined(crew(way, tmp_path), WAYS[way]))
    assert {record.faults[0].detail.partition("; ")[2] for record in by_size[0] if record.faults} == WORDS[way]


@pytest.mark.parametrize("way", thinned(["illegal", "crash"], 2))
def test_a_fault_costs_the_game_where_that_is_declared(way: str, tmp_path: Path) -> None:
    players = crew(way, tmp_path, cost=FaultCost.GAME)
    played = players.play(players.specs(GAMES))
    assert games(played) == games(imagined(players, WAYS[way]))
    assert {record.outcome.places for record in played if record.faults} == {(1, 2)}
    assert {record.outcome.ending for record in played if record.faults} == {Ending.FORFEIT}


def test_a_forfeited_hand_counts_as_if_the_opponent_had_gone_gin(tmp_path: Path) -> None:
    """What `imagined` takes for granted."""
    players = crew("illegal", tmp_path)
    forfeits = 0
    for with_faults, without in zip(imagined(players, Fault.ILLEGAL, 20), imagined(players, None, 20), strict=True):
        by_hand = {fault.hand: fault for fault in with_faults.faults}
        assert {fault.seat for fault in with_faults.faults} <= {RASCAL}
        for hand in with_faults.hands:
            fault = by_hand.get(hand.number)
            assert (hand.result.kind is ResultKind.FORFEIT) == (fault is not None)
            if fault is not None:
                forfeits += 1
                assert hand.roles.seat(hand.result.winner or 0) == 1 - RASCAL
                assert hand.result.points == TO_80.rules.gin_bonus + (hand.result.defender_deadwood or 0)
        # Nothing before the first fault is changed by it.
        intact = min(by_hand, default=len(without.hands) + 1) - 1
        assert with_faults.hands[:intact] == without.hands[:intact]
    assert forfeits > 5


@pytest.mark.parametrize(("way", "size"), [("stall", 1), ("silence", 4)])
def test_a_turn_without_an_answer_is_charged_when_its_time_is_over(way: str, size: int, tmp_path: Path) -> None:
    players = replace(crew(way, tmp_path, size, FaultCost.GAME), decision=0.2, bank=2.0)
    played = players.play(players.specs(4))
    assert games(played) == games(imagined(players, Fault.TIMEOUT, 4))
    assert {fault.detail.split("; ")[1] for fault in faults(played)} == {"the bot did not answer in time"}
    assert max(record.times[RASCAL].worst for record in played) >= 2.2


def test_a_bot_that_cannot_start_loses_its_games(tmp_path: Path) -> None:
    absent = read_manifest(BOTS / "absent")
    players = Crew((bot_spec("honest", "rascal", "", str(NEVER)), absent), tmp_path)
    for record in players.play(players.specs(2), players.specs(4)[2:]):
        assert record.outcome.places == (1, 2)
        assert record.outcome.ending is Ending.FORFEIT
        (fault,) = record.faults
        assert (fault.seat, fault.fault) == (1, Fault.NEVER_READY)
        assert fault.detail == "the process exited with code 1 before it was ready"


def test_a_bot_that_never_listens_is_waited_for_once(tmp_path: Path) -> None:
    # Five seconds are enough to begin in on a busy machine too: with fewer it might be starved.
    players = Crew((sleeper("one"), sleeper("two")), tmp_path, ready=5.0)
    played = players.play(players.specs(2), players.specs(4)[2:])
    assert [fault.fault for fault in faults(played)] == [Fault.NEVER_READY] * 4
    assert [record.outcome.places[record.faults[0].seat] for record in played] == [2] * 4
    assert (tmp_path / "one" / "stderr.log").read_text() == "started\n"


@pytest.mark.parametrize("size", thinned([128, 1], 2))
def test_who_ends_with_its_game_is_started_again_and_pays_nothing(size: int, tmp_path: Path) -> None:
    leaver, other = bot_spec("leaver", "leaver"), bot_spec("honest", "rascal", "", str(NEVER))
    players = Crew((leaver, other), tmp_path, tables=size, batch=size)
    specs = players.specs(4)
    wanted = [play_by(players.shared, spec, (Bot, HONEST)) for spec in specs]
    assert games(players.play(specs[:2], specs[2:])) == games(wanted)


@pytest.mark.parametrize("size", thinned([1, 128], 2))
def test_who_sleeps_when_its_game_is_over_does_not_pay_in_another_game(size: int, tmp_path: Path) -> None:
    sleepy, other = bot_spec("leaver", "leaver", "sleep"), bot_spec("honest", "rascal", "", str(NEVER))
    players = Crew((sleepy, other), tmp_path, tables=size, batch=size, decision=2.0, goodbye=0.5)
    specs = players.specs(2)
    wanted = [play_by(players.shared, spec, (Bot, HONEST)) for spec in specs]
    assert games(players.play(specs)) == games(wanted)


def test_who_fails_on_no_turn_alone_pays_for_the_first_in_schedule_order(tmp_path: Path) -> None:
    players = Crew((bot_spec("honest", "rascal", "", str(NEVER)), bot_spec("worn", "rascal", "wear", "50")), tmp_path)
    played = players.play(players.specs(12))  # of so many games, several wait for it at any time
    assert {(fault.seat, fault.fault) for fault in faults(played)} == {(RASCAL, Fault.CRASH)}
    assert any(
        "several decisions asked at once; the process exited with code 4" in fault.detail for fault in faults(played)
    )
    assert played[0].faults


def test_a_machine_that_cannot_start_a_bot_costs_the_bot_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    players = crew("crash", tmp_path)
    players = replace(players, bots=tuple(replace(bot, transport=Transport.UNIX) for bot in players.bots))
    (void,) = players.shards(players.specs(1))[0].voids
    assert (void.index, void.fault) == (0, Fault.SPAWN)
    assert "too long a path for a socket" in void.detail
