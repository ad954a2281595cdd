"""What an assignment may say, and the series that it makes of a student's bot."""

from pathlib import Path

import pytest
from series_bench import SAMPLES

from arena.classroom.assignment import Assignment, load_assignment
from arena.errors import InputError
from arena.rules.view import GameKind

EXAMPLE = Path(__file__).parents[2] / "tournaments" / "class" / "assignment.yaml"


def loaded(folder: Path, text: str, *, at_home: bool = False) -> Assignment:
    path = folder / "assignment.yaml"
    path.write_text(text)
    return load_assignment(path, at_home=at_home)


def refusal(folder: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as refused:
        loaded(folder, text)
    return [line.removeprefix(f"{folder}/assignment.yaml:") for line in str(refused.value).splitlines()]


def test_the_example_is_an_assignment() -> None:
    assignment = load_assignment(EXAMPLE)
    assert (assignment.name, assignment.game, assignment.quick, assignment.seed) == ("gin-1", GameKind.GIN, False, "")
    assert [bot.name for bot in assignment.references] == ["random", "simple", "greedy"]


def test_a_student_plays_each_reference_and_they_do_not_play_each_other(tmp_path: Path) -> None:
    assignment = loaded(tmp_path, "name: a\nreferences: [{sample: random}, {sample: simple}]\ncheck: quick\n")
    series = assignment.series(SAMPLES / "greedy", "s1", "the seed")
    assert [bot.name for bot in series.bots] == ["s1", "random", "simple"]
    assert (series.config.format, series.config.gauntlet, series.config.seed) == ("gauntlet", 1, "the seed")
    assert assignment.quick


def test_mistakes_are_told_with_their_places(tmp_path: Path) -> None:
    told = refusal(tmp_path, "name: a\nreferences:\n  - {sample: random}\n  - {sample: simpl}\ngrups: 4\n")
    assert told == [
        "4:5: unknown sample bot 'simpl', did you mean 'simple'?",
        "5:1: unknown key 'grups', did you mean 'groups'?",
    ]
    told = refusal(tmp_path, "name: a\nreferences: [7]\nseed: commit\nbots: []\n")
    assert [line.partition(" ")[0] for line in told] == ["2:14:", "3:7:", "4:1:"]
    assert refusal(tmp_path, "name: a\n")[0].startswith("1:1: 'references' is missing")
    assert refusal(tmp_path, "name: a\nreferences: []\n") == ["2:13: references is [], expected a list of 1 or more"]
    assert refusal(tmp_path, "name: a\nreferences: [{sample: random}]\ngame: three-hand\n") == [
        "2:13: 2 of them, expected 3 or more"
    ]


def test_a_student_at_home_needs_no_reference(tmp_path: Path) -> None:
    text = "name: a\nreferences: [../kept/by/the/teacher]\nclock: {decision: 30ms}\n"
    assert refusal(tmp_path, text)[0].startswith("2:14: there is no folder")
    assert loaded(tmp_path, text, at_home=True).config.clock.decision.total_seconds() == 0.03
