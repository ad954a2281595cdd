"""What a worker does, wherever it is: crews of bots kept warm, and the shards they play.

A *crew* is one process for each bot of a pairing, for one seating. It is kept from shard to shard, so that bots
need not start again, and is never shared with another seating or pairing, nor kept when a game was broken off that
may have to be played again: a bot process meets a deal group once.
"""

import asyncio
import gc
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.dealer.room import Room, stopped
from arena.dealer.table import TableRules
from arena.dealer.values import GameRecord, GameSpec, RoomRules, Void
from arena.isolation.values import NO_ISOLATION, Isolation
from arena.players.clock import Measure, Presence
from arena.players.connection import Remote
from arena.players.faults import Culprit, Failure, Fault, blamed
from arena.players.player import Player
from arena.players.process import Output
from arena.players.spec import BotSpec

WARM_CREWS = 6
"""Crews a worker keeps at once, where they fit; the one unused for longest is sent home first."""
STOP_SECONDS = 0.5
"""What a bot gets to say goodbye when the run is stopped."""
PAUSE_SECONDS = 2.0
"""What a machine that could not start a bot gets to recover, before it is tried again."""


@dataclass(frozen=True, slots=True)
class Job:
    """What every shard of a run has in common."""

    table_rules: TableRules
    room_rules: RoomRules
    bots: dict[str, BotSpec]
    ready: float
    goodbye: float
    logs: Path
    crews: int = WARM_CREWS
    isolation: Isolation = NO_ISOLATION
    measure: Measure = Measure.WALL
    remote: Remote = field(default_factory=Remote)


@dataclass(frozen=True, slots=True)
class Shard:
    """Some games of one pairing in one seating, in schedule order.

    excused: bots that were killed before, in these games or too often, so that this time it is their own fault.
    """

    pairing: int
    seating: int
    specs: tuple[GameSpec, ...]
    excused: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Load:
    """What play asked of bots and of this machine.

    decisions: asked of bots. requests: the messages that they were asked in.
    away: seconds that the loop of a worker was not there when it should have been: held up by the machine.
    """

    decisions: int = 0
    requests: int = 0
    away: float = 0.0

    def __add__(self, other: "Load") -> "Load":
        """The two together."""
        return Load(self.decisions + other.decisions, self.requests + other.requests, self.away + other.away)


@dataclass(frozen=True, slots=True)
class ShardResult:
    """What came of a shard.

    records: the games that were finished.
    seconds: how long the play took.
    starts: seconds that each bot took to get ready, each time that it was started.
    voids: the games that were broken off.
    load: what the play asked.
    networks: round trips of the network in seconds, of each bot that has dialled in.
    """

    records: tuple[GameRecord, ...]
    seconds: float
    starts: dict[str, list[float]]
    voids: tuple[Void, ...] = ()
    load: Load = Load()
    networks: dict[str, list[float]] = field(default_factory=dict)


class Worker:
    """The one of its process."""

    def __init__(self, job: Job, stop: Callable[[], bool]) -> None:
        """Prepare; no bot is started before the first shard.

        stop: once it says so, what is being done ends within two seconds.
        """
        self._job = job
        self._stop = stop
        self._loop = asyncio.new_event_loop()
        self._crews: OrderedDict[tuple[int, int], list[Player]] = OrderedDict()
        self._outputs: dict[str, list[Output]] = {}  # of players that have ended, by bot

    def play(self, shard: Shard) -> ShardResult:
        """Play a shard to its end, or as far as the stop leaves it. Raises `HostError`."""
        result = self._loop.run_until_complete(self._play(shard))
        if any(void.fault is Fault.SPAWN for void in result.voids):
            self._loop.run_until_complete(self._pause())
        return result

    def dismiss(self) -> None:
        """End every bot."""
        crews = [player for crew in self._crews.values() for player in crew]
        self._crews.clear()
        self._loop.run_until_complete(self._stop_all(crews))
        self._loop.close()

    def renew(self, shard: Shard) -> None:
        """Let a shard be played by fresh processes, as those that are there may have met its games."""
        if (shard.pairing, shard.seating) in self._crews:
            self._loop.run_until_complete(self._dismiss(shard))

    def kill(self) -> None:
        """Kill every bot: for a process that is about to end, from a signal handler."""
        for crew in self._crews.values():
            for player in crew:
                player.kill()

    async def _play(self, shard: Shard) -> ShardResult:
        presence = Presence.here()
        away = presence.away_so_far()
        crew, failure = await self._crew(shard)
        if failure is not None:
            await self._dismiss(shard)
            first = shard.specs[0].index
            bot = next((player.spec.name for player in crew if player.failure is failure), "")
            return _noted(crew, ShardResult((), 0.0, {}, (Void(first, failure.fault, failure.detail, bot),)))
        if self._stop():
            return _noted(crew, ShardResult((), 0.0, {}))
        room = Room(crew, self._job.table_rules, self._job.room_rules, excused=shard.excused)
        start = time.monotonic()
        records, voids = await room.play(shard.specs, self._stop)
        if len(records) < len(shard.specs):
            await self._dismiss(shard)
        load = Load(away=presence.away_so_far() - away)
        return _noted(crew, ShardResult(tuple(records), time.monotonic() - start, {}, tuple(voids), load))

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(PAUSE_SECONDS):
                await stopped(self._stop)

    async def _crew(self, shard: Shard) -> tuple[list[Player], Failure | None]:
        """The bots for a shard, and why this machine could not start them."""
        key = shard.pairing, shard.seating
        if key in self._crews:
            self._crews.move_to_end(key)
            crew = self._crews[key]
            # A bot that never got ready once is not waited for again.
            broken = [player for player in crew if player.failure and player.failure.fault is not Fault.NEVER_READY]
            return crew, await self._started([_judged(player, player.restart(), shard) for player in broken])
        while len(self._crews) >= self._job.crews:
            _, oldest = self._crews.popitem(last=False)
            await self._stop_all(oldest)
        crew = [self._player(name) for name in shard.specs[0].seats]
        self._crews[key] = crew
        return crew, await self._started([_judged(player, player.start(), shard) for player in crew])

    async def _started(self, starts: Iterable[Coroutine[None, None, Failure | None]]) -> Failure | None:
        """Start bots together, but give up as soon as the stop comes. Returns what the machine failed in."""
        tasks = [asyncio.create_task(start) for start in starts]
        watch = asyncio.create_task(stopped(self._stop))
        pending = {watch, *tasks}
        try:
            while not watch.done() and not all(task.done() for task in tasks):
                _, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            failures = [task.result() for task in tasks if task.done()]
        finally:
            for task in (watch, *tasks):
                task.cancel()
            await asyncio.gather(watch, *tasks, return_exceptions=True)
        return next((failure for failure in failures if failure and failure.fault.culprit is not Culprit.BOT), None)

    async def _dismiss(self, shard: Shard) -> None:
        """Send the crew of a shard home: what it has played of may have to be played again."""
        await self._stop_all(self._crews.pop((shard.pairing, shard.seating)))

    async def _stop_all(self, players: Sequence[Player]) -> None:
        patience = STOP_SECONDS if self._stop() else self._job.goodbye
        await asyncio.gather(*(player.stop(patience) for player in players))
        for player in players:
            self._outputs.setdefault(player.spec.name, []).append(player.output)

    def _player(self, name: str) -> Player:
        job = self._job
        used = self._outputs.get(name)
        output = used.pop() if used else None
        if output is not None:
            output.hand_on()
        return Player(
            job.bots[name],
            ready=job.ready,
            goodbye=job.goodbye,
            logs=job.logs,
            isolation=job.isolation,
            measure=job.measure,
            output=output,
            remote=job.remote,
        )


async def _judged(player: Player, start: Coroutine[None, None, Failure | None], shard: Shard) -> Failure | None:
    """What went wrong with a start, and whose fault it is in this shard."""
    failure = await start
    return blamed(failure, Fault.NEVER_READY) if failure and player.spec.name in shard.excused else failure


def _noted(crew: Iterable[Player], result: ShardResult) -> ShardResult:
    """A result with what has been noted of the players."""
    notes = {player.spec.name: player.take_notes() for player in crew}
    load = sum([Load(noted.decisions, noted.requests) for noted in notes.values()], result.load)
    starts = {name: noted.starts for name, noted in notes.items()}
    networks = {name: noted.round_trips for name, noted in notes.items() if noted.round_trips}
    return replace(result, starts=starts, load=load, networks=networks)


def spare_the_collector() -> None:
    """Let the garbage collector look less often at what dealing makes, and no more at what is loaded by now.

    Next to nothing of it is in circles: reference counts free it.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
