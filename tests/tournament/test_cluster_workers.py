"""What the coordinator makes of what a cluster does: shards that are lost or come back twice, bots that are missing."""

import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any, cast

import pytest
from distributed import CancelledError, Client, KilledWorker
from series_bench import SAMPLES, Crew

from arena.dealer.values import RoomRules
from arena.errors import HostError
from arena.players.manifest import read_manifest
from arena.tournament import cluster, station
from arena.tournament.cluster import ClusterWorkers
from arena.tournament.station import IDENTITY, Answer, Charter, Order
from arena.tournament.worker import Job, Shard, ShardResult
from arena.tournament.workers import WorkerDiedError

RESULT = ShardResult((), 1.0, {})


class Sent(Future[Answer]):
    """A task of Dask, with what was sent for it."""

    def __init__(self, order: Order) -> None:
        super().__init__()
        self.order = order
        self.key = str(id(self))


class FakeClient:
    """A cluster that does nothing: the test says what comes of each task."""

    def __init__(self, cores: dict[str, int], identity: object = IDENTITY) -> None:
        self.status = "running"
        self.sent: list[Sent] = []
        self.cores = cores
        self.looks = 0
        self._identity = identity
        self.silent: set[str] = set()
        self.asked_silent = SimpleQueue[object]()
        self.told_to_stop = Event()

    def nthreads(self) -> dict[str, int]:
        self.looks += 1
        return self.cores

    def run(self, what: object, *_: object, workers: list[str] | None = None, on_error: str) -> dict[str, object]:
        if what is station.stop:
            self.told_to_stop.set()
        if self.silent & set(workers or ()):
            self.asked_silent.put(what)
            Event().wait()
        return dict.fromkeys(workers or (), self._identity)

    def run_on_scheduler(self, *_: object) -> object:
        return self._identity

    def submit(self, _: object, packed: bytes, identity: str, *, pure: bool) -> Sent:
        assert (identity, pure) == (IDENTITY, False)
        self.sent.append(Sent(pickle.loads(packed)))
        return self.sent[-1]

    def processing(self) -> dict[str, list[str]]:
        return {"a": [self.sent[0].key]}


Begin = Callable[[FakeClient], ClusterWorkers]


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def begin(tmp_path: Path, told: list[str]) -> Iterator[Begin]:
    begun: list[ClusterWorkers] = []

    def begin(client: FakeClient) -> ClusterWorkers:
        bots = {"simple": read_manifest(SAMPLES / "simple"), "random": read_manifest(SAMPLES / "random")}
        shared = Crew(tuple(bots.values()), tmp_path).shared
        job = Job(shared, RoomRules(1, 1, False, 1.0, 1.0, 1), bots, 1.0, 1.0, tmp_path)
        begun.append(ClusterWorkers(cast("Client", client), Charter("run", "run", job), told.append))
        return begun[-1]

    yield begin
    for workers in begun:
        workers.kill()
        workers.shutdown()


@pytest.fixture
def shard(tmp_path: Path) -> Shard:
    bots = (read_manifest(SAMPLES / "simple"), read_manifest(SAMPLES / "random"))
    return Shard(0, 0, tuple(Crew(bots, tmp_path).specs(2)))


@pytest.mark.parametrize("lost", [KilledWorker("task", cast("Any", None), 3), CancelledError(), OSError("timed out")])
def test_a_shard_that_is_lost_has_died_with_its_worker(lost: Exception, begin: Begin, shard: Shard) -> None:
    client = FakeClient({"a": 1})
    future = begin(client).submit(shard)
    client.sent[0].set_exception(lost)
    with pytest.raises(WorkerDiedError):
        future.result()


def test_of_what_comes_back_twice_the_first_counts(begin: Begin, shard: Shard) -> None:
    client = FakeClient({"a": 1})
    workers = begin(client)
    future = workers.submit(shard)
    workers.kill()  # given up
    client.sent[0].set_result(Answer("a", RESULT))  # and yet
    with pytest.raises(WorkerDiedError):
        future.result()


def test_a_worker_without_the_bots_is_sent_them_with_the_same_shard(
    begin: Begin, shard: Shard, told: list[str]
) -> None:
    client = FakeClient({"a": 1})
    future = begin(client).submit(shard)
    assert client.sent[0].order.parcels == {}
    client.sent[0].set_result(Answer("a", None, missing=("simple",)))
    assert client.sent[1].order.shard == shard
    assert set(client.sent[1].order.parcels) == {"simple", "random"}  # as another worker may get it
    client.sent[1].set_result(Answer("a", RESULT, notes=("its logs",)))
    assert future.result() is RESULT
    assert told == ["a: its logs"]


def test_a_cluster_is_asked_for_two_shards_a_worker_and_for_some_where_it_has_none(
    begin: Begin, told: list[str]
) -> None:
    assert begin(FakeClient({"a": 1, "b": 1, "c": 1})).wanted == 6
    assert told == []
    assert begin(FakeClient({})).wanted == 2
    assert begin(FakeClient({"a": 4})).wanted == 2
    assert [line.partition(";")[0] for line in told] == [
        "the cluster has no worker yet",
        "a worker with several threads plays one shard at a time",
    ]


@pytest.mark.parametrize("identity", ["arena 0.0.1 (12345678) on Python 3.9", ModuleNotFoundError("arena")])
def test_a_cluster_of_other_code_is_refused(identity: object, begin: Begin) -> None:
    has = identity if isinstance(identity, str) else "another arena, or none"
    with pytest.raises(HostError) as refused:
        begin(FakeClient({"a": 1}, identity))
    assert str(refused.value).startswith(f"the cluster's a has {has}, expected {IDENTITY}, as here")


def test_a_worker_that_is_lost_is_told_of_once(begin: Begin, told: list[str]) -> None:
    client = FakeClient({"a": 1, "b": 1})
    workers = begin(client)
    client.cores = {"b": 1}
    while not told:
        time.sleep(0.01)
    looks = client.looks
    while client.looks < looks + 2:
        time.sleep(0.01)
    assert told == ["the cluster has lost its worker a: what it was playing is played again by others"]
    assert workers.number == 1


def test_a_worker_that_says_nothing_is_named_at_the_start(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 0.1)
    client = FakeClient({"a": 1, "b": 1})
    client.silent.add("b")
    with pytest.raises(HostError, match=r"^the cluster's b does not answer; has it been stopped\?"):
        begin(client)


def test_a_worker_that_comes_and_says_nothing_ends_no_run(
    begin: Begin, shard: Shard, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 0.1)
    client = FakeClient({"a": 1})
    future = begin(client).submit(shard)
    client.silent.add("b")
    client.cores = {"a": 1, "b": 1}
    for _ in ("with all that are new", "alone", "again"):
        client.asked_silent.get(timeout=60)
    assert told == ["the cluster's b does not answer; has it been stopped? End it, or start it anew"]
    client.sent[0].set_result(Answer("a", RESULT))
    assert future.result() is RESULT


def test_a_shard_that_no_worker_has_is_taken_back_when_the_run_stops(begin: Begin, shard: Shard) -> None:
    client = FakeClient({"a": 1})
    workers = begin(client)
    held, waiting = workers.submit(shard), workers.submit(shard)
    workers.stop()
    with pytest.raises(WorkerDiedError):
        waiting.result()
    assert not held.done()


def test_a_worker_that_comes_and_says_nothing_holds_up_no_stop(
    begin: Begin, shard: Shard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 1000)
    monkeypatch.setattr(cluster, "FAREWELL_SECONDS", 0.1)
    client = FakeClient({"a": 1})
    workers = begin(client)
    future = workers.submit(shard)
    client.silent.add("b")
    client.cores = {"a": 1, "b": 1}
    client.asked_silent.get(timeout=60)
    workers.stop()
    assert client.told_to_stop.wait(60)  # while it is waited for
    client.sent[0].set_result(Answer("a", RESULT))
    assert future.result() is RESULT


def test_a_scheduler_that_says_nothing_more_does_not_hold_up_the_end(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "FAREWELL_SECONDS", 0.1)
    client, asked, answered = FakeClient({"a": 1}), Event(), Event()
    workers = begin(client)

    def nothing() -> dict[str, int]:
        asked.set()
        answered.wait()
        return {}

    monkeypatch.setattr(client, "nthreads", nothing)
    assert asked.wait(60)
    workers.shutdown()
    answered.set()


def test_a_cluster_that_is_gone_takes_no_shard(begin: Begin, shard: Shard) -> None:
    client = FakeClient({"a": 1})
    workers = begin(client)
    client.status = "closed"
    with pytest.raises(HostError, match=r"^the scheduler of the cluster is gone"):
        workers.submit(shard)
