"""What a coordinator can take in: results of shards as they come from other machines, decoded and committed.

The runner and its store are real. Instead of workers there is one that has played before: it hands out the same games
again and again, under the numbers that are asked for. The time that it takes for this is not counted.
"""

import pickle
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.dealer.values import GameSpec
from arena.isolation.values import NO_ISOLATION
from arena.tournament.runner import Progress, Runner
from arena.tournament.running import begin, job_of
from arena.tournament.schedule import Schedule, schedule_of
from arena.tournament.worker import Job, Shard, ShardResult, Worker
from benchmarks.measure import SIMPLE, Figures, Size
from benchmarks.series import series_of_bot

GAMES = {"deals": 1024, "games": 96}
"""Games that are played in earnest, by what is played: as many as are in a shard, since equal ones pack well."""
SHARD_SECONDS = 5.0
"""As on a cluster."""
SHARD_HANDS = 1000
"""Hands in a shard: what a core plays in the time that a shard takes on a cluster."""


class Player:
    """Workers that have played before: see `arena.tournament.workers.Workers`."""

    number, wanted, shard_seconds = 1, 2, SHARD_SECONDS

    def __init__(self, played: ShardResult) -> None:
        self._records = cycle(played.records)
        self._games = round(SHARD_HANDS * len(played.records) / sum(len(record.hands) for record in played.records))
        self.preparing = self.preparing_cpu = 0.0
        self.sent = 0
        self.shards = 0

    @contextmanager
    def muster(self, _: Job) -> Iterator["Player"]:
        yield self

    def submit(self, shard: Shard) -> Future[ShardResult]:
        start, start_cpu = time.perf_counter(), time.process_time()
        records = [
            replace(record, index=spec.index)
            for spec, record in zip(shard.specs, islice(self._records, len(shard.specs)), strict=True)
        ]
        # So long that the next shard has the size that is wanted.
        seconds = SHARD_SECONDS * len(records) / self._games
        packed = pickle.dumps(ShardResult(tuple(records), seconds, {}))
        self.sent += len(packed)
        self.shards += 1
        self.preparing += time.perf_counter() - start
        self.preparing_cpu += time.process_time() - start_cpu
        future: Future[ShardResult] = Future()
        future.set_result(pickle.loads(packed))
        return future

    def stop(self) -> None: ...

    def kill(self) -> None: ...

    def shutdown(self) -> None: ...


def measure(play: str, size: Size) -> Figures:
    """Hands and shards a second, the CPU time of a hand, and what one takes on the way and in the store."""
    series = series_of_bot(SIMPLE, True, False, 1, size.groups, play)
    with TemporaryDirectory() as folder:
        with begin(series, Path(folder), Path(folder) / "run") as run:
            schedule = schedule_of(series, bytes.fromhex(run.info.seed))
            job = job_of(run, series, NO_ISOLATION)
            player = Player(_played(job, schedule, min(GAMES[play], size.groups)))
            runner = Runner(run, schedule, job, player.muster)
            start, start_cpu = time.perf_counter(), time.process_time()

            def report(progress: Progress) -> None:
                if progress.hands and time.perf_counter() - start > size.seconds:
                    runner.interrupt()

            runner.play(None, report)
            seconds = time.perf_counter() - start - player.preparing
            cpu = time.process_time() - start_cpu - player.preparing_cpu
        hands = runner.progress.hands
        return {
            "hands/s": hands / seconds,
            "us of the coordinator": cpu / hands * 1e6,
            "shards/s": player.shards / seconds,
            "bytes a hand, sent": player.sent / hands,
            "bytes a hand, stored": (Path(folder) / "run" / "run.sqlite").stat().st_size / hands,
        }


def _played(job: Job, schedule: Schedule, games: int) -> ShardResult:
    """What a worker makes of so many games."""
    worker = Worker(job, lambda: False)
    try:
        return worker.play(Shard(0, 0, tuple([GameSpec(index, index, 0, schedule.bots) for index in range(games)])))
    finally:
        worker.dismiss()
