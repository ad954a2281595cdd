"""Who is better than whom, when all pairs of a table are looked at: p-values of margins a hand, and Holm's correction.

docs/statistics.md says how to read them.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.standings.chances import p_of_zero
from arena.standings.statistics import FEWEST_GROUPS, Estimate
from arena.standings.tally import Tally

ALPHA = 0.05
"""How often, at most, a table of equally good bots calls any pair different."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots that met, the one with the higher margin first.

    margin: a hand, of the first against the second, `None` without a hand. groups: deal groups with hands.
    p: how often a margin at least so far from 0 would come of equally good bots, `None` where one group cannot tell.
    holm: the same, corrected for all pairs of the table.
    """

    bot: str
    against: str
    groups: int
    margin: Estimate | None
    p: float | None
    holm: float | None

    @property
    def significant(self) -> bool | None:
        """Whether the first is better, said of all pairs of the table together with 95 % confidence.

        `None` where there are too few deal groups to call anything certain.
        """
        return None if self.holm is None or self.groups < FEWEST_GROUPS else self.holm <= ALPHA


def pairs_of(tally: Tally) -> tuple[Pair, ...]:
    """Every two bots that met, in order of entry, with Holm's correction over all of them."""
    met = [pair for pair in combinations(tally.bots, 2) if pair in tally.against]
    first = [_pair(tally, *pair) for pair in met]
    held = iter(holm([pair.p for pair in first if pair.p is not None]))
    return tuple(
        Pair(pair.bot, pair.against, pair.groups, pair.margin, pair.p, None if pair.p is None else next(held))
        for pair in first
    )


def _pair(tally: Tally, one: str, other: str) -> Pair:
    sums = tally.against[one, other]
    margin = sums.margin_a_hand()
    if margin is not None and margin.mean < 0:
        one, other, margin = other, one, margin.turned()
    groups = sum(group.hands > 0 for group in sums.groups.values())
    return Pair(one, other, groups, margin, None if margin is None else p_of_zero(margin, groups), None)


def holm(values: Sequence[float]) -> list[float]:
    """P-values corrected for their number, in the same order (S. Holm, Scandinavian J. of Statistics 6 (1979), 65-70).

    The smallest of m is multiplied by m, the next by m - 1, and so on, none below the one before it, none above 1.
    """
    corrected = [0.0] * len(values)
    worst = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        worst = max(worst, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = worst
    return corrected


def cycles_of(pairs: Iterable[Pair]) -> tuple[tuple[str, ...], ...]:
    """Bots each significantly better than the next, and the last better than the first: no scale can show that.

    Of every pair the shortest cycle that it is in. Each begins with the name that is first by the alphabet, and the
    shortest stand first.
    """
    better: dict[str, list[str]] = {}
    for pair in pairs:
        if pair.significant:
            better.setdefault(pair.bot, []).append(pair.against)
    found = set()
    for bot, beaten in better.items():
        for other in beaten:
            if way := _way(better, other, bot):
                first = way.index(min(way))
                found.add((*way[first:], *way[:first]))
    return tuple(sorted(found, key=lambda cycle: (len(cycle), cycle)))


def _way(better: dict[str, list[str]], start: str, end: str) -> list[str]:
    """The shortest way from one bot to another over bots each better than the next; empty where there is none."""
    came = {start: start}
    queue = deque([start])
    while queue:
        bot = queue.popleft()
        if bot == end:
            way = [end]
            while way[-1] != start:
                way.append(came[way[-1]])
            return way[::-1]
        for other in better.get(bot, ()):
            if other not in came:
                came[other] = bot
                queue.append(other)
    return []
