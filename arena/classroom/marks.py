"""What a graded submission has come to: figures against each reference, faults, and the audit of its decisions."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.dealer.values import GameRecord, GameSpec
from arena.players.faults import Fault
from arena.records.store import Run
from arena.standings.audit import BotAudit, audit
from arena.standings.chances import chance_above_zero
from arena.standings.luck import luck_of
from arena.standings.statistics import Estimate
from arena.tournament.results import results_of


@dataclass(frozen=True, slots=True)
class Met:
    """The games against one reference.

    margin: points a hand, with the 95 % interval over deal groups, `None` without a hand.
    less_luck: the same without the luck of the draws, `None` where that cannot be judged (`arena.standings.luck`).
    better: the probability that the submission is the better one (`chance_above_zero`).
    level: whether it came out even in every deal group.
    faults: of the reference.
    """

    reference: str
    margin: Estimate | None
    less_luck: Estimate | None
    better: float | None
    hands: int
    level: bool
    faults: int


@dataclass(frozen=True, slots=True)
class Marks:
    """All of it.

    faults: of the bot. unplayed: games that it lost unplayed for them. hands: that it played.
    play: a digest of everything that was done in all games, equal where two bots play identically.
    no_luck: why no margin is without the luck of the draws; empty where they are.
    """

    met: tuple[Met, ...]
    faults: int
    unplayed: int
    hands: int
    audit: BotAudit
    play: str
    no_luck: str = ""


def marks_of(folder: Path, name: str) -> Marks:
    """The marks of a bot by its finished run."""
    digest = hashlib.sha256()
    with Run.open(folder) as run:
        names = [bot.name for bot in run.info.bots]
        luck = luck_of(run.info)
        tally = results_of(run, luck=None if isinstance(luck, str) else luck).tally
        audited = audit(run.info.format.rules, _digested(run.records(), name, digest), names)
    bot, met = tally.bots[name], list[Met]()
    for reference in names:
        sums = tally.against.get((name, reference))
        if sums is not None:
            groups = [group for group in sums.groups.values() if group.hands]
            margin = sums.margin_a_hand()
            better = None if margin is None else chance_above_zero(margin, len(groups))
            level = all(group.margin == 0 for group in sums.groups.values())
            faults = tally.bots[reference].faults.total()
            less_luck = None if isinstance(luck, str) else sums.adjusted_a_hand()
            met.append(Met(reference, margin, less_luck, better, sums.hands, level, faults))
    unplayed = bot.faults[Fault.QUARANTINED]
    faults, no_luck = bot.faults.total() - unplayed, luck if isinstance(luck, str) else ""
    return Marks(tuple(met), faults, unplayed, bot.sums.hands, audited[name], digest.hexdigest(), no_luck)


def up_to_date(marks: Marks, folder: Path) -> bool:
    """Whether marks that were kept are all that can be said: a library for more may have been installed since.

    Raises `RunError` where the run that they are of is gone or spoilt.
    """
    with Run.open(folder) as run:
        return not marks.no_luck or isinstance(luck_of(run.info), str)


def _digested(
    games: Iterable[tuple[GameSpec, GameRecord]], name: str, digest: "hashlib._Hash"
) -> Iterator[tuple[GameSpec, GameRecord]]:
    """The games as they come, after all that was done in them has gone into the digest, but for the bot's name."""
    for spec, record in games:
        seats = [None if seat == name else seat for seat in spec.seats]
        digest.update(repr((spec.group, seats)).encode())
        for hand in record.hands:
            advice = [(given.move, str(given.action)) for given in hand.advice]
            digest.update(repr((hand.deck, hand.moves, hand.result, advice)).encode())
        yield spec, record


def twins(marks: Iterable[tuple[str, Marks]]) -> list[list[str]]:
    """The submissions, by the ids of their students, that have done the same in all their games: groups of two or more.

    Only those that have played a hand to its end: two bots that fail at once are not alike by that.
    """
    by_play: dict[str, list[str]] = {}
    for student, one in marks:
        if one.audit.hands:
            by_play.setdefault(one.play, []).append(student)
    return [some for some in by_play.values() if len(some) > 1]
