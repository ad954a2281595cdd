"""What is counted of games that were written down by hand: every number worked out on paper."""

from fractions import Fraction

import pytest
from made_games import DEALS, DEALS_OF_THREE, THREE, Played, group_size, made, mirrored

from arena.players.faults import Fault
from arena.rules.result import ResultKind
from arena.standings.statistics import Estimate
from arena.standings.tally import Part, Sums, Tally, tally


def tallied(games: list[Played], bots: str = "ann bob", without: str = "", *, team: bool = False) -> Tally:
    return tally(games, bots.split(), group_size, frozenset(without.split()), team=team)


TWO_GAMES = mirrored(0, "ann bob", "A60 B12g - A40", "B20 B25u B55b")
"""ann wins 100-12 in four hands, then bob 100-0 in three."""


def test_games_and_margins() -> None:
    counted = tallied(TWO_GAMES)
    ann = counted.bots["ann"]
    assert (counted.games, counted.hands, counted.incomplete, counted.unplayed) == (2, 7, 0, 0)
    assert (ann.sums.games, ann.won_alone, ann.drawn, ann.sums.won) == (2, 1, 0, Fraction(1))
    assert (ann.sums.margin, ann.sums.hands) == (88 - 100, 7)
    assert ann.sums.won_share() == Estimate(0.5, None)
    assert ann.sums.margin_a_game() == Estimate(-6.0, None)
    assert ann.sums.margin_a_hand() == Estimate(-12 / 7, None)
    assert counted.bots["bob"].sums.margin == 12


def test_how_hands_ended() -> None:
    counted = tallied(TWO_GAMES)
    ann, bob = counted.bots["ann"], counted.bots["bob"]
    assert ann.made == {ResultKind.KNOCK: 2}
    assert bob.made == {ResultKind.KNOCK: 1, ResultKind.GIN: 1, ResultKind.UNDERCUT: 1, ResultKind.BIG_GIN: 1}
    assert (ann.suffered, bob.suffered) == (bob.made, ann.made)
    assert (ann.walls, bob.walls) == (1, 1)


def test_a_tie_of_deals_is_half_a_win_for_each() -> None:
    counted = tallied(mirrored(0, "ann bob", "-", "B7", DEALS))
    ann, bob = counted.bots["ann"], counted.bots["bob"]
    assert (ann.sums.won, ann.won_alone, ann.drawn) == (Fraction(1, 2), 0, 1)
    assert (bob.sums.won, bob.won_alone, bob.drawn) == (Fraction(3, 2), 1, 1)


def test_intervals_are_over_deal_groups_and_not_over_games() -> None:
    games = [
        *mirrored(0, "ann bob", "A30", "B10", DEALS),  # ann +20 in the group
        *mirrored(1, "ann bob", "B5", "-", DEALS),  # -5
        *mirrored(2, "ann bob", "A9", "A9", DEALS),  # +18
    ]
    margin = tallied(games).bots["ann"].sums.margin_a_hand()
    assert margin is not None
    mean = (20 - 5 + 18) / 6
    spread = sum((group - 2 * mean) ** 2 for group in (20, -5, 18))
    assert margin.mean == pytest.approx(mean)
    assert margin.half_width == pytest.approx(4.3027 * (3 / 2 * spread) ** 0.5 / 6)


def test_pairings_of_one_group_are_one_unit() -> None:
    games = [*mirrored(0, "ann bob", "A9", "-", DEALS), *mirrored(0, "ann cid", "A9", "-", DEALS)]
    counted = tallied(games, "ann bob cid")
    assert list(counted.bots["ann"].sums.groups) == [0]
    assert counted.bots["ann"].sums.margin_a_hand() == Estimate(4.5, None)


def test_a_bot_against_its_copy_is_exactly_even() -> None:
    games = [game for group in range(4) for game in mirrored(group, "ann bob", "A60 B12 A40", "B60 A12 B40")]
    assert tallied(games).bots["ann"].sums.margin_a_hand() == Estimate(0.0, 0.0)


def test_games_of_incomplete_groups_are_left_out_and_said() -> None:
    half = mirrored(1, "ann bob", "A100", "B100")[:1]
    counted = tallied([*TWO_GAMES, *half])
    assert (counted.games, counted.incomplete) == (2, 1)
    assert counted.bots["ann"].sums.games == 2


def test_a_group_is_complete_in_each_pairing_apart() -> None:
    whole = [*mirrored(0, "ann bob", "A100", "A100"), *mirrored(0, "bob cid", "A100", "- A100")]
    games = [*whole[:2], made(0, "ann cid", "A100"), *whole[2:]]
    counted = tallied(games, "ann bob cid")
    assert (counted.games, counted.incomplete) == (4, 1)
    assert ("ann", "cid") not in counted.against


def test_a_bot_that_is_withdrawn_takes_its_games_along() -> None:
    games = [*TWO_GAMES, *mirrored(0, "ann cid", "A100", "B100"), made(1, "bob cid", "A100")]
    counted = tallied(games, "ann bob cid", without="cid")
    assert counted == tallied(TWO_GAMES, "ann bob")
    assert list(counted.bots) == ["ann", "bob"]


THREE_HANDS = "A19 C17u - B70g B26 C11u A49g B6"
"""The example of RULES 5: the totals are 68, 102 and 28."""


def test_three_hand_margins_are_against_the_mean_of_the_others() -> None:
    counted = tallied([made(0, "ann bob cid", THREE_HANDS, THREE)] * 6, "ann bob cid")
    margins = {name: bot.sums.margin / 6 for name, bot in counted.bots.items()}
    assert margins == {"ann": 68 - 65, "bob": 102 - 48, "cid": 28 - 85}
    assert counted.against["ann", "bob"].margin / 6 == pytest.approx(68 - 102)
    assert counted.against["ann", "cid"].margin / 6 == pytest.approx(68 - 28)
    assert counted.against["ann", "cid"].won == 6
    assert counted.bots["ann"].sums.won == 0


def test_three_hand_roles() -> None:
    bots = tallied([made(0, "ann bob cid", THREE_HANDS, THREE)] * 6, "ann bob cid").bots
    sixth = {
        name: [(part.hands / 6, part.points / 6) for part in (bot.box, bot.captain, bot.out)]
        for name, bot in bots.items()
    }
    assert sixth == {
        # box in hands 1, 2 and 8; captain in 5, 7; out in 3, 4, 6
        "ann": [(3, 19 - 17 - 6), (2, -26 + 49), (3, 0)],
        # box in 5, 6; captain in 1, 3, 4, 8; out in 2, 7
        "bob": [(2, 26 - 11), (4, -19 + 0 + 70 + 6), (2, 0)],
        # box in 3, 4, 7; captain in 2, 6; out in 1, 5, 8
        "cid": [(3, 0 - 70 - 49), (2, 17 + 11), (3, 0)],
    }


def test_three_hand_walls_are_of_those_who_play() -> None:
    bots = tallied([made(0, "ann bob cid", THREE_HANDS, THREE)] * 6, "ann bob cid").bots
    assert {name: bot.walls for name, bot in bots.items()} == {"ann": 0, "bob": 6, "cid": 6}


def test_as_a_team_the_one_who_sits_out_scores_the_captains_points() -> None:
    bots = tallied([made(0, "ann bob cid", THREE_HANDS, THREE)] * 6, "ann bob cid", team=True).bots
    assert {name: bot.out for name, bot in bots.items()} == {
        "ann": Part(18, 6 * (0 + 70 + 11)),
        "bob": Part(12, 6 * (17 + 49)),
        "cid": Part(18, 6 * (0 + 0 + 6)),
    }


def test_a_first_place_of_three_counts_a_third_for_each() -> None:
    counted = tallied([made(0, "ann bob cid", "-", DEALS_OF_THREE)] * 6, "ann bob cid")
    assert [bot.sums.won for bot in counted.bots.values()] == [2, 2, 2]
    assert counted.against["ann", "bob"].won == 3


def test_a_hand_forfeited_is_the_opponents_as_it_was_scored() -> None:
    counted = tallied(mirrored(0, "ann bob", "A60f A40", "A100"))
    ann, bob = counted.bots["ann"], counted.bots["bob"]
    assert (ann.made[ResultKind.FORFEIT], bob.suffered[ResultKind.FORFEIT]) == (1, 1)
    assert (ann.sums.margin, ann.sums.won) == (200, Fraction(2))
    assert (bob.faults, ann.faults) == ({Fault.CRASH: 1}, {})


def test_a_game_forfeited_counts_with_the_score_that_was_declared() -> None:
    counted = tallied([made(0, "ann bob", "B30 A45f", forfeited="bob"), made(0, "bob ann", "B100")])
    ann = counted.bots["ann"]
    assert ann.sums.won == 2
    assert ann.sums.margin == (100 - 30) + 100
    assert ann.sums.hands == 3


def test_a_game_lost_unplayed_is_a_game_with_its_margin_and_no_margin_a_hand() -> None:
    games = [*TWO_GAMES, *[made(1, seats, "", forfeited="bob") for seats in ("ann bob", "bob ann")]]
    counted = tallied(games)
    ann, bob = counted.bots["ann"], counted.bots["bob"]
    assert (counted.games, counted.unplayed) == (4, 2)
    assert (ann.sums.games, ann.sums.won, ann.won_alone) == (4, Fraction(3), 3)
    margin = ann.sums.margin_a_game()
    assert margin is not None
    assert margin.mean == (-12 + 200) / 4
    assert ann.sums.margin_a_hand() == Estimate(-12 / 7, None)
    assert counted.against["ann", "bob"].margin_a_hand() == Estimate(-12 / 7, None)
    assert bob.faults == {Fault.QUARANTINED: 2}


def test_a_bot_without_a_complete_group_has_counted_nothing() -> None:
    cid = tallied(TWO_GAMES, "ann bob cid").bots["cid"]
    assert cid.sums.games == cid.sums.hands == cid.sums.won == 0
    assert Sums().won_share() is cid.sums.margin_a_game() is cid.sums.margin_a_hand() is None
