"""Plays games of a run again with the same bots, and compares decision by decision. The run is only read.

A game can be played again where its bots can: those at an address cannot be started afresh. A game with a fault of the
clock or of a process is left out, since another day may be kinder; illegal and malformed decisions have to come again.
The clock is off: who is late is waited for.
"""

import asyncio
import hashlib
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import NamedTuple

from arena.dealer.room import Room
from arena.dealer.values import GameRecord, GameSpec
from arena.errors import HostError, InputError, RecordError
from arena.players.faults import Fault
from arena.players.player import Player
from arena.players.scratch import own_scratch
from arena.records.decisions import Parting, decisions, parting
from arena.records.store import Run
from arena.tournament.series import Series
from arena.tournament.worker import Job

PATIENCE = 60.0
"""Seconds that a bot is waited for."""
REPEATABLE = (Fault.ILLEGAL, Fault.MALFORMED)
"""Faults that a bot makes whatever the machine and the time of the day."""
_AT_ONCE = 32
"""Games between two steps of the progress."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How many games: a share of those that can be played again (rounded up), or a number of them."""

    share: float | None = None
    number: int | None = None

    def of(self, games: int) -> int:
        """How many of so many games."""
        return min(games, self.number if self.number is not None else ceil((self.share or 0.0) * games))


def parse_sample(text: str) -> Sample:
    """The sample that a text such as `1%` or `20` says. Raises `InputError`."""
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)(%?)", text)
    if match and match[2] and 0 < float(match[1]) <= 100:
        return Sample(share=float(match[1]) / 100)
    if match and not match[2] and match[1].isdigit() and int(match[1]) > 0:
        return Sample(number=int(match[1]))
    raise InputError(f"--sample: expected a share of the games such as 1%, or a number of them, got {text[:40]!r}")


class Choice(NamedTuple):
    """The games that are played again.

    games: with their records, in schedule order. faulty: games left out for a fault that another day may not bring.
    unrenewed: finished games left out for a bot at an address or that dials in, by its name.
    """

    games: list[tuple[GameSpec, GameRecord]]
    faulty: int
    unrenewed: dict[str, int]


@dataclass(frozen=True, slots=True)
class Reproduced:
    """What came of it.

    games: played again. decisions: made alike in both courses, up to where they part.
    partings: by game, with the bot that decided otherwise.
    """

    games: int
    decisions: int
    partings: dict[int, tuple[str, Parting]]


def choose(run: Run, series: Series, sample: Sample, seed: str) -> Choice:
    """Draw games of a run. seed: the same draws the same ones. Raises `InputError` where there is none to draw."""
    away = {bot.name for bot in series.bots if bot.elsewhere}
    done = run.done()
    unrenewed: dict[str, int] = defaultdict(int)
    found = []
    for spec in run.games():
        absent = [name for name in spec.seats if name in away]
        if spec.index in done and not absent:
            found.append(spec.index)
        for name in absent if spec.index in done else ():
            unrenewed[name] += 1
    order = sorted(found, key=lambda index: hashlib.sha256(f"{seed} {index}".encode()).digest())
    games: list[tuple[GameSpec, GameRecord]] = []
    faulty, wanted = 0, sample.of(len(found))
    for index in order:
        if len(games) == wanted:
            break
        spec, record = run.record(index)
        if record is None or not _repeatable(record):
            faulty += 1
        else:
            games.append((spec, record))
    if not games:
        raise InputError(
            f"{run.folder}: no game can be played again, expected finished ones without a fault of the "
            "clock or of a process, whose bots can be started here"
        )
    return Choice(sorted(games, key=_index), faulty, dict(unrenewed))


def named(run: Run, series: Series, indices: Iterable[int]) -> Choice:
    """Games by their numbers. Raises `InputError` for one that is not there or cannot be played again."""
    away = {bot.name for bot in series.bots if bot.elsewhere}
    games = []
    for index in sorted(set(indices)):
        spec, record = run.record(index)
        if record is None:
            raise InputError(f"game {index} is not finished, expected one that is")
        if absent := [name for name in spec.seats if name in away]:
            raise InputError(
                f"game {index}: {absent[0]} is at an address or dials in, expected bots that can be started here"
            )
        if not _repeatable(record):
            fault = next(fault for fault in record.faults if fault.fault not in REPEATABLE)
            raise InputError(
                f"game {index} has the fault '{fault.fault}' of {spec.seats[fault.seat]}, which another "
                "day may not bring; expected a game without"
            )
        games.append((spec, record))
    return Choice(games, 0, {})


def _index(game: tuple[GameSpec, GameRecord]) -> int:
    return game[0].index


def _repeatable(record: GameRecord) -> bool:
    return all(fault.fault in REPEATABLE for fault in record.faults)


def reproduce(job: Job, choice: Choice, report: Callable[[int], None] = lambda _: None) -> Reproduced:
    """Play the games again and compare. job: how the run plays. report: told how many games are done.

    Raises `HostError` where this machine cannot play them, `RecordError` for records that the seed did not make.
    """
    made, partings, games = 0, dict[int, tuple[str, Parting]](), 0
    recorded = {spec.index: (spec, record) for spec, record in choice.games}
    with (
        own_scratch() as folder,
        closing(_played(_unhurried(job, folder), [spec for spec, _ in choice.games])) as played,
    ):
        for record in played:
            spec, before = recorded[record.index]
            _check_deal(before, record)
            games += 1
            part = parting(before, record)
            if part is not None:
                partings[record.index] = (spec.seats[part.seat], part)
            alike = [one for one in decisions(record) if part is None or (one.hand, one.move) < (part.hand, part.move)]
            made += len(alike)
            report(games)
    return Reproduced(games, made, dict(sorted(partings.items())))


def _unhurried(job: Job, logs: Path) -> Job:
    rules = replace(job.room_rules, decision=PATIENCE, hand=None, quarantine_after=sys.maxsize)
    return replace(job, room_rules=rules, ready=max(job.ready, PATIENCE), logs=logs)


def _check_deal(before: GameRecord, after: GameRecord) -> None:
    """Check that both were dealt alike: only then can they be compared."""
    for then, now in zip(before.hands, after.hands, strict=False):
        if then.roles == now.roles and then.deck != now.deck:
            raise RecordError(
                f"game {before.index}, hand {then.number}: the record's deck is not what its seed deals; "
                "see: arena verify"
            )


def _played(job: Job, specs: Sequence[GameSpec]) -> Generator[GameRecord]:
    """The games played again: for each order of bots at the table one fresh process a bot, as in the run."""
    seatings: dict[tuple[str, ...], list[GameSpec]] = defaultdict(list)
    for spec in specs:
        seatings[spec.seats].append(spec)
    for seats, games in seatings.items():
        with asyncio.Runner() as runner:
            crew = [_player(job, name) for name in seats]
            try:
                runner.run(_start(crew))
                for first in range(0, len(games), _AT_ONCE):
                    yield from runner.run(_play(crew, job, games[first : first + _AT_ONCE]))
            finally:
                runner.run(_stop(crew, job.goodbye))


def _player(job: Job, name: str) -> Player:
    return Player(job.bots[name], ready=job.ready, goodbye=job.goodbye, logs=job.logs, isolation=job.isolation)


async def _start(crew: Sequence[Player]) -> None:
    for player, failure in zip(crew, await asyncio.gather(*(player.start() for player in crew)), strict=True):
        if failure is not None:
            raise HostError(f"{player.spec.name} does not start any more: {failure.detail}")


async def _play(crew: Sequence[Player], job: Job, specs: Sequence[GameSpec]) -> list[GameRecord]:
    records, voids = await Room(crew, job.table_rules, job.room_rules).play(specs, lambda: False)
    if voids:
        raise HostError(f"game {voids[0].index} cannot be played again: {voids[0].detail}")
    return records


async def _stop(crew: Sequence[Player], patience: float) -> None:
    await asyncio.gather(*(player.stop(patience) for player in crew))
