"""The arena's own room with real bot processes: one process that deals, two that play, as on the floor."""

import asyncio
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.dealer.room import Room
from arena.dealer.table import TableRules
from arena.dealer.values import GameRecord, GameSpec, RoomRules
from arena.dealing import master_seed
from arena.players.manifest import read_manifest
from arena.players.player import Exchange, Player
from arena.players.spec import BotSpec
from arena.protocol.v1.player_pb2 import PlayRequest
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import GameKind
from arena.tournament.worker import spare_the_collector
from benchmarks.measure import Figures, Meter, Size, processes

TABLES = 256
"""Games in flight: so many that a bot always has a full batch of 128 waiting."""
TIMED_TABLES = 16
"""Games in flight where a bot has one turn at a time."""
NAMES = ("first", "second")
"""The two bots that play."""
LONGEST_HAND = 64
"""Decisions; a hand of the bots that play here has fewer."""


class Counted(Player):
    """A player whose decisions are counted."""

    def __init__(self, spec: BotSpec, logs: Path, meter: Meter) -> None:
        super().__init__(spec, ready=60.0, goodbye=2.0, logs=logs)
        self._meter = meter

    async def exchange(self, request: PlayRequest, ids: Collection[int], limit: float) -> Exchange:
        """Ask, and count the answers."""
        answer = await super().exchange(request, ids, limit)
        if answer.failure is not None:
            raise RuntimeError(answer.failure.detail)
        self._meter.count(len(answer.decisions))
        return answer


def measure(bot: Path, hints: bool, timed: bool, size: Size) -> Figures:
    """Decisions and hands a second of two copies of a bot, and what a decision costs the arena."""
    return measure_these([replace(read_manifest(bot), name=name) for name in NAMES], hints, timed, size)


def measure_these(bots: Sequence[BotSpec], hints: bool, timed: bool, size: Size) -> Figures:
    """The same of these two, called by `NAMES`, wherever they are."""
    spare_the_collector()  # as a worker does
    return asyncio.run(_measure(bots, hints, timed, size))


async def _measure(bots: Sequence[BotSpec], hints: bool, timed: bool, size: Size) -> Figures:
    meter = Meter()
    shared = TableRules(GameFormat(GameKind.GIN, False, Play.DEALS, Rules()), master_seed("bench"), hints)
    tables, batch = (TIMED_TABLES, 1) if timed else (TABLES, 128)
    rules = RoomRules(tables, batch, timed, decision=60.0, bank=0.0, quarantine_after=1)
    specs = [GameSpec(index, index, 0, NAMES) for index in range(2 * size.groups)]
    stop = asyncio.Event()
    with TemporaryDirectory() as logs:
        players = [Counted(bot, Path(logs), meter) for bot in bots]
        try:
            await asyncio.gather(*(player.start() for player in players))
            started = [process.pid for process in processes() if process.parent == os.getpid()]
            play = asyncio.create_task(Room(players, shared, rules).play(specs, stop.is_set))
            try:
                figures = await meter.window(size, [play], started)
                await meter.reach(tables * LONGEST_HAND, [play])
            finally:
                stop.set()
                records = (await play).records
        finally:
            await asyncio.gather(*(player.stop() for player in players))
    return figures | {"hands/s": figures["decisions/s"] / decisions_a_hand(records)}


def decisions_a_hand(records: Collection[GameRecord]) -> float:
    """How many decisions a hand has, by what was played."""
    decisions = sum(time.decisions for record in records for time in record.times)
    return decisions / sum(len(record.hands) for record in records)
