"""Games: who deals, the score sheet, bonuses, margins and endings, with the game arithmetic of RULES 5."""

import pytest
from games import WALL, gin, preset, record, three_hand, won

from arena.errors import RulesError
from arena.rules.game import UNDEALT_DEADWOOD, Ending, Game, GameFormat, Play, Roles
from arena.rules.options import Rules
from arena.rules.result import HandResult, Position, ResultKind
from arena.rules.view import GameKind

# RULES 5: 104 points in five hands against 62 in three; and 105 in three against none.
GAME = "A18 B12 A25 B30 A15 A22 B20 A24"
SHUTOUT = "A40 A35 A30"


# Bonuses (A9).


@pytest.mark.parametrize(
    ("name", "hands", "totals"),
    [
        ("house", GAME, (104, 62)),
        ("pagat", GAME, (304, 122)),
        ("modern", GAME, (329, 137)),
        ("house", SHUTOUT, (105, 0)),
        ("pagat", SHUTOUT, (365, 0)),
        ("modern", SHUTOUT, (385, 0)),
    ],
)
def test_the_game_arithmetic_of_the_rules(name: str, hands: str, totals: tuple[int, int]) -> None:
    outcome = record(gin(preset(name)), hands).outcome()
    assert outcome.totals == totals
    assert outcome.points == ((104, 62) if hands == GAME else (105, 0))
    assert outcome.margins == (totals[0] - totals[1], totals[1] - totals[0])
    assert (outcome.places, outcome.ending, outcome.columns) == ((1, 2), Ending.TARGET, ())


def test_bonuses_never_count_toward_the_target() -> None:
    game = record(gin(preset("pagat")), "A99 B99")
    assert game.totals == (99, 99)
    assert game.roles is not None


def test_the_first_to_the_target_wins_even_where_boxes_give_the_loser_more() -> None:
    outcome = record(gin(preset("pagat")), "B11 " * 9 + "A60 A60").outcome()
    assert outcome.totals == (120 + 100 + 40, 99 + 180)
    assert outcome.places == (1, 2)


# Who deals next (A1).


@pytest.mark.parametrize(
    ("rule", "won_by_dealer", "won_by_nondealer", "wall"),
    [
        ("winner", 1, 0, 1),
        ("loser", 0, 1, 1),
        ("alternate", 0, 0, 0),
        ("alternate_after_scored", 0, 0, 1),
    ],
)
def test_a1_who_deals_after_seat_1_dealt(rule: str, won_by_dealer: int, won_by_nondealer: int, wall: int) -> None:
    results = (won(Position.DEALER, 10), won(Position.NONDEALER, 10), WALL, HandResult(ResultKind.TIE))
    for result, dealer in zip(results, (won_by_dealer, won_by_nondealer, wall, wall), strict=True):
        game = gin(Rules(next_dealer=rule))
        game.record(result)
        assert game.roles == Roles(nondealer=1 - dealer, dealer=dealer)


def test_the_opponent_of_a_forfeit_counts_as_the_winner_for_dealing() -> None:
    game = gin()
    game.record(won(Position.NONDEALER, 60, ResultKind.FORFEIT))
    assert game.roles == Roles(nondealer=1, dealer=0)
    assert game.scores(0).hands_won == (1, 0)


# Three hands.


def test_the_three_hand_table_of_the_rules_hand_by_hand() -> None:
    game = three_hand()
    table = [
        # roles (box, captain, out), result, totals after it
        ((0, 1, 2), won(Position.DEALER, 19), (19, 0, 0)),
        ((0, 2, 1), won(Position.NONDEALER, 17, ResultKind.UNDERCUT), (19, 0, 17)),
        ((2, 1, 0), WALL, (19, 0, 17)),
        ((2, 1, 0), won(Position.NONDEALER, 70, ResultKind.GIN), (19, 70, 17)),
        ((1, 0, 2), won(Position.DEALER, 26), (19, 96, 17)),
        ((1, 2, 0), won(Position.NONDEALER, 11, ResultKind.UNDERCUT), (19, 96, 28)),
        ((2, 0, 1), won(Position.NONDEALER, 49, ResultKind.GIN), (68, 96, 28)),
        ((0, 1, 2), won(Position.NONDEALER, 6), (68, 102, 28)),
    ]
    for (box, captain, out), result, totals in table:
        assert game.roles == Roles(nondealer=captain, dealer=box, out=out)
        game.record(result)
        assert game.totals == totals
    assert game.roles is None
    outcome = game.outcome()
    assert outcome.totals == outcome.points == (68, 102, 28)
    assert outcome.places == (2, 1, 3)
    assert outcome.hands_won == (2, 3, 2)
    assert outcome.margins == (68 - 65, 102 - 48, 28 - 85)


def test_t5_bonuses_are_settled_pairwise_and_a_shutout_counts_against_whom_it_holds() -> None:
    # Seat 0: 100 points in two hands; seat 1: 35 in two; seat 2 none. A game bonus of 100, boxes of 20.
    outcome = record(three_hand(preset("pagat")), "B30 B5 - A60 A40").outcome()
    assert outcome.points == (100, 35, 0)
    against_1 = 100 + 2 * 20 + 100 - (35 + 2 * 20)
    against_2 = 100 + 2 * 20 + 200 - 0
    between = 35 + 2 * 20 - 0
    margins = ((against_1 + against_2) / 2, (between - against_1) / 2, (-against_2 - between) / 2)
    assert outcome.margins == margins
    assert outcome.totals == (240, 75, 0)


def test_a_shutout_of_both_others_stands_in_the_total_too() -> None:
    outcome = record(three_hand(preset("modern")), "A60 A40").outcome()
    assert outcome.totals == (200 + 100 + 50, 0, 0)
    assert outcome.margins == (350, -175, -175)
    assert outcome.places == (1, 2, 2)


def test_t3_a_captain_s_win_is_also_the_partner_s_points_but_not_the_box_s() -> None:
    game = three_hand(Rules(captain_points="team"))
    game.record(won(Position.NONDEALER, 20))
    assert game.totals == (0, 20, 20)
    assert game.scores(2).hands_won == (0, 1, 0)
    assert game.roles == Roles(nondealer=2, dealer=1, out=0)
    game.record(won(Position.DEALER, 15))
    assert game.totals == (0, 35, 20)


@pytest.mark.parametrize(
    ("hands", "points", "places"),
    [
        # Hands as (position that wins, points); 0 is the captain. In the last one captain and partner reach 100.
        ([(0, 100)], (0, 100, 100), (3, 1, 2)),
        ([(0, 10), (0, 50), (0, 45), (0, 45)], (95, 100, 105), (3, 2, 1)),
        ([(0, 60), (1, 10), (0, 1), (1, 1), (0, 40)], (2, 110, 101), (3, 1, 2)),
    ],
    ids=["equal", "partner", "captain"],
)
def test_t5_where_both_of_a_team_reach_the_target_the_higher_total_wins_then_the_captain(
    hands: list[tuple[int, int]], points: tuple[int, ...], places: tuple[int, ...]
) -> None:
    game = three_hand(Rules(captain_points="team"))
    for position, score in hands:
        game.record(won(position, score))
    outcome = game.outcome()
    assert (outcome.points, outcome.places) == (points, places)


# Hollywood.


def columns(game: Game) -> list[tuple[int, ...]]:
    return list(game.scores(0).columns)


def test_the_hollywood_example_of_the_rules() -> None:
    game = record(gin(hollywood=True), "A18 B12 A25 B30 A15 A22 B20")
    assert columns(game) == [(80, 62), (62, 50), (37, 20)]
    assert columns(record(game, "A24"))[0] == (104, 62)
    assert game.scores(0).open == (False, True, True)
    assert columns(record(game, "B50"))[1:] == [(86, 100), (61, 70)]
    assert columns(record(game, "A39")) == [(104, 62), (86, 100), (100, 70)]
    outcome = game.outcome()
    assert [column.margins[0] for column in outcome.columns] == [42, -14, 30]
    assert [column.winner for column in outcome.columns] == [0, 1, 0]
    assert outcome.margins == (58, -58)
    assert outcome.points == outcome.totals == (290, 232)
    assert (outcome.places, outcome.hands_won, outcome.ending) == ((1, 2), (6, 4), Ending.TARGET)


def test_the_hollywood_example_with_the_bonuses_of_pagat() -> None:
    outcome = record(gin(preset("pagat"), hollywood=True), "A18 B12 A25 B30 A15 A22 B20 A24 B50 A39").outcome()
    assert [column.totals for column in outcome.columns] == [(304, 122), (166, 260), (280, 110)]
    assert outcome.margins == (258, -258)
    assert outcome.totals == (750, 492)


def test_the_late_start_of_the_rules_shifted() -> None:
    game = record(gin(hollywood=True), "A40 A35 A30")
    assert columns(game)[0] == (105, 0)
    assert columns(record(game, "B20")) == [(105, 0), (65, 20), (30, 0)]
    assert columns(record(game, "B15"))[1:] == [(65, 35), (30, 15)]
    assert columns(record(game, "A45"))[1:] == [(110, 35), (75, 15)]
    assert columns(record(game, "B70"))[1:] == [(110, 35), (75, 85)]
    assert columns(record(game, "B30")) == [(105, 0), (110, 35), (75, 115)]
    assert game.outcome().places == (1, 2)


def test_the_late_start_of_the_rules_strict() -> None:
    game = record(gin(Rules(late_start="strict"), hollywood=True), "A40 A35 A30 B20")
    assert columns(game) == [(105, 0), (65, 0), (30, 0)]
    assert game.scores(1).hands_won == (1, 3)
    assert columns(record(game, "B15 A45 B70 B30")) == [(105, 0), (110, 15), (75, 100)]
    assert game.roles is None


def test_one_hand_can_close_several_columns_and_a_wall_opens_none() -> None:
    game = record(gin(hollywood=True), "A40 - A40 - - A90")
    assert columns(game) == [(170, 0), (130, 0), (90, 0)]
    assert game.scores(0).open == (False, False, True)


def test_a_column_without_an_entry_of_the_loser_is_a_shutout() -> None:
    outcome = record(gin(preset("pagat"), hollywood=True), "B10 A40 A40 A90 A10").outcome()
    assert [column.totals for column in outcome.columns] == [
        (170 + 100 + 3 * 20, 10 + 20),
        (130 + 200 + 2 * 20, 0),
        (100 + 200 + 2 * 20, 0),
    ]


def test_equal_sums_go_to_who_won_more_columns() -> None:
    game = record(gin(Rules(late_start="strict", target=50), hollywood=True), "A50 B20 B20 A30 A20 B50")
    outcome = game.outcome()
    assert [column.winner for column in outcome.columns] == [0, 0, 1]
    assert [column.points for column in outcome.columns] == [(50, 0), (50, 20), (20, 50)]
    assert outcome.margins == (50, -50)
    even = record(gin(Rules(late_start="strict", target=50), hollywood=True), "A50 B20 B20 A30 A20 B100").outcome()
    assert even.points == (120, 120)
    assert even.margins == (0, 0)
    assert even.places == (1, 2)


def test_hollywood_for_three_closes_a_column_by_the_first_to_reach_the_target() -> None:
    game = record(three_hand(hollywood=True), "A60 C40 C60")
    # Seat 2 as the box beat seat 1, so seat 0 is captain; columns as seen by seat 0: itself, then the box.
    assert game.scores(0).columns == ((60, 100, 0), (0, 60, 0), (0, 0, 0))
    assert game.scores(0).open == (False, True, True)
    outcome = record(game, "A90 A90 A90").outcome()
    assert [column.points for column in outcome.columns] == [(60, 0, 100), (180, 0, 60), (180, 0, 0)]
    assert [column.winner for column in outcome.columns] == [2, 0, 0]
    assert outcome.places == (1, 3, 2)


def test_a_partner_s_points_open_columns_of_its_own() -> None:
    game = three_hand(Rules(captain_points="team"), hollywood=True)
    game.record(won(Position.NONDEALER, 30))
    game.record(won(Position.NONDEALER, 20))
    # Seat 1 and 2 earned 30; then seat 2 as captain and seat 0 as partner 20.
    assert game.totals == (20, 30, 50 + 20)


# Endings.


def test_a16_after_max_hands_the_higher_total_wins() -> None:
    game = record(gin(preset("pagat", max_hands=3)), "A10 - B5")
    outcome = game.outcome()
    assert (outcome.ending, outcome.points, outcome.places) == (Ending.MAX_HANDS, (10, 5), (1, 2))
    assert outcome.totals == (10 + 20 + 100, 5 + 20)


def test_a16_equal_totals_after_max_hands_are_a_draw_without_a_game_bonus() -> None:
    outcome = record(gin(preset("pagat", max_hands=2)), "A10 B10").outcome()
    assert (outcome.places, outcome.totals, outcome.margins) == ((1, 1), (30, 30), (0, 0))


def test_a_target_reached_in_the_last_hand_allowed_is_an_ending_by_target() -> None:
    assert record(gin(Rules(max_hands=2)), "- A100").outcome().ending is Ending.TARGET


def test_in_hollywood_max_hands_gives_each_open_column_to_who_leads_in_it() -> None:
    outcome = record(gin(preset("pagat", max_hands=3), hollywood=True), "A10 A10 B15").outcome()
    assert [column.winner for column in outcome.columns] == [0, 0, None]
    assert [column.totals for column in outcome.columns] == [(20 + 40 + 100, 35), (10 + 20 + 200, 0), (0, 0)]


@pytest.mark.parametrize(("text", "points", "places"), [("A30", (30, 0), (1, 2)), ("-", (0, 0), (1, 1))])
def test_play_by_deals_is_one_hand_without_bonuses(text: str, points: tuple[int, int], places: tuple[int, int]) -> None:
    game = record(gin(preset("pagat"), play=Play.DEALS), text)
    assert game.roles is None
    outcome = game.outcome()
    assert (outcome.totals, outcome.points, outcome.places) == (points, points, places)
    assert outcome.ending is Ending.DEALS


def test_a_target_means_nothing_in_play_by_deals() -> None:
    outcome = record(three_hand(Rules(captain_points="team", target=1), play=Play.DEALS), "B30").outcome()
    assert (outcome.points, outcome.places) == ((0, 30, 30), (3, 1, 1))


# Forfeits of a game.


def test_a_forfeited_game_raises_the_other_to_the_target_and_leaves_the_offender_its_points() -> None:
    game = record(gin(), "A95 B40")
    game.forfeit(0)
    assert game.roles is None
    outcome = game.outcome()
    assert (outcome.points, outcome.places, outcome.margins) == ((95, 100), (2, 1), (-5, 5))
    assert outcome.ending is Ending.FORFEIT


def test_a_forfeited_game_carries_the_bonuses_of_a_won_one() -> None:
    game = gin(preset("pagat"))
    game.forfeit(1)
    assert game.outcome().totals == (100 + 200, 0)


def test_a_hand_forfeited_first_can_carry_the_other_beyond_the_target() -> None:
    game = record(gin(), "B99")
    assert game.roles is not None
    game.record(won(Position.NONDEALER if game.roles.nondealer == 1 else Position.DEALER, 80, ResultKind.FORFEIT))
    game.forfeit(0)
    assert game.outcome().points == (0, 179)
    assert game.outcome().ending is Ending.FORFEIT


def test_in_hollywood_a_forfeit_raises_every_open_column_and_loses_the_match() -> None:
    game = record(gin(hollywood=True), "A90 A90 A5")
    assert columns(game) == [(180, 0), (95, 0), (5, 0)]
    game.forfeit(0)
    outcome = game.outcome()
    assert [column.points for column in outcome.columns] == [(180, 0), (95, 100), (5, 100)]
    assert [column.winner for column in outcome.columns] == [0, 1, 1]
    assert outcome.points == (280, 200)
    assert outcome.places == (2, 1)


def test_in_three_hand_a_forfeit_raises_both_others() -> None:
    game = record(three_hand(), "A60")
    game.forfeit(1)
    outcome = game.outcome()
    assert (outcome.points, outcome.places, outcome.margins) == ((100, 0, 100), (1, 3, 1), (50, -100, 50))


def test_two_who_forfeit_one_game_leave_the_third_alone_and_the_order_does_not_matter() -> None:
    outcomes = []
    for seats in ((0, 1), (1, 0)):
        game = record(three_hand(), "A60")
        for seat in seats:
            game.forfeit(seat)
        outcomes.append(game.outcome())
    assert outcomes[0] == outcomes[1]
    assert (outcomes[0].points, outcomes[0].places) == ((60, 0, 100), (2, 3, 1))


def test_a_game_that_all_forfeit_is_a_draw() -> None:
    game = gin()
    game.forfeit(0)
    game.forfeit(1)
    assert (game.outcome().points, game.outcome().places) == ((0, 0), (1, 1))


def test_a_deal_forfeited_before_it_was_dealt_costs_what_a_dealt_hand_costs_on_average() -> None:
    game = three_hand(preset("pagat"), play=Play.DEALS)
    game.forfeit(2)
    outcome = game.outcome()
    award = 20 + UNDEALT_DEADWOOD
    assert (outcome.points, outcome.totals, outcome.places) == ((award, award, 0), (award, award, 0), (1, 1, 3))


def test_a_deal_forfeited_in_play_costs_that_hand_and_no_more() -> None:
    game = gin(play=Play.DEALS)
    game.record(won(Position.NONDEALER, 40, ResultKind.FORFEIT))
    game.forfeit(1)
    assert game.outcome().points == (40, 0)
    assert game.outcome().ending is Ending.FORFEIT


# What a seat is told, and what is refused.


def test_a_seat_sees_itself_first_then_the_nondealer_the_dealer_and_who_sits_out() -> None:
    game = record(three_hand(), "A19 C17")
    # Now seat 2 is the box, seat 1 the captain, and seat 0 sits out.
    assert game.scores(2).totals == (17, 0, 19)
    assert game.scores(1).totals == (0, 17, 19)
    assert game.scores(0).totals == (19, 0, 17)
    assert game.scores(0).hands_won == (1, 0, 1)


def test_hollywood_columns_are_seen_in_the_same_order() -> None:
    game = record(gin(hollywood=True), "A18 B12 A25")
    assert game.scores(1).totals == (12, 68)
    assert game.scores(1).columns == ((12, 43), (0, 25), (0, 0))
    assert game.scores(1).open == (True, True, True)
    assert (gin().scores(0).columns, gin().scores(0).open) == ((), ())


def test_no_hand_is_recorded_after_the_end_and_no_outcome_is_given_before_it() -> None:
    game = gin()
    with pytest.raises(ValueError, match="goes on"):
        game.outcome()
    record(game, "A100")
    with pytest.raises(ValueError, match="over"):
        game.record(WALL)


@pytest.mark.parametrize(
    ("game", "roles"),
    [
        (GameKind.GIN, Roles(0, 1, 2)),
        (GameKind.GIN, Roles(0, 0)),
        (GameKind.OKLAHOMA, Roles(1, 2)),
        (GameKind.THREE_HAND, Roles(0, 1)),
        (GameKind.THREE_HAND, Roles(0, 1, 1)),
    ],
)
def test_a_game_begins_with_the_roles_of_its_seats(game: GameKind, roles: Roles) -> None:
    with pytest.raises(ValueError, match="expected the roles of"):
        Game(GameFormat(game, False, Play.GAMES, Rules(knock_limit="upcard")), roles)


def test_a_format_that_makes_no_sense_tells_all_its_problems() -> None:
    with pytest.raises(RulesError) as caught:
        GameFormat(GameKind.OKLAHOMA, hollywood=True, play=Play.DEALS, rules=Rules())
    assert [option for option, _ in caught.value.problems] == ["play", "knock_limit"]


def test_t3_a_partner_shares_the_points_but_wins_no_box_and_is_shut_out() -> None:
    rules = Rules(captain_points="team", target=15, box_bonus=20, game_bonus=100, shutout="game_x2")
    game = three_hand(rules)  # seat 1 is captain, seat 2 sits out
    game.record(won(Position.NONDEALER, 20))
    outcome = game.outcome()
    assert (outcome.hands_won, outcome.points) == ((0, 1, 0), (0, 20, 20))
    assert outcome.totals == (0, 20 + 2 * 100 + 20, 20)
    assert outcome.margins == (-(240 + 20) / 2, (240 + 220) / 2, (20 - 220) / 2)
