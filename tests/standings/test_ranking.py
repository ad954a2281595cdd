"""Who stands where, by each criterion in turn, and by nothing else."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from made_games import DEALS, DEALS_OF_THREE, Played, group_size, made, mirrored

from arena.standings.ranking import CRITERIA, rank
from arena.standings.tally import tally


def ranked(games: list[Played], bots: str, rank_by: Sequence[str] = CRITERIA) -> list[tuple[int, str]]:
    return rank(tally(games, bots.split(), group_size), rank_by)


def deals(seats: str, first: str, second: str) -> list[Played]:
    return mirrored(0, seats, first, second, DEALS)


# Games won by ann 3, bob 2, cid 1; margins ann -50, bob +60, cid -10.
EACH_ITS_OWN = [*deals("ann bob", "A5", "A5"), *deals("ann cid", "A10", "B70"), *deals("bob cid", "A40", "A30")]


@pytest.mark.parametrize(
    ("rank_by", "order"),
    [
        (["games_won"], ["ann", "bob", "cid"]),
        (["margin"], ["bob", "cid", "ann"]),
        (["margin", "games_won"], ["bob", "cid", "ann"]),
        (CRITERIA, ["ann", "bob", "cid"]),
    ],
)
def test_the_first_criterion_that_tells_two_apart_decides(rank_by: Sequence[str], order: list[str]) -> None:
    assert ranked(EACH_ITS_OWN, "cid ann bob", rank_by) == list(enumerate(order, 1))


def test_where_games_won_are_equal_the_margin_decides() -> None:
    games = mirrored(0, "ann bob", "A60 B99 A40", "B100")
    assert ranked(games, "ann bob") == [(1, "bob"), (2, "ann")]
    assert ranked(games, "ann bob", ["games_won"]) == [(1, "ann"), (1, "bob")]


def test_the_margin_is_that_of_a_game_and_not_of_a_hand() -> None:
    games = [*mirrored(0, "ann cid", "A100", "A100"), *mirrored(0, "bob dot", "A60 - - A50", "- A60 - A50")]
    assert ranked(games, "ann bob cid dot", ["margin"]) == [(1, "bob"), (2, "ann"), (3, "cid"), (4, "dot")]


def test_games_lost_unplayed_count_in_the_margin() -> None:
    unplayed = [made(0, seats, "", forfeited="dot") for seats in ("ann dot", "dot ann")]
    games = [*unplayed, *mirrored(0, "bob cid", "A99 B100", "A100")]
    assert ranked(games, "dot cid bob ann", ["margin"]) == [(1, "ann"), (2, "bob"), (3, "cid"), (4, "dot")]


# cid has won 4 games, ann and bob 3 with an even margin, dot 2.
ANN_AND_BOB_TIED = [
    *deals("ann bob", "A10", "-"),
    *deals("ann cid", "B10", "-"),
    *deals("ann dot", "-", "-"),
    *deals("bob cid", "-", "-"),
    *deals("bob dot", "A10", "-"),
    *deals("cid dot", "A10", "-"),
]


def test_head_to_head_is_the_games_among_those_still_tied() -> None:
    """Against all others ann has done no better than bob, and against cid worse."""
    assert ranked(ANN_AND_BOB_TIED, "bob ann cid dot") == [(1, "cid"), (2, "ann"), (3, "bob"), (4, "dot")]


def test_bots_that_nothing_tells_apart_share_a_place_and_the_next_is_left_out() -> None:
    rank_by = ("games_won", "margin")
    assert ranked(ANN_AND_BOB_TIED, "bob ann cid dot", rank_by) == [(1, "cid"), (2, "bob"), (2, "ann"), (4, "dot")]


def test_head_to_head_decides_nothing_where_not_all_of_the_tied_have_met() -> None:
    without_ann_bob = ANN_AND_BOB_TIED[2:]
    assert [place for place, _ in ranked(without_ann_bob, "ann bob cid dot", ["head_to_head"])] == [1, 1, 1, 1]


def test_a_ring_of_wins_is_a_tie_of_all() -> None:
    ring = [*deals("ann bob", "A10", "-"), *deals("bob cid", "A10", "-"), *deals("ann cid", "B10", "-")]
    assert ranked(ring, "ann bob cid") == [(1, "ann"), (1, "bob"), (1, "cid")]


@pytest.mark.parametrize("rank_by", [CRITERIA, ["margin"], ["head_to_head"]])
def test_bots_without_a_game_that_counts_stand_last(rank_by: Sequence[str]) -> None:
    games = [*mirrored(0, "ann bob", "A100", "A100"), made(0, "cid dot", "A100")]
    assert ranked(games, "dot cid bob ann", rank_by) == [(1, "ann"), (2, "bob"), (3, "dot"), (3, "cid")]


@pytest.mark.parametrize("rank_by", [*permutations(CRITERIA)])
@pytest.mark.parametrize("games", [EACH_ITS_OWN, ANN_AND_BOB_TIED])
def test_the_order_of_entry_decides_no_place(games: list[Played], rank_by: Sequence[str]) -> None:
    bots = sorted({name for spec, _ in games for name in spec.seats})
    places = [sorted(ranked(games, " ".join(order), rank_by)) for order in permutations(bots)]
    assert all(place == places[0] for place in places)


def test_rounding_breaks_no_tie() -> None:
    """Three times a third is one game, whichever way it is added up."""
    three = [made(0, "ann bob cid", "-", DEALS_OF_THREE)] * 6
    assert [place for place, _ in ranked(three * 7, "cid ann bob")] == [1, 1, 1]
