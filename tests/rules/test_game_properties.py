"""Laws that hold for every game, whatever its hands and rules."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

from games import WALL, won
from hypothesis import given
from hypothesis import strategies as st

from arena.rules.game import Ending, Game, GameFormat, GameOutcome, Play, Roles
from arena.rules.options import OPTIONS, Rules
from arena.rules.result import HandResult
from arena.rules.view import GameKind

SCORING: dict[str, st.SearchStrategy[Any]] = {
    "target": st.sampled_from((30, 100, 250)),
    "max_hands": st.sampled_from((3, 200)),
    "game_bonus": st.sampled_from((0, 7, 100)),
    "box_bonus": st.sampled_from((0, 20)),
    **{
        name: st.sampled_from(OPTIONS[name].words)
        for name in ("next_dealer", "shutout", "captain_points", "late_start")
    },
}
rules = st.fixed_dictionaries(SCORING).map(lambda options: Rules(**options))
results = st.one_of(st.just(WALL), st.builds(won, st.integers(0, 1), st.integers(1, 60)))
hand_lists = st.lists(results, max_size=60)


@st.composite
def formats(draw: st.DrawFn) -> GameFormat:
    game = draw(st.sampled_from((GameKind.GIN, GameKind.THREE_HAND)))
    play = draw(st.sampled_from(Play))
    return GameFormat(game, play is Play.GAMES and draw(st.booleans()), play, draw(rules))


def first_roles(format_: GameFormat) -> Roles:
    return Roles(1, 0, 2) if format_.seats == 3 else Roles(0, 1)


def played(format_: GameFormat, hands: list[HandResult]) -> tuple[Game, list[tuple[Roles, HandResult]]]:
    """The game after as many of the hands as it takes, and these with their roles."""
    game = Game(format_, first_roles(format_))
    done = []
    for result in hands:
        if game.roles is None:
            break
        done.append((game.roles, result))
        game.record(result)
    return game, done


def finished(
    format_: GameFormat, hands: list[HandResult], loser: int
) -> tuple[GameOutcome, list[tuple[Roles, HandResult]]]:
    """The outcome of a game; if the hands do not end it, the seat `loser` forfeits."""
    game, done = played(format_, hands)
    if game.roles is not None:
        game.forfeit(loser % format_.seats)
    return game.outcome(), done


@given(formats(), hand_lists)
def test_totals_are_the_fold_of_the_hands(format_: GameFormat, hands: list[HandResult]) -> None:
    game, done = played(format_, hands)
    points = [0] * format_.seats
    hands_won = [0] * format_.seats
    for roles, result in done:
        if result.winner is not None:
            winner = roles.seat(result.winner)
            hands_won[winner] += 1
            points[winner] += result.points
            if format_.rules.captain_points == "team" and winner == roles.nondealer and roles.out is not None:
                points[roles.out] += result.points
    assert game.scores(0).hands_won[0] == hands_won[0]
    if not format_.hollywood:
        assert game.totals == tuple(points)


@given(formats(), hand_lists)
def test_every_seat_keeps_a_role_and_in_three_hand_the_winner_deals_and_the_loser_sits_out(
    format_: GameFormat, hands: list[HandResult]
) -> None:
    _, done = played(format_, hands)
    for (roles, result), (following, _) in pairwise(done):
        assert sorted(following.seen_from(0)) == list(range(format_.seats))
        if roles.out is not None and result.winner is not None:
            assert following == Roles(roles.out, roles.seat(result.winner), roles.seat(1 - result.winner))
        elif roles.out is not None:
            assert following == roles


@given(formats(), hand_lists, st.integers(0, 2))
def test_margins_add_up_to_zero_and_without_bonuses_follow_from_points(
    format_: GameFormat, hands: list[HandResult], loser: int
) -> None:
    outcome, _ = finished(format_, hands, loser)
    assert sum(map(Fraction, outcome.margins)) == 0
    if format_.rules.game_bonus == format_.rules.box_bonus == 0 and format_.rules.shutout != "points_x2":
        assert outcome.totals == outcome.points
        everyone = sum(outcome.points)
        for points, margin in zip(outcome.points, outcome.margins, strict=True):
            assert margin == points - (everyone - points) / (format_.seats - 1)


@given(formats(), hand_lists, st.integers(0, 2))
def test_the_first_place_is_taken_and_places_skip_what_is_shared(
    format_: GameFormat, hands: list[HandResult], loser: int
) -> None:
    outcome, _ = finished(format_, hands, loser)
    places = sorted(outcome.places)
    assert places[0] == 1
    assert all(place == places.index(place) + 1 for place in places)
    if outcome.ending is Ending.TARGET and not format_.hollywood:
        first = outcome.places.index(1)
        assert places.count(1) == 1
        assert outcome.points[first] == max(outcome.points) >= format_.rules.target
    if outcome.ending is Ending.FORFEIT:
        assert outcome.places[loser % format_.seats] == format_.seats


@given(rules, st.sampled_from((GameKind.GIN, GameKind.THREE_HAND)), hand_lists)
def test_a_hollywood_column_only_grows_and_once_closed_never_changes(
    rules: Rules, game_kind: GameKind, hands: list[HandResult]
) -> None:
    format_ = GameFormat(game_kind, hollywood=True, play=Play.GAMES, rules=rules)
    game = Game(format_, first_roles(format_))
    columns = [column.points.copy() for column in game._board.columns]
    is_open = [True] * 3
    for result in hands:
        if game.roles is None:
            break
        game.record(result)
        after = [column.points.copy() for column in game._board.columns]
        for number in range(3):
            assert all(new >= old for new, old in zip(after[number], columns[number], strict=True))
            if not is_open[number]:
                assert after[number] == columns[number]
        is_open = [column.open for column in game._board.columns]
        columns = after
        assert is_open == [max(points) < rules.target for points in columns]
    assert (game.roles is None) == (not any(is_open) or len(hands) >= rules.max_hands)


@given(formats(), hand_lists, st.integers(0, 2))
def test_hollywood_sums_are_those_of_its_columns(format_: GameFormat, hands: list[HandResult], loser: int) -> None:
    outcome, _ = finished(format_, hands, loser)
    assert len(outcome.columns) == (3 if format_.hollywood else 0)
    for seat in range(format_.seats if format_.hollywood else 0):
        assert outcome.points[seat] == sum(column.points[seat] for column in outcome.columns)
        assert outcome.totals[seat] == sum(column.totals[seat] for column in outcome.columns)
        assert Fraction(outcome.margins[seat]) == sum(Fraction(column.margins[seat]) for column in outcome.columns)
