"""The gate: group scores in, one after the other, until they let a new version pass or turn it away.

A group's score is the mean, over the opponents, of how much more a hand the new version made than the old one against
the same opponent on the same cards. Against the old version the old one makes exactly nothing on mirrored cards, so
that there it is the new one's margin alone.
"""

from enum import StrEnum
from math import isfinite
from typing import NamedTuple

from arena.standings.sequential import Sample, SequentialTest, Side
from arena.standings.statistics import Estimate
from arena.tournament.comparison import Comparison

PRIOR_SD = 8.0
"""The standard deviation of a group's score, in points a hand, that is expected of two versions that differ in one rule
of play: docs/compare.md has what was measured.
"""


class Word(StrEnum):
    """What a comparison comes to."""

    NOT_WORSE = "not worse"
    BETTER = "better"
    WORSE = "worse"
    NOT_BETTER = "not better"
    ALIKE = "no difference in play"
    SAME = "same content"
    UNDECIDED = "undecided"


def word_of(side: Side, comparison: Comparison) -> Word:
    """The word for the hypothesis that the groups speak for."""
    if comparison.hypothesis == "better":
        return Word.BETTER if side is Side.HIGH else Word.NOT_BETTER
    return Word.NOT_WORSE if side is Side.HIGH else Word.WORSE


def is_passed(word: Word, comparison: Comparison) -> bool | None:
    """Whether the new version is as was asked, `None` where nobody can say. One that plays alike is no better."""
    if word in (Word.ALIKE, Word.SAME):
        return comparison.hypothesis == "not-worse"
    return None if word is Word.UNDECIDED else word in (Word.NOT_WORSE, Word.BETTER)


class GroupScore(NamedTuple):
    """A deal group of a comparison.

    raw: its score. adjusted: without the luck of the draws; the same where that is not judged.
    hands: that were played. differing: of these, in pairs, how many the two versions played differently.
    """

    raw: float
    adjusted: float
    hands: int
    differing: int


class Gate:
    """Takes in a comparison's groups in schedule order, and says the word at the first that makes it certain."""

    def __init__(self, comparison: Comparison, groups: int) -> None:
        """groups: that are played at most."""
        self.comparison = comparison
        self.test = SequentialTest(comparison.bounds, PRIOR_SD)
        self._most = groups
        self._raw, self._adjusted = Sample(), Sample()
        self.hands = self.differing = 0
        self.word: Word | None = None
        self.why = ""

    @property
    def groups(self) -> int:
        """Groups that were taken in."""
        return self._raw.groups

    @property
    def judged(self) -> Sample:
        """The scores that are judged."""
        return self._adjusted if self.comparison.scores == "adjusted" else self._raw

    @property
    def raw(self) -> Estimate:
        """The mean of the bare scores, with half of the interval that holds at all looks together."""
        return self._estimate(self._raw)

    @property
    def adjusted(self) -> Estimate | None:
        """The same without the luck of the draws, `None` where that is not judged."""
        return self._estimate(self._adjusted) if self.comparison.scores == "adjusted" else None

    def add(self, group: GroupScore) -> None:
        """Take in a group. As long as nothing differs, only the number of groups tells."""
        self._raw.add(group.raw)
        self._adjusted.add(group.adjusted)
        self.hands += group.hands
        self.differing += group.differing
        side = self.test.side(self.judged) if self.differing else None
        if side is not None:
            self.word = word_of(side, self.comparison)
        elif not self.differing and self.groups >= self.comparison.alike:
            self.word = Word.ALIKE
            self.why = (
                f"All {self.groups:,} deal groups were played alike, decision by decision. Where one in "
                f"{max(self.groups // 3, 1):,} or more is played differently, that comes up in 95 of 100 cases."
            )
        elif self.groups == self._most:
            self.word = Word.UNDECIDED
            self.why = f"The most hands are played: {self.hands:,}."

    def fail(self, why: str) -> None:
        """Turn the new version away for another reason than its scores."""
        self.word = word_of(Side.LOW, self.comparison)
        self.why = why

    def _estimate(self, sample: Sample) -> Estimate:
        half = self.test.half_width(sample)
        return Estimate(sample.mean, half if isfinite(half) else None)
