"""What runs in a worker process: crews of bots kept warm, and the shards they play.

A *crew* is one process for each bot of a pairing, for one seating. It is kept from shard to shard, so that bots
need not start again, and is never shared with another seating or pairing: a bot process meets a deal group
once.
"""

import asyncio
import atexit
import multiprocessing
import os
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.synchronize import Event
from pathlib import Path

from arena.dealer.room import Room, RoomRules
from arena.dealer.table import TableRules
from arena.dealer.values import GameRecord, GameSpec
from arena.players.faults import Fault
from arena.players.manifest import BotSpec
from arena.players.player import Player

WARM_CREWS = 6
"""Crews a worker keeps at once; the one unused for longest is sent home first."""


@dataclass(frozen=True, slots=True)
class Job:
    """What every shard of a run has in common."""

    table_rules: TableRules
    room_rules: RoomRules
    bots: dict[str, BotSpec]
    ready: float
    goodbye: float
    logs: Path


@dataclass(frozen=True, slots=True)
class Shard:
    """Some games of one pairing in one seating, in schedule order."""

    pairing: int
    seating: int
    specs: tuple[GameSpec, ...]


@dataclass(frozen=True, slots=True)
class ShardResult:
    """What came of a shard.

    records: the games that were finished.
    seconds: how long the play took.
    start_up: seconds that each bot took to start, for bots started for this shard.
    """

    records: tuple[GameRecord, ...]
    seconds: float
    start_up: dict[str, float]


class Worker:
    """The one of this process, made by `start_worker`."""

    def __init__(self, job: Job, stop: Event) -> None:
        """Prepare; no bot is started before the first shard."""
        self._job = job
        self._stop = stop
        self._loop = asyncio.new_event_loop()
        self._crews: OrderedDict[tuple[int, int], list[Player]] = OrderedDict()

    def play(self, shard: Shard) -> ShardResult:
        """Play a shard to its end, or as far as the stop leaves it."""
        return self._loop.run_until_complete(self._play(shard))

    def dismiss(self) -> None:
        """End every bot."""
        crews = [player for crew in self._crews.values() for player in crew]
        self._crews.clear()
        self._loop.run_until_complete(_stop_all(crews))
        self._loop.close()

    async def _play(self, shard: Shard) -> ShardResult:
        if self._stop.is_set():
            return ShardResult((), 0.0, {})
        crew, start_up = await self._crew(shard)
        room = Room(crew, self._job.table_rules, self._job.room_rules)
        start = time.monotonic()
        records = await room.play(shard.specs, self._stop.is_set)
        return ShardResult(tuple(records), time.monotonic() - start, start_up)

    async def _crew(self, shard: Shard) -> tuple[list[Player], dict[str, float]]:
        key = shard.pairing, shard.seating
        if key in self._crews:
            self._crews.move_to_end(key)
            crew = self._crews[key]
            # A bot that never got ready once is not waited for again.
            broken = [player for player in crew if player.failure and player.failure.fault is not Fault.NEVER_READY]
            await asyncio.gather(*(player.restart() for player in broken))
            return crew, {}
        while len(self._crews) >= WARM_CREWS:
            _, oldest = self._crews.popitem(last=False)
            await _stop_all(oldest)
        names = shard.specs[0].seats
        crew = [self._player(name) for name in names]
        self._crews[key] = crew
        await asyncio.gather(*(player.start() for player in crew))
        return crew, {name: player.start_up for name, player in zip(names, crew, strict=True)}

    def _player(self, name: str) -> Player:
        job = self._job
        return Player(job.bots[name], ready=job.ready, goodbye=job.goodbye, logs=job.logs)


async def _stop_all(players: Sequence[Player]) -> None:
    await asyncio.gather(*(player.stop() for player in players))


_worker: list[Worker] = []


def start_worker(job: Job, stop: Event) -> None:
    """Make this process a worker. Interrupts are the coordinator's business; its death ends the worker too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    worker = Worker(job, stop)
    _worker.append(worker)
    atexit.register(worker.dismiss)


def play_shard(shard: Shard) -> ShardResult:
    """Play a shard in this worker process."""
    return _worker[0].play(shard)


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(3)
