"""Plays what is left of a schedule: shards to workers, results to the store, and a clean stop at any time."""

import multiprocessing
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from enum import Enum

from arena.dealer.table import forfeited_game
from arena.dealer.values import GameRecord, GameSpec
from arena.errors import HostError
from arena.records.store import Run
from arena.tournament.ledger import Ledger
from arena.tournament.schedule import Schedule
from arena.tournament.worker import Job, Shard, ShardResult, play_shard, start_worker

SHARD_SECONDS = 1.2
"""How long a shard should take: short, so that little is lost by a kill; long, so that batches are full."""
FIRST_SHARD_GAMES = 16
GROWTH = 4
"""The most by which the size of a pairing's next shard may change."""
POLL_SECONDS = 0.2
POOL_REBUILDS = 3
"""How often a run goes on after a worker process died, before it gives up."""


class RunEnd(Enum):
    """How a run came to its end."""

    COMPLETE = "complete"
    INTERRUPTED = "interrupted"
    OUT_OF_TIME = "out of time"


@dataclass(slots=True)
class Progress:
    """How far a run is. `hands` counts those played by this call."""

    games_done: int
    games: int
    hands: int = 0


class Runner:
    """Plays one run to its end."""

    def __init__(self, run: Run, schedule: Schedule, job: Job, workers: int) -> None:
        """Take up the run where its store says it stands."""
        self._run = run
        self._job = job
        self._workers = workers
        self._schedule = schedule
        self._stop = multiprocessing.get_context("spawn").Event()
        self._ledger = Ledger(schedule.spec, len(schedule), job.room_rules.quarantine_after)
        done = set()
        for index, bots in run.faults_by_game():
            done.add(index)
            self._ledger.add(index, bots)
        self.progress = Progress(len(done), len(schedule))
        self._queues = self._queue_up(done)
        self._sizes: dict[tuple[int, int], float] = {}
        self._interrupted = False

    def interrupt(self) -> None:
        """Stop now: workers return what is finished. May be called from a signal handler."""
        self._interrupted = True
        self._stop.set()

    def play(self, deadline: float | None, report: Callable[[Progress], None]) -> RunEnd:
        """Play until the schedule is done, `interrupt` is called, or `time.monotonic()` passes the deadline.

        Raises `HostError` if worker processes keep dying or the store cannot be written.
        """
        for _ in range(POOL_REBUILDS):
            try:
                return self._play(deadline, report)
            except BrokenProcessPool:
                if self._interrupted:
                    return RunEnd.INTERRUPTED
        raise HostError(
            f"a worker process died {POOL_REBUILDS} times: is the machine out of memory? "
            "Nothing that was committed is lost; go on with `arena resume`"
        )

    def _play(self, deadline: float | None, report: Callable[[Progress], None]) -> RunEnd:
        in_flight: dict[Future[ShardResult], Shard] = {}
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(self._workers, context, start_worker, (self._job, self._stop))
        try:
            while True:
                late = deadline is not None and time.monotonic() >= deadline
                if not self._interrupted and not late:
                    self._submit(pool, in_flight)
                if not in_flight:
                    break
                done, _ = wait(in_flight, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(in_flight[future], future.result())
                    del in_flight[future]
                if self._interrupted:
                    self._cancel(in_flight)
                report(self.progress)
        finally:
            for shard in in_flight.values():
                self._put_back(shard, ())
            pool.shutdown(cancel_futures=True)
        if self._interrupted:
            return RunEnd.INTERRUPTED
        return RunEnd.COMPLETE if self.progress.games_done == len(self._schedule) else RunEnd.OUT_OF_TIME

    def _submit(self, pool: ProcessPoolExecutor, in_flight: dict[Future[ShardResult], Shard]) -> None:
        """Keep every worker busy, with one shard in reserve."""
        while len(in_flight) <= self._workers:
            shard = self._next_shard(idle=not in_flight)
            if shard is None:
                return
            in_flight[pool.submit(play_shard, shard)] = shard

    def _next_shard(self, *, idle: bool) -> Shard | None:
        """Cut a shard from the queue that is furthest behind, so that a stopped run is balanced over pairings.

        Games of a bot that has probably used up its faults wait until that is certain: everything before
        them is settled once no other game is left and the workers are `idle`.
        """
        suspect = self._ledger.suspect
        heads = [(queue[0], key) for key, queue in self._queues.items() if queue and not suspect(queue[0])]
        certain = bool(heads)
        if not certain and idle:
            heads = [(queue[0], key) for key, queue in self._queues.items() if queue]
        if not heads:
            return None
        _, key = min(heads)
        queue = self._queues[key]
        specs: list[GameSpec] = []
        size = round(self._sizes.setdefault(key, FIRST_SHARD_GAMES)) if certain else 1
        while queue and len(specs) < size and not (certain and suspect(queue[0])):
            specs.append(self._schedule.spec(queue.popleft()))
        return Shard(*key, tuple(specs))

    def _take(self, shard: Shard, result: ShardResult) -> None:
        """Commit what a worker brings, put back what it left, and settle what can be settled."""
        if not result.records and not self._stop.is_set():
            raise HostError(f"a worker finished no game of a shard that starts with game {shard.specs[0].index}")
        self._run.commit(result.records, result.start_up)
        seats = {spec.index: spec.seats for spec in shard.specs}
        for record in result.records:
            self._ledger.add(record.index, [seats[record.index][fault.seat] for fault in record.faults])
            self.progress.hands += len(record.hands)
        self.progress.games_done += len(result.records)
        self._put_back(shard, result.records)
        key = shard.pairing, shard.seating
        pace = SHARD_SECONDS / max(result.seconds, 1e-3)
        self._sizes[key] = max(1.0, len(shard.specs) * min(max(pace, 1 / GROWTH), GROWTH))
        self._bar()

    def _bar(self) -> None:
        """Write down the games that quarantined bots lose unplayed, in place of what may have been played."""
        records = []
        for spec, bots in self._ledger.settle():
            records.append(forfeited_game(spec, self._job.table_rules, bots))
            queue = self._queues.get((self._schedule.pairing(spec.index), spec.seating))
            if queue and queue[0] == spec.index:
                queue.popleft()
                self.progress.games_done += 1
        if records:
            self._run.commit(records, {})

    def _put_back(self, shard: Shard, records: Sequence[GameRecord]) -> None:
        finished = {record.index for record in records}
        left = [spec.index for spec in shard.specs if spec.index not in finished]
        self._queues[shard.pairing, shard.seating].extendleft(reversed(left))

    def _cancel(self, in_flight: dict[Future[ShardResult], Shard]) -> None:
        """Take back the shards that no worker has begun."""
        for future in [future for future in in_flight if future.cancel()]:
            self._put_back(in_flight.pop(future), ())

    def _queue_up(self, done: set[int]) -> dict[tuple[int, int], deque[int]]:
        queues: dict[tuple[int, int], deque[int]] = {}
        for index in range(len(self._schedule)):
            if index not in done:
                spec = self._schedule.spec(index)
                queues.setdefault((self._schedule.pairing(index), spec.seating), deque()).append(index)
        return queues
