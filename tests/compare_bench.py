"""Comparisons for tests: begun as `arena compare` begins them, and played at tables in this process."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from bots_at_table import bot_class, play_by

from arena.bot import Bot
from arena.dealer.values import GameRecord, GameSpec
from arena.records.store import Run
from arena.tournament.compare import Asked, series_asked
from arena.tournament.comparison import NEW, OLD, Comparison
from arena.tournament.pairs import Game
from arena.tournament.running import begin, table_rules
from arena.tournament.versions import pool_of, version

SAMPLES = Path(__file__).parents[1] / "sample_bots"
BOTS = Path(__file__).parent / "gate" / "bots"
SIMPLE = SAMPLES / "simple"
SLOW = Comparison(worse="-0.01", better="0")
"""A question that no test's hands answer."""


def asked(
    old: Path = SIMPLE,
    new: Path = BOTS / "keeps_high",
    pool: Sequence[Path] = (),
    groups: int = 4,
    comparison: Comparison = SLOW,
    settings: Sequence[str] = (),
) -> Asked:
    """What is asked for, so many deal groups at most."""
    hands = groups * 2 * (1 + 2 * len(pool))
    bots = pool_of([str(folder) for folder in pool])
    return Asked(version(str(old)), version(str(new)), bots, comparison, hands, "tests", settings=settings, raw=True)


def begun(folder: Path, what: Asked) -> Run:
    """The run of a comparison, open for writing, without a game."""
    return begin(series_asked(what), what.base, folder)


def classes(what: Asked) -> dict[str, type[Bot]]:
    """The bots of a comparison, by their names in it."""
    folders = {OLD: what.old.spec.folder, NEW: what.new.spec.folder}
    folders |= {bot.spec.name: bot.spec.folder for bot in what.pool}
    return {name: bot_class(folder.name, folder.parent) for name, folder in folders.items() if folder is not None}


def played(run: Run, bots: Mapping[str, type[Bot]], specs: Iterable[GameSpec] | None = None) -> Iterator[GameRecord]:
    """The games of a run, played here."""
    shared = table_rules(run.info)
    for spec in run.games() if specs is None else specs:
        yield play_by(shared, spec, [bots[name] for name in spec.seats])


def games_of(run: Run) -> list[Game]:
    """The games of a run that are finished."""
    return list(run.records())
