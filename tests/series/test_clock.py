"""Whose time is drawn from which bank. The players are scripted: they say how long they took, and nobody waits."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from bots_at_table import bot_class
from series_bench import BOTS, LONG, Crew, bot_spec

from arena.bot.games import Games
from arena.dealer.room import Room, RoomRules
from arena.dealer.values import GameRecord
from arena.players.faults import Failure, Fault
from arena.players.player import Exchange, Player
from arena.protocol.v1.player_pb2 import PlayRequest
from arena.rules.game import Play

HONEST = bot_class("rascal", BOTS)
DECISION, BANK = 1.0, 10.0

Answer = tuple[float, Fault | None]
"""How long a request takes, and the fault in which it ends."""


class Scripted(Player):
    """Plays honestly in this process, and takes the time that `script` says of the number of a request."""

    def __init__(self, name: str, logs: Path, script: Callable[[int], Answer] = lambda _: (0.0, None)) -> None:
        super().__init__(bot_spec(name, "rascal"), ready=LONG, goodbye=LONG, logs=logs)
        self._script = script
        self._games = Games(HONEST)
        self.limits: list[float] = []
        self.banks: list[int] = []
        self.sizes: list[int] = []

    async def restart(self) -> Failure | None:
        return None

    async def exchange(self, request: PlayRequest, ids: Collection[int], limit: float) -> Exchange:
        elapsed, fault = self._script(len(self.limits))
        self.limits.append(limit)
        self.banks += [turn.bank_ms for turn in request.turns]
        self.sizes.append(len(ids))
        decisions = {decision.turn_id: decision for decision in self._games.answer(request).decisions}
        if fault is None:
            return Exchange(decisions, None, elapsed)
        answered = dict(list(decisions.items())[: len(decisions) // 2])
        return Exchange(answered, Failure(fault, "as the script says"), elapsed)


def play(players: Sequence[Player], logs: Path, games: int = 1, *, timed: bool = False) -> list[GameRecord]:
    crew = Crew(tuple(player.spec for player in players), logs)
    crew = replace(crew, format=replace(crew.format, play=Play.DEALS))
    rules = RoomRules(128, 1 if timed else 128, timed, DECISION, BANK, 1000)
    return asyncio.run(Room(players, crew.shared, rules).play(crew.specs(games), lambda: False))


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


def test_a_crash_gives_no_second_clock(tmp_path: Path) -> None:
    crashing = Scripted("crashing", tmp_path, lambda number: (4.0, Fault.CRASH) if number == 1 else (0.0, None))
    (record,) = play([crashing, Scripted("other", tmp_path)], tmp_path, timed=True)
    assert crashing.limits[1:3] == [11.0, 8.0]
    assert record.times[0].worst == 4.0


def test_a_time_out_takes_the_bank_of_its_own_game_alone(tmp_path: Path) -> None:
    stalls = {1: (14.0, Fault.TIMEOUT), 2: (11.0, Fault.TIMEOUT)}
    stalling = Scripted("stalling", tmp_path, lambda number: stalls.get(number, (0.0, None)))
    records = play([stalling, Scripted("other", tmp_path)], tmp_path, games=6)
    assert stalling.sizes[1] >= 4  # half of the batch is answered, of the others the first pays
    assert sorted(record.times[0].worst for record in records) == [0.0] * 5 + [11.0]
    assert sum(len(record.faults) for record in records) == 1
