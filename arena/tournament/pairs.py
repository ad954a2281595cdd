"""A deal group of a comparison: its games in pairs on the same cards, and its score."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from arena.dealer.values import GameRecord, GameSpec
from arena.records.decisions import Parting, parting
from arena.standings.luck import Luck
from arena.standings.tally import Tally, tally
from arena.tournament.comparison import NEW, OLD, SEATINGS
from arena.tournament.gate import GroupScore

Game = tuple[GameSpec, GameRecord]


class Pair(NamedTuple):
    """Two games on the same cards in which the versions had the same seat against the same opponent.

    Where they met each other, that is one deal seen from both sides: at either seat one version sat in the first game
    and the other in the second.
    """

    against: str
    games: tuple[Game, Game]

    @property
    def hands(self) -> int:
        """Hands in both games."""
        return sum([len(record.hands) for _, record in self.games])

    @property
    def is_alike(self) -> bool:
        """Whether all decisions in both games are the same."""
        (_, old), (_, new) = self.games
        faults = [[replace(fault, output="") for fault in record.faults] for record in (old, new)]
        return old.hands == new.hands and faults[0] == faults[1]

    @property
    def parting(self) -> Parting:
        """Where two games part that are not alike. Until then every state was met in both."""
        (_, old), (_, new) = self.games
        part = parting(old, new)
        assert part is not None
        return part

    def is_versions(self, part: Parting) -> bool:
        """Whether it was the versions that decided differently there, and not an opponent with dice of its own."""
        (old, _), (new, _) = self.games
        return old.seats[part.seat] != new.seats[part.seat]

    @property
    def points(self) -> float:
        """What the new version made more than the old one, raw."""
        made = 0.0
        for spec, record in self.games:
            margins = dict(zip(spec.seats, record.outcome.margins, strict=True))
            made += margins[NEW] if NEW in margins else -margins[OLD]
        return made


def pairs_of(games: Sequence[Game]) -> Iterator[Pair]:
    """The pairs of a group's games: that of the versions' own meeting, then those against each of the pool."""
    yield Pair(OLD, (games[0], games[1]))
    for first in range(SEATINGS, len(games), 2 * SEATINGS):
        for seating in range(SEATINGS):
            old, new = games[first + seating], games[first + SEATINGS + seating]
            (against,) = set(old[0].seats) - {OLD}
            yield Pair(against, (old, new))


def score_of(
    games: Sequence[Game], names: Sequence[str], luck: Luck | None, differing: int, *, alike: bool
) -> GroupScore:
    """The score of a group. alike: whether all its pairs were played alike, so that all margins cancel."""
    hands = sum([len(record.hands) for _, record in games])
    if alike:
        return GroupScore(0.0, 0.0, hands, differing)
    return GroupScore(*_means(tally(games, names, lambda _: SEATINGS, luck=luck), names), hands, differing)


def _means(counted: Tally, names: Sequence[str]) -> tuple[float, float]:
    """The raw and the adjusted score of the one group in a tally."""
    raw = adjusted = 0.0
    for name in names:
        for version, sign in ((NEW, 1), (OLD, -1)):
            if name not in (version, NEW):  # the old one makes nothing of itself
                (group,) = counted.against[version, name].groups.values()
                hands = group.hands or 1  # none where it was not played
                raw += sign * group.hands_margin / hands
                adjusted += sign * (group.hands_margin - group.luck) / hands
    opponents = len(names) - 1
    return raw / opponents, adjusted / opponents


class Foreseen(Luck):
    """The luck in some groups, judged together. Where all is played alike it cancels, and is not looked at."""

    def __init__(self, luck: Luck, groups: Sequence[Sequence[Game]]) -> None:
        games = [game for group in groups if not all(pair.is_alike for pair in pairs_of(group)) for game in group]
        points = luck.of_games(games) if games else []
        self._points = {spec.index: of_game for (spec, _), of_game in zip(games, points, strict=True)}

    def of_games(self, games: Sequence[Game]) -> list[tuple[float, ...]]:
        """See `Luck`."""
        return [self._points[spec.index] for spec, _ in games]
