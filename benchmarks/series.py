"""Whole series, as `arena run` plays them: worker processes, shards, the run's store."""

import json
import multiprocessing
import os
import time
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.documents import parse_document
from arena.tournament.runner import Progress, RunEnd
from arena.tournament.running import begin, runner_of
from arena.tournament.series import Series, series_of
from benchmarks.measure import Figures, Size, processes
from benchmarks.rooms import TABLES, TIMED_TABLES, decisions_a_hand


def measure(bot: Path, hints: bool, timed: bool, workers: int, size: Size) -> Figures:
    """Decisions and hands a second of a series of deals, once its shards have grown to full size."""
    commits: list[tuple[float, int]] = []

    def report(progress: Progress) -> None:
        if progress.hands == (commits[-1][1] if commits else 0):
            return
        commits.append((time.perf_counter(), progress.hands))
        counted = _counted(commits, size)
        if len(counted) >= 3 and counted[-1][0] - counted[0][0] >= size.series / 2:
            runner.interrupt()

    series = series_of_bot(bot, hints, timed, workers, size.groups)
    with TemporaryDirectory() as folder, begin(series, Path(folder), Path(folder) / "run") as run:
        runner = runner_of(run, series)
        if runner.play(None, report) is RunEnd.COMPLETE:
            raise RuntimeError("the series was over before it was measured")
        a_hand = decisions_a_hand([record for _, record in islice(run.records(), 1000)])
    (start, before), *_, (end, after) = _counted(commits, size)
    hands = (after - before) / (end - start)
    return {"hands/s": hands, "decisions/s": hands * a_hand}


def measure_memory(bot: Path, size: Size) -> Figures:
    """MB held by the processes of a series after so many hands: the one that keeps the run, and its worker."""
    figures: Figures = {}

    def report(progress: Progress) -> None:
        for mark in size.marks:
            if progress.hands >= mark and f"MB, worker after {mark} hands" not in figures:
                (worker,) = multiprocessing.active_children()
                memory = {process.pid: process.memory for process in processes()}
                figures[f"MB, coordinator after {mark} hands"] = memory[os.getpid()]
                figures[f"MB, worker after {mark} hands"] = memory[worker.pid or 0]

    series = series_of_bot(bot, True, False, 1, size.marks[-1] // 2)
    with TemporaryDirectory() as folder, begin(series, Path(folder), Path(folder) / "run") as run:
        runner_of(run, series).play(None, report)
    return figures


def _counted(commits: list[tuple[float, int]], size: Size) -> list[tuple[float, int]]:
    return [commit for commit in commits if commit[0] - commits[0][0] >= size.series / 2]


def series_of_bot(bot: Path, hints: bool, timed: bool, workers: int, groups: int, play: str = "deals") -> Series:
    """A series between two copies of a bot."""
    text = {
        "name": "bench",
        "bots": [{"path": str(bot), "name": name} for name in ("first", "second")],
        "play": play,
        "groups": groups,
        "seed": "bench",
        "timed": timed,
        "hints": hints,
        "clock": {"ready": "1m", "decision": "1m"},
        "workers": workers,
        "tables": TIMED_TABLES if timed else TABLES,
    }
    return series_of(parse_document(json.dumps(text), "benchmark"), Path("/"))
