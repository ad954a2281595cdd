"""Worker processes: an executor that loses one task, and no more, when one of them dies.

The standard library's `ProcessPoolExecutor` gives up every worker and every task with the one that died, and its queues
are made of semaphores, which stay behind when all its processes are killed. Here each worker has a pipe of its own, and
a thread that waits at its end.
"""

import multiprocessing
import signal
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import ParamSpec, TypeVar

from arena.errors import HostError
from arena.tournament.workers import WorkerDiedError

P = ParamSpec("P")
T = TypeVar("T")

INTERRUPTS = frozenset({signal.SIGINT, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])})
"""What every process in a terminal gets at once: Ctrl-C, and that the terminal is closed."""

_SPAWN = multiprocessing.get_context("spawn")


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    link: Connection


class WorkerPool(Executor):
    """Runs tasks in a fixed number of processes, which are started when there is work for them."""

    def __init__(self, workers: int, start: Callable[..., None] | None = None, *arguments: object) -> None:
        """Prepare; no process is started.

        start: called in each new process, before its first task, with a function that tells whether the pool was
            stopped, and with the arguments.
        """
        self._start = start
        self._arguments = arguments
        self._threads = ThreadPoolExecutor(workers, initializer=_be_deaf)
        self._own = threading.local()
        self._workers: list[_Worker] = []
        # The stop is the end of a pipe, so it comes too when this process is killed, and leaves nothing behind.
        self._stopped, self._running = _SPAWN.Pipe(duplex=False)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a function of a module in a worker. The future raises `WorkerDiedError` if the worker dies in it."""
        return self._threads.submit(self._run, fn, args, kwargs)

    def stop(self) -> None:
        """Tell all workers, and those that are yet to come, to bring what they have. Does not wait."""
        self._running.close()

    def kill(self) -> None:
        """Kill all workers. Does not wait."""
        for worker in [*self._workers]:
            worker.process.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait until the tasks are done, and let the workers end."""
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        for worker in self._workers:
            worker.link.close()
        for worker in self._workers:
            worker.process.join()
        self._stopped.close()
        self._running.close()

    def _run(self, task: Callable[..., T], arguments: tuple[object, ...], named: dict[str, object]) -> T:
        """In a thread: carry a task to this thread's worker and back."""
        worker: _Worker = getattr(self._own, "worker", None) or self._new_worker()
        try:
            worker.link.send((task, arguments, named))
            done, outcome = worker.link.recv()
        except (EOFError, OSError):
            self._own.worker = None
            self._workers.remove(worker)
            worker.link.close()
            worker.process.kill()
            worker.process.join()
            raise WorkerDiedError from None
        if not done:
            raise outcome
        return outcome  # type: ignore[no-any-return]  # what the task returned

    def _new_worker(self) -> _Worker:
        try:
            here, there = _SPAWN.Pipe()
            process = _SPAWN.Process(target=_work, args=(there, self._stopped, self._start, self._arguments))
            process.start()
        except OSError as error:
            raise HostError(f"a worker process cannot be started: {error.strerror}") from error
        there.close()
        worker = self._own.worker = _Worker(process, here)
        self._workers.append(worker)
        return worker


def _work(
    link: Connection, stopped: Connection, start: Callable[..., None] | None, arguments: tuple[object, ...]
) -> None:
    """In a worker process: do what comes, until nothing comes any more. Interrupts are for who started it."""
    for number in INTERRUPTS:
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)

    def is_stopped() -> bool:
        try:
            return stopped.poll()
        except OSError:  # Windows says so of a pipe that has come to its end
            return True

    if start is not None:
        start(is_stopped, *arguments)
    with suppress(EOFError, OSError):  # the other end is closed, or gone
        while True:
            task, given, named = link.recv()
            try:
                outcome = True, task(*given, **named)
            except Exception as error:  # noqa: BLE001 - carried over, to be raised there
                error.add_note(f"In a worker:\n{traceback.format_exc()}")
                outcome = False, error
            link.send(outcome)


def _be_deaf() -> None:
    """What this thread starts hears no interrupt from its first moment, before it can see to it itself."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
        resource_tracker.ensure_running()  # which comes with the first process, and lets interrupts through again
        signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
