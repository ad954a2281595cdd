"""Runs as a whole: a folder begun from a series, taken up again, or filled from an earlier run."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

from arena import __version__
from arena.dealer.room import RoomRules
from arena.dealer.table import FaultCost, TableRules
from arena.dealer.values import GameRecord
from arena.documents import parse_document
from arena.errors import RunError
from arena.players.build import Built, build
from arena.players.faults import Fault
from arena.players.manifest import content_hash
from arena.records.info import BotInfo, RunInfo
from arena.records.store import Run
from arena.tournament.config import config_of
from arena.tournament.runner import Runner
from arena.tournament.schedule import Schedule, schedule_of
from arena.tournament.seeds import series_seed
from arena.tournament.series import Series, series_of
from arena.tournament.worker import Job

REUSE_BATCH = 500
"""Games that are copied from an earlier run in one transaction."""


def begin(series: Series, base: Path, folder: Path) -> Run:
    """Begin a run of a series in a new folder: draw the seed, fix the schedule, publish the commitment.

    base: the folder that the paths of the series are relative to. Raises `RunError` for a folder that is in use.
    """
    seed = series_seed(series, base)
    info = RunInfo(
        name=series.config.name,
        arena_version=__version__,
        config=series.as_json(),
        source=series.source,
        format=series.format,
        seed=seed.master.hex(),
        commitment=seed.commitment,
        bots=_bots(series),
        secret=None if seed.secret is None else seed.secret.hex(),
        base=_relative(base, folder),
    )
    return Run.create(folder, info, schedule_of(series, seed.master))


def begin_from(old: Run, series: Series, base: Path, folder: Path) -> tuple[Run, int]:
    """Begin a run on the seed of an earlier one and take over the games whose bots have not changed.

    Returns the run and how many games were taken over. Raises `RunError` where the series is not the same but for
    its bots.
    """
    changed = _changes(old, series)
    if changed:
        raise RunError(f"{old.folder}: its games can be taken over where only bots have changed, but so has {changed}")
    info = replace(
        old.info,
        arena_version=__version__,
        config=series.as_json(),
        source=series.source,
        bots=_bots(series),
        base=_relative(base, folder),
        amended=True,
    )
    schedule = schedule_of(series, bytes.fromhex(info.seed))
    run = Run.create(folder, info, schedule)
    return run, _take_over(old, run, schedule)


def _take_over(old: Run, run: Run, schedule: Schedule) -> int:
    """Copy what can stay: played games of bots of the same content, on the same decks, in the same seats."""
    contents = {bot.name: bot.content_hash for bot in run.info.bots}
    same = {bot.name for bot in old.info.bots if contents.get(bot.name) == bot.content_hash}
    places = {(spec.group, spec.seats): spec.index for spec in schedule}
    batch: list[GameRecord] = []
    taken = 0
    for spec, record in old.records():
        index = places.get((spec.group, spec.seats))
        quarantined = any(fault.fault is Fault.QUARANTINED for fault in record.faults)
        if index is None or quarantined or not same.issuperset(spec.seats):
            continue
        batch.append(replace(record, index=index))
        taken += 1
        if len(batch) == REUSE_BATCH:
            run.commit(batch)
            batch = []
    run.commit(batch)
    return taken


def _changes(old: Run, series: Series) -> str:
    """What of a series differs from the one of an earlier run, other than bots and how it is run."""
    before = config_of(old.info).model_dump()  # its bots may be gone
    after = series.config.model_dump()
    free = {"bots", "seed", "secret_file", "workers", "tables", "batch", "name", "groups", "rank_by"}
    return ", ".join(key for key in before if key not in free and before[key] != after[key])


def take_up(run: Run, building: Callable[[str], None] = lambda _: None) -> Series:
    """The series of a run that exists, with its bots as they are now, built. building: see `built`.

    Raises `RunError` for a bot that is not what it was when the run began, `InputError` for one that is gone.
    """
    series = built(lambda: _loaded(run), building)
    for then, now in zip(run.info.bots, series.bots, strict=True):
        if then.content_hash != now.content_hash:
            raise RunError(
                f"{run.folder}: the bot {then.name} ({then.origin}) has changed since the run began; bring it back, or "
                f"play its games anew on the same decks: `arena run SERIES --reuse {run.folder}`"
            )
    return series


def built(load: Callable[[], Series], building: Callable[[str], None] = lambda _: None) -> Series:
    """Load a series and build its bots. What a build makes is part of the bot, so the series is loaded anew then.

    building: told the name of a bot whose build begins.
    Raises `InputError` as loading does, and for a build that fails.
    """
    series = load()
    made = [build(bot, begin=partial(building, bot.name)) for bot in series.bots]
    return load() if Built.BUILT in made else series


def changed_bots(series: Series) -> list[str]:
    """The bots whose folders are not as they were when the series was loaded.

    The working folder of a bot is its own, and all its processes' together: what one writes there another can read, and
    know a deal that it meets from the other side.
    """
    folders = [(bot, entry.path and bot.folder) for bot, entry in zip(series.bots, series.config.bots, strict=True)]
    return [bot.name for bot, folder in folders if folder and content_hash(folder) != bot.content_hash]


def runner_of(run: Run, series: Series, workers: int | None = None) -> Runner:
    """What plays a run to its end. workers: instead of the number in the series."""
    schedule = schedule_of(series, bytes.fromhex(run.info.seed))
    number = series.config.workers if workers is None else workers
    return Runner(run, schedule, _job(run, series), _processors() if number == "auto" else number)


def _loaded(run: Run) -> Series:
    base = Path(os.path.normpath(run.folder / run.info.base))
    return series_of(parse_document(run.info.config, f"{run.folder}: its series"), base)


def _job(run: Run, series: Series) -> Job:
    config = series.config
    assert config.batch is not None  # a loaded series has every default
    clock = config.clock
    return Job(
        TableRules(
            series.format,
            bytes.fromhex(run.info.seed),
            config.hints,
            FaultCost(config.faults.cost),
            round(clock.decision / timedelta(milliseconds=1)),
        ),
        RoomRules(
            tables=config.tables,
            batch=config.batch,
            timed=config.timed,
            decision=clock.decision.total_seconds(),
            bank=clock.bank.total_seconds(),
            quarantine_after=config.faults.quarantine_after,
        ),
        {bot.name: bot for bot in series.bots},
        ready=clock.ready.total_seconds(),
        goodbye=clock.goodbye.total_seconds(),
        logs=run.folder / "logs",
    )


def _bots(series: Series) -> tuple[BotInfo, ...]:
    return tuple(
        BotInfo(spec.name, spec.version, spec.content_hash, entry.origin)
        for spec, entry in zip(series.bots, series.config.bots, strict=True)
    )


def _relative(base: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(base.resolve(), folder.resolve())).as_posix()
    except ValueError:  # another drive
        return base.resolve().as_posix()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def free_folder(name: str, parent: Path = Path("runs")) -> Path:
    """The first of NAME-001, NAME-002, ... in `parent` that is not there."""
    return next(folder for folder in _numbered(parent, name) if not folder.exists())


def _numbered(parent: Path, name: str) -> Iterator[Path]:
    number = 1
    while True:
        yield parent / f"{name}-{number:03}"
        number += 1
