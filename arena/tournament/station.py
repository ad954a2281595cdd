"""What is done in a process of a cluster: it becomes a worker of the run that its first shard comes from.

A *station* is that worker, with the bots that it has been sent and a folder for what they leave. It has a thread of its
own from its first bot to its last, since a bot dies with the thread that has started it. Threads share the one Python,
so a process is one worker, whatever number of threads its cluster gives it.

Its station stays from shard to shard, and goes when the run says so, when another run begins, when nothing has come for
a while (the coordinator was killed), or with the process. If that is killed its bots die with it, and their folders go
a moment later (`arena.players.scratch`).
"""

import asyncio
import atexit
import hashlib
import pickle
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import arena
from arena.errors import HostError, InputError
from arena.isolation.groups import sweep
from arena.isolation.probe import find_isolation
from arena.isolation.values import Isolation, Mode
from arena.players.build import BUILD_LIMITS
from arena.players.launch import unreadable
from arena.players.programs import last
from arena.players.scratch import own_scratch
from arena.tournament.descriptors import fitting
from arena.tournament.shipping import depot
from arena.tournament.worker import Job, Shard, ShardResult, Worker, spare_the_collector

_ROOMS = ("documents", "rules", "protocol", "bot", "players", "isolation", "dealer", "tournament")


def code() -> list[Path]:
    """The files that decide how a run is played, by the arena and by its bots in Python."""
    home = Path(arena.__file__).parent
    return sorted([*home.glob("*.py"), *[path for room in _ROOMS for path in (home / room).rglob("*.py")]])


def _identity() -> str:
    digest = hashlib.sha256()
    for path in code():
        digest.update(path.read_bytes())
    return f"arena {arena.__version__} ({digest.hexdigest()[:8]}) on Python {sys.version_info[0]}.{sys.version_info[1]}"


IDENTITY = _identity()
"""What has to be the same wherever a run is played: the version and the code of the arena, and of Python."""
IDLE_SECONDS = 60.0
"""Without a shard for so long, a station sends its bots home."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Charter:
    """What a worker has to know of a run.

    run: a text that no other call of a run has. name: of the folder for logs. job: with the bots as they are at the
    coordinator, and with the isolation that is wanted.
    """

    run: str
    name: str
    job: Job


@dataclass(frozen=True, slots=True)
class Order:
    """What is sent for a shard. parcels: bots that were missing, by name, as `shipping.parcel` makes them."""

    charter: Charter
    shard: Shard
    parcels: Mapping[str, bytes]

    def packed(self) -> bytes:
        """As bytes, which the scheduler need not understand."""
        return pickle.dumps(self)


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes back for a shard.

    host: the machine. missing: names of the bots that it has to be sent first; then there is no result.
    notes: what there is to say of the machine, once.
    """

    host: str
    result: ShardResult | None
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


_lock = threading.Lock()  # held while a station is at work
_stations: list["_Station"] = []  # one, or none
_stopped: set[str] = set()  # runs


def play(packed: bytes, identity: str) -> Answer:
    """Play a shard in this process. packed: an `Order`. identity: what the coordinator is.

    Raises `InputError` and `HostError`, with the name of this machine.
    """
    host = socket.gethostname()
    if identity != IDENTITY:  # it has come since the cluster was looked at
        raise HostError(f"{host}: a worker there has {IDENTITY}, expected {identity}, as here: start it anew from that")
    order: Order = pickle.loads(packed)  # noqa: S301 - of who may run anything here
    charter = order.charter
    with _lock:
        if charter.run in _stopped:
            return Answer(host, ShardResult((), 0.0, {}))
        try:
            if not _stations or _stations[0].run != charter.run:
                _close()
                _stations.append(_Station(charter))
            return _stations[0].play(order.shard, order.parcels)
        except (HostError, InputError) as error:
            raise type(error)(f"{host}: {error}") from None
        except OSError as error:  # as of a full disk; Dask has errors of this kind itself, of workers that are lost
            raise HostError(f"{host}: {error.filename or 'the machine'}: {error.strerror or error}") from None


def stop(run: str) -> None:
    """Let what is played of a run end at once and bring what it has; more of it is not begun. Does not wait."""
    _stopped.add(run)


def dismiss(run: str) -> None:
    """Send the bots of a run home, once it is idle."""
    with _lock:
        if _stations and _stations[0].run == run:
            _close()


async def farewell(run: str) -> None:
    """The same for the loop of Dask, which has to hear others while a shard, or a build, is waited for."""
    await asyncio.to_thread(dismiss, run)


def _close() -> None:
    while _stations:
        _stations.pop().close()


@atexit.register
def _leave() -> None:
    for station in _stations:
        stop(station.run)
    _close()


class _Station:
    """The worker of this process for a run."""

    def __init__(self, charter: Charter) -> None:
        """Find out what this machine has. Raises `InputError` where that is not what the run demands, `HostError`."""
        self.run = charter.run
        self._charter = charter
        self._job = charter.job
        self._bots = {name: bot for name, bot in charter.job.bots.items() if bot.elsewhere}
        self._last: dict[tuple[int, int], int] = {}  # by pairing and seating: the last game that was played
        self._held = ExitStack()
        self._thread = _Thread()
        self._idle = threading.Timer(IDLE_SECONDS, dismiss, (self.run,))
        try:
            self._notes = self._thread.do(self._open)
        except BaseException:
            self.close()
            raise

    def play(self, shard: Shard, parcels: Mapping[str, bytes]) -> Answer:
        """Play a shard, or tell which bots are missing for that."""
        self._idle.cancel()
        try:
            return self._thread.do(lambda: self._play(shard, parcels))
        finally:
            self._idle = threading.Timer(IDLE_SECONDS, dismiss, (self.run,))
            self._idle.daemon = True
            self._idle.start()

    def close(self) -> None:
        """End all bots, and remove what they have left."""
        self._idle.cancel()
        self._thread.do(self._held.close)
        self._thread.end()

    # In its thread.

    def _open(self) -> tuple[str, ...]:
        wanted = self._job.isolation
        self._depot = depot()
        logs = self._depot.folder / "logs" / self._charter.name
        isolation = find_isolation(wanted.mode, wanted.limits, (self._depot.folder / "logs",))
        missing = ", ".join([state.layer for state in isolation.missing])
        if missing and wanted.mode is Mode.REQUIRED:
            raise InputError(f"isolation is 'required', and this machine is without {missing}: arena check tells why")
        self._held.callback(sweep, isolation.groups)
        self._held.enter_context(own_scratch())
        fits = fitting(1, self._job.crews, self._job.table_rules.format.seats)
        self._job = replace(self._job, bots=self._bots, logs=logs, crews=fits.crews, isolation=isolation)
        spare_the_collector()
        self._worker = Worker(self._job, lambda: self.run in _stopped)
        self._held.callback(self._worker.dismiss)
        notes = [f"no isolation by {missing}"] if missing else []
        return (*notes, f"the logs of bots are in {logs}")

    def _play(self, shard: Shard, parcels: Mapping[str, bytes]) -> Answer:
        host = socket.gethostname()
        missing = tuple([name for name in shard.specs[0].seats if not self._has(name, parcels)])
        if missing:
            return Answer(host, None, missing)
        key, first = (shard.pairing, shard.seating), shard.specs[0].index
        if first <= self._last.get(key, -1):  # it was lost on its way, or put back: these bots may know its cards
            self._worker.renew(shard)
        self._last[key] = max(self._last.get(key, -1), shard.specs[-1].index)
        notes, self._notes = self._notes, ()
        return Answer(host, self._worker.play(shard), notes=notes)

    def _has(self, name: str, parcels: Mapping[str, bytes]) -> bool:
        """Whether a bot is ready to play here."""
        if name not in self._bots:
            bot = self._charter.job.bots[name]
            found = self._depot.find(bot)
            if found is None and name in parcels:
                found = self._depot.take_in(bot, parcels[name], self._for_builds)
            if found is None:
                return False
            if closed := unreadable(found, self._job.isolation):
                raise InputError(closed)
            self._bots[name] = found
        return True

    def _for_builds(self) -> Isolation:
        return find_isolation(self._job.isolation.mode, BUILD_LIMITS)


class _Thread:
    """A thread that does one thing after the other, and may start what dies with it."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def do(self, task: Callable[[], T]) -> T:
        """Do it, and return or raise what comes of it."""
        outcome: Future[T] = Future()

        def done() -> None:
            try:
                outcome.set_result(task())
            except BaseException as error:  # noqa: BLE001 - raised where it is waited for
                outcome.set_exception(error)

        self._tasks.put(done)
        return outcome.result()

    def end(self) -> None:
        """Let it end."""
        self._tasks.put(None)

    def _work(self) -> None:
        last()
        while (task := self._tasks.get()) is not None:
            task()
