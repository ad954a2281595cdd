"""A series that is killed at random points again and again, gone on with, and compared with one that was let alone."""

import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from random import Random

from kills.processes import Process, bots, descendants, groups_of, playing
from series_bench import BOTS, SAMPLES, ArenaProcess, results, write_series

from arena.errors import RunError
from arena.players.faults import Fault
from arena.records.store import Run
from arena.records.verify import verify

EARLY = 0.1
"""Share of the kills that come at any time from the start of the arena on; the others come when bots play."""
LATEST = 2.0
"""Seconds after which a kill comes, at the most."""
PATIENCE = 1.5
"""Seconds in which a bot that plays is seen to."""
HEALING = 8.0
"""Seconds after which a killed bot's games are void at the latest; none are if it was killed between two rooms."""
GONE = 20.0
"""Seconds in which everything of an arena has to be gone."""


class Victim(StrEnum):
    """Who is killed."""

    COORDINATOR = "coordinator"
    GROUP = "coordinator and workers"
    WORKER = "worker"
    BOT = "bot"


@dataclass
class Figures:
    """What came of it.

    kills: by victim. in_play: those that came while hands were being played. runs: compared with the one let alone.
    voids: games that were broken off. lost: games that had been committed and were gone after a kill.
    processes, folders, groups: what was left. noise: what was printed and should not have been.
    """

    kills: Counter[Victim] = field(default_factory=Counter)
    in_play: int = 0
    runs: int = 0
    voids: int = 0
    lost: int = 0
    differences: list[str] = field(default_factory=list)
    processes: int = 0
    folders: int = 0
    groups: int = 0
    noise: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def lines(self) -> list[str]:
        """The figures, for people."""
        kills = sum(self.kills.values())
        told = ", ".join(f"{number} {victim}" for victim, number in sorted(self.kills.items()))
        return [
            f"kills             {kills} ({told})",
            f"while in play     {self.in_play}",
            f"survived          {kills - len(self.noise)}",
            f"runs compared     {self.runs}, different: {len(self.differences)}",
            f"games broken off  {self.voids}",
            f"results lost      {self.lost}",
            f"processes left    {self.processes}",
            f"folders left      {self.folders}",
            f"groups left       {self.groups}",
            f"seconds           {self.seconds:.0f}",
            *self.differences,
            *self.noise,
        ]

    @property
    def fine(self) -> bool:
        """Whether nothing was lost, changed or left."""
        return not (
            self.lost or self.differences or self.processes or self.folders or self.groups or self.noise
        ) and bool(self.runs)


class Campaign:
    """One campaign of kills."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        kills: Counter[Victim],
        groups: int,
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Prepare. kills: how many of each victim. groups: deal groups of the series. note: told of each kill."""
        self._note = note
        self.folder = folder
        self.figures = Figures()
        self._dice = Random(seed)
        self._victims = [victim for victim, number in kills.items() for _ in range(number)]
        self._dice.shuffle(self._victims)
        self._scratch = folder / "s"  # a short name, as sockets lie in it
        self._scratch.mkdir()
        self._series = write_series(
            folder,
            [BOTS / "learner", SAMPLES / "simple", BOTS / "dicer"], format="gauntlet",
            groups=groups, tables=8, workers=2, rules={"target": 60},
        )  # fmt: skip
        self._seen: set[Process] = set()
        self._arenas: set[int] = set()
        self._killed_at = 0.0  # when the last bot was

    def run(self) -> Figures:
        """Play the series once alone, and then killed, as often as there are kills left."""
        start = time.monotonic()
        alone = self._alone()
        while self._victims:
            out = self.folder / f"killed-{self.figures.runs + 1}"
            command = ["run", str(self._series), "--out", str(out)]
            while not self._torment(command, out):
                command = ["resume", str(out)] if (out / "run.sqlite").exists() else command
            self._compare(out, alone)
        self._look_for_what_is_left()
        self.figures.seconds = time.monotonic() - start
        return self.figures

    def _alone(self) -> dict[str, str]:
        out = self.folder / "alone"
        with ArenaProcess(self._scratch, "run", self._series, "--out", out) as arena:
            code, _, told = arena.end()
        assert code == 0, told
        return _everything(out)

    def _torment(self, command: list[str], out: Path) -> bool:
        """Start an arena, and kill what is to be killed. Returns whether the run came to its end."""
        with ArenaProcess(self._scratch, *command) as arena:
            while self._victims:
                victim = self._victims[-1]
                found = self._wait(arena, out, victim)
                if not arena.runs():
                    break
                if not found:
                    continue
                before = _done(out)
                in_play, pids = found
                if victim is Victim.GROUP:
                    os.killpg(arena.pid, signal.SIGKILL)
                else:
                    for pid in pids:
                        with suppress(ProcessLookupError):
                            os.kill(pid, signal.SIGKILL)
                self._victims.pop()
                self.figures.kills[victim] += 1
                self.figures.in_play += in_play
                kill = f"{sum(self.figures.kills.values())}: {victim}{'' if in_play else ', not in play'}"
                self._note(f"{kill}, after {len(before)} games of {out.name}")
                if victim in (Victim.COORDINATOR, Victim.GROUP):
                    self._hear(arena, -signal.SIGKILL)
                    self._wait_until_gone()
                    self.figures.lost += len(before - _done(out))
                    return False
                if victim is Victim.BOT:
                    self._killed_at = time.monotonic()
            self._hear(arena, 0)
            return True

    def _wait(self, arena: ArenaProcess, out: Path, victim: Victim) -> tuple[bool, list[int]] | None:
        """Wait for the moment of a kill. Returns whether hands are in play, and whom to kill; `None` to try again."""
        early = self._dice.random() < EARLY and victim is not Victim.BOT
        pause = self._dice.random() * LATEST
        end = time.monotonic() + pause
        while arena.runs() and (time.monotonic() < end or not (early or self._bots(arena))):
            time.sleep(0.02)
            if self._bots(arena) and not early:
                early, end = True, time.monotonic() + pause
        busy = playing(self._bots(arena), PATIENCE)
        if victim is Victim.WORKER:
            workers = arena.workers()
            if not workers:
                return None
            worker = self._dice.choice(workers)
            return bool(set(busy) & set(descendants(worker))), [worker]
        if victim is not Victim.BOT:
            return bool(busy), [arena.pid]
        if not busy or not self._may_kill_a_bot(out):
            return None
        return True, [self._dice.choice(busy).pid]

    def _may_kill_a_bot(self, out: Path) -> bool:
        """Whether no game is played again in which a bot was killed: it may happen to it once."""
        with Run.open(out) as run:
            killed = {void.index for _, void in run.voids() if void.fault is Fault.KILLED}
            noticed = time.monotonic() > self._killed_at + HEALING or len(killed) > self._voids
            if noticed and killed <= run.done():
                self._voids = len(killed)
                return True
        return False

    _voids = 0

    def _bots(self, arena: ArenaProcess) -> list[Process]:
        processes = [*descendants(arena.pid)]
        self._seen.update(processes)
        self._arenas.update([arena.pid, *(process.pid for process in processes)])
        return bots(processes)

    def _hear(self, arena: ArenaProcess, expected: int) -> None:
        code, _, told = arena.end()
        if code != expected or "Traceback" in told or "leaked" in told:
            self.figures.noise.append(f"code {code}, expected {expected}: {told[-2000:]}")

    def _wait_until_gone(self) -> int:
        """Wait until no process is left of what was killed. Returns how many are."""
        end = time.monotonic() + GONE
        while any(process.is_there() for process in self._seen) and time.monotonic() < end:
            time.sleep(0.02)
        left = [process for process in self._seen if process.is_there()]
        self.figures.processes += len(left)
        for process in left:
            self._note(f"left: {process}, {process.words()}")
        self._seen = set(left)
        return len(left)

    def _compare(self, out: Path, alone: dict[str, str]) -> None:
        self.figures.runs += 1
        self._voids = 0
        with Run.open(out) as run:
            self.figures.voids += len(list(run.voids()))
        killed = _everything(out)
        self.figures.differences += [f"{out.name}: {key}" for key in alone if killed.get(key) != alone[key]]

    def _look_for_what_is_left(self) -> None:
        self._wait_until_gone()
        self.figures.folders = len(list(self._scratch.iterdir()))
        self.figures.groups = len(groups_of(self._arenas))


def _everything(out: Path) -> dict[str, str]:
    """Tables, exports and the digest of a run."""
    with Run.open(out) as run:
        return results(out) | {"digest": str(verify(run))}


def _done(out: Path) -> set[int]:
    try:
        with Run.open(out) as run:
            return run.done()
    except RunError:
        return set()
