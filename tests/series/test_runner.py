"""In whatever order games are played, broken off, lost and played again: the run is that of one after the other.

The runner is real, and so is its store. Instead of worker processes there is a pool in this process that does to it
all that workers can do: shards end in any order, come back in part, and workers die.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from playing import Players, bot_names

from arena.dealer.room import RoomRules
from arena.dealer.table import forfeited_game
from arena.dealer.values import GameRecord, GameSpec
from arena.errors import HostError
from arena.records.store import Run
from arena.tournament import runner
from arena.tournament.runner import RunEnd, Runner
from arena.tournament.schedule import Schedule
from arena.tournament.worker import Job, Shard, ShardResult

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

    def __init__(self, dice: Random, most: int, deaths: float) -> None:
        self.dice = dice
        self.stopped: Callable[[], bool] = lambda: False
        self._most = most
        self._deaths = deaths
        self._waiting: dict[Future[ShardResult], Shard] = {}

    def __call__(self, *_: object) -> "Chaos":
        """Be made by the runner as its pool."""
        self._waiting.clear()
        return self

    def submit(self, _: object, shard: Shard) -> Future[ShardResult]:
        if self.dice.random() < self._deaths:
            raise BrokenProcessPool
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
                future.set_exception(BrokenProcessPool())
            else:
                future.set_result(ShardResult(self._some_of(shard), self.dice.choice((0.01, 1.0, 100.0)), {}))
        return set(done), set(waiting).difference(done)

    def shutdown(self, *, cancel_futures: bool) -> None:
        assert cancel_futures

    def _some_of(self, shard: Shard) -> tuple[GameRecord, ...]:
        """All games, unless the stop or a bot with too many faults cuts some off."""
        faults: dict[str, int] = {}
        records = []
        for spec in shard.specs:
            cut = self.stopped() or any(faults.get(name, 0) >= self._most for name in spec.seats)
            if not cut or self.dice.random() < 0.5:
                records.append(played(spec))
                for name in culprits(spec, records[-1]):
                    faults[name] = faults.get(name, 0) + 1
        return tuple(records)


class KilledError(BaseException):
    """The arena is killed: what was committed stays."""


def a_runner(run: Run, schedule: Schedule, most: int) -> Runner:
    room = RoomRules(1, 1, False, 1.0, 1.0, most)
    return Runner(run, schedule, Job(PLAYERS.shared, room, {}, 1.0, 1.0, run.folder / "logs"), workers=2)


@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_play_changes_nothing(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = Random(seed)
    bots, most = dice.choice((2, 3)), dice.choice((1, 2, 3, 1000))
    schedule = schedule_of(bots)
    chaos = Chaos(dice, most, deaths=dice.choice((0.0, 0.05)))
    commit = Run.commit

    def commit_or_die(
        run: Run, records: Iterable[GameRecord], starts: Mapping[str, Sequence[float]] | None = None
    ) -> None:
        if dice.random() < 0.05:
            raise KilledError
        commit(run, records, starts)

    monkeypatch.setattr(runner, "ProcessPoolExecutor", chaos)
    monkeypatch.setattr(runner, "wait", chaos.wait)
    monkeypatch.setattr(runner, "FIRST_SHARD_GAMES", dice.choice((1, 3, 8)))
    monkeypatch.setattr(Run, "commit", commit_or_die)
    run = Run.create(tmp_path, PLAYERS.info(bots, GROUPS[bots]), schedule)
    end = RunEnd.INTERRUPTED
    while end is not RunEnd.COMPLETE:
        player = a_runner(run, schedule, most)
        chaos.stopped = player._stop.is_set

        def report(_: object, player: Runner = player) -> None:
            if dice.random() < 0.1:
                player.interrupt()

        with suppress(KilledError, HostError):
            end = player.play(None, report)
            assert end is not RunEnd.OUT_OF_TIME
            assert player.progress.games_done == len(run.done())
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
    monkeypatch.setattr(runner, "ProcessPoolExecutor", Chaos(Random(1), 1, deaths=1.0))
    with Run.create(tmp_path, PLAYERS.info(3, GROUPS[3]), schedule_of(3)) as run:
        with pytest.raises(HostError, match=f"go on with: arena resume {tmp_path}"):
            a_runner(run, schedule_of(3), most=1).play(None, lambda _: None)
        assert not run.done()


@pytest.mark.parametrize("bots", GROUPS)
def test_the_faults_of_these_games_reach_every_kind_of_quarantine(bots: int) -> None:
    """What makes the tests above worth their time."""
    schedule = schedule_of(bots)
    played = [sum(1 for _, record in one_after_the_other(schedule, most) if record.hands) for most in (1, 2, 3, 1000)]
    assert 0 < played[0] < played[1] <= played[2] < played[3] == len(schedule)
