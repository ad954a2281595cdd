"""Series for tests: played by real bot processes, and told apart from what they have to be."""

import multiprocessing
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.dealer.room import RoomRules
from arena.dealer.table import FaultCost, TableRules
from arena.dealer.values import GameRecord, GameSpec
from arena.dealing import master_seed
from arena.players.manifest import BotSpec, inline_spec
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import GameKind
from arena.tournament.worker import Job, Shard, Worker

BOTS = Path(__file__).parent / "series" / "bots"
LONG = 3600.0
"""Seconds. A limit that is never reached: pytest ends a test that waits for it."""

GIN = GameFormat(GameKind.GIN, False, Play.GAMES, Rules(target=40))
"""Short games: two or three hands."""


def sleeper(name: str) -> BotSpec:
    """A bot that is started, says so, and never listens."""
    program = "import sys, time; print('started', file=sys.stderr, flush=True); time.sleep(3600)"
    return inline_spec(name, run=("{python}", "-c", program))


def bot_spec(name: str, bot: str, *arguments: str) -> BotSpec:
    """A bot of series/bots under a name, with arguments for its program."""
    return inline_spec(name, run=("{python}", "bot.py", *arguments), folder=BOTS / bot)


@dataclass(frozen=True)
class Crew:
    """The bots of one seating and how they play.

    bots: by seat. The rest as in `TableRules` and `RoomRules`; no clock is ever up unless it is set here.
    """

    bots: tuple[BotSpec, ...]
    logs: Path
    format: GameFormat = GIN
    cost: FaultCost = FaultCost.HAND
    tables: int = 128
    batch: int = 128
    decision: float = LONG
    bank: float = 0.0
    ready: float = LONG
    quarantine_after: int = 1000
    seed: bytes = field(default=master_seed("series"))

    @property
    def shared(self) -> TableRules:
        return TableRules(self.format, self.seed, cost=self.cost)

    def specs(self, games: int) -> list[GameSpec]:
        """Games of this seating, each of a deal group of its own."""
        seats = tuple(bot.name for bot in self.bots)
        return [GameSpec(index, index, 0, seats) for index in range(games)]

    def play(self, *shards: Sequence[GameSpec]) -> list[GameRecord]:
        """What one worker makes of these shards."""
        room = RoomRules(self.tables, self.batch, False, self.decision, self.bank, self.quarantine_after)
        job = Job(self.shared, room, {bot.name: bot for bot in self.bots}, self.ready, LONG, self.logs)
        worker = Worker(job, multiprocessing.get_context("spawn").Event())
        try:
            return [record for specs in shards for record in worker.play(Shard(0, 0, tuple(specs))).records]
        finally:
            worker.dismiss()


Game = tuple[object, ...]


def games(records: Iterable[GameRecord]) -> list[Game]:
    """What has to be the same: everything but the number of the game, the words about a fault, and the times."""
    return [
        (record.hands, record.outcome, [(fault.seat, fault.hand, fault.fault) for fault in record.faults])
        for record in records
    ]
