"""Plays what is left of a schedule: shards to workers, results to the store, and a clean stop at any time."""

import multiprocessing
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from arena.dealer.table import forfeited_game
from arena.dealer.values import GameSpec
from arena.errors import HostError
from arena.players.launch import remove_private_folder
from arena.records.store import Run
from arena.tournament.ledger import Ledger
from arena.tournament.schedule import Schedule
from arena.tournament.worker import Job, Shard, ShardResult, deaf_to_interrupts, play_shard, start_worker

SHARD_SECONDS = 1.2
"""How long a shard should take: short, so that little is lost by a kill; long, so that batches are full."""
FIRST_SHARD_GAMES = 16
GROWTH = 4
"""The most by which the size of a pairing's next shard may change."""
POLL_SECONDS = 0.2
STOP_SECONDS = 5.0
"""What workers get to come back when the run is stopped, more than they need: one that is held up then is killed."""
WORKER_DEATHS = 3
"""How often worker processes may die one after the other without a game finished, before a run gives up."""


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
        with deaf_to_interrupts():  # it starts a process that watches over it to the end
            self._stop = multiprocessing.get_context("spawn").Event()
        self._ledger = Ledger(schedule.spec, len(schedule), job.room_rules.quarantine_after)
        self._done = bytearray(len(schedule))  # 1 for every game with a record
        self.progress = Progress(0, len(schedule))
        for index, bots in run.faults_by_game():
            self._count(index)
            self._ledger.add(index, bots)
        self._queues = self._queue_up()
        self._sizes: dict[tuple[int, int], float] = {}
        self._interrupted = False

    def interrupt(self) -> None:
        """Stop now: workers return what is finished. May be called from a signal handler, so it takes no lock."""
        self._interrupted = True

    def play(self, deadline: float | None, report: Callable[[Progress], None]) -> RunEnd:
        """Play until the schedule is done, `interrupt` is called, or `time.monotonic()` passes the deadline.

        Raises `HostError` if worker processes keep dying or the store cannot be written.
        """
        deaths = 0
        while True:
            done = self.progress.games_done
            try:
                return self._play(deadline, report)
            except BrokenProcessPool as broken:
                deaths = deaths + 1 if self.progress.games_done == done else 1
                if self._interrupted:
                    return RunEnd.INTERRUPTED
                if deaths == WORKER_DEATHS:
                    raise HostError(
                        f"{deaths} times a worker process died before it had finished a game: is the machine out of "
                        f"memory? Every finished game is kept; go on with: arena resume {self._run.folder}"
                    ) from broken

    def _play(self, deadline: float | None, report: Callable[[Progress], None]) -> RunEnd:
        in_flight: dict[Future[ShardResult], Shard] = {}
        context = multiprocessing.get_context("spawn")
        with _scratch() as scratch:
            pool = ProcessPoolExecutor(self._workers, context, start_worker, (self._job, self._stop, scratch))
            last_resort = threading.Timer(STOP_SECONDS, _kill_workers)
            last_resort.daemon = True
            try:
                self._bar()
                while True:
                    late = deadline is not None and time.monotonic() >= deadline
                    if self._interrupted:
                        if not self._stop.is_set():
                            self._stop.set()
                            last_resort.start()
                        self._cancel(in_flight)
                    elif not late:
                        self._submit(pool, in_flight)
                    if not in_flight:
                        break
                    done, _ = wait(in_flight, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
                    for future in done:
                        self._take(in_flight[future], future.result())
                        del in_flight[future]
                    report(self.progress)
            except BrokenProcessPool:
                raise
            except BaseException:
                self._stop.set()  # else the workers would play on, with nobody to take what they bring
                raise
            finally:
                for shard in in_flight.values():
                    self._put_back(shard)
                pool.shutdown(cancel_futures=True)
                last_resort.cancel()
        if self.progress.games_done == len(self._schedule):
            return RunEnd.COMPLETE
        return RunEnd.INTERRUPTED if self._interrupted else RunEnd.OUT_OF_TIME

    def _submit(self, pool: ProcessPoolExecutor, in_flight: dict[Future[ShardResult], Shard]) -> None:
        """Keep every worker busy, with one shard in reserve."""
        while len(in_flight) <= self._workers:
            shard = self._next_shard(idle=not in_flight)
            if shard is None:
                return
            try:
                with deaf_to_interrupts():
                    in_flight[pool.submit(play_shard, shard)] = shard
            except BrokenProcessPool:
                self._put_back(shard)
                raise

    def _next_shard(self, *, idle: bool) -> Shard | None:
        """Cut a shard from the queue that is furthest behind, so that a stopped run is balanced over pairings.

        Games of a bot that has probably used up its faults wait until that is certain: everything before
        them is settled once no other game is left and the workers are `idle`.
        """
        suspect = self._ledger.suspect
        heads = sorted([(queue[0], key) for key, queue in self._queues.items() if queue])
        found = next((key for head, key in heads if not suspect(head)), None)
        certain = found is not None
        if not certain and idle and heads:
            found = heads[0][1]
        if found is None:
            return None
        key, queue = found, self._queues[found]
        specs: list[GameSpec] = []
        size = round(self._sizes.setdefault(key, FIRST_SHARD_GAMES)) if certain else 1
        while queue and len(specs) < size and not (certain and suspect(queue[0])):
            specs.append(self._schedule.spec(queue.popleft()))
        return Shard(*key, tuple(specs))

    def _take(self, shard: Shard, result: ShardResult) -> None:
        """Commit what a worker brings, put back what it left, and settle what can be settled."""
        if not result.records and not self._stop.is_set():
            raise HostError(f"a worker finished no game of a shard that starts with game {shard.specs[0].index}")
        # A game that was settled while it was being played is one that does not count as played.
        records = [record for record in result.records if record.index >= self._ledger.settled]
        self._run.commit(records, result.starts)
        seats = {spec.index: spec.seats for spec in shard.specs}
        for record in records:
            self._ledger.add(record.index, [seats[record.index][fault.seat] for fault in record.faults])
            self._count(record.index)
            self.progress.hands += len(record.hands)
        self._put_back(shard)
        key = shard.pairing, shard.seating
        pace = SHARD_SECONDS / max(result.seconds, 1e-3)
        self._sizes[key] = max(1.0, len(shard.specs) * min(max(pace, 1 / GROWTH), GROWTH))
        self._bar()

    def _bar(self) -> None:
        """Write down the games that quarantined bots lose unplayed, in place of what may have been played."""
        records = []
        for spec, bots in self._ledger.settle():
            records.append(forfeited_game(spec, self._job.table_rules, bots))
            self._count(spec.index)
            queue = self._queues.get((self._schedule.pairing(spec.index), spec.seating))
            if queue and queue[0] == spec.index:
                queue.popleft()
        if records:
            self._run.commit(records)

    def _count(self, index: int) -> None:
        """A game has a record now."""
        self.progress.games_done += not self._done[index]
        self._done[index] = 1

    def _put_back(self, shard: Shard) -> None:
        """Queue the games of a shard that have no record, in their order: others of it may be waiting already."""
        left = [spec.index for spec in shard.specs if not self._done[spec.index]]
        if left:
            key = shard.pairing, shard.seating
            self._queues[key] = deque(sorted([*left, *self._queues[key]]))

    def _cancel(self, in_flight: dict[Future[ShardResult], Shard]) -> None:
        """Take back the shards that no worker has begun."""
        for future in [future for future in in_flight if future.cancel()]:
            self._put_back(in_flight.pop(future))

    def _queue_up(self) -> dict[tuple[int, int], deque[int]]:
        queues: dict[tuple[int, int], deque[int]] = {}
        for index, done in enumerate(self._done):
            if not done:
                spec = self._schedule.spec(index)
                queues.setdefault((self._schedule.pairing(index), spec.seating), deque()).append(index)
        return queues


def _kill_workers() -> None:
    for process in multiprocessing.active_children():
        process.kill()


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder for the private folders of all bots, so that nothing is left of them whatever happens to a worker."""
    folder = Path(tempfile.mkdtemp(prefix="gin-"))
    try:
        yield folder
    finally:
        remove_private_folder(folder)
