"""Error rates of the gate: many series, each drawn again from deal groups that were really played.

A series is drawn group by group with replacement. So that the truth is known, some groups are drawn more often than
others, until the mean of what is drawn from is what a case says (exponential tilting): scores stay what they were.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import exp
from random import Random
from typing import NamedTuple

from arena.tournament.comparison import Comparison
from arena.tournament.gate import Gate, GroupScore, Word

MOST_GROUPS = 20_000
ERROR = 0.05


class Case(NamedTuple):
    """Groups to draw from, and what is asked of a series of them.

    truth: the mean of what is drawn from; `None` for the groups as they were played.
    wrong: the words that would be an error; none where the gate is only watched.
    """

    name: str
    groups: Sequence[GroupScore]
    comparison: Comparison
    truth: float | None
    wrong: frozenset[Word]


class Outcome(NamedTuple):
    """What came of the series of a case.

    words: how often each word was said. outside: series whose interval left out the truth at some look.
    groups: in all series together.
    """

    case: Case
    series: int
    words: Counter[Word]
    outside: int
    groups: int

    @property
    def errors(self) -> int:
        """Series with a word that is wrong."""
        return sum([self.words[word] for word in self.case.wrong])

    def interval(self, count: int) -> tuple[float, float]:
        """The 95 % interval of Clopper and Pearson for the rate of which so many series are a sample."""
        from scipy.stats import binomtest  # noqa: PLC0415 - loads for a second

        found = binomtest(count, self.series).proportion_ci(0.95, method="exact")
        return float(found.low), float(found.high)

    @property
    def is_sound(self) -> bool:
        """Whether the gate may well keep what it promises: the errors, and the interval, in 5 of 100 cases at most."""
        return all(self.interval(count)[0] <= ERROR for count in (self.errors, self.outside))


def tilted(scores: Sequence[float], mean: float) -> list[float]:
    """Weights of these scores with which their mean is another one. Raises `ValueError` if it is outside them."""
    if not min(scores) < mean < max(scores):
        msg = f"expected a mean between {min(scores)} and {max(scores)}, got {mean}"
        raise ValueError(msg)
    low, high = -1.0, 1.0
    weights = [1.0] * len(scores)
    for _ in range(60):
        tilt = (low + high) / 2
        weights = [exp(tilt * score) for score in scores]
        reached = sum([weight * score for weight, score in zip(weights, scores, strict=True)]) / sum(weights)
        low, high = (tilt, high) if reached < mean else (low, tilt)
    return weights


def tried(case: Case, series: int, seed: str = "gate") -> Outcome:
    """Draw series of a case, and put each before the gate."""
    adjusted = case.comparison.scores == "adjusted"
    scores = [group.adjusted if adjusted else group.raw for group in case.groups]
    weights = [1.0] * len(scores) if case.truth is None else tilted(scores, case.truth)
    truth = sum([weight * score for weight, score in zip(weights, scores, strict=True)]) / sum(weights)
    steps = [*accumulate(weights)]
    words, outside, groups = Counter[Word](), 0, 0
    for number in range(series):
        gate = Gate(case.comparison, MOST_GROUPS)
        left = False
        for group in _drawn(case.groups, steps, Random(f"{seed} {case.name} {number}")):
            gate.add(group)
            mean, half = gate.adjusted or gate.raw
            left = left or (half is not None and abs(mean - truth) > half)
            if gate.word is not None:
                break
        assert gate.word is not None
        words[gate.word] += 1
        outside += left
        groups += gate.groups
    return Outcome(case, series, words, outside, groups)


def _drawn(groups: Sequence[GroupScore], steps: Sequence[float], dice: Random) -> Iterator[GroupScore]:
    while True:
        yield from dice.choices(groups, cum_weights=steps, k=500)
