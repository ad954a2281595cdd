"""docs/rules.md: its options are those of the code, and its worked examples come out as it says."""

import re
from collections.abc import Iterable, Mapping

import pytest
from games import WALL, gin, preset, three_hand, won
from pages import ROOT, page, section, tables

from arena.cards import mask_of, parse_card, parse_cards
from arena.errors import IllegalAction
from arena.rules.game import Game
from arena.rules.options import OPTIONS, PRESETS, Rules, rules_from_text
from arena.rules.showdown import showdown, terms

PAGE = page("rules.md")
NUMBERS = [
    *(f"D{number}" for number in range(1, 9)),
    *(f"A{number}" for number in range(1, 18)),
    *(f"T{number}" for number in range(1, 8)),
]


def written(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [heads, ["---" for _ in heads], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def options_table() -> str:
    values = PRESETS["house"].as_text()
    rows = [[f"`{name}`", f"`{values[name]}`", option.allowed, option.meaning] for name, option in OPTIONS.items()]
    return written(["option", "default", "may be", "meaning"], rows)


def presets_table() -> str:
    values = [preset.as_text() for preset in PRESETS.values()]
    differing = [name for name in OPTIONS if len({value[name] for value in values}) > 1]
    rows = [[f"`{name}`", *(f"`{value[name]}`" for value in values)] for name in differing]
    return written(["option", *(f"`{name}`" for name in PRESETS)], rows)


@pytest.mark.parametrize("table", [options_table(), presets_table()], ids=["options", "presets"])
def test_the_page_lists_the_options_and_presets_of_the_code(table: str) -> None:
    assert table in PAGE, f"docs/rules.md should have:\n{table}"


@pytest.mark.parametrize("name", OPTIONS)
def test_the_law_itself_speaks_of_every_option(name: str) -> None:
    law = PAGE.partition("## 6. Options reference")[0]
    assert f"`{name}`" in law or f"`{name}:" in law


def test_every_number_that_the_code_may_cite_has_one_row() -> None:
    ids = [row["id"] for table in tables(PAGE) for row in table if row.get("id")]
    assert [name for name in ids if name[0] in "DAT"] == NUMBERS


def test_the_readme_counts_presets_and_options_right() -> None:
    numbers = {5: "five", 6: "six"}
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"by {numbers[len(PRESETS)]} presets and {len(OPTIONS)} options" in readme


def numbers_of_the_page() -> set[str]:
    """Everything that can be cited: rows by id, sections, and the points of a section's list."""
    numbers = {row["id"] for table in tables(PAGE) for row in table if row.get("id")}
    numbers |= set(re.findall(r"\*\*([GO]\d+)\*\*", PAGE))
    here = ""
    for line in PAGE.splitlines():
        if heading := re.match(r"#+ (\d[\d.]*?)\.? ", line):
            here = heading[1]
            numbers.add(here)
        elif point := re.match(r"(\d+)\. ", line):
            numbers.add(f"{here}.{point[1]}")
    return numbers


def test_what_the_code_cites_is_on_the_page() -> None:
    known, cited = numbers_of_the_page(), set[str]()
    for path in (path for folder in ("arena", "tests") for path in (ROOT / folder).rglob("*.py")):
        for citation in re.findall(r"RULES ((?:(?:\d[\d.]*\d|\d|[A-Z]\d+[ab]?)(?:, | and |-)?)+)", path.read_text()):
            cited |= set(re.findall(r"\d[\d.]*\d|[A-Z]\d+[ab]?|\d", citation))
    assert {"1.1.4", "1.1.7", "A8", "D8", "T1", "2.7"} <= cited
    assert cited <= known, sorted(cited - known)


HANDS = [row for table in tables(section(PAGE, "Hands")) for row in table]


def rules_of(text: str, upcard: str) -> Rules:
    given = dict(part.split(": ") for part in text.split(", ")) if text else {}
    return rules_from_text({"knock_limit": "upcard", **given} if upcard else given)


@pytest.mark.parametrize("row", HANDS, ids=lambda row: f"{row['id']} {row['options']}".strip())
def test_a_worked_hand_comes_out_as_the_page_says(row: Mapping[str, str]) -> None:
    upcard = row.get("upcard", "")
    rules = rules_of(row["options"], upcard)
    limit, multiplier = terms(rules, parse_card(upcard) if upcard else None)
    melds = tuple(mask_of(parse_cards(meld)) for meld in row.get("knocker's melds", "").split("/") if meld)
    hand, defender = mask_of(parse_cards(row["knocker's cards"])), mask_of(parse_cards(row["defender's cards"]))
    if row["points"] == "not legal":
        with pytest.raises(IllegalAction, match=f"got {row['K']} "):
            showdown(rules, limit, multiplier, 0, hand, None, defender)
        return
    result = showdown(rules, limit, multiplier, 0, hand, melds or None, defender)
    winner = "nobody" if result.winner is None else f"{'KD'[result.winner]} {result.points}"
    assert (str(result.knocker_deadwood), str(result.defender_deadwood), winner) == (row["K"], row["D"], row["points"])
    if row.get("laid off") is not None:
        assert result.layoffs == mask_of(parse_cards(row["laid off"]))


def _record(game: Game, seat: int, points: int) -> None:
    assert game.roles is not None
    game.record(won(game.roles.index(seat), points))


def test_games_end_with_the_bonuses_that_the_page_says() -> None:
    (table,) = tables(section(PAGE, "Games"))
    for row in table:
        (points, hands), (less, fewer) = (map(int, re.findall(r"\d+", row[side])) for side in ("winner", "loser"))
        for name in ("house", "pagat", "modern"):
            game = gin(preset(name))
            for seat, wins, total in ((1, fewer, less), (0, hands, points)):
                for win in range(wins):
                    _record(game, seat, 1 if win < wins - 1 else total - wins + 1)
            assert "{}-{}".format(*game.outcome().totals) == row[f"`{name}`"]


def test_the_three_hand_game_goes_as_the_page_says() -> None:
    (table,) = tables(section(PAGE, "Three-hand"))
    game = three_hand()
    for row in table:
        assert game.roles is not None
        captain, box, out = game.roles
        assert f"P{box + 1} / P{captain + 1} / P{(out or 0) + 1}" == row["box / captain / out"]
        if row["what happens"] == "wall":
            game.record(WALL)
        else:
            winner, _, points = row["what happens"].split()
            _record(game, box if winner == "box" else captain, int(points))
        assert ", ".join(map(str, game.totals)) == row["totals of P1, P2, P3"]
    assert game.outcome().places[1] == 1


@pytest.mark.parametrize("number", [0, 1])
def test_hollywood_columns_fill_as_the_page_says(number: int) -> None:
    game = gin(hollywood=True)
    for row in tables(section(PAGE, "Hollywood"))[number]:
        winner, points = row["hand"].split()
        _record(game, "AB".index(winner), int(points))
        assert _columns(game) == [row[name] for name in ("G1", "G2", "G3")]
    assert game.roles is None


def test_hollywood_ends_otherwise_where_the_page_says_so() -> None:
    straight, late = ([row["hand"] for row in table] for table in tables(section(PAGE, "Hollywood")))
    pagat, strict = gin(preset("pagat"), hollywood=True), gin(preset("house", late_start="strict"), hollywood=True)
    for game, hands in ((pagat, straight), (strict, late)):
        for hand in hands:
            _record(game, "AB".index(hand[0]), int(hand[2:]))
    assert _columns(strict) == ["105-0", "110-15", "75-100"]
    assert [column.totals for column in pagat.outcome().columns] == [(304, 122), (166, 260), (280, 110)]
    assert pagat.outcome().margins == (258, -258)


def _columns(game: Game) -> list[str]:
    return ["{}-{}".format(*column) for column in game.scores(0).columns]
