"""Which three meet, where not all triples can: every two bots as equally often as can be found.

There is no formula for every number of bots and triples. So triples are taken greedily and then improved by single
changes, a few of them for the worse, until no design can be better or a second's work is done.
"""

from itertools import combinations
from math import comb
from random import Random

MOST_STEPS = 300_000
PAIR_WEIGHT = 2
"""How much uneven meetings of two bots count, beside uneven numbers of triples of one."""

Triple = tuple[int, int, int]


def balanced_triples(bots: int, triples: int, seed: bytes) -> tuple[Triple, ...]:
    """Different triples of the numbers below `bots`, each ascending. The same seed gives the same triples anywhere.

    Raises `ValueError` where there are not so many.
    """
    if not 0 < triples <= comb(bots, 3):
        msg = f"expected 1 to {comb(bots, 3)} triples of {bots} bots, got {triples}"
        raise ValueError(msg)
    # Of Random only `random()` gives the same numbers in every version of Python.
    random = Random(seed).random  # noqa: S311 -- nothing secret hangs on it
    names = sorted(range(bots), key=lambda _: random())
    design = _Design(bots)
    for _ in range(triples):
        design.take(design.next_triple())
    best, least = list(design.triples), design.cost
    perfect = least_cost(bots, triples)
    courage = min(0.005, 0.3 / triples)  # a large design needs many steps to make good what one spoils
    for _ in range(min(MOST_STEPS, 1000 * triples * bots)):
        if least == perfect:
            break
        number, place, newcomer = int(random() * triples), int(random() * 3), int(random() * bots)
        price = design.price(number, place, newcomer)
        if price is not None and (price <= 0 or (price <= 2 * PAIR_WEIGHT + 2 and random() < courage)):
            design.change(number, place, newcomer)
            if design.cost < least:
                best, least = list(design.triples), design.cost
    return tuple(_ascending(names[one], names[two], names[three]) for one, two, three in best)


def least_cost(bots: int, triples: int) -> int:
    """What a design would cost in which all meetings, and all bots' triples, differ by one at most."""

    def even(total: int, cells: int) -> int:
        each, left = divmod(total, cells)
        return left * (each + 1) ** 2 + (cells - left) * each**2

    return PAIR_WEIGHT * even(3 * triples, comb(bots, 2)) + even(3 * triples, bots)


class _Design:
    """Triples, and what their unevenness costs: the weighted sum of the squares of meetings and of triples a bot."""

    def __init__(self, bots: int) -> None:
        self.triples: list[Triple] = []
        self.cost = 0
        self._taken: set[Triple] = set()
        self._meetings = [[0] * bots for _ in range(bots)]
        self._played = [0] * bots

    def next_triple(self) -> Triple:
        """A triple not yet taken, of bots that have played and met little."""
        played, bots = self._played, range(len(self._played))
        for one in sorted(bots, key=lambda bot: played[bot]):
            met = self._meetings[one]
            for two in sorted(set(bots) - {one}, key=lambda bot: (met[bot], played[bot], bot)):
                met_two = self._meetings[two]
                thirds = (bot for bot in bots if bot not in (one, two) and _ascending(one, two, bot) not in self._taken)
                third = min(thirds, key=lambda bot: (met[bot] + met_two[bot], played[bot]), default=None)
                if third is not None:
                    return _ascending(one, two, third)
        raise AssertionError("all triples are taken")

    def take(self, triple: Triple) -> None:
        """Add a triple."""
        self.triples.append(triple)
        self._taken.add(triple)
        for bot in triple:
            self._count(bot, 1)
        for one, two in combinations(triple, 2):
            self._count_meeting(one, two, 1)

    def price(self, number: int, place: int, newcomer: int) -> int | None:
        """By how much the cost changes if a bot takes a place in a triple; `None` where it cannot."""
        triple = self.triples[number]
        if newcomer in triple:
            return None
        leaver, one, two = triple[place], triple[place - 1], triple[place - 2]
        if _ascending(newcomer, one, two) in self._taken:
            return None
        met, met_leaver = self._meetings[newcomer], self._meetings[leaver]
        meetings = met[one] + met[two] - met_leaver[one] - met_leaver[two]
        return PAIR_WEIGHT * (2 * meetings + 4) + 2 * (self._played[newcomer] - self._played[leaver] + 1)

    def change(self, number: int, place: int, newcomer: int) -> None:
        """Give a bot a place in a triple."""
        triple = self.triples[number]
        leaver, one, two = triple[place], triple[place - 1], triple[place - 2]
        self._taken.discard(triple)
        self.triples[number] = _ascending(newcomer, one, two)
        self._taken.add(self.triples[number])
        for bot, step in ((leaver, -1), (newcomer, 1)):
            self._count(bot, step)
            self._count_meeting(bot, one, step)
            self._count_meeting(bot, two, step)

    def _count(self, bot: int, step: int) -> None:
        before = self._played[bot]
        self._played[bot] += step
        self.cost += self._played[bot] ** 2 - before**2

    def _count_meeting(self, one: int, two: int, step: int) -> None:
        before = self._meetings[one][two]
        self._meetings[one][two] += step
        self._meetings[two][one] += step
        self.cost += PAIR_WEIGHT * ((before + step) ** 2 - before**2)


def _ascending(one: int, two: int, three: int) -> Triple:
    first, second, third = sorted((one, two, three))
    return first, second, third
