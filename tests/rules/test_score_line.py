"""`arena score`: one line of JSON in, one line of JSON out."""

import json
from pathlib import Path

import pytest

from arena.rules.score import score_line

CASES = Path(__file__).parent.parent / "data" / "showdowns.jsonl"
HAND = "4S 5S 6S QH QD QC 2D 3C 4H AC"
MELDS = ["4S 5S 6S", "QH QD QC"]
DEFENDER = "KS KD KH 7S 8S QS 2H 3H 9D 9C"
BIG = "4S 5S 6S 7S QH QD QC 2S 2H 2D 2C"


def answer(**fields: object) -> dict[str, object]:
    return dict(json.loads(score_line(json.dumps({"knocker": HAND, "defender": DEFENDER} | fields))))


def error(**fields: object) -> object:
    got = answer(**fields)
    assert list(got) == ["error"]
    return got["error"]


def test_all_reference_showdowns_are_scored_as_they_are_there() -> None:
    cases = [json.loads(line) for line in CASES.read_text().splitlines()]
    assert len(cases) == 500
    wrong = []
    for case in cases:
        got = json.loads(score_line(json.dumps(case["in"])))
        if {name: got.get(name) for name in case["want"]} != case["want"]:
            wrong.append((case, got))
    assert wrong == []


def test_the_answer_says_what_counted() -> None:
    assert answer(rules={}, melds=MELDS, defender_melds=None, layoffs=None, upcard=None) == {
        "winner": "knocker",
        "kind": "knock",
        "points": 13,
        "knocker_deadwood": 10,
        "defender_deadwood": 23,
        "melds": ["4S 5S 6S", "QC QD QH"],
        "defender_melds": ["KD KH KS"],
        "layoffs": ["7S", "8S", "QS"],
    }


def test_what_is_left_out_is_chosen_best() -> None:
    assert answer() == answer(rules={}, melds=MELDS, defender_melds=["KS KD KH"], layoffs=["QS", "8S", "7S"])


def test_declared_lay_offs_count_also_where_they_are_none() -> None:
    got = answer(defender_melds=["KS KD KH"], layoffs=[])
    assert (got["points"], got["layoffs"]) == (38, [])


def test_a_winner_may_be_the_defender_or_nobody() -> None:
    tied = "KS KD KH 8D 8C 8H 7S QS 4D 6H"
    assert [answer(defender=tied)[name] for name in ("winner", "kind", "points")] == ["defender", "undercut", 10]
    got = answer(defender=tied, rules={"undercut_on_tie": False})
    assert [got[name] for name in ("winner", "kind", "points")] == [None, "tie", 0]


def test_rules_are_options_over_a_preset() -> None:
    gin = {"knocker": "4S 5S 6S 7S QH QD QC 2H 2D 2C", "defender": "KS KD KH 8S 9S QS 2S 3H 3D JC"}
    assert answer(**gin)["points"] == 70
    assert answer(**gin, rules={"preset": "pagat"})["points"] == 65
    assert answer(**gin, rules={"preset": "pagat", "gin_bonus": 30})["points"] == 75


def test_the_upcard_sets_the_limit_and_doubles() -> None:
    rules = {"knock_limit": "upcard", "spade_doubles": True}
    assert answer(rules=rules, upcard="JS")["points"] == 26
    assert answer(rules=rules, upcard="JH")["points"] == 13
    assert error(rules=rules, upcard="5D") == "expected at most 5 unmatched to knock, got 10 (AC 2D 3C 4H)"


def test_eleven_cards_are_a_big_gin() -> None:
    defender = "KS KD KH 8S 9S QS AS 3H 3D JC"
    got = answer(knocker=BIG, defender=defender, rules={"preset": "modern"})
    assert (got["kind"], got["points"], got["knocker_deadwood"]) == ("big_gin", 75, 0)
    assert "expected a discard" in str(error(knocker=BIG, defender=defender))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected a JSON object, got text that is no JSON at column 1"),
        ('{"knocker": }', "expected a JSON object, got text that is no JSON at column 13"),
        ("[1, 2]", "expected a JSON object, got [1, 2]"),
        ("null", "expected a JSON object, got null"),
        ("[" * 100_000, "expected a JSON object, got brackets nested too deep"),
        ('{"rules": ' + "9" * 5000 + "}", "expected a JSON object of texts, got a number too long to read"),
        ('{"knocker": "", "knocker": ""}', 'expected every field once, got "knocker" twice'),
        ("{}", "knocker: expected cards as text, got null"),
    ],
)
def test_a_line_that_is_no_showdown_is_answered_with_an_error(line: str, message: str) -> None:
    assert json.loads(score_line(line)) == {"error": message}


def test_a_misspelt_field_is_not_passed_over() -> None:
    assert error(layoff=[]) == (
        'expected only the fields rules, knocker, melds, defender, defender_melds, layoffs, upcard, got "layoff"'
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"knocker": 5}, "knocker: expected cards as text, got 5"),
        ({"knocker": ["4S"]}, 'knocker: expected cards as text, got ["4S"]'),
        ({"knocker": "4S 5S"}, "knocker: expected 10 or 11 cards, got 2"),
        ({"defender": DEFENDER + " TD"}, "defender: expected 10 cards, got 11"),
        ({"defender": DEFENDER.replace("9C", "AC")}, "expected every card in one hand, got AC in both"),
        ({"defender": DEFENDER.replace("9C", "10C")}, "defender: expected a card such as 'TS'"),
        ({"defender": DEFENDER.replace("9C", "9D")}, "defender: expected every card once, got 9D twice"),
        ({"melds": "4S 5S 6S"}, 'melds: expected a list of texts or null, got "4S 5S 6S"'),
        ({"melds": [["4S", "5S", "6S"]]}, 'melds: expected cards as text, got ["4S", "5S", "6S"]'),
        ({"melds": ["4S 5S 6S", "QH QD QX"]}, "melds: expected a card such as 'TS'"),
        ({"melds": ["4S 5S 6S", "QH QD QS"]}, "expected melds of cards held, got QS in QD QH QS"),
        ({"defender_melds": ["9D 9C 9S"]}, "expected melds of cards held, got 9S in 9C 9D 9S"),
        ({"layoffs": ["7S 8S"]}, 'layoffs: expected a card in each text, got "7S 8S"'),
        ({"layoffs": ["7S", "7S"]}, "layoffs: expected every card once, got 7S twice"),
        ({"layoffs": ["8S"]}, "expected lay-offs that fit the knocker's melds, got 8S"),
        ({"upcard": "1S"}, "upcard: expected a card such as 'TS'"),
        ({"upcard": 5}, "upcard: expected cards as text, got 5"),
        (
            {"rules": {"knock_limit": "upcard"}},
            "expected an upcard, which sets the limit or doubles the hand, got none",
        ),
        ({"rules": {"gin_bonuss": 25}}, "gin_bonuss: no such option; did you mean gin_bonus?"),
        ({"rules": {"undercut_on_tie": 1}}, "undercut_on_tie: expected true or false, got 1"),
        ({"rules": None}, "rules: expected options and their values, got nothing"),
    ],
)
def test_a_showdown_that_cannot_be_scored_is_answered_with_what_was_expected(
    fields: dict[str, object], message: str
) -> None:
    assert str(error(**fields)).startswith(message)
