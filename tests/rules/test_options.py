from dataclasses import MISSING, fields, replace
from typing import Any

import pytest

from arena.errors import RulesError
from arena.rules.options import OPTIONS, PRESETS, Option, Rules, rules_from, rules_from_text

# docs/rules.md 1.2, "Presets", and the first value of every option.
HOUSE = {
    "next_dealer": "winner",
    "gin_bonus": 25,
    "return_taken": "forbid",
    "undercut_bonus": 10,
    "undercut_on_tie": True,
    "defence": "free",
    "wall_last_discard": "none",
    "target": 100,
    "game_bonus": 0,
    "box_bonus": 0,
    "shutout": "none",
    "big_gin": "none",
    "knock_limit": 10,
    "ace": "gin_only",
    "spade_doubles": False,
    "max_discard_picks": 50,
    "max_hands": 200,
    "stock": "two_ended",
    "adviser_view": "captain",
    "captain_points": "captain",
    "late_start": "shift",
}
CHANGES = {
    "house": {},
    "pagat": {"gin_bonus": 20, "game_bonus": 100, "box_bonus": 20, "shutout": "game_x2", "next_dealer": "loser"},
    "modern": {"undercut_bonus": 25, "big_gin": 31, "game_bonus": 100, "box_bonus": 25, "shutout": "points_x2"},
    "gra": {"undercut_bonus": 25, "wall_last_discard": "knock_only", "return_taken": "allow"},
    "eaai": {"undercut_bonus": 25, "next_dealer": "alternate_after_scored"},
}


def problems(given: object, *, oklahoma: bool = False) -> dict[str, str]:
    with pytest.raises(RulesError) as caught:
        rules_from(given, oklahoma=oklahoma)
    return dict(caught.value.problems)


def wrong_values(option: Option) -> list[object]:
    wrong: list[object] = [None, 1.5, "", "nonesuch", [], {"a": 1}, ["none"], -1, 10**9]
    wrong += [0, 1, "true"] if option.flag else [True, False]
    if option.minimum is None:
        return [*wrong, 0, 1]
    return [*wrong, option.minimum - 1, option.maximum + 1, str(option.minimum), float(option.minimum)]


@pytest.mark.parametrize("preset", CHANGES)
def test_a_preset_has_the_numbers_of_the_rules(preset: str) -> None:
    assert rules_from({"preset": preset}).as_dict() == HOUSE | CHANGES[preset]
    assert list(PRESETS) == list(CHANGES)


def test_without_a_preset_it_is_house() -> None:
    assert rules_from({}) == Rules() == PRESETS["house"]


def test_options_stand_over_their_preset() -> None:
    assert rules_from({"big_gin": "none", "preset": "modern", "target": 150}) == replace(
        PRESETS["modern"], big_gin="none", target=150
    )


def test_rules_and_options_name_the_same_things_in_one_order() -> None:
    assert [field.name for field in fields(Rules)] == list(OPTIONS) == list(Rules().as_dict())
    assert all(field.default is not MISSING for field in fields(Rules))
    assert all(option.meaning and "\n" not in option.meaning for option in OPTIONS.values())


@pytest.mark.parametrize("name", OPTIONS)
def test_rules_refuse_every_wrong_value_however_they_are_made(name: str) -> None:
    for value in wrong_values(OPTIONS[name]):
        changes: dict[str, Any] = {name: value}
        found = problems(changes)
        assert list(found) == [name]
        assert found[name].startswith(f"expected {OPTIONS[name].allowed}, got ")
        with pytest.raises(RulesError, match=f"^{name}: expected "):
            replace(Rules(), **changes)


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_come_back_from_their_values_and_from_their_text(preset: str) -> None:
    rules = PRESETS[preset]
    assert rules_from(rules.as_dict()) == rules
    assert rules_from_text(rules.as_text()) == rules
    assert all(isinstance(text, str) for text in rules.as_text().values())


def test_the_text_of_a_value_is_as_in_yaml() -> None:
    text = Rules(knock_limit="upcard", spade_doubles=True, gin_bonus=20).as_text()
    assert (text["knock_limit"], text["spade_doubles"], text["gin_bonus"]) == ("upcard", "true", "20")


@pytest.mark.parametrize("text", ["25.0", "²", "-1", " 25", "True", ""])
def test_text_that_is_no_value_is_refused(text: str) -> None:
    with pytest.raises(RulesError):
        rules_from_text({"gin_bonus": text})


def test_all_problems_are_told_at_once_with_a_hint_at_the_near_name() -> None:
    given = {"preset": "pagatt", "gin_bonsu": 25, "undercut_on_tie": 1, "big_gin": 0, "knock_limit": "upcad", 5: 6}
    assert problems(given) == {
        "preset": "expected house, pagat, modern, gra or eaai, got 'pagatt'; did you mean pagat?",
        "gin_bonsu": "no such option; did you mean gin_bonus?",
        "undercut_on_tie": "expected true or false, got 1",
        "big_gin": "expected none or an integer from 1 to 10000, got 0",
        "knock_limit": "expected upcard or an integer from 0 to 10000, got 'upcad'; did you mean upcard?",
        "5": f"no such option; the options are {', '.join(OPTIONS)}",
    }


@pytest.mark.parametrize(
    ("given", "shown"), [(None, "nothing"), (5, "5"), ("house", "'house'"), (["house"], "['house']")]
)
def test_what_is_no_mapping_is_no_rules(given: object, shown: str) -> None:
    assert problems(given) == {"rules": f"expected options and their values, got {shown}"}


def test_a_preset_of_a_strange_type_is_a_problem_like_any_other() -> None:
    assert problems({"preset": ["house"], "target": 0}).keys() == {"preset", "target"}


def test_oklahoma_takes_its_limit_from_the_upcard() -> None:
    assert rules_from({"preset": "pagat"}, oklahoma=True) == replace(PRESETS["pagat"], knock_limit="upcard")
    assert rules_from({"knock_limit": "upcard"}, oklahoma=True).knock_limit == "upcard"
    assert list(problems({"knock_limit": 10}, oklahoma=True)) == ["knock_limit"]
