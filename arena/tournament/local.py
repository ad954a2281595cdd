"""Workers that are processes of this machine, and what they need for being processes of their own."""

import atexit
import multiprocessing
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import wait
from pathlib import Path

from arena.isolation.groups import sweep
from arena.players.scratch import leave, scratch
from arena.tournament.pool import WorkerPool
from arena.tournament.worker import Job, Shard, ShardResult, Worker, spare_the_collector
from arena.tournament.workers import Workers

SHARD_SECONDS = 1.2
"""Short, so that little is lost by a kill; long, so that batches are full."""


@contextmanager
def local_workers(number: int, job: Job) -> Iterator[Workers]:
    """So many worker processes, which are started when there is work for them."""
    with ExitStack() as held:
        held.callback(sweep, job.isolation.groups)  # of what workers that were killed have left, at the end
        yield LocalWorkers(number, job, held.enter_context(scratch()))


class LocalWorkers:
    """A pool of processes: see `Workers`."""

    shard_seconds = SHARD_SECONDS

    def __init__(self, number: int, job: Job, folder: Path) -> None:
        """Prepare; no process is started. folder: where the private folders of bots are to be."""
        self.number = number
        self.wanted = number + 1
        self._pool = WorkerPool(number, _start, job, folder)

    def submit(self, shard: Shard) -> Future[ShardResult]:
        """Have a shard played."""
        return self._pool.submit(_play, shard)

    def stop(self) -> None:
        """Let all workers bring what they have."""
        self._pool.stop()

    def kill(self) -> None:
        """Kill all workers."""
        self._pool.kill()

    def shutdown(self) -> None:
        """Wait for those that play, and let them end."""
        self._pool.shutdown(cancel_futures=True)


# In a worker process.

_worker: list[Worker] = []


def _play(shard: Shard) -> ShardResult:
    return _worker[0].play(shard)


def _start(stop: Callable[[], bool], job: Job, scratch: Path) -> None:
    """Make this process a worker. The coordinator's death ends it too.

    scratch: a folder of the run's, where the private folders of bots are to be.
    """
    own = scratch / str(os.getpid())
    try:
        own.mkdir(exist_ok=True)  # a worker of the same number may have been killed here
    except FileNotFoundError:  # the coordinator has died meanwhile, and other workers have cleared up
        os._exit(3)
    tempfile.tempdir = str(own)
    spare_the_collector()
    worker = Worker(job, stop)
    _worker.append(worker)

    def give_up(*_: object) -> None:
        """End at once, but leave nothing behind: the coordinator has died, or gives up this worker."""
        worker.kill()
        leave(scratch, own)
        sweep(job.isolation.groups, also=os.getpid())
        os._exit(3)

    signal.signal(signal.SIGTERM, give_up)
    threading.Thread(target=_follow_parent, daemon=True).start()
    atexit.register(leave, scratch, own)
    atexit.register(worker.dismiss)  # the last is called first


def _follow_parent() -> None:
    """End with the coordinator, however it ends: the main thread is signalled, to see to the bots."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
