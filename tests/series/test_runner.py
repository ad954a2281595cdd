"""In whatever order games are played, broken off, lost and played again: the run is that of one after the other.

The runner is real, and so is its store. Instead of worker processes there is a pool in this process that does to it
all that workers can do: shards end in any order, come back in part, and workers die.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from playing import Players, bot_names

from arena.dealer.table import forfeited_game
from arena.dealer.values import GameRecord, GameSpec, RoomRules, Void
from arena.errors import HostError
from arena.players.faults import Fault
from arena.records.store import Run
from arena.tournament import runner
from arena.tournament.local import local_workers
from arena.tournament.runner import RunEnd, Runner
from arena.tournament.schedule import Schedule
from arena.tournament.worker import Job, Shard, ShardResult
from arena.tournament.workers import Muster, WorkerDiedError

PLAYERS = Players(faults=0.003)
GROUPS = {2: 24, 3: 10}
"""Deal groups by the number of bots."""


def schedule_of(bots: int) -> Schedule:
    return Schedule(tuple(bot_names(bots)), tuple(combinations(range(bots), 2)), GROUPS[bots])


Records = list[tuple[GameSpec, GameRecord]]


@cache
def played(spec: GameSpec) -> GameRecord:
    return PLAYERS.game(spec)


def culprits(spec: GameSpec, record: GameRecord) -> list[str]:
    return [spec.seats[fault.seat] for fault in record.faults]


def one_after_the_other(schedule: Schedule, most: int) -> Records:
    """What the run has to be: a bot is out from the game after its fault number `most`."""
    faults: dict[str, int] = {}
    records = []
    for spec in schedule:
        out = [name for name in spec.seats if faults.get(name, 0) >= most]
        record = forfeited_game(spec, PLAYERS.shared, out) if out else played(spec)
        for name in () if out else culprits(spec, record):
            faults[name] = faults.get(name, 0) + 1
        records.append((spec, record))
    return without_times(records)


def without_times(records: Iterable[tuple[GameSpec, GameRecord]]) -> Records:
    return [(spec, replace(record, times=())) for spec, record in records]


class Chaos:
    """A pool of workers in which all happens that can, by the fall of dice."""

    def __init__(self, dice: Random, most: int, deaths: float, voids: float = 0.0) -> None:
        self.dice = dice
        self._stopped = False
        self._most = most
        self._deaths = deaths
        self._voids = voids
        self._waiting: dict[Future[ShardResult], Shard] = {}

    shard_seconds = 1.0
    number = 2
    wanted = 3

    @contextmanager
    def muster(self, _: Job) -> Iterator["Chaos"]:
        """Be the workers of a runner."""
        self._waiting.clear()
        self._stopped = False
        yield self

    def stop(self) -> None:
        self._stopped = True

    def kill(self) -> None:
        raise AssertionError("nothing here is held up")

    def submit(self, shard: Shard) -> Future[ShardResult]:
        future: Future[ShardResult] = Future()
        if self.dice.random() < 0.7:
            future.set_running_or_notify_cancel()
        self._waiting[future] = shard
        return future

    def wait(
        self, futures: Iterable[Future[ShardResult]], timeout: float, return_when: str
    ) -> tuple[set[Future[ShardResult]], set[Future[ShardResult]]]:
        waiting = [future for future in futures if not future.cancelled()]
        done = self.dice.sample(waiting, self.dice.randint(0, len(waiting)))
        for future in done:
            if not future.running():
                future.set_running_or_notify_cancel()
            shard = self._waiting.pop(future)
            if self.dice.random() < self._deaths:
                future.set_exception(WorkerDiedError())
            else:
                future.set_result(self._some_of(shard))
        return set(done), set(waiting).difference(done)

    def shutdown(self) -> None:
        """All that was begun is brought by `wait`, or never."""

    def _some_of(self, shard: Shard) -> ShardResult:
        """All games, unless the stop, a bot with too many faults, or the machine cuts some off."""
        faults: dict[str, int] = {}
        records = []
        specs, voids = list(shard.specs), []
        kind = self.dice.choice((Fault.KILLED, Fault.SPAWN, Fault.STARVED, Fault.INTERRUPTED))
        if self.dice.random() < self._voids:
            begun = self.dice.randint(1, len(specs))
            voids = self.dice.sample(specs[:begun], self.dice.randint(1, begun))
            specs = [spec for spec in specs[:begun] if spec not in voids]
        for spec in specs:
            cut = self._stopped or any(faults.get(name, 0) >= self._most for name in spec.seats)
            if not cut or self.dice.random() < 0.5:
                records.append(played(spec))
                for name in culprits(spec, records[-1]):
                    faults[name] = faults.get(name, 0) + 1
        broken_off = tuple([Void(spec.index, kind, "chance") for spec in voids])
        return ShardResult(tuple(records), self.dice.choice((0.01, 1.0, 100.0)), {}, broken_off)


class KilledError(BaseException):
    """The arena is killed: what was committed stays."""


NOBODY = partial(local_workers, 2)
"""Workers that are not needed, and so are never started."""


def a_runner(run: Run, schedule: Schedule, most: int, muster: Muster = NOBODY) -> Runner:
    room = RoomRules(1, 1, False, 1.0, 1.0, most)
    return Runner(run, schedule, Job(PLAYERS.shared, room, {}, 1.0, 1.0, run.folder / "logs"), muster)


@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_play_changes_nothing(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = Random(seed)
    bots, most = dice.choice((2, 3)), dice.choice((1, 2, 3, 1000))
    schedule = schedule_of(bots)
    chaos = Chaos(dice, most, deaths=dice.choice((0.0, 0.05)), voids=dice.choice((0.0, 0.3)))
    commit = Run.commit

    def commit_or_die(
        run: Run,
        records: Iterable[GameRecord],
        starts: Mapping[str, Sequence[float]] | None = None,
        voids: Iterable[Void] = (),
        networks: Mapping[str, Sequence[float]] | None = None,
    ) -> None:
        if dice.random() < 0.05:
            raise KilledError
        commit(run, records, starts, voids, networks)

    monkeypatch.setattr(runner, "wait", chaos.wait)
    monkeypatch.setattr(runner, "FIRST_SHARD_GAMES", dice.choice((1, 3, 8)))
    monkeypatch.setattr(Run, "commit", commit_or_die)
    run = Run.create(tmp_path, PLAYERS.info(bots, GROUPS[bots]), schedule)
    end = RunEnd.INTERRUPTED
    while end is not RunEnd.COMPLETE:
        player = a_runner(run, schedule, most, chaos.muster)

        def report(_: object, player: Runner = player) -> None:
            if dice.random() < 0.1:
                player.interrupt()

        with suppress(KilledError, HostError):
            end = player.play(None, report)
            assert end is not RunEnd.OUT_OF_TIME
            assert player.progress.games_done == len(run.done())
            voids = Counter(void.index for _, void in run.voids() if void.fault is not Fault.INTERRUPTED)
            left = set(range(len(schedule))) - run.done()
            assert end is not RunEnd.VOID or (left and all(voids[index] >= runner.ATTEMPTS for index in left))
        run.close()
        run = Run.open(tmp_path, write=True)
    with run:
        assert without_times(run.records()) == one_after_the_other(schedule, most)


def test_a_run_that_was_killed_before_it_could_settle_its_last_games_settles_them(tmp_path: Path) -> None:
    schedule = schedule_of(3)
    with Run.create(tmp_path, PLAYERS.info(3, GROUPS[3]), schedule) as run:
        run.commit(map(played, schedule))
        assert a_runner(run, schedule, most=1).play(None, lambda _: None) is RunEnd.COMPLETE
        assert without_times(run.records()) == one_after_the_other(schedule, most=1)


def test_workers_that_keep_dying_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chaos = Chaos(Random(1), 1, deaths=1.0)
    monkeypatch.setattr(runner, "wait", chaos.wait)
    with Run.create(tmp_path, PLAYERS.info(3, GROUPS[3]), schedule_of(3)) as run:
        with pytest.raises(HostError, match=f"go on with: arena resume {tmp_path}"):
            a_runner(run, schedule_of(3), 1, chaos.muster).play(None, lambda _: None)
        assert not run.done()


def test_a_shard_that_comes_back_twice_counts_once(tmp_path: Path) -> None:
    schedule = schedule_of(2)
    with Run.create(tmp_path, PLAYERS.info(2, GROUPS[2]), schedule) as run:
        player = a_runner(run, schedule, most=1000)
        shard = player._next_shard(idle=True)
        assert shard is not None
        for _ in range(2):
            future: Future[ShardResult] = Future()
            future.set_result(ShardResult(tuple(map(played, shard.specs)), 1.0, {}))
            player._take(shard, future, 1.0)
        hands = sum(len(record.hands) for _, record in run.records())
        assert (player.progress.games_done, player.progress.hands) == (len(shard.specs), hands)
        assert run.done() == {spec.index for spec in shard.specs}


@pytest.mark.parametrize("bots", GROUPS)
def test_the_faults_of_these_games_reach_every_kind_of_quarantine(bots: int) -> None:
    """What makes the tests above worth their time."""
    schedule = schedule_of(bots)
    played = [sum(1 for _, record in one_after_the_other(schedule, most) if record.hands) for most in (1, 2, 3, 1000)]
    assert 0 < played[0] < played[1] <= played[2] < played[3] == len(schedule)
