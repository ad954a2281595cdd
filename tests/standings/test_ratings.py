"""Ratings: what follows from the games on paper, and how often the intervals hold the truth, by simulation."""

from collections.abc import Iterable
from itertools import combinations, permutations
from math import exp, log
from random import Random

import pytest

from arena.standings.ratings import COPIES, DRAWN, SCALE, Rating, Ratings, ratings_of
from arena.standings.tally import SIXTHS, BotTally, Sums, Tally

SEED = "5eed"
Game = tuple[int, tuple[str, ...], tuple[int, ...]]
"""Deal group, who met, and their places."""


def tallied(names: str, games: Iterable[Game]) -> Tally:
    """Games of which only the places count."""
    tally = Tally({name: BotTally() for name in names.split()})
    for group, bots, places in games:
        share = SIXTHS // places.count(1)
        for bot, place in zip(bots, places, strict=True):
            tally.bots[bot].sums.add(group, share * (place == 1), 0.0, 1)
        for pair in permutations(bots, 2):
            tally.against.setdefault(pair, Sums()).add(group, 0, 0.0, 1)
        groups = tally.finishes.setdefault((bots, places), {})
        groups[group] = groups.get(group, 0) + 1
    return tally


def mirrored(group: int, one: str, other: str, won: int) -> list[Game]:
    """Two games of a group, of which the one has won so many."""
    return [(group, (one, other), (1, 2) if game < won else (2, 1)) for game in range(2)]


def rated(tally: Tally, anchor: str | None = None, at: float = 1500.0, seed: str = SEED) -> Ratings:
    ratings = ratings_of(tally, seed, anchor, at)
    assert isinstance(ratings, Ratings), ratings
    return ratings


def by_name(ratings: Ratings) -> dict[str, Rating]:
    return {rating.bot: rating for rating in ratings.bots}


def interval(rating: Rating) -> tuple[float, float]:
    assert rating.low is not None
    assert rating.high is not None
    return rating.low, rating.high


UNEVEN = [game for group in range(30) for game in mirrored(group, "ann", "bob", (2, 1, 1)[group % 3])]
"""ann has won 40 of 60 games."""


def test_two_bots_are_apart_by_the_odds_of_all_games_and_a_few_drawn() -> None:
    ratings = rated(tallied("ann bob", UNEVEN))
    ann, bob = ratings.bots
    assert (ann.bot, ann.games, ann.groups) == ("ann", 60, 30)
    assert ann.rating - bob.rating == pytest.approx(SCALE * log((40 + DRAWN) / (20 + DRAWN)))
    assert ann.rating + bob.rating == pytest.approx(3000)


def test_odds_of_ten_to_one_are_400_points() -> None:
    assert pytest.approx(400 / log(10)) == SCALE


def test_the_anchor_stands_where_the_series_says_and_has_no_interval() -> None:
    tally = tallied("ann bob", UNEVEN)
    ann, bob = rated(tally, "bob", 1000.0).bots
    assert (bob.rating, bob.low, bob.high) == (1000.0, None, None)
    assert ann.rating == pytest.approx(1000 + SCALE * log((40 + DRAWN) / (20 + DRAWN)))
    low, high = interval(ann)
    assert low < ann.rating < high
    free, _ = rated(tally).bots
    assert high - low == pytest.approx(2 * (interval(free)[1] - interval(free)[0]))


def test_the_same_games_make_the_same_table_and_the_seed_moves_only_the_samples() -> None:
    tally = tallied("ann bob", UNEVEN)
    one, same, other = rated(tally), rated(tally), rated(tally, seed="other")
    assert one == same
    assert [rating.rating for rating in one.bots] == [rating.rating for rating in other.bots]
    assert interval(one.bots[0]) != interval(other.bots[0])
    assert interval(one.bots[0]) == pytest.approx(interval(other.bots[0]), abs=10)


def test_a_drawn_game_is_half_a_win_each_way() -> None:
    drawn = [(group, ("ann", "bob"), (1, 1)) for group in range(20)]
    halves = [game for group in range(20) for game in mirrored(group, "ann", "bob", 1)]
    for games in (drawn, halves):
        ann, bob = rated(tallied("ann bob", games)).bots
        assert ann.rating == bob.rating == pytest.approx(1500)


@pytest.mark.parametrize(("games", "won"), [(100, 70), (400, 396)])
def test_of_independent_games_the_interval_is_that_of_jeffreys(games: int, won: int) -> None:
    from scipy.stats import beta  # noqa: PLC0415 - loads for a second

    tally = tallied("ann bob", [(group, ("ann", "bob"), (1, 2) if group < won else (2, 1)) for group in range(games)])
    ann, bob = rated(tally, "bob").bots
    assert bob.rating == 1500
    shares = beta(won + 0.5, games - won + 0.5).ppf([0.025, 0.975])
    expected = [1500 + SCALE * log(share / (1 - share)) for share in shares]
    assert interval(ann) == pytest.approx(expected, abs=0.1 * (expected[1] - expected[0]))


def test_a_bot_that_has_won_every_game_has_a_finite_rating_and_an_interval_that_says_how_little_is_known() -> None:
    few, many = [
        rated(tallied("ann bob", [game for group in range(n) for game in mirrored(group, "ann", "bob", 2)]), "bob")
        for n in (8, 100)
    ]
    ann, stronger = few.bots[0], many.bots[0]
    assert 1500 < interval(ann)[0] < interval(stronger)[0] < stronger.rating < interval(stronger)[1] < 6000
    assert interval(ann)[1] - interval(ann)[0] > 1000
    assert many.outranks["ann", "bob"] == (COPIES + 1) / (COPIES + 2)
    assert many.outranks["bob", "ann"] == 1 / (COPIES + 2)


@pytest.mark.parametrize(
    "met",
    [[*combinations("abcdefgh", 2)], [*zip("abcdefg", "bcdefgh", strict=True)], [("a", bot) for bot in "bcdefgh"]],
)
def test_a_rating_lies_in_its_interval_also_where_every_game_was_won_by_the_same(met: list[tuple[str, str]]) -> None:
    games = [game for group in range(6) for one, other in met for game in mirrored(group, one, other, 2)]
    ratings = rated(tallied(" ".join("abcdefgh"), games))
    assert ratings.bots[0].bot == "a"
    for rating in ratings.bots:
        low, high = interval(rating)
        assert low < rating.rating < high


def test_a_bot_that_has_lost_every_game_is_the_mirror_image() -> None:
    won, lost = rated(
        tallied("ann bob", [game for group in range(9) for game in mirrored(group, "ann", "bob", 2)])
    ).bots
    assert (won.rating - 1500, interval(won)[0] - 1500) == pytest.approx((1500 - lost.rating, 1500 - interval(lost)[1]))


def test_outranks_are_probabilities_that_add_up() -> None:
    games = [
        game
        for group in range(20)
        for one, other in combinations(("ann", "bob", "cid"), 2)
        for game in mirrored(group, one, other, (1, 2, 1, 0, 2)[(group + len(one + other)) % 5])
    ]
    outranks = rated(tallied("ann bob cid", games)).outranks
    assert len(outranks) == 6
    for one, other in combinations(("ann", "bob", "cid"), 2):
        assert outranks[one, other] + outranks[other, one] == pytest.approx(1)


def test_bots_that_share_no_game_are_compared_over_others() -> None:
    games = [game for group in range(40) for game in mirrored(group, "ann", "ref", (2, 1)[group % 2])]
    games += [game for group in range(40) for game in mirrored(group, "bob", "ref", (0, 1)[group % 2])]
    ratings = rated(tallied("ann bob ref", games), "ref")
    assert [rating.bot for rating in ratings.bots] == ["ann", "ref", "bob"]
    assert ratings.outranks["ann", "bob"] > 0.99
    assert {(pair.bot, pair.against) for pair in ratings.pairs} == {("ann", "ref"), ("bob", "ref")}


def test_the_order_of_entry_decides_nothing() -> None:
    games = [game for group in range(20) for game in mirrored(group, "ann", "bob", (2, 1)[group % 2])]
    games += [game for group in range(20) for game in mirrored(group, "bob", "cid", (2, 1, 1)[group % 3])]
    one, other = rated(tallied("ann bob cid", games)), rated(tallied("cid bob ann", games))
    for bot, rating in by_name(one).items():
        assert rating.rating == pytest.approx(by_name(other)[bot].rating)
        assert interval(rating) == pytest.approx(interval(by_name(other)[bot]), rel=0.02)


THREE = ("ann", "bob", "cid")


def test_three_players_are_rated_by_their_orders() -> None:
    """The orders that strengths of 3, 2 and 1 make, and beside sixty groups a part of one that is drawn."""
    places = {(1, 2, 3): 20, (1, 3, 2): 10, (2, 1, 3): 15, (3, 1, 2): 5, (2, 3, 1): 6, (3, 2, 1): 4}
    games = [(group, THREE, order) for order, times in places.items() for group in range(60) for _ in range(times)]
    ann, bob, cid = rated(tallied("ann bob cid", games), "cid").bots
    assert ann.rating == pytest.approx(1500 + SCALE * log(3), abs=5)
    assert bob.rating == pytest.approx(1500 + SCALE * log(2), abs=5)
    assert (cid.bot, cid.rating) == ("cid", 1500)


def test_three_players_who_always_share_are_equal() -> None:
    ratings = rated(tallied("ann bob cid", [(group, THREE, (1, 1, 1)) for group in range(10)]))
    assert [rating.rating for rating in ratings.bots] == pytest.approx([1500] * 3)


def test_a_place_shared_by_two_of_three_is_half_of_each_order() -> None:
    shared = [(group, THREE, (1, 2, 2)) for group in range(10) for _ in range(2)]
    halves = [(group, THREE, places) for group in range(10) for places in ((1, 2, 3), (1, 3, 2))]
    one, other = rated(tallied("ann bob cid", shared)), rated(tallied("ann bob cid", halves))
    assert [rating.rating for rating in one.bots] == pytest.approx([rating.rating for rating in other.bots])


def test_with_one_deal_group_there_is_a_rating_and_no_interval() -> None:
    ratings = rated(tallied("ann bob", mirrored(0, "ann", "bob", 2)))
    assert [rating.low for rating in ratings.bots] == [None, None]
    assert ratings.outranks == {}


def test_a_bot_without_a_game_is_not_rated_and_said() -> None:
    assert rated(tallied("ann bob cid", UNEVEN)).unrated == ("cid",)


def test_what_cannot_be_rated_is_said() -> None:
    apart = [*UNEVEN, *[game for group in range(3) for game in mirrored(group, "cid", "dot", 1)]]
    assert ratings_of(tallied("ann bob", []), SEED) == "no ratings: no deal group is complete yet"
    assert ratings_of(tallied("ann bob cid dot", apart), SEED) == (
        "no ratings: these have met nobody of the others, neither directly nor over other bots, and cannot be "
        "compared: ann, bob; cid, dot"
    )
    assert ratings_of(tallied("ann bob cid", UNEVEN), SEED, "cid") == (
        "no ratings: their anchor is cid, of which no game counts here: expected one of ann, bob"
    )


def covered(share: float, bots: int, groups: int, trials: int, alike: float) -> float:
    """How often the interval of the first bot, the last as anchor, holds the truth.

    share: how often the first beats the last. alike: how often the two games of a group go to the same bot whatever
    their chances say, negative for different bots.
    """
    random = Random(f"{share} {bots} {groups}")
    names = "abcdef"[:bots]
    spread = log(share / (1 - share)) / (bots - 1)
    hits = 0
    for trial in range(trials):
        games: list[Game] = []
        for group in range(groups):
            for one, other in combinations(range(bots), 2):
                chance = 1 / (1 + exp((one - other) * spread))
                first, second = random.random(), random.random()
                if random.random() < abs(alike):
                    second = first if alike > 0 else 1 - first
                won = (first < chance) + (second < chance)
                games += mirrored(group, names[one], names[other], won)
        ratings = rated(tallied(" ".join(names), games), names[-1], 0.0, str(trial))
        low, high = interval(by_name(ratings)["a"])
        hits += low <= SCALE * (bots - 1) * spread <= high
    return hits / trials


@pytest.fixture
def fewer_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half as many: whether an interval holds the truth hangs little on it."""
    monkeypatch.setattr("arena.standings.ratings.COPIES", 1000)


@pytest.mark.usefixtures("fewer_samples")
def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    assert 0.90 <= covered(0.7, bots=3, groups=30, trials=80, alike=-0.3) <= 0.99


@pytest.mark.usefixtures("fewer_samples")
def test_the_interval_of_a_bot_that_nearly_always_wins_is_honest() -> None:
    assert covered(0.99, bots=2, groups=15, trials=80, alike=0.0) >= 0.91


@pytest.mark.thorough
@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("fewer_samples")
@pytest.mark.parametrize(
    ("share", "bots", "groups", "alike"), [(0.75, 2, 150, -0.5), (0.75, 4, 60, -0.5), (0.6, 4, 200, 0.3)]
)
def test_at_length_the_interval_holds_the_truth_in_94_to_96_of_100(
    share: float, bots: int, groups: int, alike: float
) -> None:
    assert 0.94 <= covered(share, bots, groups, 2000, alike) <= 0.96


@pytest.mark.thorough
@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("fewer_samples")
@pytest.mark.parametrize(("share", "bots", "groups"), [(0.99, 2, 30), (0.99, 4, 20), (0.9, 2, 5)])
def test_at_length_the_interval_of_a_bot_that_nearly_always_wins_is_honest(
    share: float, bots: int, groups: int
) -> None:
    assert covered(share, bots, groups, 1000, 0.0) >= 0.94
