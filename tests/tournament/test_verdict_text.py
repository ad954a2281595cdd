"""What a comparison came to, in words, JSON, JUnit's XML and Markdown."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from arena.players.faults import Fault
from arena.standings.statistics import Estimate
from arena.tournament.comparison import Comparison
from arena.tournament.gate import Word
from arena.tournament.verdict_text import Report, in_json, in_junit, in_markdown, in_text
from arena.tournament.verdicts import Difference, Standing

DIFFERENCES = (
    Difference(12, "old", 1, 7, 24, 25, "discard 7h", "knock 3c", 25.0),
    Difference(40, "old", 1, 3, 81, 80, "pass", "take", -31.0),
    Difference(41, "a|b", 1, 9, 90, 92, "stock", "pile", 0.0),
    Difference(43, "old", 1, 2, 96, 97, "stock", "pile", 4.0),
)
STANDING = Standing(
    word=Word.NOT_WORSE,
    why="",
    groups=2500,
    hands=5000,
    differing=188,
    judged=Estimate(0.312, 0.119),
    raw=Estimate(0.28, 0.2),
    adjusted=Estimate(0.312, 0.119),
    sd=3.0,
    ratio=2.99,
    limit=2.944,
    faults={"new": Counter({Fault.CRASH: 2})},
    differences=DIFFERENCES,
)
BOTS = [
    ("old", "ginny 1.2 (git:main:ginny), content 0123456789ab"),
    ("new", "ginny* 1.3 (ginny), content ba9876543210"),
]


def report(word: Word = Word.NOT_WORSE, why: str = "", standing: Standing | None = STANDING) -> Report:
    return Report(word, why, Comparison(), BOTS, standing, Path("runs/compare 1"))


def test_people_read_the_verdict_first() -> None:
    lines = in_text(report()).splitlines()
    assert lines[0] == "passed: not worse"
    assert in_text(report(Word.WORSE)).startswith("REJECTED: worse\n")
    assert in_text(report(Word.UNDECIDED, "The time is up.")).startswith("open: undecided\nThe time is up.\n")


def test_people_read_the_difference_the_hands_and_what_changed() -> None:
    text = in_text(report())
    for told in (
        "difference  +0.31 ± 0.12 points a hand, luck-adjusted",
        "raw         +0.28 ± 0.20 points a hand",
        "hands       5,000 in 2,500 deal groups",
        "differs in  188 of 5,000 hands",
        "faults      new: crash 2",
        "deal group 12, move 7: the old one discard 7h, the new one knock 3c; of it came +25 points for the new one",
        "    arena replay 'runs/compare 1' 24 1   # old",
        "    arena replay 'runs/compare 1' 25 1   # new",
        "deal group 41 against a|b, move 9",
    ):
        assert told in text
    assert "deal group 43" not in text  # three are enough


def test_what_was_asked_is_said_in_its_unit() -> None:
    told = "A difference of -0.3 points a hand or less is worse, one of 0 or more is not worse; each wrong answer comes"
    assert report().question.startswith(f"Is the new version not worse? {told}")
    better = Comparison(hypothesis="better", worse="0sd", better="0.02sd")
    told = "A difference of 0 standard deviations or less is no better, one of +0.02 or more is better;"
    assert report()._replace(comparison=better).question.startswith(f"Is the new version better? {told}")


def test_few_groups_have_no_interval() -> None:
    few = report(standing=replace(STANDING, judged=Estimate(1.0, None), adjusted=None))
    assert "difference  +1.00 (too few groups for an interval) points a hand, raw" in in_text(few)
    told = "says no and +2.94 yes, of 30 deal groups or more"
    assert told in in_text(report(standing=replace(STANDING, groups=29)))
    assert told not in in_text(report(standing=replace(STANDING, groups=30)))
    assert json.loads(in_json(few))["difference"] == {"mean": 1.0, "low": None, "high": None}


def test_a_verdict_of_the_interval_is_told_from_one_of_the_evidence() -> None:
    told = "; the whole interval lies beyond a bound, which says it sooner"
    far = replace(STANDING, word=Word.WORSE, ratio=-1.23)
    assert f"evidence    -1.23, where -2.94 says no and +2.94 yes{told}" in in_text(report(Word.WORSE, standing=far))
    others = (
        replace(far, ratio=-2.95),
        replace(far, why="The new version has used up its faults."),
        replace(far, word=Word.UNDECIDED),
        replace(far, word=None),
    )
    assert not [other for other in others if told in in_text(report(standing=other))]


def test_programs_get_all_of_it() -> None:
    values = json.loads(in_json(report()))
    assert values["verdict"] == "not worse"
    assert values["passed"] is True
    assert values["difference"] == {"mean": 0.312, "low": 0.193, "high": 0.431}
    assert (values["hands"], values["differing_hands"], values["scores"]) == (5000, 188, "luck-adjusted")
    assert values["faults"] == {"new": {"crash": 2}}
    assert values["differences"][0] == DIFFERENCES[0]._asdict()
    assert len(values["differences"]) == 4
    same = json.loads(in_json(report(Word.SAME, "Nothing to play.", None)))
    assert (same["verdict"], same["passed"], "difference" in same) == ("same content", True, False)


def test_a_pull_request_gets_a_summary() -> None:
    text = in_markdown(report())
    assert text.startswith("### ✅ arena compare: not worse\n")
    assert "**+0.31 ± 0.12 points a hand** (luck-adjusted); differs in 188 of 5,000 hands; here are three.\n" in text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == 4
    assert rows[1] == "| 12 | 7 | discard 7h | knock 3c | +25 | `arena replay 'runs/compare 1' 25 1` |"
    assert rows[3].startswith(r"| 41 against a\|b | 9 |")
    assert r"ginny\* 1.3" in text
    assert in_markdown(report(Word.WORSE)).startswith("### ❌ ")
    assert in_markdown(report(Word.UNDECIDED)).startswith("### ❔ ")


def test_a_summary_holds_no_markup_of_strangers() -> None:
    evil = "</details> [a](b) @bob #12\n| `x`"
    text = in_markdown(report(why=evil)._replace(bots=[(evil, evil)], scores=evil))
    assert text.count("</details>") == text.count("<details>") == 1
    assert not [mark for mark in ("[a]", "@bob", "#12", "\n| \\`") if mark in text]
    assert text.count("\\</details\\> \\[a\\](b) @\u200bbob #\u200b12\\\\n\\| \\`x\\`") == 4


@pytest.mark.parametrize(
    ("word", "element"),
    [(Word.NOT_WORSE, None), (Word.ALIKE, None), (Word.WORSE, "failure"), (Word.UNDECIDED, "skipped")],
)
def test_a_build_gets_a_test(word: Word, element: str | None) -> None:
    suite = ET.fromstring(in_junit(report(word)))
    (case,) = suite
    assert suite.tag == "testsuite"
    assert suite.get("tests") == "1"
    assert suite.get("failures") == str(int(element == "failure"))
    assert suite.get("skipped") == str(int(element == "skipped"))
    assert case.get("name") == "the new version is not-worse"
    found = [child.tag for child in case]
    assert found == [*([element] if element else []), "system-out"]
    assert "188 of 5,000 hands" in (case[-1].text or "")


def test_a_build_gets_an_error_for_what_was_wrong() -> None:
    suite = ET.fromstring(in_junit("there is <no> such bot\x1b[1m"))
    assert suite.get("errors") == "1"
    assert suite[0][0].tag == "error"
    assert suite[0][0].get("message") == "there is <no> such bot\\x1b[1m"
