"""Runs as a whole: a folder begun from a series, taken up again, or filled from an earlier run."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import cache, partial
from pathlib import Path

from arena import __version__
from arena.dealer.table import FaultCost, TableRules
from arena.dealer.values import GameRecord, RoomRules
from arena.documents import parse_document
from arena.errors import InputError, RunError
from arena.isolation.values import NO_ISOLATION, Isolation
from arena.players.build import Built, build
from arena.players.connection import Remote
from arena.players.faults import Fault
from arena.players.files import content_hash
from arena.records.info import BotHome, BotInfo, Premises, RunInfo
from arena.records.store import Run
from arena.standings import luck
from arena.tournament.config import config_of, differences
from arena.tournament.descriptors import fitting
from arena.tournament.isolating import build_isolation
from arena.tournament.local import local_workers
from arena.tournament.mustering import cluster_muster
from arena.tournament.runner import Runner
from arena.tournament.schedule import Schedule, schedule_of
from arena.tournament.seeds import series_seed
from arena.tournament.series import Series, series_of
from arena.tournament.worker import Job

JOINED_CONVERSATIONS = 24
"""The most that a bot which dials in has at once: at home each may be a process."""
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
        config=series.public_json(),
        format=series.format,
        seed=seed.master.hex(),
        commitment=seed.commitment,
        bots=_bots(series),
        secret=None if seed.secret is None else seed.secret.hex(),
        luck=luck.installed(),
    )
    return Run.create(folder, info, schedule_of(series, seed.master), _premises(series, base, folder))


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
        config=series.public_json(),
        bots=_bots(series),
        amended=True,
    )
    schedule = schedule_of(series, bytes.fromhex(info.seed))
    run = Run.create(folder, info, schedule, _premises(series, base, folder))
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
    return ", ".join(differences(config_of(old.info), series.config))


def take_up(run: Run, building: Callable[[str], None] = lambda _: None) -> Series:
    """The series of a run that exists, with its bots as they are now, built. building: see `built`.

    Raises `RunError` for a bot that is not what it was when the run began and for a run that was published, which has
    no bots, `InputError` for a bot that is gone.
    """
    if not run.premises.config:
        raise RunError(f"{run.folder}: this is a published run, without its bots; take the one that it was made of")
    series = built(lambda: _loaded(run), building)
    for then, home, now in zip(run.info.bots, run.premises.bots, series.bots, strict=True):
        if then.content_hash != now.content_hash:
            raise RunError(
                f"{run.folder}: the bot {then.name} ({home.origin}) has changed since the run began; bring it back, or "
                f"play its games anew on the same decks: `arena run SERIES --reuse {run.folder}`"
            )
    return series


def built(load: Callable[[], Series], building: Callable[[str], None] = lambda _: None) -> Series:
    """Load a series and build its bots. What a build makes is part of the bot, so the series is loaded anew then.

    building: told the name of a bot whose build begins.
    Raises `InputError` as loading does, and for a build that fails.
    """
    series = load()
    isolate = cache(lambda: build_isolation(series))
    made = [build(bot, begin=partial(building, bot.name), isolate=isolate) for bot in series.bots]
    return load() if Built.BUILT in made else series


def changed_bots(series: Series) -> list[str]:
    """The bots whose folders are not as they were when the series was loaded.

    The working folder of a bot is its own, and all its processes' together: what one writes there another can read, and
    know a deal that it meets from the other side.
    """
    folders = [(bot, entry.path and bot.folder) for bot, entry in zip(series.bots, series.config.bots, strict=True)]
    return [bot.name for bot, folder in folders if folder and content_hash(folder) != bot.content_hash]


def check_reached(series: Series) -> None:
    """Raise `InputError` for bots that dial in where there is no server that they could dial."""
    if unreached := [bot.name for bot in series.bots if bot.joins and bot.address is None]:
        raise InputError(
            f"{unreached[0]} dials in, which needs a server: start one with `arena serve`, and give it this series "
            "with `arena submit`"
        )


def runner_of(
    run: Run,
    series: Series,
    workers: int | None = None,
    isolation: Isolation = NO_ISOLATION,
    tell: Callable[[str], None] = lambda _: None,
    cluster: str | None = None,
) -> Runner:
    """What plays a run to its end.

    workers: instead of the number in the series. isolation: of its bots. tell: given a line about what a machine is
        too small for. cluster: the address of the one that plays, as `cluster_of` gives it, in place of this machine.
    Raises `HostError` where this machine is too small for anything, `InputError` as `check_reached`.
    """
    check_reached(series)
    schedule = schedule_of(series, bytes.fromhex(run.info.seed))
    number = series.config.workers if workers is None else workers
    job = job_of(run, series, isolation)
    if cluster is not None:
        return Runner(run, schedule, job, cluster_muster(cluster, run.folder.resolve().name, tell))
    fits = fitting(_processors() if number == "auto" else number, job.crews, series.format.seats)
    if fits.told:
        tell(fits.told)
    count, crews = fits.workers, fits.crews
    if series.joining:
        count = min(count, JOINED_CONVERSATIONS)
        crews = min(crews, JOINED_CONVERSATIONS // count)
    return Runner(run, schedule, replace(job, crews=crews), partial(local_workers, count))


def _loaded(run: Run) -> Series:
    base = Path(os.path.normpath(run.folder / run.premises.base))
    return series_of(parse_document(run.premises.config, f"{run.folder}: its series"), base)


def table_rules(info: RunInfo) -> TableRules:
    """What all tables of a run share."""
    config = config_of(info)
    return TableRules(
        info.format,
        bytes.fromhex(info.seed),
        config.hints,
        FaultCost(config.faults.cost),
        round(config.clock.decision / timedelta(milliseconds=1)),
    )


def job_of(run: Run, series: Series, isolation: Isolation) -> Job:
    """How a run is played. isolation: of its bots."""
    config = series.config
    assert config.batch is not None  # a loaded series has every default
    clock = config.clock
    return Job(
        table_rules(run.info),
        RoomRules(
            tables=config.tables,
            batch=config.batch,
            timed=config.timed,
            decision=clock.decision.total_seconds(),
            bank=clock.bank.total_seconds(),
            quarantine_after=config.faults.quarantine_after,
            hand=None if clock.hand is None else clock.hand.total_seconds(),
        ),
        {bot.name: bot for bot in series.bots},
        ready=clock.ready.total_seconds(),
        goodbye=clock.goodbye.total_seconds(),
        logs=run.folder / "logs",
        isolation=isolation,
        measure=clock.measure,
        remote=Remote(config.remote.grace.total_seconds(), config.remote.network.total_seconds()),
    )


def _bots(series: Series) -> tuple[BotInfo, ...]:
    return tuple([BotInfo(spec.name, spec.version, spec.content_hash) for spec in series.bots])


def _premises(series: Series, base: Path, folder: Path) -> Premises:
    homes = [
        BotHome(entry.origin, spec.run, "" if spec.folder is None or spec.elsewhere else _relative(spec.folder, folder))
        for spec, entry in zip(series.bots, series.config.bots, strict=True)
    ]
    return Premises(series.as_json(), series.source, _relative(base, folder), tuple(homes))


def _relative(base: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(base.resolve(), folder.resolve())).as_posix()
    except ValueError:  # another drive
        return base.resolve().as_posix()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def free_folder(name: str, parent: Path = Path("runs")) -> Path:
    """The first of NAME-001, NAME-002, ... in `parent` that is not there."""
    return next(folder for folder in numbered(parent, name) if not folder.exists())


def numbered(parent: Path, name: str) -> Iterator[Path]:
    """NAME-001, NAME-002, ... in `parent`, whether they are there or not."""
    number = 1
    while True:
        yield parent / f"{name}-{number:03}"
        number += 1
