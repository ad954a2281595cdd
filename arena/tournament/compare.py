"""A comparison of two versions of a bot as a series and a run: begun, taken up again, measured before, and played."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import NamedTuple

from arena.documents import parse_document, read_document
from arena.errors import InputError, RunError
from arena.players.faults import Fault
from arena.players.scratch import scratch
from arena.records.store import Run
from arena.rules.game import GameFormat
from arena.standings.luck import installed, luck_of
from arena.standings.sequential import FEWEST
from arena.tournament.comparison import NEW, OLD, SEATINGS, Comparison, hands_a_group
from arena.tournament.config import config_of
from arena.tournament.gate import PRIOR_SD
from arena.tournament.isolating import isolation_of
from arena.tournament.runner import Progress
from arena.tournament.running import begin, built, runner_of
from arena.tournament.series import Series, series_of
from arena.tournament.verdicts import Judge
from arena.tournament.versions import Version

NAME = "compare"
MOST_GROUPS = 20_000
"""Deal groups that are played at most, where nothing else is said."""
OWN_KEYS = {
    "name": "a comparison is called so", "bots": "give OLD, NEW and --against", "format": "a comparison has its own",
    "compare": "give --hypothesis, --worse and --better", "play": "a comparison plays deals",
    "groups": "give --max-hands", "seed": "give --seed", "scoring": "a comparison plays deals",
    "gauntlet": "a comparison has its own format", "triples": "a comparison has its own format",
    "rank_by": "a comparison ranks nobody", "secret_file": "give --seed",
}  # fmt: skip
"""Keys of a series that a comparison says itself, and what to do instead of setting them."""
OPTIONS = {
    "compare.hypothesis": "--hypothesis", "compare.worse": "--worse", "compare.better": "--better", "seed": "--seed",
    "compare.scores": "what is judged (--raw)", "groups": "--max-hands, in deal groups,",
}  # fmt: skip
"""Settings of a comparison's series, as people give them."""
TRIAL_GROUPS = 48
"""Deal groups of the versions against each other that are played for the pace alone, on other cards."""
TRIAL_SECONDS = 20.0
"""How long that may take, when the bots are ready. Slow ones have shown by then that they are."""


class Asked(NamedTuple):
    """What was asked for.

    old, new, pool: the bots. comparison: what the new version is to prove.
    most_hands: to be played, `None` for the usual number. seed: of the cards, `None` for a fresh one.
    rules: a series file whose game, rules, clock and the like hold, `None` for those of the house.
    settings: `key=value`, laid over it. raw: whether the bare scores are to be judged, with the luck of the draws.
    """

    old: Version
    new: Version
    pool: Sequence[Version]
    comparison: Comparison
    most_hands: int | None = None
    seed: str | None = None
    rules: Path | None = None
    settings: Sequence[str] = ()
    raw: bool = False

    @property
    def hands_a_group(self) -> int:
        """Hands of a deal group."""
        return hands_a_group(2 + len(self.pool))

    @property
    def base(self) -> Path:
        """What paths in the series are relative to."""
        return Path() if self.rules is None else self.rules.parent


def series_asked(asked: Asked) -> Series:
    """The series of a comparison. Raises `InputError` for everything that is wrong with it."""
    for setting in asked.settings:
        key = setting.partition("=")[0].split(".")[0]
        if key in OWN_KEYS:
            raise InputError(f"--set {key}: {OWN_KEYS[key]}")
    most = MOST_GROUPS if asked.most_hands is None else asked.most_hands // asked.hands_a_group
    if not most:
        raise InputError(f"--max-hands: {asked.most_hands} hands, expected {asked.hands_a_group} or more, a deal group")
    bots = [asked.old.entry(OLD), asked.new.entry(NEW), *[bot.entry(bot.spec.name) for bot in asked.pool]]
    own: dict[str, object] = {
        "name": NAME, "bots": bots, "format": "compare", "compare": asked.comparison.model_dump(), "play": "deals",
        "groups": most, "scoring": "single", "gauntlet": None, "triples": None, "secret_file": None,
        "seed": "fresh" if asked.seed is None else asked.seed,
    }  # fmt: skip
    settings = [*asked.settings, *[f"{key}={json.dumps(value)}" for key, value in own.items()]]
    if asked.rules is not None:
        return series_of(read_document(asked.rules, settings), asked.base)
    return series_of(parse_document("{}", "arena compare", settings), asked.base)


class Prepared(NamedTuple):
    """A comparison that can begin.

    asked: with the pool that is left. series: its bots built. bots: what they are called and what they are, for people.
    told: what was left out, sentences. same: whether the two versions are one.
    """

    asked: Asked
    series: Series
    bots: list[tuple[str, str]]
    told: list[str]
    same: bool


def prepared(asked: Asked, building: Callable[[str], None]) -> Prepared:
    """Build the bots of a comparison, and leave those out of the pool that are one of its versions.

    Raises `InputError` for everything that is wrong.
    """
    series = built(lambda: series_asked(asked), building)
    old, new, *pool = [bot.content_hash for bot in series.bots]
    stay = [bot for bot, content in zip(asked.pool, pool, strict=True) if content not in (old, new)]
    told = [f"{bot.text} is one of the two versions, so it is not in the pool" for bot in asked.pool if bot not in stay]
    if told:
        asked = asked._replace(pool=stay)
        series = series_asked(asked)
    versions = [asked.old, asked.new, *asked.pool]
    bots = [
        (bot.name if number < 2 else f"against {bot.name}", f"{version.text}, content {bot.content_hash[:12]}")
        for number, (bot, version) in enumerate(zip(series.bots, versions, strict=True))
    ]
    return Prepared(asked, series, bots, told, old == new)


class Planned(NamedTuple):
    """A run that is not begun yet, as far as judging luck needs to know it."""

    format: GameFormat
    luck: str | None


def scored(series: Series, *, raw: bool) -> tuple[Series, str]:
    """The series with the scores that are to be judged, and why luck is left in them, a sentence or nothing.

    raw: whether the bare ones are wanted.
    """
    why = "The bare scores were asked for." if raw else luck_of(Planned(series.format, installed()))
    comparison = series.config.compare
    assert comparison is not None
    scores = "raw" if isinstance(why, str) else "adjusted"
    config = series.config.model_copy(update={"compare": comparison.model_copy(update={"scores": scores})})
    return replace(series, config=config), why if isinstance(why, str) else ""


def check_unchanged(run: Run, ready: Prepared) -> Series:
    """The series of a comparison that is taken up, if it is the one that was begun. Raises `RunError` for another.

    It may be looked at before it goes on, so nothing that its verdict hangs on may change.
    """
    before, asked = config_of(run.info), ready.asked
    if before.compare is None:
        raise RunError(f"{run.folder}: this run is no comparison, expected one that `arena compare` has begun")
    then = {bot.name: bot.content_hash for bot in run.info.bots}
    now = {bot.name: bot.content_hash for bot in ready.series.bots}
    for name in {**then, **now}:
        if then.get(name) != now.get(name):
            raise RunError(f"{run.folder}: {_changed(name, then, now)}; begin anew in another folder")
    series, _ = scored(ready.series, raw=asked.raw)
    if not asked.raw:  # whether luck could be judged was settled when it began
        assert series.config.compare is not None
        compare = series.config.compare.model_copy(update={"scores": before.compare.scores})
        series = replace(series, config=series.config.model_copy(update={"compare": compare}))
    free = {"bots", "workers", "tables", "batch", "isolation", *({"seed"} if asked.seed is None else ())}
    old, new = _flat(before.model_dump(mode="json")), _flat(series.config.model_dump(mode="json"))
    for key in {**old, **new}:
        if key.split(".")[0] not in free and old.get(key) != new.get(key):
            raise RunError(
                f"{run.folder}: {OPTIONS.get(key, key)} was {old.get(key)} when this comparison began, and now it is "
                f"{new.get(key)}; ask the same again, or begin anew in another folder"
            )
    return series


def _changed(name: str, then: dict[str, str], now: dict[str, str]) -> str:
    what = {OLD: "the old version", NEW: "the new version"}.get(name, f"'{name}' of the pool")
    if name not in now:
        return f"{what} was in this comparison when it began, and now it is not"
    if name not in then:
        return f"{what} was not in this comparison when it began"
    return f"{what} has changed since this comparison began (it was {then[name][:12]}, and is {now[name][:12]})"


def _flat(values: dict[str, object]) -> dict[str, object]:
    """Settings by their dotted keys."""
    flat: dict[str, object] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            flat |= {f"{key}.{inner}": each for inner, each in _flat(value).items()}
        else:
            flat[key] = value
    return flat


class Pace(NamedTuple):
    """What a short trial has shown: hands a second, and the standard deviation of a deal group's score.

    The latter is the one that is expected of versions, where the trial was too short to tell.
    """

    hands_a_second: float
    sd: float


def measured(asked: Asked, workers: int | None, deadline: float | None = None) -> Pace | None:
    """Play the versions against each other for a moment, on cards of no comparison, to see how fast this machine is.

    deadline: on the monotonic clock, at which it ends as well, as it does by `TRIAL_SECONDS`.
    `None` where it was too short to tell. Raises `InputError` for a bot that does not get ready to play.
    """
    trial = asked._replace(pool=(), most_hands=TRIAL_GROUPS * SEATINGS, seed=None)
    series, _ = scored(series_asked(trial), raw=asked.raw)
    start = time.monotonic()
    end = min(deadline or inf, start + series.config.clock.ready.total_seconds() + TRIAL_SECONDS)
    seen: list[tuple[float, int]] = []

    def note(progress: Progress) -> None:
        if progress.hands and (not seen or progress.hands > seen[-1][1]):
            seen.append((time.monotonic(), progress.hands))
        if time.monotonic() >= end:
            runner.interrupt()

    with scratch() as place:
        folder = place / "run"
        isolation = isolation_of(series, folder)
        with begin(series, trial.base, folder) as run:
            runner = runner_of(run, series, workers, isolation)
            runner.play(None, note)
            _check_ready(run, asked)
            judge = Judge(run)
            judge.look(runner.progress.settled)
            sd = judge.standing().sd if judge.gate.groups >= FEWEST else PRIOR_SD
    if not seen:
        return None
    (begun, before), (ended, after) = seen[0] if len(seen) > 1 else (start, 0), seen[-1]
    return Pace((after - before) / (ended - begun), sd)


def _check_ready(run: Run, asked: Asked) -> None:
    """Raise `InputError` for a bot that never got ready to play."""
    said = {OLD: asked.old, NEW: asked.new}
    for spec, fault, _ in run.faults():
        if fault.fault is Fault.NEVER_READY:
            name = spec.seats[fault.seat]
            raise InputError(f"the {name} version, {said[name].text}, does not get ready to play: {fault.detail}")
