"""What the tables say of a tally: for programs everything, for people what fits."""

from dataclasses import replace

import pytest
from made_games import DEALS, THREE, Played, group_size, made, mirrored

from arena.players.faults import Culprit, Fault
from arena.standings.ranking import CRITERIA
from arena.standings.sheet import render
from arena.standings.tables import crosstable, for_people, meetings, standings
from arena.standings.tally import Tally, tally


def tallied(games: list[Played], bots: str = "ann bob cid", *, team: bool = False) -> Tally:
    return tally(games, bots.split(), group_size, team=team)


GAMES = [
    *mirrored(0, "ann bob", "A60 B12g - A40", "B20 B25u B55b"),
    *mirrored(1, "ann bob", "A99 A9f", "A100g"),
]


def test_the_standings_of_two_bots_in_full() -> None:
    ann, _ = standings(tallied(GAMES, "ann bob"), CRITERIA, three_hand=False).records()
    nothing = {f"faults_{fault}": 0 for fault in Fault if fault.culprit is Culprit.BOT}
    assert ann == nothing | {
        "place": 1,
        "bot": "ann",
        "games": 4,
        "won": 3,
        "drawn": 0,
        "lost": 1,
        "won_percent": 75.0,
        "won_percent_pm": 317.655,  # 12.7062 * sqrt(2 * (0.5**2 + 0.5**2)) / 4: won 1 and 2 of 2
        "margin_a_game": 49.0,
        "margin_a_game_pm": 698.841,  # 12.7062 * sqrt(2 * (110**2 + 110**2)) / 4: -12 and 208
        "hands": 10,
        "margin_a_hand": 19.6,
        "margin_a_hand_pm": 379.153,  # 12.7062 * sqrt(2 * (149.2**2 + 149.2**2)) / 10: in 7 and 3 hands
        "gins": 1,
        "knocks": 3,
        "undercuts": 0,
        "forfeits": 1,
        "gins_suffered": 2,
        "knocks_suffered": 1,
        "undercuts_suffered": 1,
        "forfeits_suffered": 0,
        "walls": 1,
        "faults": 0,
    }


LOST = [*GAMES, *[made(2, seats, "", forfeited="bob") for seats in ("ann bob", "bob ann")]]
"""Two further games that bob has lost in quarantine."""


def test_faults_are_told_by_kind_and_games_lost_unplayed_are_no_further_faults() -> None:
    _, bob = standings(tallied(LOST, "ann bob"), CRITERIA, three_hand=False).records()
    told = {key: value for key, value in bob.items() if key.startswith("faults") and value}
    assert told == {"faults": 1, "faults_crash": 1, "faults_quarantined": 2}


def test_people_are_told_of_the_kinds_of_fault_that_there_were() -> None:
    without = for_people(standings(tallied(GAMES[:2]), CRITERIA, three_hand=False), three_hand=False)
    assert [table.heading for table in without] == ["Ranking", "Hands"]
    *same, faults = for_people(standings(tallied(LOST), CRITERIA, three_hand=False), three_hand=False)
    assert [table.heading for table in same] == ["Ranking", "Hands"]
    assert faults.heading == "Faults"
    assert [column.heading for column in faults.sheet.columns] == ["bot", "crash", "quarantined"]
    assert faults.sheet.rows == [["ann", 0, 0], ["bob", 1, 2], ["cid", 0, 0]]


def test_of_a_bot_without_games_there_is_nothing_to_say_but_that() -> None:
    *_, cid = standings(tallied(GAMES), CRITERIA, three_hand=True).records()
    assert (cid["bot"], cid["place"], cid["games"], cid["hands"]) == ("cid", 3, 0, 0)
    assert {cid[key] for key in cid if "percent" in key or "margin" in key} == {None}
    ranking = for_people(standings(tallied(GAMES), CRITERIA, three_hand=True), three_hand=True)[0].sheet
    assert [cell.strip() for cell in render(ranking, "pipe").splitlines()[-1].split("|")] == [
        *["", "3", "cid", "0", "0", "0", "0", "", "", "0", ""]
    ]


THREE_HANDS = "A19 C17u - B70g B26 C11u A49g B6"


@pytest.mark.parametrize(("team", "headings"), [(False, []), (True, ["points a hand sat out"])])
def test_roles_tell_of_points_from_outside_where_the_rules_give_any(team: bool, headings: list[str]) -> None:
    sheet = standings(tallied([made(0, "ann bob cid", THREE_HANDS, THREE)] * 6, team=team), CRITERIA, three_hand=True)
    roles = for_people(sheet, three_hand=True)[2]
    assert roles.heading == "Roles"
    assert [column.heading for column in roles.sheet.columns] == [
        "bot",
        "hands as box",
        "margin a hand as box",
        "hands as captain",
        "margin a hand as captain",
        "hands sat out",
        *headings,
    ]
    assert list(roles.sheet.rows[0])[:6] == ["bob", 12, 15 / 2, 24, 57 / 4, 12]


def test_the_tables_for_people_fit_a_terminal() -> None:
    group = [*mirrored(0, "ann bob-with-e", "A99 B100", "A99 B50g - - B99")]
    games = [(replace(spec, group=place), record) for place in range(10_000) for spec, record in group]
    tables = for_people(standings(tallied(games, "ann bob-with-e"), CRITERIA, three_hand=True), three_hand=True)
    lines = [line for table in tables for line in render(table.sheet, "simple").splitlines()]
    assert max(map(len, lines)) <= 80


def test_the_crosstable_has_each_bot_against_each_that_it_met() -> None:
    games = [*mirrored(0, "ann bob", "A30", "-", DEALS), *mirrored(0, "bob cid", "A8", "-", DEALS)]
    sheet = crosstable(tallied(games), CRITERIA)
    assert sheet.keys() == ["bot", "ann", "ann ±", "bob", "bob ±", "cid", "cid ±"]
    assert [list(row.values()) for row in sheet.records()] == [
        ["ann", None, None, 15.0, None, None, None],
        ["bob", -15.0, None, None, None, 4.0, None],
        ["cid", None, None, -4.0, None, None, None],
    ]


def test_a_meeting_that_was_never_played_has_no_margin_a_hand() -> None:
    games = [made(0, seats, "", forfeited="bob") for seats in ("ann bob", "bob ann")]
    assert crosstable(tallied(games, "ann bob"), CRITERIA).rows == [["ann", None, None], ["bob", None, None]]
    ann, _ = meetings(tallied(games, "ann bob"), CRITERIA).records()
    assert ann == {
        "bot": "ann",
        "against": "bob",
        "games": 2,
        "won_percent": 100.0,
        "won_percent_pm": None,
        "margin_a_game": 100.0,
        "margin_a_game_pm": None,
        "hands": 0,
        "margin_a_hand": None,
        "margin_a_hand_pm": None,
    }


def test_meetings_are_listed_in_the_order_of_the_ranking() -> None:
    games = [*mirrored(0, "bob ann", "B30", "-", DEALS), *mirrored(0, "bob cid", "A8", "-", DEALS)]
    pairs = [(row["bot"], row["against"]) for row in meetings(tallied(games, "cid bob ann"), CRITERIA).records()]
    assert pairs == [("ann", "bob"), ("bob", "ann"), ("bob", "cid"), ("cid", "bob")]
