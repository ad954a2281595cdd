"""The workers of a run as processes of a Dask cluster, on however many machines.

Dask finds a process for a shard, and another one if that is lost. All that is the arena's own is in `station.py`, which
runs over there. Dask is an extra, so this module alone imports it, and is imported when a run asks for a cluster.
"""

import logging
import socket
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import contextmanager, suppress
from functools import partial
from typing import TypeVar
from uuid import uuid4

from distributed import CancelledError, Client, KilledWorker
from distributed import Future as DaskFuture

from arena.errors import HostError, InputError
from arena.tournament import station
from arena.tournament.shipping import parcel
from arena.tournament.station import IDENTITY, Answer, Charter, Order
from arena.tournament.worker import Job, Shard, ShardResult
from arena.tournament.workers import WorkerDiedError, Workers

SHARD_SECONDS = 5.0
"""Longer than on one machine: each shard costs the scheduler and the network something."""
CONNECT_SECONDS = 5
WATCH_SECONDS = 0.5
"""Between two looks at the workers: which there are, and once the run stops whether they know."""
ANSWER_SECONDS = 10.0
"""What workers get to say which arena they have."""
FAREWELL_SECONDS = 10.0
"""What workers get to send their bots home. One that does not answer does so later by itself."""
_GONE = "the scheduler of the cluster is gone; every finished game is kept, and arena resume goes on with the run"
_IDENTITY = "__import__('arena.tournament.station', fromlist=['IDENTITY']).IDENTITY"
T = TypeVar("T")


class _SilentError(HostError):
    """A worker does not answer."""


@contextmanager
def cluster_workers(address: str, name: str, tell: Callable[[str], None], job: Job) -> Iterator[Workers]:
    """The processes of the cluster whose scheduler is at an address.

    name: of the run, for the folder of its logs over there. tell: given a line about a machine.
    Raises `HostError` where the cluster cannot be reached, or its workers are of another version.
    """
    with _client(address) as client:
        yield ClusterWorkers(client, Charter(uuid4().hex, name, job), tell)


def check_cluster(address: str) -> None:
    """Raise `HostError` where a cluster cannot be reached, or its workers are of another version."""
    with _client(address) as client:
        _check_versions(client, [*client.nthreads()])


class ClusterWorkers:
    """See `Workers`. What is lost with a process is played by another; only after several it is given up."""

    shard_seconds = SHARD_SECONDS

    def __init__(self, client: Client, charter: Charter, tell: Callable[[str], None]) -> None:
        """Look which workers there are. Raises `HostError` where one is of another version."""
        self._client = client
        self._charter = charter
        self._tell = tell
        self._sent: dict[Future[ShardResult], DaskFuture[Answer]] = {}
        self._unheld: set[Future[ShardResult]] = set()
        self._told: set[str] = set()
        self._parcels: dict[str, bytes] = {}
        self._known: set[str] = set()
        self._problem: HostError | None = None
        self._stopping = threading.Event()
        self._over = threading.Event()
        self.number = 0
        self._count()
        if not self.number:
            tell("the cluster has no worker yet; the games begin as soon as it has one")
        self._watcher = threading.Thread(target=self._watch, args=(self._count,), daemon=True)
        self._watcher.start()

    @property
    def wanted(self) -> int:
        """Two for each process, so that none waits for the network; and some where there is none, to call for one."""
        return max(2, 2 * self.number)

    def submit(self, shard: Shard) -> Future[ShardResult]:
        """Have a shard played. Raises `HostError` where the cluster is gone, or has a worker of another version."""
        if self._problem or self._client.status != "running":
            raise self._problem or HostError(_GONE)
        future: Future[ShardResult] = Future()
        future.set_running_or_notify_cancel()  # nobody but a worker can tell whether it has begun
        try:
            self._send(future, shard, {})
        except Exception:
            if self._client.status == "running":
                raise
            raise HostError(_GONE) from None
        return future

    def stop(self) -> None:
        """Let all workers bring what they have."""
        self._stopping.set()
        threading.Thread(target=self._watch, args=(self._call_in,), daemon=True).start()

    def kill(self) -> None:
        """Give up what has not been brought."""
        for future in [*self._sent]:
            self._settle(future, WorkerDiedError())

    def shutdown(self) -> None:
        """Wait until all shards are brought, and send the bots home."""
        wait([*self._sent])
        self._over.set()
        self._watcher.join(FAREWELL_SECONDS)  # of a scheduler that says nothing more it may wait for an answer
        self._everywhere(station.farewell, FAREWELL_SECONDS)

    def _send(self, future: Future[ShardResult], shard: Shard, parcels: Mapping[str, bytes]) -> None:
        with _quiet():  # Dask finds parcels large
            sent = self._client.submit(
                station.play, Order(self._charter, shard, parcels).packed(), IDENTITY, pure=False
            )
        self._sent[future] = sent
        sent.add_done_callback(partial(self._take, future, shard))

    def _take(self, future: Future[ShardResult], shard: Shard, sent: "DaskFuture[Answer]") -> None:
        """In a thread: a shard has come back, or news of it."""
        if future.done():  # it was given up; and of a client that is closed no result would ever come
            return
        try:
            answer = sent.result()
        except (KilledWorker, CancelledError, OSError, TimeoutError):
            self._settle(future, WorkerDiedError())
            return
        except Exception as error:  # noqa: BLE001 - raised where the result is taken
            self._settle(future, error)
            return
        self._note(answer)
        if answer.result is not None:
            self._settle(future, answer.result)
            return
        try:
            self._send(future, shard, self._parcels_for(shard))
        except Exception as error:  # noqa: BLE001 - the same
            self._settle(future, error)

    def _settle(self, future: Future[ShardResult], outcome: ShardResult | Exception) -> None:
        """Bring what came of a shard; the first word counts."""
        with suppress(InvalidStateError):
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
        self._sent.pop(future, None)

    def _note(self, answer: Answer) -> None:
        for note in answer.notes:
            self._tell_once(f"{answer.host}: {note}")  # it has other workers too

    def _tell_once(self, line: str) -> None:
        if line not in self._told:
            self._told.add(line)
            self._tell(line)

    def _parcels_for(self, shard: Shard) -> dict[str, bytes]:
        """All that may be missing for a shard: the next process that gets it may be another. Raises `InputError`."""
        bots = [bot for bot in map(self._charter.job.bots.__getitem__, shard.specs[0].seats) if not bot.elsewhere]
        self._parcels |= {bot.name: parcel(bot) for bot in bots if bot.name not in self._parcels}
        return {bot.name: self._parcels[bot.name] for bot in bots}

    def _watch(self, look: Callable[[], None]) -> None:
        """In a thread: look at the cluster again and again, until the run is over."""
        while not self._over.is_set():
            try:
                look()
            except _SilentError as error:  # the run can do without it, and asks again
                self._tell_once(str(error))
            except HostError as error:
                self._give_up(error)
            except Exception:  # noqa: BLE001 - whatever Dask raises where it has lost its scheduler
                if self._client.status != "running":
                    self._give_up(HostError(_GONE))
            self._over.wait(WATCH_SECONDS)

    def _call_in(self) -> None:
        """Tell the workers to stop, also those that have come since."""
        self._everywhere(station.stop, WATCH_SECONDS)
        self._take_back()

    def _count(self) -> None:
        """Follow the workers that come and go, until the run stops: then nobody is played with who is new."""
        if self._stopping.is_set():
            return
        found = self._client.nthreads()
        self.number = len(found)
        for worker in sorted(self._known - set(found)):
            self._known.remove(worker)
            self._tell(f"the cluster has lost its worker {worker}: what it was playing is played again by others")
        new = [*set(found) - self._known]
        _check_versions(self._client, new)
        self._known.update(new)
        if any(found[worker] > 1 for worker in new):
            self._tell("a worker with several threads plays one shard at a time; start it with --nthreads 1")

    def _take_back(self) -> None:
        """Of a run that stops, take back the shards that no process has at two looks: one may be on its way."""
        held = {key for keys in self._client.processing().values() for key in keys}
        unheld = {future for future, sent in [*self._sent.items()] if sent.key not in held and not sent.done()}
        for future in unheld & self._unheld:
            self._settle(future, WorkerDiedError())
        self._unheld = unheld

    def _give_up(self, problem: HostError) -> None:
        self._problem = self._problem or problem
        for future in [*self._sent]:
            self._settle(future, problem)

    def _everywhere(self, function: Callable[[str], object], seconds: float) -> None:
        """Call a function with this run in all processes. seconds: how long to wait for those that are slow."""
        with suppress(Exception):
            _within(seconds, lambda: self._client.run(function, self._charter.run, on_error="ignore"))


def _check_versions(client: Client, workers: list[str]) -> None:
    """Raise `HostError` for a worker of another arena or Python, or a scheduler, which has to know the arena too.

    Raises `_SilentError` where one does not say what it is.
    """

    def identities(of: list[str]) -> dict[str, object]:
        # A function by name that every Python has: the arena's own may not be there.
        found: dict[str, object] = client.run(eval, _IDENTITY, workers=of, on_error="return")
        return found

    try:
        found = _within(ANSWER_SECONDS, lambda: identities(workers)) if workers else {}
    except TimeoutError:
        for worker in workers:  # which of them is it?
            try:
                _within(ANSWER_SECONDS / 10, partial(identities, [worker]))
            except TimeoutError:
                raise _SilentError(
                    f"the cluster's {worker} does not answer; has it been stopped? End it, or start it anew"
                ) from None
        raise _SilentError("the cluster's workers are slow to answer; is there a better network to them?") from None
    with suppress(Exception):
        found["scheduler"] = "another arena, or none"
        found["scheduler"] = client.run_on_scheduler(eval, _IDENTITY)
    for process, identity in found.items():
        if identity != IDENTITY:
            has = identity if isinstance(identity, str) else "another arena, or none"
            raise HostError(f"the cluster's {process} has {has}, expected {IDENTITY}, as here: start it anew from that")


def _within(seconds: float, call: Callable[[], T]) -> T:
    """Call what may never return, in a thread that is left alone with it then. Raises `TimeoutError`."""
    outcome: Future[T] = Future()

    def work() -> None:
        try:
            outcome.set_result(call())
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            outcome.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return outcome.result(seconds)


class _Client(Client):
    """One that was never connected has nothing to close: Dask would try to for ten seconds."""

    def __del__(self) -> None:
        if self.status == "running":
            super().__del__()  # type: ignore[no-untyped-call]


@contextmanager
def _client(address: str) -> Iterator[Client]:
    _silence()
    told = f"the cluster {address} cannot be reached"
    remedy = "is its scheduler running there, and its port open from here? Start one with: dask scheduler"
    try:
        host, _, port = address.partition("://")[2].rpartition(":")
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except (ValueError, OverflowError):
        raise InputError(
            f"cluster: expected an address with a port, such as tcp://HOST:8786, got {address!r}"
        ) from None
    except OSError as error:
        raise HostError(f"{told} ({error.strerror or error}): {remedy}") from None

    def connect() -> Client:
        with _quiet():
            return _Client(address, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]

    try:
        client = _within(2 * CONNECT_SECONDS, connect)  # for what is no scheduler, and yet answers, Dask waits for ever
    except Exception:  # noqa: BLE001 - of many kinds
        raise HostError(f"{told}, though something listens there: {remedy}") from None
    try:
        yield client
    finally:
        with _quiet(), suppress(Exception):
            client.close(timeout=2)


@contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _silence() -> None:
    """Keep Dask's own words about what comes and goes from the terminal: the run tells what matters."""
    for name in ("distributed", "tornado", "asyncio"):
        for known in [name, *logging.root.manager.loggerDict]:
            if known == name or known.startswith(f"{name}."):
                logger = logging.getLogger(known)
                logger.handlers[:] = [logging.NullHandler()]
                logger.propagate = False
