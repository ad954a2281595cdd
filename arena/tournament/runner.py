"""Plays what is left of a schedule: shards to workers, results to the store, and a clean stop at any time."""

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from enum import Enum

from arena.dealer.table import forfeited_game
from arena.dealer.values import GameSpec, Void
from arena.errors import HostError
from arena.players.faults import Culprit, Fault
from arena.records.store import Run
from arena.tournament.ledger import Ledger
from arena.tournament.schedule import Schedule
from arena.tournament.worker import Job, Load, Shard, ShardResult
from arena.tournament.workers import Muster, WorkerDiedError, Workers

FIRST_SHARD_GAMES = 16
GROWTH = 4
"""The most by which the size of a pairing's next shard may change."""
POLL_SECONDS = 0.2
STOP_SECONDS = 5.0
"""What workers get to come back when the run is stopped, more than they need: one that is held up then is killed."""
HOST_FAILURES = 5
"""How often workers may die in one game, or bots not be started without a game finished, before a run gives up."""
EXCUSES = 10
"""How often a bot's process may be killed before that is its own fault in every game: else it could kill itself in
each game that goes badly, and have a second try.
"""
ATTEMPTS = 3
"""How often the host may break a game off before it is left void, until the run is resumed."""


class RunEnd(Enum):
    """How a run came to its end."""

    COMPLETE = "complete"
    VOID = "void"
    """All is played but the games that the host broke off again and again."""
    INTERRUPTED = "interrupted"
    OUT_OF_TIME = "out of time"


@dataclass(slots=True)
class Progress:
    """How far a run is.

    hands: played by this call. settled: games, from the schedule's start, whose records will not change any more.
    workers: that play at this moment.
    load: what this call asked of bots and of the machine.
    """

    games_done: int
    games: int
    hands: int = 0
    settled: int = 0
    workers: int = 0
    load: Load = field(default_factory=Load)


class Runner:
    """Plays one run to its end."""

    def __init__(self, run: Run, schedule: Schedule, job: Job, muster: Muster) -> None:
        """Take up the run where its store says it stands. muster: gets together who is to play."""
        self._run = run
        self._job = job
        self._muster = muster
        self._schedule = schedule
        self._ledger = Ledger(schedule.spec, len(schedule), job.room_rules.quarantine_after)
        self._done = bytearray(len(schedule))  # 1 for every game with a record
        self._attempts = Counter[int]()  # by game: how often the host broke it off
        self._excused = {void.index for _, void in run.voids() if void.fault is Fault.KILLED}
        self._kills = Counter[str]()  # by bot: how often that was excused
        self._failures = 0  # of the host in a row, since a game was finished
        self.progress = Progress(0, len(schedule))
        for index, bots in run.faults_by_game():
            self._count(index)
            self._ledger.add(index, bots)
        self._queues = self._queue_up()
        self._sizes: dict[tuple[int, int], float] = {}
        self._deaths = Counter[int]()  # of workers, by the first game of their shard
        self._interrupted = False
        self._stopping = False

    def interrupt(self) -> None:
        """Stop now: workers return what is finished. May be called from a signal handler, so it takes no lock."""
        self._interrupted = True

    def play(self, deadline: float | None, report: Callable[[Progress], None]) -> RunEnd:
        """Play until the schedule is done, `interrupt` is called, or `time.monotonic()` passes the deadline.

        Raises `HostError` if this machine fails again and again, or the store cannot be written.
        """
        in_flight: dict[Future[ShardResult], Shard] = {}
        with self._muster(self._job) as workers:
            last_resort = threading.Timer(STOP_SECONDS, workers.kill)
            last_resort.daemon = True
            try:
                self._bar()
                report(self.progress)
                while True:
                    late = deadline is not None and time.monotonic() >= deadline
                    deserted = late and not workers.number  # a cluster may have nobody who ends anything
                    if self._interrupted or deserted:
                        self._stop(workers, last_resort)
                        self._cancel(in_flight)
                    elif not late:
                        self._submit(workers, in_flight)
                    self.progress.workers = workers.number
                    if not in_flight:
                        break
                    done, _ = wait(in_flight, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
                    for future in done:
                        self._take(in_flight.pop(future), future, workers.shard_seconds)
                    report(self.progress)
            except BaseException:
                self._stop(workers, last_resort)  # else the workers would play on, with nobody to take what they bring
                raise
            finally:
                workers.shutdown()
                last_resort.cancel()
        if self.progress.games_done == len(self._schedule):
            return RunEnd.COMPLETE
        if self._interrupted:
            return RunEnd.INTERRUPTED
        return RunEnd.OUT_OF_TIME if any(self._queues.values()) else RunEnd.VOID

    def _stop(self, workers: Workers, last_resort: threading.Timer) -> None:
        if not self._stopping:
            self._stopping = True
            workers.stop()
            last_resort.start()

    def _submit(self, workers: Workers, in_flight: dict[Future[ShardResult], Shard]) -> None:
        """Keep every worker busy, with something in reserve."""
        while len(in_flight) < workers.wanted:
            shard = self._next_shard(idle=not in_flight)
            if shard is None:
                return
            in_flight[workers.submit(shard)] = shard

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
        excused = queue[0] in self._excused
        while queue and len(specs) < size and not (certain and suspect(queue[0])):
            if (queue[0] in self._excused) is not excused:
                break
            specs.append(self._schedule.spec(queue.popleft()))
        seats = specs[0].seats
        return Shard(*key, tuple(specs), frozenset(bot for bot in seats if excused or self._kills[bot] >= EXCUSES))

    def _take(self, shard: Shard, future: Future[ShardResult], shard_seconds: float) -> None:
        """Commit what a worker brings, put back what it left, and settle what can be settled.

        shard_seconds: how long the next of the pairing should take.
        """
        try:
            result = future.result()
        except WorkerDiedError:
            self._put_back(shard)
            self._note_death(shard.specs[0].index)
            return
        if not result.records and not result.voids and not self._stopping:
            raise HostError(f"a worker finished no game of a shard that starts with game {shard.specs[0].index}")
        # A game that was settled while it was being played is one that does not count as played; and none counts twice.
        settled = self._ledger.settled
        records = [one for one in result.records if one.index >= settled and not self._done[one.index]]
        self._run.commit(records, result.starts, result.voids, result.networks)
        self.progress.load += result.load
        self._failures = 0 if records else self._failures
        self._note(result.voids)
        seats = {spec.index: spec.seats for spec in shard.specs}
        for record in records:
            self._ledger.add(record.index, [seats[record.index][fault.seat] for fault in record.faults])
            self._count(record.index)
            self.progress.hands += len(record.hands)
        self._put_back(shard)
        key = shard.pairing, shard.seating
        pace = shard_seconds / max(result.seconds, 1e-3)
        self._sizes[key] = max(1.0, len(shard.specs) * min(max(pace, 1 / GROWTH), GROWTH))
        self._bar()

    def _note(self, voids: Sequence[Void]) -> None:
        """Games were broken off. Raises `HostError` where the host does nothing else."""
        self._attempts.update(void.index for void in voids if void.fault.culprit is Culprit.HOST)
        self._excused.update(void.index for void in voids if void.fault is Fault.KILLED)
        self._kills.update({void.bot for void in voids if void.fault is Fault.KILLED})
        told = [void.detail for void in voids if void.fault is Fault.SPAWN]
        self._failures += bool(told)
        if told and self._failures == HOST_FAILURES:
            go_on = f"every finished game is kept; go on with: arena resume {self._run.folder}"
            raise HostError(f"{self._failures} times a bot could not be started: {told[0]}; {go_on}")

    def _note_death(self, index: int) -> None:
        """A worker died in a shard that begins with this game. Raises `HostError` for one in which they keep dying."""
        self._deaths[index] += not self._stopping
        if self._deaths[index] == HOST_FAILURES:
            raise HostError(
                f"{HOST_FAILURES} times a worker process died before it had finished game {index}: is the machine out "
                f"of memory? Every finished game is kept; go on with: arena resume {self._run.folder}"
            )

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
        self.progress.settled = self._ledger.settled

    def _count(self, index: int) -> None:
        """A game has a record now."""
        self.progress.games_done += not self._done[index]
        self._done[index] = 1

    def _put_back(self, shard: Shard) -> None:
        """Queue the games of a shard that have no record, in their order: others of it may be waiting already."""
        indices = [spec.index for spec in shard.specs]
        left = [index for index in indices if not self._done[index] and self._attempts[index] < ATTEMPTS]
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
