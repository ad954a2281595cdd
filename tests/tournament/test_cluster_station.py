"""A process of a cluster as a worker: what comes to it twice, the stop, another run, a machine that lacks a layer."""

import asyncio
import errno
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from series_bench import BOTS, LONG, SAMPLES, Crew, games

from arena.dealer.values import RoomRules
from arena.errors import HostError, InputError
from arena.isolation.values import NO_ISOLATION, Isolation, Layer, LayerState, Mode
from arena.players.manifest import read_manifest
from arena.tournament import station
from arena.tournament.shipping import parcel
from arena.tournament.station import IDENTITY, Answer, Charter, Order
from arena.tournament.worker import Job, Shard, ShardResult, Worker


class Far:
    """A run whose shards come to this process: a bot that remembers every deal against another."""

    def __init__(self, folder: Path) -> None:
        memory = folder / "memory"
        memory.mkdir()
        (memory / "bot.yaml").write_text("name: memory\nrun: ['{python}', bot.py, process]\n")
        (memory / "bot.py").write_text((BOTS / "memory" / "bot.py").read_text())
        bots = (read_manifest(memory), read_manifest(SAMPLES / "simple"))
        crew = Crew(bots, folder / "logs")
        room = RoomRules(128, 128, False, LONG, 0.0, 1000)
        self.job = Job(crew.shared, room, {bot.name: bot for bot in bots}, LONG, LONG, folder / "logs")
        self.specs = crew.specs(6)
        self.parcels = {bot.name: parcel(bot) for bot in bots}
        self.runs: list[str] = []

    def play(self, run: str, *, sent: bool = False, isolation: Isolation = NO_ISOLATION) -> Answer:
        """Have the shard played for a run. sent: with the bots."""
        self.runs.append(run)
        charter = Charter(run, run, replace(self.job, isolation=isolation))
        order = Order(charter, Shard(0, 0, tuple(self.specs)), self.parcels if sent else {})
        return station.play(order.packed(), IDENTITY)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for the temporary files of this machine."""
    with tempfile.TemporaryDirectory(prefix="far-") as folder:  # with a path that is short enough for sockets
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)


@pytest.fixture
def far(tmp_path: Path, machine: Path) -> Iterator[Far]:
    far = Far(tmp_path)
    yield far
    for run in far.runs:
        station.dismiss(run)
    assert left(machine) == []


def left(machine: Path) -> list[str]:
    """What stations have there, or have left there, but for the depot of bots."""
    return [path.name for path in machine.iterdir() if not path.name.startswith("gin-bots-")]


def played(answer: Answer) -> ShardResult:
    assert answer.result is not None
    return answer.result


@pytest.mark.parametrize("module", ["arena.bot", "arena.dealer.room", "arena.players.player"])
def test_all_code_that_plays_is_compared(module: str) -> None:
    told = "import sys, MODULE; print(*(m.__file__ for n, m in sys.modules.items() if n.startswith('arena')))"
    done = subprocess.run(
        [sys.executable, "-c", told.replace("MODULE", module)], capture_output=True, text=True, check=True
    )
    imported = {Path(file) for file in done.stdout.split()}
    assert len(imported) > 20
    assert imported <= set(station.code())


def test_a_shard_that_comes_to_a_worker_twice_is_played_by_fresh_bots(far: Far, machine: Path) -> None:
    assert far.play("one").missing == ("memory", "simple")
    first, again = (played(far.play("one", sent=True)) for _ in range(2))
    assert len(first.records) == len(far.specs)
    assert games(first.records) == games(again.records)
    assert [len(starts) for starts in again.starts.values()] == [1, 1]
    logs = "".join([path.read_text() for path in machine.glob("gin-bots-*/logs/one/memory*/stdout.log")])
    assert "I know these cards" not in logs


def test_a_run_that_is_stopped_begins_nothing_more_and_another_does(far: Far) -> None:
    far.play("two", sent=True)
    station.stop("two")
    assert played(far.play("two")) == ShardResult((), 0.0, {})
    assert len(played(far.play("three")).records) == len(far.specs)  # the bots are there


def test_where_nothing_comes_any_more_the_bots_go_home_by_themselves(
    far: Far, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the coordinator was killed."""
    far.play("eight", sent=True)
    assert left(machine) != []
    monkeypatch.setattr(station, "IDLE_SECONDS", 0.01)
    far.play("eight")
    while left(machine):
        time.sleep(0.01)


def test_who_says_farewell_lets_the_process_hear_others_while_a_shard_is_played(far: Far) -> None:
    far.play("six", sent=True)
    begun, may_end = Event(), Event()

    def stop() -> bool:  # looked at by whoever plays
        begun.set()
        may_end.wait()
        return True

    async def script() -> None:
        playing = asyncio.create_task(asyncio.to_thread(far.play, "six"))
        await asyncio.to_thread(begun.wait)
        leaving = asyncio.create_task(station.farewell("six"))
        await asyncio.sleep(0.01)
        assert not leaving.done()
        may_end.set()  # by this loop, which is not held up
        await asyncio.gather(playing, leaving)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(station, "Worker", lambda job, _: Worker(job, stop))
        station.dismiss("six")
        asyncio.run(script())


def test_a_worker_of_another_arena_plays_nothing() -> None:
    """It may be given a shard in the moment before the run has looked at it."""
    told = f"^{socket.gethostname()}: a worker there has {re.escape(IDENTITY)}, expected arena 9 on Python 4, as here"
    with pytest.raises(HostError, match=told):
        station.play(b"nothing that it could read", "arena 9 on Python 4")


def test_a_machine_that_can_write_nothing_says_so(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask itself raises such errors, for workers that are lost: another worker would be tried, and another."""

    def full() -> object:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/gin-bots-0")

    monkeypatch.setattr(station, "depot", full)
    with pytest.raises(HostError, match=f"^{socket.gethostname()}: /tmp/gin-bots-0: No space left on device$"):
        far.play("1")


def test_a_machine_without_a_layer_that_is_required_is_named(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    states = (LayerState(Layer.FILES, False, "there is no bwrap"), LayerState(Layer.LIMITS, True))

    def found(mode: Mode, *_: object) -> Isolation:
        return Isolation(mode, layers=states)

    monkeypatch.setattr(station, "find_isolation", found)
    with pytest.raises(InputError) as refused:
        far.play("four", isolation=Isolation(Mode.REQUIRED))
    machine = socket.gethostname()
    assert str(refused.value).startswith(f"{machine}: isolation is 'required', and this machine is without files")
    assert "\n" not in str(refused.value)
    notes = far.play("five", sent=True, isolation=Isolation(Mode.BEST_EFFORT)).notes
    assert notes[0] == "no isolation by files"
