"""What holds of every run: laws of the tally over games played at random, of every game, scoring and play."""

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_games import Played, group_size
from playing import FORMATS, Players, bot_names

from arena.dealing import master_seed
from arena.rules.result import ResultKind
from arena.standings.parts import THREE_ROLES, TWO_ROLES, Parts
from arena.standings.ranking import CRITERIA
from arena.standings.sheet import render
from arena.standings.tables import crosstable, meetings, standings
from arena.standings.tally import Tally, tally

BOTS = bot_names(4)
DEAR = [name for name in FORMATS if name == "three-hand" or name.endswith("hollywood")]
"""Formats whose games take long to play: advice at every turn, or three columns to fill."""


@cache
def played(name: str, seed: int) -> tuple[Played, ...]:
    """All games of four bots, in schedule order, some with faults."""
    players = Players(FORMATS[name], faults=0.002, seed=master_seed(f"laws {seed}"))
    schedule = players.schedule(4, 1 if name in DEAR else 2)
    return tuple((spec, players.game(spec)) for spec in schedule)


RUNS = [(name, seed) for name in sorted(FORMATS) for seed in range(1 if name in DEAR else 2)]
runs = st.sampled_from(RUNS).map(lambda run: played(*run))
few = settings(derandomize=True, deadline=None, max_examples=12)


def tallied(games: tuple[Played, ...] | list[Played], bots: list[str] | None = None, without: str = "") -> Tally:
    return tally(games, bots or BOTS, group_size, frozenset(without.split()))


@given(runs)
@few
def test_margins_add_up_to_nothing_and_wins_to_the_games(games: tuple[Played, ...]) -> None:
    assert all(sum(record.outcome.margins) == 0 for _, record in games)
    counted = tallied(games)
    assert sum(bot.sums.margin for bot in counted.bots.values()) == 0
    assert sum(bot.sums.won for bot in counted.bots.values()) == counted.games == len(games)
    assert sum(bot.sums.games for bot in counted.bots.values()) == sum(len(spec.seats) for spec, _ in games)


@pytest.mark.thorough
@given(runs)
@few
def test_a_recount_from_the_hands_finds_the_same(games: tuple[Played, ...]) -> None:
    recount: Counter[tuple[str, str]] = Counter()
    for spec, record in games:
        for hand in record.hands:
            result, seats = hand.result, (hand.roles.nondealer, hand.roles.dealer)
            recount.update((name, "hands") for name in spec.seats)
            recount.update((spec.seats[fault.seat], "faults") for fault in record.faults if fault.hand == hand.number)
            for seat in seats:
                name = spec.seats[seat]
                if result.winner is None:
                    recount[name, "walls"] += 1
                elif result.kind in (ResultKind.GIN, ResultKind.BIG_GIN):
                    recount[name, "gins" if seats[result.winner] == seat else "gins_suffered"] += 1
                else:
                    recount[
                        name, f"{result.kind}s" if seats[result.winner] == seat else f"{result.kind}s_suffered"
                    ] += 1
    rows = {str(row["bot"]): row for row in _records(tallied(games), games)}
    counted = {(name, key): rows[name][key] for name, key in recount}
    assert counted == recount
    columns = ["hands", "walls", "faults", "gins", "knocks", "undercuts", "forfeits"]
    columns += [f"{column}_suffered" for column in columns[3:]]
    assert {(name, key): rows[name][key] for name in rows for key in columns if rows[name][key]} == recount


@given(runs)
@few
def test_every_hand_of_a_bot_was_won_lost_a_wall_or_sat_out(games: tuple[Played, ...]) -> None:
    for bot in tallied(games).bots.values():
        assert bot.made.total() + bot.suffered.total() + bot.walls + bot.out.hands == bot.sums.hands


@given(runs)
@few
def test_what_one_has_of_another_the_other_has_lost(games: tuple[Played, ...]) -> None:
    counted = tallied(games)
    assert set(counted.against) == {(one, other) for one in BOTS for other in BOTS if one != other}
    for (one, other), sums in counted.against.items():
        back = counted.against[other, one]
        assert (sums.games, sums.hands, sums.margin) == (back.games, back.hands, -back.margin)
        assert sums.won + back.won == sums.games
        there, here = sums.margin_a_hand(), back.margin_a_hand()
        assert there is not None
        assert here is not None
        assert (there.mean, there.half_width) == (-here.mean, here.half_width)


@given(runs)
@few
def test_meetings_are_the_points_of_one_less_the_others_and_make_up_its_margin(games: tuple[Played, ...]) -> None:
    points: Counter[tuple[str, str]] = Counter()
    for spec, record in games:
        by_name = dict(zip(spec.seats, record.outcome.points, strict=True))
        points.update({(name, rival): by_name[name] - by_name[rival] for name in by_name for rival in by_name})
    counted = tallied(games)
    others = len(games[0][0].seats) - 1
    for (one, other), sums in counted.against.items():
        assert sums.margin == pytest.approx(points[one, other])
    for name, bot in counted.bots.items():
        assert bot.sums.margin == pytest.approx(sum(points[name, rival] for rival in BOTS) / others)


@given(runs, st.data())
@few
def test_groups_that_are_not_complete_are_left_out_and_said(games: tuple[Played, ...], data: st.DataObject) -> None:
    missing = data.draw(st.sets(st.integers(0, len(games) - 1)))
    left = [game for place, game in enumerate(games) if place not in missing]
    broken = {(games[place][0].group, frozenset(games[place][0].seats)) for place in missing}
    whole = [game for game in games if (game[0].group, frozenset(game[0].seats)) not in broken]
    counted = tallied(left)
    assert counted.incomplete == len(left) - len(whole)
    assert replace(counted, incomplete=0) == tallied(whole)


@given(runs, st.sampled_from(BOTS))
@few
def test_a_run_without_a_bot_is_the_run_that_it_never_entered(games: tuple[Played, ...], name: str) -> None:
    others = [bot for bot in BOTS if bot != name]
    never = [game for game in games if name not in game[0].seats]
    one, other = tallied(games, without=name), tallied(never, others)
    assert one == other
    assert _files(one, games) == _files(other, games)


@given(runs, st.permutations(BOTS), st.permutations(CRITERIA))
@few
def test_the_order_of_entry_changes_nothing_but_the_order_in_a_shared_place(
    games: tuple[Played, ...], order: list[str], rank_by: list[str]
) -> None:
    one, other = tallied(games), tallied(games, order)
    rows = [
        {str(row["bot"]): row for row in standings(counted, rank_by, three_hand=True).records()}
        for counted in (one, other)
    ]
    assert rows[0] == rows[1]


@given(runs)
@few
def test_roles_are_shared_out_and_what_the_box_wins_the_captain_loses(games: tuple[Played, ...]) -> None:
    counted = tallied(games)
    bots = counted.bots.values()
    hands = counted.hands if len(games[0][0].seats) == 3 else 0
    for role in ("box", "captain", "out"):
        assert sum(getattr(bot, role).hands for bot in bots) == hands
    assert sum(bot.box.points + bot.captain.points for bot in bots) == 0


@given(runs)
@few
def test_advice_that_was_given_was_got(games: tuple[Played, ...]) -> None:
    bots = tallied(games).bots.values()
    given = [bot.advice_given for bot in bots]
    got = [bot.advice_got for bot in bots]
    assert sum(count.given for count in given) == sum(len(hand.advice) for _, record in games for hand in record.hands)
    for field in ("given", "followed", "points_followed", "points_other"):
        assert sum(getattr(count, field) for count in given) == sum(getattr(count, field) for count in got)
    assert all(0 <= count.followed <= count.given for count in (*given, *got))


def _records(counted: Tally, games: tuple[Played, ...]) -> list[dict[str, str | int | float | None]]:
    return standings(counted, CRITERIA, three_hand=len(games[0][0].seats) == 3).records()


def _files(counted: Tally, games: tuple[Played, ...]) -> list[str]:
    three_hand = len(games[0][0].seats) == 3
    sheet = standings(counted, CRITERIA, three_hand=three_hand)
    sheets = (sheet, crosstable(counted, CRITERIA), meetings(counted, CRITERIA))
    return [render(sheet, form) for sheet in sheets for form in ("csv", "json", "pipe")]


@given(runs)
@few
def test_parts_add_up_to_the_roles_and_the_hands_of_the_tables(games: tuple[Played, ...]) -> None:
    parts = Parts()
    counted = tally(games, BOTS, group_size, parts=parts)
    seats = len(games[0][0].seats)
    for kind in ([f"seat_{seat}" for seat in range(seats)], THREE_ROLES if seats == 3 else TWO_ROLES):
        sums = [part for key, groups in parts.margins.items() if key[2] in kind for part in groups.values()]
        assert sum(part.hands for part in sums) == seats * counted.hands
        assert sum(part.points for part in sums) == 0
    if seats == 3:
        for name, bot in counted.bots.items():
            captain, adviser = [
                [part for key, groups in those.items() if key[1] == name for part in groups.values()]
                for those in (parts.captains, parts.advisers)
            ]
            assert sum(part.hands for part in captain) == bot.captain.hands
            assert sum(part.points for part in captain) == bot.captain.points
            assert sum(part.hands for part in adviser) == bot.out.hands
