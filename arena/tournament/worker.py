"""What runs in a worker process: crews of bots kept warm, and the shards they play.

A *crew* is one process for each bot of a pairing, for one seating. It is kept from shard to shard, so that bots
need not start again, and is never shared with another seating or pairing, nor kept when a game was broken off that
may have to be played again: a bot process meets a deal group once.
"""

import asyncio
import atexit
import gc
import multiprocessing
import os
import signal
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Coroutine, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.synchronize import Event
from pathlib import Path

from arena.dealer.room import Room, RoomRules, not_the_hosts, stopped
from arena.dealer.table import TableRules
from arena.dealer.values import GameRecord, GameSpec
from arena.players.faults import Failure, Fault
from arena.players.launch import remove_private_folder
from arena.players.manifest import BotSpec
from arena.players.player import Player

WARM_CREWS = 6
"""Crews a worker keeps at once; the one unused for longest is sent home first."""
STOP_SECONDS = 0.5
"""What a bot gets to say goodbye when the run is stopped."""


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
    starts: seconds that each bot took to get ready, each time that it was started.
    """

    records: tuple[GameRecord, ...]
    seconds: float
    starts: dict[str, list[float]]


class Worker:
    """The one of this process, made by `start_worker`."""

    def __init__(self, job: Job, stop: Event) -> None:
        """Prepare; no bot is started before the first shard. stop: ends what is being done, within two seconds."""
        self._job = job
        self._stop = stop
        self._loop = asyncio.new_event_loop()
        self._crews: OrderedDict[tuple[int, int], list[Player]] = OrderedDict()

    def play(self, shard: Shard) -> ShardResult:
        """Play a shard to its end, or as far as the stop leaves it. Raises `HostError`."""
        return self._loop.run_until_complete(self._play(shard))

    def dismiss(self) -> None:
        """End every bot."""
        crews = [player for crew in self._crews.values() for player in crew]
        self._crews.clear()
        self._loop.run_until_complete(self._stop_all(crews))
        self._loop.close()

    def kill(self) -> None:
        """Kill every bot: for a process that is about to end, from a signal handler."""
        for crew in self._crews.values():
            for player in crew:
                player.kill()

    async def _play(self, shard: Shard) -> ShardResult:
        crew = await self._crew(shard)
        if self._stop.is_set():
            return ShardResult((), 0.0, _starts(crew))
        room = Room(crew, self._job.table_rules, self._job.room_rules)
        start = time.monotonic()
        records = await room.play(shard.specs, self._stop.is_set)
        if len(records) < len(shard.specs):
            await self._stop_all(self._crews.pop((shard.pairing, shard.seating)))
        return ShardResult(tuple(records), time.monotonic() - start, _starts(crew))

    async def _crew(self, shard: Shard) -> list[Player]:
        """The bots for a shard."""
        key = shard.pairing, shard.seating
        if key in self._crews:
            self._crews.move_to_end(key)
            crew = self._crews[key]
            # A bot that never got ready once is not waited for again.
            broken = [player for player in crew if player.failure and player.failure.fault is not Fault.NEVER_READY]
            await self._unless_stopped(player.restart() for player in broken)
            return crew
        while len(self._crews) >= WARM_CREWS:
            _, oldest = self._crews.popitem(last=False)
            await self._stop_all(oldest)
        crew = [self._player(name) for name in shard.specs[0].seats]
        self._crews[key] = crew
        await self._unless_stopped(player.start() for player in crew)
        return crew

    async def _unless_stopped(self, starts: Iterable[Coroutine[None, None, Failure | None]]) -> None:
        """Start bots together, but give up as soon as the stop comes."""
        tasks = [asyncio.create_task(start) for start in starts]
        watch = asyncio.create_task(stopped(self._stop.is_set))
        try:
            while not watch.done() and not all(task.done() for task in tasks):
                await asyncio.wait({watch, *tasks}, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    not_the_hosts(task.result())
        finally:
            for task in (watch, *tasks):
                task.cancel()
            await asyncio.gather(watch, *tasks, return_exceptions=True)

    async def _stop_all(self, players: Iterable[Player]) -> None:
        patience = STOP_SECONDS if self._stop.is_set() else self._job.goodbye
        await asyncio.gather(*(player.stop(patience) for player in players))

    def _player(self, name: str) -> Player:
        job = self._job
        return Player(job.bots[name], ready=job.ready, goodbye=job.goodbye, logs=job.logs)


def _starts(crew: Iterable[Player]) -> dict[str, list[float]]:
    return {player.spec.name: player.take_starts() for player in crew}


_worker: list[Worker] = []
_INTERRUPTS = frozenset({signal.SIGINT, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])})
"""What every process in a terminal gets at once: Ctrl-C, and that the terminal is closed."""


def start_worker(job: Job, stop: Event, scratch: Path) -> None:
    """Make this process a worker. Interrupts are the coordinator's business; its death ends the worker too.

    scratch: a folder of the run's, where the private folders of bots are to be.
    """
    for number in _INTERRUPTS:
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
    own = scratch / str(os.getpid())
    own.mkdir()
    tempfile.tempdir = str(own)
    spare_the_collector()
    worker = Worker(job, stop)
    _worker.append(worker)

    def leave(*_: object) -> None:
        """End at once, but leave nothing behind: the coordinator has died, or gives up this worker."""
        worker.kill()
        remove_private_folder(own)
        with suppress(OSError):  # others are still in it
            scratch.rmdir()
        os._exit(3)

    signal.signal(signal.SIGTERM, leave)
    threading.Thread(target=_follow_parent, daemon=True).start()
    atexit.register(worker.dismiss)


def spare_the_collector() -> None:
    """Let the garbage collector look less often at what dealing makes, and no more at what is loaded by now.

    Next to nothing of it is in circles: reference counts free it.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """What is started in here hears no interrupt from its first moment, before `start_worker` can see to it.

    The process itself hears it afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def play_shard(shard: Shard) -> ShardResult:
    """Play a shard in this worker process."""
    return _worker[0].play(shard)


def _follow_parent() -> None:
    """End with the coordinator, however it ends: the main thread is signalled, to see to the bots."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
