"""Series for tests: played by real bot processes, in this process or by the `arena` command, and compared."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self
from unittest.mock import patch

from bot_bench import processes_of

from arena.dealer.table import FaultCost, TableRules
from arena.dealer.values import GameRecord, GameSpec, RoomRules
from arena.dealing import master_seed
from arena.errors import RunError
from arena.isolation.values import NO_ISOLATION
from arena.players.spec import BotSpec, inline_spec
from arena.records.export import What, export
from arena.records.store import Run
from arena.records.verify import verify
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import GameKind
from arena.tournament import local
from arena.tournament.isolating import isolation_of
from arena.tournament.pool import WorkerPool
from arena.tournament.results import write_results
from arena.tournament.runner import RunEnd
from arena.tournament.running import begin, runner_of, take_up
from arena.tournament.series import load_series
from arena.tournament.worker import Job, Shard, ShardResult, Worker

BOTS = Path(__file__).parent / "series" / "bots"
SAMPLES = Path(__file__).parents[1] / "sample_bots"
LONG = 3600.0
"""Seconds. A limit that is never reached: pytest ends a test that waits for it."""

GIN = GameFormat(GameKind.GIN, False, Play.GAMES, Rules(target=40))
"""Short games: two or three hands."""


def sleeper(name: str) -> BotSpec:
    """A bot that is started, says so, and never listens."""
    program = "import sys, time; print('started', file=sys.stderr, flush=True); time.sleep(3600)"
    return inline_spec(name, run=("{python}", "-c", program))


def bot_spec(name: str, bot: str, *arguments: str) -> BotSpec:
    """A bot of series/bots under a name, with arguments for its program."""
    return inline_spec(name, run=("{python}", "bot.py", *arguments), folder=BOTS / bot)


@dataclass(frozen=True)
class Crew:
    """The bots of one seating and how they play.

    bots: by seat. The rest as in `TableRules` and `RoomRules`; no clock is ever up unless it is set here.
    """

    bots: tuple[BotSpec, ...]
    logs: Path
    format: GameFormat = GIN
    cost: FaultCost = FaultCost.HAND
    tables: int = 128
    batch: int = 128
    decision: float = LONG
    bank: float = 0.0
    ready: float = LONG
    goodbye: float = LONG
    quarantine_after: int = 1000
    seed: bytes = field(default=master_seed("series"))

    @property
    def shared(self) -> TableRules:
        return TableRules(self.format, self.seed, cost=self.cost)

    def specs(self, games: int) -> list[GameSpec]:
        """Games of this seating, each of a deal group of its own."""
        seats = tuple(bot.name for bot in self.bots)
        return [GameSpec(index, index, 0, seats) for index in range(games)]

    def play(self, *shards: Sequence[GameSpec]) -> list[GameRecord]:
        """The games that one worker finishes of these shards."""
        return [record for result in self.shards(*shards) for record in result.records]

    def shards(self, *shards: Sequence[GameSpec]) -> list[ShardResult]:
        """What one worker makes of these shards."""
        return self.work([Shard(0, 0, tuple(specs)) for specs in shards])

    def work(self, shards: Iterable[Shard]) -> list[ShardResult]:
        """The same of shards that are made already."""
        room = RoomRules(self.tables, self.batch, False, self.decision, self.bank, self.quarantine_after)
        job = Job(self.shared, room, {bot.name: bot for bot in self.bots}, self.ready, self.goodbye, self.logs)
        worker = Worker(job, lambda: False)
        try:
            return [worker.play(shard) for shard in shards]
        finally:
            worker.dismiss()


Game = tuple[object, ...]


def games(records: Iterable[GameRecord]) -> list[Game]:
    """What has to be the same: everything but the number of the game, the words about a fault, and the times."""
    return [
        (record.hands, record.outcome, [(fault.seat, fault.hand, fault.fault) for fault in record.faults])
        for record in records
    ]


# Whole series.

PAIR_GAMES = 40
"""Games of the series `pair` of series/conftest.py."""


def write_series(folder: Path, bots: Sequence[object], **keys: object) -> Path:
    """Write a series whose bots are never late. bots: entries as in the file; a path is one of a folder."""
    path = folder / "series.yaml"
    clock = {"ready": "1h", "decision": "1h", "goodbye": "1h"}
    rules = {"target": 40}
    entries = [str(bot) if isinstance(bot, Path) else bot for bot in bots]
    series = {"name": "test", "bots": entries, "rules": rules, "seed": 7, "workers": 1, "clock": clock, **keys}
    path.write_text(json.dumps(series))  # which is YAML
    return path


def named(name: str, folder: Path) -> dict[str, str]:
    """An entry for a bot of a folder under another name."""
    return {"path": str(folder), "name": name}


class InThisProcess:
    """A pool whose one worker is this process: a second less for every run where workers are not the point."""

    def __init__(self, _workers: int, _start: object, job: Job, _scratch: Path) -> None:
        self._worker = Worker(job, lambda: False)

    def submit(self, _: object, shard: Shard) -> Future[ShardResult]:
        future: Future[ShardResult] = Future()
        future.set_result(self._worker.play(shard))
        return future

    def stop(self) -> None:
        """What is submitted is done at once, so there is nothing to stop."""

    def kill(self) -> None:
        """Nor to kill."""

    def shutdown(self, *, cancel_futures: bool) -> None:
        self._worker.dismiss()


def play_series(path: Path, out: Path, *settings: str, deadline: float | None = None, isolated: bool = False) -> RunEnd:
    """Play a series, or what is left of it, and write its tables. Only several workers get processes of their own.

    isolated: with the isolation that the series asks for, which takes its time.
    """
    if out.exists():
        run = Run.open(out, write=True)
        series = take_up(run)
    else:
        series = load_series(path, settings)
        run = begin(series, path.parent, out)
    pool = InThisProcess if series.config.workers == 1 else WorkerPool
    with run, patch.object(local, "WorkerPool", pool):
        isolation = isolation_of(series, out) if isolated else NO_ISOLATION
        end = runner_of(run, series, isolation=isolation).play(deadline, lambda _: None)
        write_results(run)
    return end


def results(out: Path) -> dict[str, str]:
    """All that has to be the same whenever the same bots play the same series: its tables and its exports."""
    tables = [path for path in sorted(out.iterdir()) if path.stem in ("standings", "crosstable", "roles")]
    with Run.open(out) as run:
        verify(run)
        exports = {f"export of {what}": "\n".join(export(run, what)) for what in What}
    return {path.name: path.read_text() for path in tables} | exports


def records_of(out: Path) -> list[tuple[GameSpec, GameRecord]]:
    """The games of a run, verified."""
    with Run.open(out) as run:
        verify(run)
        return list(run.records())


class ArenaProcess:
    """The `arena` command at work, in a session of its own, as a shell would start it. Leaving it kills what is left.

    scratch: its folder for temporary files.
    """

    def __init__(self, scratch: Path, *arguments: str | Path) -> None:
        self.scratch = scratch
        self._process = subprocess.Popen(
            [sys.executable, "-m", "arena", *map(str, arguments)],
            env=os.environ | {"TMPDIR": str(scratch)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.pid = self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pid in [*processes_of(self.scratch)]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.kill()
        self._process.communicate()

    def wait_for_games(self, out: Path, games: int) -> None:
        """Wait until so many games are committed, or the command has ended."""
        while self._process.poll() is None and games_done(out) < games:
            time.sleep(0.01)

    def workers(self) -> list[int]:
        """Its worker processes."""
        found = {}
        for pid in processes_of(self.scratch):
            with suppress(OSError):  # it has gone
                command = Path(f"/proc/{pid}/cmdline").read_bytes()
                if b"spawn_main" in command and b"resource_tracker" not in command:
                    status = Path(f"/proc/{pid}/status").read_text()
                    found[pid] = int(status.partition("\nPPid:")[2].split()[0])
        # What a worker starts looks like the worker, until it is another program.
        return [pid for pid, parent in found.items() if parent not in found]

    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def interrupt(self) -> None:
        """Ctrl-C: every process of the terminal's foreground gets it."""
        os.killpg(self.pid, signal.SIGINT)

    def end(self) -> tuple[int, str, str]:
        """Wait for its end: exit code, standard output, standard error."""
        out, err = self._process.communicate()
        return self._process.returncode, out, err

    def left(self) -> tuple[list[Path], list[int]]:
        """The temporary files and the processes that are still there."""
        return list(self.scratch.iterdir()), list(processes_of(self.scratch))

    def wait_until_nothing_is_left(self) -> None:
        """Of processes that end by themselves; pytest ends a test that waits in vain."""
        while self.left() != ([], []):
            time.sleep(0.01)


def games_done(out: Path) -> int:
    """How many games of a run are committed; 0 as long as there is no run."""
    try:
        with Run.open(out) as run:
            return len(run.done())
    except RunError:
        return 0


def seen(folder: Path, pattern: str) -> list[Path]:
    """What there is of a pattern in a folder; nothing, if something goes while it is looked for."""
    try:
        return [*folder.glob(pattern)]
    except FileNotFoundError:
        return []
