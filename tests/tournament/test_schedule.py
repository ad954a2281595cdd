from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.dealer.values import OWN_GROUPS
from arena.documents import parse_document
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import GameKind
from arena.tournament.schedule import NOT_MIRRORED, Schedule, expected_hands, schedule_of
from arena.tournament.series import Series, series_of

SEED = bytes(32)


def series(bots: int, text: str, addresses: int = 0) -> Series:
    """A series of bots b0, b1, ..., the last of which listen at addresses."""
    started = [f"{{name: b{bot}, run: [x]}}" for bot in range(bots - addresses)]
    remote = [f"{{name: b{bot}, address: 'h:{bot}'}}" for bot in range(bots - addresses, bots)]
    return series_of(parse_document(f"name: x\nbots: [{', '.join(started + remote)}]\n{text}", "s.yaml"), Path())


def schedule(bots: int, text: str, addresses: int = 0) -> Schedule:
    return schedule_of(series(bots, text, addresses), SEED)


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    seats = draw(st.integers(2, 3))
    bots = draw(st.integers(seats, 6))
    return Schedule(
        bots=tuple(f"b{bot}" for bot in range(bots)),
        pairings=tuple(combinations(range(bots), seats)),
        rounds=draw(st.integers(1, 5)),
        unrenewed=tuple(draw(st.sets(st.integers(0, bots - 1)))),
    )


@given(schedules(), st.data())
def test_a_number_and_a_place_are_the_same_game(games: Schedule, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(games) - 1))
    round_, pairing, seating = games.place(index)
    assert games.index(round_, pairing, seating) == index
    assert games.pairing(index) == pairing
    spec = games.spec(index)
    assert (spec.index, spec.seating) == (index, seating)
    assert sorted(spec.seats) == [games.bots[bot] for bot in games.pairings[pairing]]


@given(schedules())
def test_every_pairing_plays_every_group_once_in_every_seating(games: Schedule) -> None:
    played = Counter((frozenset(spec.seats), spec.group, spec.seats) for spec in games if spec.group < OWN_GROUPS)
    assert set(played.values()) <= {1}
    shared = [bots for bots in games.pairings if not set(bots) & set(games.unrenewed)]
    assert set(played) == {
        (frozenset(seats), group, seats)
        for bots in shared
        for group in range(games.rounds)
        for seats in permutations([games.bots[bot] for bot in bots])
    }


@given(schedules())
def test_games_of_a_bot_that_cannot_be_renewed_have_decks_of_their_own_and_take_turns_in_the_seats(
    games: Schedule,
) -> None:
    unrenewed = {games.bots[bot] for bot in games.unrenewed}
    own = [spec for spec in games if set(spec.seats) & unrenewed]
    assert all(spec.group >= OWN_GROUPS for spec in own)
    assert len({spec.group for spec in own}) == len(own)
    seats = Counter(spec.seats for spec in own)
    assert set(seats.values()) <= {games.rounds}


@given(schedules(), st.data())
def test_any_beginning_is_balanced_over_the_pairings(games: Schedule, data: st.DataObject) -> None:
    games_played = data.draw(st.integers(0, len(games)))
    by_pairing = Counter(games.pairing(index) for index in range(games_played))
    counts = [by_pairing[pairing] for pairing in range(len(games.pairings))]
    assert max(counts) - min(counts) <= len(games.seatings)


@given(schedules())
def test_every_bot_has_every_seat_equally_often(games: Schedule) -> None:
    seats = Counter((bot, seat) for spec in games for seat, bot in enumerate(spec.seats))
    assert len(set(seats.values())) == 1


def test_own_decks_stay_the_same_when_the_series_grows() -> None:
    short, long = schedule(3, "groups: 2", addresses=1), schedule(3, "groups: 5", addresses=1)
    assert list(short) == list(long)[: len(short)]


@pytest.mark.parametrize("index", [-1, 12])
def test_a_game_that_is_not_scheduled_is_an_index_error(index: int) -> None:
    with pytest.raises(IndexError, match=rf"expected a game from 0 to 11, got {index}"):
        schedule(3, "groups: 2").spec(index)


def test_millions_of_games_are_no_list() -> None:
    games = schedule(40, "game: three-hand\ngroups: 100")
    assert len(games) == 9880 * 6 * 100
    assert games.spec(len(games) - 1).seats == ("b39", "b38", "b37")


def test_round_robins_and_gauntlets_meet_as_they_should() -> None:
    assert schedule(4, "groups: 1").pairings == tuple(combinations(range(4), 2))
    assert schedule(4, "game: three-hand").pairings == tuple(combinations(range(4), 3))
    assert schedule(4, "format: gauntlet").pairings == ((0, 1), (0, 2), (0, 3))
    assert schedule(4, "format: gauntlet\ngauntlet: 2").pairings == ((0, 2), (0, 3), (1, 2), (1, 3))
    triples = schedule(5, "game: three-hand\nformat: gauntlet\ngauntlet: 2").pairings
    assert triples == tuple((first, *rest) for first in (0, 1) for rest in combinations((2, 3, 4), 2))


def test_balanced_triples_hang_on_the_seed() -> None:
    text = "game: three-hand\ntriples: balanced 7"
    games = series(9, text)
    assert schedule_of(games, SEED).pairings == schedule_of(games, SEED).pairings
    assert schedule_of(games, SEED).pairings != schedule_of(games, b"another").pairings
    assert len(schedule_of(games, SEED).pairings) == 7


def test_bots_at_an_address_are_unmirrored_unless_the_series_trusts_them() -> None:
    games = schedule(3, "groups: 2", addresses=1)
    assert games.note == f"{NOT_MIRRORED} They are those of b2."
    assert [spec.group for spec in games] == [
        *(0, 0, OWN_GROUPS, OWN_GROUPS + 1, OWN_GROUPS + 2, OWN_GROUPS + 3),
        *(1, 1, OWN_GROUPS + 4, OWN_GROUPS + 5, OWN_GROUPS + 6, OWN_GROUPS + 7),
    ]
    joined = series_of(
        parse_document(
            "name: x\nbots: [{name: b0, run: [x]}, {name: b1, run: [x]}, {name: b2, join: true}]\ngroups: 2", "s.yaml"
        ),
        Path(),
    )
    assert list(schedule_of(joined, SEED)) == list(games)
    trusted = schedule(3, "groups: 2\nbot_memory: trusted", addresses=1)
    assert trusted.note == ""
    assert [spec.group for spec in trusted] == [0] * 6 + [1] * 6


def test_the_hands_to_expect_follow_the_format() -> None:
    gin = GameFormat(GameKind.GIN, False, Play.GAMES, Rules())
    assert expected_hands(gin) == 11
    assert expected_hands(replace(gin, game=GameKind.THREE_HAND, hollywood=True)) == pytest.approx(14 * 1.4)
    assert expected_hands(replace(gin, rules=Rules(target=200))) == 22
    assert expected_hands(replace(gin, rules=Rules(target=1))) == 1
    assert expected_hands(replace(gin, rules=Rules(target=10_000))) == 200
    assert expected_hands(replace(gin, play=Play.DEALS)) == 1
