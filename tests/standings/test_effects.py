"""What parts are worth: worked out on paper, and how often the intervals hold the truth, by simulation."""

from random import Random

import pytest
from made_games import DEALS, THREE, Played, group_size, made, mirrored

from arena.standings.effects import difference, effects, merged
from arena.standings.parts import THREE_ROLES, TWO_ROLES, GroupPart, Parts
from arena.standings.statistics import Estimate
from arena.standings.tally import tally

SEATS = ("seat_0", "seat_1")


def parts_of(games: list[Played], bots: str = "ann bob", *, team: bool = False) -> Parts:
    parts = Parts(team)
    tally(games, bots.split(), group_size, parts=parts)
    return parts


def effect(parts: Parts, kind: tuple[str, ...], part: str, bot: str | None = None) -> Estimate | None:
    return effects(parts, kind).get((part, bot))


def mean(parts: Parts, names: tuple[str, ...], name: str, bot: str | None = None) -> float:
    estimate = effect(parts, names, name, bot)
    assert estimate is not None
    return estimate.mean


ONE_GROUP = mirrored(0, "ann bob", "A30", "B10", DEALS)
"""ann wins 30 in seat 0, then bob wins 10 there. Seat 1 deals."""


def test_the_effect_of_a_seat_is_half_of_what_one_makes_more_than_the_other() -> None:
    parts = parts_of(ONE_GROUP)
    assert effect(parts, SEATS, "seat_0") == Estimate(20.0, None)
    assert effect(parts, SEATS, "seat_1") == Estimate(-20.0, None)
    assert effect(parts, SEATS, "seat_0", "ann") == Estimate((30 - -10) / 2, None)
    assert effect(parts, SEATS, "seat_0", "bob") == Estimate((10 - -30) / 2, None)


def test_who_deals_is_another_question_where_the_winner_deals_next() -> None:
    """bob deals the first two hands of the first game and the last of the second, ann the two others."""
    parts = parts_of([made(0, "ann bob", "B60 A40 A60"), made(0, "bob ann", "A50 A50")])
    assert mean(parts, SEATS, "seat_0", "ann") == pytest.approx(((40 + 60 - 60) / 3 - -100 / 2) / 2)
    assert mean(parts, TWO_ROLES, "dealer", "ann") == pytest.approx(((60 - 50) / 2 - (-60 + 40 - 50) / 3) / 2)
    assert mean(parts, TWO_ROLES, "dealer") == pytest.approx(mean(parts, TWO_ROLES, "dealer", "bob"))
    assert mean(parts, TWO_ROLES, "nondealer") == pytest.approx(-mean(parts, TWO_ROLES, "dealer"))


def test_a_strong_bot_that_deals_oftener_makes_no_effect_of_dealing() -> None:
    parts = Parts()
    for pairing, worth in ((("ann", "bob"), 10.0), (("ann", "cid"), 3.0)):
        for bot, margin, deals in ((pairing[0], worth, 8), (pairing[1], -worth, 2)):
            for group in range(3):
                parts.margins.setdefault((pairing, bot, "dealer"), {})[group] = GroupPart(margin * deals, deals)
                rest = 10 - deals
                parts.margins.setdefault((pairing, bot, "nondealer"), {})[group] = GroupPart(margin * rest, rest)
    for name in (None, "ann", "bob", "cid"):
        assert effect(parts, TWO_ROLES, "dealer", name) == Estimate(0.0, 0.0)


def test_the_interval_is_over_deal_groups() -> None:
    games = [*ONE_GROUP, *mirrored(1, "ann bob", "A4", "-", DEALS), *mirrored(2, "ann bob", "B8", "A2", DEALS)]
    estimate = effect(parts_of(games), SEATS, "seat_0")
    assert estimate is not None
    groups = [20.0, 2.0, (-8 - 2) / 2]  # each group has two hands
    middle = sum(groups) / 3
    deviation = sum((group - middle) ** 2 for group in groups) / 2
    assert estimate.mean == pytest.approx(middle)
    assert estimate.half_width == pytest.approx(4.3027 * (deviation / 3) ** 0.5)


THREE_HANDS = "A19 C17u - B70g B26 C11u A49g B6"
"""The example of RULES 5. ann is box in the hands 1, 2 and 8, captain in 5 and 7, and out in 3, 4 and 6."""


def test_roles_of_three_are_counted_by_margins_against_the_mean_of_both_others() -> None:
    parts = parts_of([made(0, "ann bob cid", THREE_HANDS, THREE)] * 6, "ann bob cid")
    pairing = ("ann", "bob", "cid")
    of_ann = {name: parts.margins[pairing, "ann", name][0] for name in THREE_ROLES}
    assert of_ann == {
        "box": GroupPart(6 * (19 - 17 / 2 - 6 / 2), 18),
        "captain": GroupPart(6 * (-26 / 2 + 49), 12),
        "out": GroupPart(6 * (0 - 70 / 2 - 11 / 2), 18),
    }
    assert sum(groups[0].points for groups in parts.margins.values()) == pytest.approx(0)
    assert parts.captains[pairing, "ann"] == {0: GroupPart(6 * (-26 + 49), 12)}
    assert parts.advisers[pairing, "ann"] == {0: GroupPart(6 * (0 + 70 + 11), 18)}
    assert parts.margins[pairing, "ann", "dealer"] == {0: GroupPart(6 * (19 - 17 - 6), 18)}


def test_as_a_team_the_one_who_sits_out_makes_what_the_captain_makes() -> None:
    parts = parts_of([made(0, "ann bob cid", THREE_HANDS, THREE)] * 6, "ann bob cid", team=True)
    out = ("ann", "bob", "cid"), "ann", "out"
    assert parts.margins[out][0] == GroupPart(6 * (70 / 2 + 11 / 2), 18)


def test_the_effects_of_all_roles_add_up_to_nothing() -> None:
    parts = parts_of([made(0, "ann bob cid", THREE_HANDS, THREE)] * 6, "ann bob cid")
    assert sum(mean(parts, THREE_ROLES, name) for name in THREE_ROLES) == pytest.approx(0)


def test_a_bot_that_never_had_one_of_the_parts_has_no_effect() -> None:
    parts = parts_of([made(0, "ann bob", "B100"), made(0, "bob ann", "A100")])
    assert effect(parts, TWO_ROLES, "dealer", "ann") is not None
    only = Parts(margins={key: groups for key, groups in parts.margins.items() if key[2] != "dealer"})
    assert effect(only, TWO_ROLES, "nondealer", "ann") is None
    assert effect(Parts(), SEATS, "seat_0") is None


def test_a_difference_pairs_the_same_deal_groups() -> None:
    luck = [30.0, -25.0, 5.0, -12.0]
    with_it = {
        group: GroupPart(2 * points + 2 * extra, 2)
        for group, (points, extra) in enumerate(zip(luck, (1, 2, 3, 2), strict=True))
    }
    without = {group: GroupPart(2 * points, 2) for group, points in enumerate(luck)}
    estimate = difference(with_it, without)
    assert estimate is not None
    assert estimate.mean == pytest.approx(2.0)
    assert estimate.half_width == pytest.approx(3.1824 * (2 / 3 / 4) ** 0.5)
    assert difference(without, without) == Estimate(0.0, 0.0)
    assert difference(with_it, {}) is None


def test_sums_of_several_pairings_are_merged_group_by_group() -> None:
    one, other = {0: GroupPart(3.0, 1), 1: GroupPart(1.0, 1)}, {1: GroupPart(4.0, 2)}
    assert merged([one, other]) == {0: GroupPart(3.0, 1), 1: GroupPart(5.0, 3)}
    assert one == {0: GroupPart(3.0, 1), 1: GroupPart(1.0, 1)}


def simulated(random: Random, groups: int, edge: float) -> Parts:
    """Two bots of unequal strength; dealing is worth `edge` either way, and who deals how often is chance."""
    parts = Parts()
    for group in range(groups):
        for pairing, stronger in ((("ann", "bob"), 4.0), (("ann", "cid"), -2.0)):
            for _ in range(random.randint(2, 6)):
                margin = random.gauss(stronger, 20.0)
                dealer = random.random() < 0.6
                margin += edge if dealer else -edge
                for bot, points, deals in ((pairing[0], margin, dealer), (pairing[1], -margin, not dealer)):
                    sums = parts.margins.setdefault((pairing, bot, TWO_ROLES[deals]), {})
                    part = sums.setdefault(group, GroupPart())
                    part.points += points
                    part.hands += 1
    return parts


def covered(trials: int, groups: int, bot: str | None) -> float:
    random = Random(7)
    hits = 0
    for _ in range(trials):
        estimate = effect(simulated(random, groups, 1.5), TWO_ROLES, "dealer", bot)
        assert estimate is not None
        assert estimate.low is not None
        assert estimate.high is not None
        hits += estimate.low <= 1.5 <= estimate.high
    return hits / trials


def test_the_interval_of_an_effect_holds_the_truth_as_often_as_it_says() -> None:
    assert 0.92 <= covered(300, groups=25, bot=None) <= 0.98


@pytest.mark.thorough
@pytest.mark.timeout(300)
@pytest.mark.parametrize("bot", [None, "ann"])
def test_at_length_the_interval_of_an_effect_holds_the_truth_in_94_to_96_of_100(bot: str | None) -> None:
    assert 0.94 <= covered(4000, groups=40, bot=bot) <= 0.96
