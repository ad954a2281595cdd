"""The gate lets copies pass and catches a flaw, on deals that are really played; `make test-gate` does so at length."""

import pytest
from gate.campaign import Case, Outcome, tilted, tried
from gate.recording import SIMPLE, played, scored, version

from arena.tournament.comparison import Comparison
from arena.tournament.gate import Gate, GroupScore, Word

SERIES = 200
WIDE = Comparison(worse="-2", better="0")
"""A question that few hands answer."""


@pytest.fixture(scope="module")
def flawed() -> list[GroupScore]:
    """Groups of a bot that keeps its high cards."""
    return scored(played(version("keeps_high"), 120))


def rates(groups: list[GroupScore], truth: float, wrong: Word) -> Outcome:
    return tried(Case("test", groups, WIDE, truth, frozenset({wrong})), SERIES)


def test_a_copy_is_played_alike_to_the_last_decision() -> None:
    gate = Gate(Comparison(alike=40), 1000)
    for group in scored(played(SIMPLE, 40)):
        assert gate.word is None
        assert (group.raw, group.adjusted, group.differing) == (0.0, 0.0, 0)
        gate.add(group)
    assert gate.word is Word.ALIKE


def test_a_flaw_is_caught(flawed: list[GroupScore]) -> None:
    caught = rates(flawed, -2.0, Word.NOT_WORSE)
    assert caught.is_sound
    assert caught.words[Word.WORSE] > SERIES * 0.9


def test_what_is_as_good_passes(flawed: list[GroupScore]) -> None:
    as_good = rates(flawed, 0.0, Word.WORSE)
    assert as_good.is_sound
    assert as_good.words[Word.NOT_WORSE] > SERIES * 0.9


def test_a_gate_that_errs_too_often_is_found_out(flawed: list[GroupScore]) -> None:
    assert not rates(flawed, -1.0, Word.NOT_WORSE).is_sound  # half-way between the bounds both words are said


def test_groups_can_be_drawn_with_any_mean_between_them() -> None:
    scores = [-5.0, 0.0, 0.0, 1.0]
    weights = tilted(scores, 0.5)
    mean = sum([weight * score for weight, score in zip(weights, scores, strict=True)]) / sum(weights)
    assert mean == pytest.approx(0.5)
    with pytest.raises(ValueError, match="expected a mean between"):
        tilted(scores, 2.0)
