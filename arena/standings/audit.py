"""The decision audit of a run: what its bots did that cost them points, counted, with the hands to look at.

    audited = audit(info.format.rules, run.records(), [bot.name for bot in info.bots])
    audited["ginny"].kinds[Kind.MISSED_GIN].points

docs/classes.md explains each kind, and what its points are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from typing import NamedTuple

from arena.dealer.values import GameRecord, GameSpec
from arena.errors import RecordError
from arena.rules.options import Rules
from arena.rules.result import ResultKind
from arena.standings.judging import findings
from arena.standings.kinds import Finding, Kind
from arena.standings.sheet import Cell, Column, Sheet

KEPT = 5
"""Of each kind, the hands of a bot that are kept to be looked at: those that lost most."""


class Example(NamedTuple):
    """A hand to look at: what was found there, in which game and hand (`arena replay DIR GAME HAND`)."""

    game: int
    hand: int
    finding: Finding

    @property
    def told(self) -> str:
        """Where it is and what was found."""
        return f"game {self.game} hand {self.hand} move {self.finding.move}: {self.finding.told}"


@dataclass(slots=True)
class Count:
    """What was found of one kind.

    number: how often. points: lost by all of them, see `Finding.points`.
    kept: a heap of those that `examples` tells, each behind what orders it.
    """

    number: int = 0
    points: int = 0
    kept: list[tuple[int, int, int, int, Example]] = field(default_factory=list)

    def add(self, example: Example) -> None:
        """Count one."""
        found = example.finding
        self.number += 1
        self.points += found.points
        entry = (abs(found.points), -example.game, -example.hand, -found.move, example)
        if len(self.kept) < KEPT:
            heappush(self.kept, entry)
        else:
            heappushpop(self.kept, entry)

    @property
    def examples(self) -> list[Example]:
        """The hands where most was lost (or, where points were gained, gained), the most first."""
        return [example for *_, example in sorted(self.kept, reverse=True)]


@dataclass(slots=True)
class BotAudit:
    """What was found of one bot.

    hands: that it played to their end and that are judged. faulted: that ended by its own fault, which are not.
    forfeited: those that ended by its opponent's fault, which are not either.
    """

    hands: int = 0
    faulted: int = 0
    forfeited: int = 0
    kinds: dict[Kind, Count] = field(default_factory=lambda: {kind: Count() for kind in Kind})

    def per_100_hands(self, kind: Kind) -> float | None:
        """How often, in a hundred hands; `None` without a hand."""
        return 100 * self.kinds[kind].number / self.hands if self.hands else None

    def worst(self, number: int) -> list[Example]:
        """The hands to look at first, each once, errors in themselves before what hindsight shows.

        Of each kind the hand where most was lost comes before the second of any.
        """
        found = [
            (kind.hindsight, place, -example.finding.points, example)
            for kind in Kind
            for place, example in enumerate(self.kinds[kind].examples)
            if example.finding.points > 0
        ]
        ordered = [example for *_, example in sorted(found)]
        first = {(one.game, one.hand): one for one in reversed(ordered)}
        return list(dict.fromkeys(first[one.game, one.hand] for one in ordered))[:number]


def audit(rules: Rules, games: Iterable[tuple[GameSpec, GameRecord]], bots: Iterable[str]) -> dict[str, BotAudit]:
    """Judge every hand of the finished games of a run, also of groups that are not complete; by bot, in their order.

    Raises `RecordError` for a hand that cannot be played again.
    """
    audited = {name: BotAudit() for name in bots}
    for spec, record in games:
        for hand in record.hands:
            players = [audited[spec.seats[hand.roles.seat(position)]] for position in (0, 1)]
            result = hand.result
            if result.kind is ResultKind.FORFEIT:
                assert result.winner is not None
                players[result.winner].forfeited += 1
                players[1 - result.winner].faulted += 1
                continue
            for player in players:
                player.hands += 1
            try:
                for found in findings(rules, hand):
                    players[found.position].kinds[found.kind].add(Example(spec.index, hand.number, found))
            except RecordError as error:
                raise RecordError(f"game {spec.index} hand {hand.number}: {error}") from error
    return audited


_COLUMNS = (
    Column("bot", "bot", text=True),
    Column("hands", "hands"),
    Column("kind", "kind", text=True),
    Column("hindsight", "seen", text=True),
    Column("number", "times"),
    Column("per_100_hands", "per 100 hands", 2),
    Column("points_lost", "points lost", signed=True),
    Column("meaning", "what", text=True),
)


def audit_sheet(audited: Mapping[str, BotAudit]) -> Sheet:
    """A row for each bot and kind, those that never came up too."""
    rows: list[Sequence[Cell]] = []
    for name, bot in audited.items():
        for kind in Kind:
            count = bot.kinds[kind]
            seen = "all cards open" if kind.hindsight else "by the player"
            rate = bot.per_100_hands(kind)
            lost = count.points if kind.costs else None
            rows.append([name, bot.hands, kind.value, seen, count.number, rate, lost, kind.meaning])
    return Sheet(_COLUMNS, rows)


def audit_sheets(audited: BotAudit) -> list[tuple[str, Sheet]]:
    """A bot's audit for people: what was an error by what it knew, and what hindsight shows, each with a heading."""
    sheet, sheets = audit_sheet({"": audited}), list[tuple[str, Sheet]]()
    for hindsight, heading in (
        (False, "Errors by what it knew"),
        (True, "Seen with all cards open, so that the best of players has some too"),
    ):
        rows = [row for row, kind in zip(sheet.rows, Kind, strict=True) if kind.hindsight is hindsight]
        shown = Sheet(sheet.columns, rows).select("meaning", "number", "per_100_hands", "points_lost")
        sheets.append((heading, shown))
    return sheets
