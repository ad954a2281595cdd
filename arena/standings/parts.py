"""What bots make of their hands by the part they have in them: by their seat, by who deals, by role.

Sums by deal group, as everything in `arena.standings.tally`, which fills them where they are asked for.
"""

from dataclasses import dataclass, field
from typing import TypeVar

from arena.dealer.values import GameRecord, GameSpec, HandRecord
from arena.rules.result import Position

TWO_ROLES = ("nondealer", "dealer")
THREE_ROLES = ("captain", "box", "out")
"""By place in `arena.rules.roles.Roles`. Of the three the captain is the non-dealer, and the box the dealer."""

Pairing = tuple[str, ...]
"""Bots that met, by the alphabet."""


@dataclass(slots=True)
class GroupPart:
    """Hands of a deal group in one part, and the points made in them."""

    points: float = 0.0
    hands: int = 0


ByGroup = dict[int, GroupPart]
"""By number of the group."""
Key = TypeVar("Key")


@dataclass(slots=True)
class Parts:
    """Sums by deal group, of every bot in every pairing.

    team: three-hand in which the one who sits out scores what the captain wins.
    margins: by pairing, bot and part: own points in the hand less the mean of the others' (RULES T5). Parts are
        `seat_0` and so on, and the roles; in three-hand `dealer` and `nondealer` too, whose points are less those of
        each other alone.
    captains, advisers: three-hand, by pairing and bot: the captain's points less the box's, in the hands in which the
        bot was captain, and in those in which it sat out.
    """

    team: bool = False
    margins: dict[tuple[Pairing, str, str], ByGroup] = field(default_factory=dict)
    captains: dict[tuple[Pairing, str], ByGroup] = field(default_factory=dict)
    advisers: dict[tuple[Pairing, str], ByGroup] = field(default_factory=dict)

    def add(self, spec: GameSpec, record: GameRecord) -> None:
        """Count the hands of a game."""
        pairing = tuple(sorted(spec.seats))
        for hand in record.hands:
            self._count(pairing, spec, hand)

    def _count(self, pairing: Pairing, spec: GameSpec, hand: HandRecord) -> None:
        roles, result = hand.roles, hand.result
        won = 0 if result.winner is None else result.points if result.winner == Position.NONDEALER else -result.points
        points = [0.0] * len(spec.seats)
        points[roles.nondealer], points[roles.dealer] = max(won, 0), max(-won, 0)
        names: tuple[str, ...] = TWO_ROLES
        if roles.out is not None:
            names = THREE_ROLES
            nondealer, dealer, out = [spec.seats[seat] for seat in (roles.nondealer, roles.dealer, roles.out)]
            _add(self.captains, (pairing, nondealer), spec.group, won)
            _add(self.advisers, (pairing, out), spec.group, won)
            _add(self.margins, (pairing, nondealer, "nondealer"), spec.group, won)
            _add(self.margins, (pairing, dealer, "dealer"), spec.group, -won)
            points[roles.out] = max(won, 0) if self.team else 0
        total, others = sum(points), len(points) - 1
        for name, seat in zip(names, roles, strict=False):
            assert seat is not None
            bot, margin = spec.seats[seat], points[seat] - (total - points[seat]) / others
            _add(self.margins, (pairing, bot, name), spec.group, margin)
            _add(self.margins, (pairing, bot, f"seat_{seat}"), spec.group, margin)


def _add(sums: dict[Key, ByGroup], key: Key, group: int, points: float) -> None:
    part = sums.setdefault(key, {}).setdefault(group, GroupPart())
    part.points += points
    part.hands += 1
