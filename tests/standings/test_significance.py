"""Who is better for certain: p-values and Holm's correction against published examples, cycles worked out on paper."""

from random import Random

import pytest

from arena.standings.significance import Pair, cycles_of, holm, pairs_of
from arena.standings.statistics import FEWEST_GROUPS, Estimate
from arena.standings.tally import BotTally, Sums, Tally

SLEEP = (1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4)
"""Hours of sleep gained: "Student", Biometrika 6 (1908), 1-25. R's t.test says t = 4.0621, p = 0.002833."""


def tallied(**margins: list[float]) -> Tally:
    """Bots that met, as in `ann_bob=[...]`: the margin of each deal group, of one hand."""
    against = {}
    for pair, values in margins.items():
        one, _, other = pair.partition("_")
        against[one, other], against[other, one] = Sums(), Sums()
        for group, margin in enumerate(values):
            against[one, other].add(group, 0, margin, 1)
            against[other, one].add(group, 0, -margin, 1)
    names = sorted({name for pair in against for name in pair})
    return Tally({name: BotTally() for name in names}, against=against)


def test_a_p_value_is_that_of_a_published_example() -> None:
    (pair,) = pairs_of(tallied(ann_bob=[*SLEEP]))
    assert (pair.bot, pair.against, pair.groups) == ("ann", "bob", 10)
    assert pair.margin is not None
    assert pair.margin.mean == pytest.approx(1.58)
    assert pair.p == pytest.approx(0.002833, abs=5e-7)
    assert pair.holm == pair.p
    assert pair.significant


def test_the_better_of_two_stands_first() -> None:
    (pair,) = pairs_of(tallied(ann_bob=[-hours for hours in SLEEP]))
    assert (pair.bot, pair.against) == ("bob", "ann")
    assert pair.margin is not None
    assert pair.margin.mean == pytest.approx(1.58)


def test_holms_correction_is_that_of_a_published_example() -> None:
    """The one of the English Wikipedia, Holm-Bonferroni method: of these four the first and the last are rejected."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_the_correction_is_over_all_pairs_of_the_table() -> None:
    good, even = [*SLEEP], [1.0, -1.0] * 5
    first, second, third = pairs_of(tallied(ann_bob=good, ann_cid=even, bob_cid=even))
    assert first.p is not None
    assert first.holm == pytest.approx(3 * first.p)
    assert (second.p, third.holm, third.significant) == (1.0, 1.0, False)


@pytest.mark.parametrize(
    ("margins", "p"),
    [
        ([25.0], None),  # one group cannot tell
        ([0.0, 0.0], 1.0),  # a bot against its copy
        ([3.0, 3.0], 0.5),  # all groups agree, but two do so by chance
        ([3.0] * 11, 2 / 2**11),
    ],
)
def test_groups_without_spread_prove_no_more_than_their_number(margins: list[float], p: float | None) -> None:
    (pair,) = pairs_of(tallied(ann_bob=margins))
    assert (pair.p, pair.holm) == (p, p)
    assert pair.significant == (None if len(margins) < FEWEST_GROUPS else p is not None and p < 0.05)


def test_a_pairing_without_a_hand_says_nothing_and_takes_no_part_in_the_correction() -> None:
    tally = tallied(ann_bob=[*SLEEP], ann_cid=[])
    tally.against["ann", "cid"].add(0, 6, 100, 0)
    first, second = pairs_of(tally)
    assert (second.margin, second.p, second.holm, second.groups) == (None, None, None, 0)
    assert first.holm == first.p


def test_equal_bots_are_called_different_no_more_often_than_said() -> None:
    """Six equal bots, 15 pairs: in 5 of 100 tables, about, some pair is significant; without Holm it would be half."""
    random = Random(3)
    names = "abcdef"
    trials, told, uncorrected = 200, 0, 0
    for _ in range(trials):
        pairs = pairs_of(
            tallied(**{
                f"{one}_{other}": [random.gauss(0, 20) for _ in range(10)]
                for one in names
                for other in names
                if one < other
            })
        )  # fmt: skip
        told += any(pair.significant for pair in pairs)
        uncorrected += any(pair.p is not None and pair.p < 0.05 for pair in pairs)
    assert told <= 20
    assert uncorrected >= 60


def pair(bot: str, against: str, holm: float = 0.01) -> Pair:
    return Pair(bot, against, 10, Estimate(1.0, 0.5), holm, holm)


def test_a_cycle_is_shown_once() -> None:
    assert cycles_of([pair("c", "a"), pair("b", "c"), pair("a", "b")]) == (("a", "b", "c"),)


def test_what_is_not_significant_makes_no_cycle() -> None:
    assert cycles_of([pair("a", "b"), pair("b", "c"), pair("c", "a", 0.06)]) == ()
    assert cycles_of([pair("a", "b"), pair("b", "c"), pair("a", "c")]) == ()


def test_longer_cycles_are_shown_where_no_shorter_one_has_the_pair() -> None:
    four = [pair("a", "b"), pair("b", "c"), pair("c", "d"), pair("d", "a")]
    assert cycles_of(four) == (("a", "b", "c", "d"),)
    assert cycles_of([*four, pair("a", "c")]) == (("a", "c", "d"), ("a", "b", "c", "d"))
