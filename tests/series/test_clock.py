"""Whose time is drawn from which bank. The players are scripted: they say how long they took, and nobody waits."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from bots_at_table import bot_class
from series_bench import BOTS, GIN, LONG, Crew, bot_spec

from arena.bot import Bot
from arena.bot.games import Games
from arena.dealer.room import Room
from arena.dealer.table import first_roles
from arena.dealer.values import GameRecord, RoomRules
from arena.players.faults import Failure, Fault
from arena.players.player import Exchange, Player
from arena.protocol.v1.player_pb2 import PlayRequest
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import GameKind

HONEST = bot_class("rascal", BOTS)
ADVISER = bot_class("adviser", BOTS)
DECISION, BANK = 1.0, 10.0

Answer = tuple[float, Fault | None]
"""How long a request takes, and the fault in which it ends."""


class Scripted(Player):
    """Plays honestly in this process, and takes the time that `script` says of the number of a request."""

    def __init__(
        self, name: str, logs: Path, script: Callable[[int], Answer] = lambda _: (0.0, None), bot: type[Bot] = HONEST
    ) -> None:
        super().__init__(bot_spec(name, "rascal"), ready=LONG, goodbye=LONG, logs=logs)
        self.hello.advises = bot.advise is not Bot.advise
        self._script = script
        self._games = Games(bot)
        self.limits: list[float] = []
        self.banks: list[int] = []
        self.decisions_ms: list[int] = []
        self.hands: list[int] = []
        self.advising: list[bool] = []
        self.sizes: list[int] = []

    async def restart(self) -> Failure | None:
        return None

    async def exchange(self, request: PlayRequest, ids: Collection[int], limit: float) -> Exchange:
        elapsed, fault = self._script(len(self.limits))
        self.limits.append(limit)
        self.banks += [turn.bank_ms for turn in request.turns]
        self.decisions_ms += [turn.decision_ms for turn in request.turns]
        self.hands += [turn.hand_number for turn in request.turns]
        self.advising += [turn.advising for turn in request.turns]
        self.sizes.append(len(ids))
        decisions = {decision.turn_id: decision for decision in self._games.answer(request).decisions}
        if fault is None:
            return Exchange(decisions, None, elapsed)
        answered = dict(list(decisions.items())[: len(decisions) // 2])
        return Exchange(answered, Failure(fault, "as the script says"), elapsed)


GAME = replace(GIN, rules=Rules(target=200))
"""Several hands."""


def play(
    players: Sequence[Player],
    logs: Path,
    games: int = 1,
    *,
    timed: bool = False,
    rules: GameFormat | None = None,
    hand: float | None = None,
    bank: float = BANK,
) -> list[GameRecord]:
    crew = Crew(tuple(player.spec for player in players), logs)
    crew = replace(crew, format=rules or replace(crew.format, play=Play.DEALS))
    shared = replace(crew.shared, decision_ms=round(DECISION * 1000))
    room = RoomRules(128, 1 if timed else 128, timed, DECISION, bank, 1000, hand)
    return asyncio.run(Room(players, shared, room).play(crew.specs(games), lambda: False)).records


def test_what_a_decision_takes_beyond_its_limit_is_drawn_from_the_bank_of_the_game(tmp_path: Path) -> None:
    slow = Scripted("slow", tmp_path, lambda number: (3.0 if number == 1 else 0.5, None))
    other = Scripted("other", tmp_path)
    (record,) = play([slow, other], tmp_path, timed=True)
    assert slow.limits[:3] == [11.0, 11.0, 9.0]
    assert set(slow.limits[2:-1]) == {9.0}
    assert slow.banks[:3] == [10_000, 10_000, 8_000]
    assert set(other.banks) == {10_000}
    assert record.times[0].worst == 3.0
    assert record.times[0].decisions == len(slow.banks)


def test_the_time_of_a_batch_is_shared(tmp_path: Path) -> None:
    slow = Scripted("slow", tmp_path, lambda number: (3.0 if number == 0 else 0.0, None))
    records = play([slow, Scripted("other", tmp_path)], tmp_path, games=4)
    share = 3.0 / slow.sizes[0]
    assert sorted(record.times[0].worst for record in records) == [0.0] * (4 - slow.sizes[0]) + [share] * slow.sizes[0]
    assert slow.limits[0] == slow.sizes[0] * DECISION + BANK


def test_a_turn_that_is_asked_again_has_what_is_left_of_its_time(tmp_path: Path) -> None:
    attempts = {1: (0.25, Fault.CRASH), 2: (0.5, None), 3: (4.0, Fault.CRASH), 4: (1.0, None)}
    crashing = Scripted("crashing", tmp_path, lambda number: attempts.get(number, (0.0, None)))
    (record,) = play([crashing, Scripted("other", tmp_path)], tmp_path, timed=True, rules=GAME)
    assert crashing.limits[1:6] == [11.0, 10.75, 11.0, 7.0, 7.0]
    assert crashing.decisions_ms[1:6] == [1000, 750, 1000, 1, 1000]  # what is told, and 0 would be no limit
    assert crashing.banks[1:6] == [10_000, 10_000, 10_000, 7_000, 6_000]
    assert record.times[0].worst == 5.0
    assert record.times[0].overtime == 4.0
    assert record.times[0].decisions == len(crashing.banks) - 2


@pytest.mark.parametrize("fault", [Fault.TIMEOUT, Fault.CRASH])
def test_what_a_failed_batch_took_is_charged_to_no_turn_that_answers_alone(fault: Fault, tmp_path: Path) -> None:
    """Without a bank they would have nothing left, and pay for the one that stalls."""
    stalls = {1: (6.0, fault), 2: (1.0, fault)}
    stalling = Scripted("stalling", tmp_path, lambda number: stalls.get(number, (0.0, None)))
    records = play([stalling, Scripted("other", tmp_path)], tmp_path, games=6, bank=0.0)
    size = stalling.sizes[1]
    assert size >= 4
    again = size - size // 2  # half of the batch is answered, of the others the first pays
    assert stalling.limits[2 : 2 + again] == [DECISION] * again
    assert sorted(record.times[0].worst for record in records) == [0.0] * 5 + [1.0]
    assert sum(len(record.faults) for record in records) == 1


def test_what_notices_of_games_that_are_over_may_have_taken_is_charged_to_no_turn(tmp_path: Path) -> None:
    stalling = Scripted("stalling", tmp_path, lambda number: (11.0, Fault.TIMEOUT) if number == 0 else (0.0, None))
    (record,) = play([stalling, Scripted("other", tmp_path)], tmp_path, timed=True)
    assert stalling.limits[:2] == [11.0, 11.0]  # an earlier room may have told it of games, and it is asked again
    assert record.times[0].worst == 0.0


def test_a_game_whose_bot_is_starved_is_void_and_costs_nobody_anything(tmp_path: Path) -> None:
    starved = Scripted("starved", tmp_path, lambda number: (11.0, Fault.STARVED) if number == 3 else (0.0, None))
    crew = Crew((starved.spec, bot_spec("other", "rascal")), tmp_path)
    rules = RoomRules(2, 2, False, DECISION, BANK, 1000)
    room = Room([starved, Scripted("other", tmp_path)], crew.shared, rules)
    records, voids = asyncio.run(room.play(crew.specs(2), lambda: False))
    assert [void.fault for void in voids] == [Fault.STARVED] * (2 - len(records)) != []
    assert not any(record.faults for record in records)


def test_an_average_a_hand_leaves_less_than_the_bank(tmp_path: Path) -> None:
    slow = Scripted("slow", tmp_path, lambda number: (1.5 if number < 2 else 0.0, None))
    other = Scripted("other", tmp_path)
    play([slow, other], tmp_path, timed=True, rules=GAME, hand=4.0)
    assert slow.limits[:3] == [4.0, 2.5, 1.0]
    assert slow.decisions_ms[:3] == [1000, 1000, 1000]
    assert slow.banks[:3] == [3000, 1500, 0]
    second = slow.hands.index(2)
    assert set(slow.limits[2:second]) == {1.0}
    assert slow.limits[second] == 5.0  # two hands come to 8 s
    assert other.limits[other.hands.index(2)] == 8.0


def test_who_has_used_up_the_average_of_a_hand_has_no_time_left_in_it(tmp_path: Path) -> None:
    slow = Scripted("slow", tmp_path, lambda number: (1.25 if number < 2 else 0.0, None))
    play([slow, Scripted("other", tmp_path)], tmp_path, timed=True, rules=GAME, hand=2.0)
    assert slow.limits[:3] == [2.0, 0.75, 0.0]
    assert (slow.decisions_ms[2], slow.banks[2]) == (1, 0)
    assert slow.limits[slow.hands.index(2)] == 1.5


@pytest.mark.parametrize("fault", [None, Fault.TIMEOUT])
def test_the_clock_of_the_adviser_is_nobody_elses_nor_its_own_to_play_by(fault: Fault | None, tmp_path: Path) -> None:
    """The adviser sits out of the first hand. It is slow with its first two answers, or does not answer at all."""
    slow = Scripted("slow", tmp_path, lambda number: (3.0, fault) if number < 2 else (0.0, None), ADVISER)
    others = Scripted("one", tmp_path), Scripted("two", tmp_path)
    rules = replace(GAME, game=GameKind.THREE_HAND)
    (record,) = play([*order(tmp_path, slow, *others)], tmp_path, timed=True, rules=rules, hand=100.0)
    assert slow.advising[0]
    assert slow.banks[0] == 10_000
    assert slow.banks[slow.advising.index(False)] == 10_000
    for other in others:
        assert {*other.banks} == {10_000}
        assert {*other.limits} == {11.0}
    assert not record.faults
    seat = record.hands[0].roles.out
    assert seat is not None
    if fault is None:
        assert slow.banks[1:3] == [8_000, 6_000]
        assert [time.overtime for time in record.times] == [4.0 * (number == seat) for number in range(3)]
    else:
        assert slow.advising.count(True) == 2  # and once more, since it may have been told of games before; not again


def order(logs: Path, out: Player, *others: Player) -> list[Player]:
    """These players by seat, so that `out` sits out of the first hand of the first game."""
    seat = first_roles(replace(Crew((), logs).shared, format=replace(GAME, game=GameKind.THREE_HAND)), 0).out
    assert seat is not None
    seats = [*others]
    seats.insert(seat, out)
    return seats
