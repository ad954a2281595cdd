"""The gradebook, the published table and the teacher's page, of a class that was made up."""

from dataclasses import replace
from pathlib import Path

import pytest
from playing import FORMATS
from report_bench import played_run

from arena.classroom.assignment import Assignment, load_assignment
from arena.classroom.book import Book
from arena.classroom.feedback import feedback_page
from arena.classroom.graded import Graded, Status
from arena.classroom.marks import Marks, Met, marks_of, twins, up_to_date
from arena.classroom.roster import Student
from arena.kit.check.report import Outcome, Problem, Report, Step
from arena.standings.audit import BotAudit
from arena.standings.statistics import Estimate

EXAMPLE = Path(__file__).parents[2] / "tournaments" / "class" / "assignment.yaml"


@pytest.fixture(scope="module")
def assignment() -> Assignment:
    return load_assignment(EXAMPLE)


def met(reference: str, mean: float = 1.0, *, level: bool = False, faults: int = 0) -> Met:
    return Met(reference, Estimate(mean, 0.5), Estimate(mean + 0.1, 0.2), 0.9, 40, level, faults)


def marks(*some: Met, play: str = "a", hands: int = 40) -> Marks:
    return Marks(some, 2, 0, hands, BotAudit(hands=hands), play)


def graded(student: str, some: Marks | None = None, status: Status = Status.GRADED, note: str = "") -> Graded:
    return Graded(Student(student, f"Name of {student}"), status, note, marks=some)


def test_pseudonyms_are_the_same_again_and_nobodys_without_the_secret(assignment: Assignment) -> None:
    students = [graded(f"s{number}") for number in range(300)]
    one = Book(assignment, students, [], b"secret").pseudonyms()
    assert one == Book(assignment, students[::-1], [], b"secret").pseudonyms()
    assert len(set(one.values())) == 300
    assert not set(one.values()) & set(Book(assignment, students, [], b"other").pseudonyms().values())


def test_a_cell_is_empty_where_there_is_nothing_to_say(assignment: Assignment) -> None:
    rows = Book(assignment, [graded("s1", marks(met("simple", -2.0))), graded("s2")], [], b"").gradebook().records()
    assert (rows[0]["simple_margin"], rows[0]["simple_margin_pm"], rows[0]["simple_better"]) == (-2.0, 0.5, 0.9)
    assert (rows[0]["simple_less_luck"], rows[0]["simple_less_luck_pm"]) == (-1.9, 0.2)
    assert (rows[0]["random_margin"], rows[0]["faults"]) == (None, 2)
    assert {rows[1][key] for key in ("hands", "faults", "greedy_margin", "greedy_margin_pm", "greedy_better")} == {None}


def test_a_note_stays_in_its_cell(assignment: Assignment) -> None:
    book = Book(assignment, [graded("s1", status=Status.FAILED, note="one\ntwo  three")], [], b"")
    assert book.gradebook().records()[0]["note"] == "one two three"
    assert "* s1 (Name of s1): not playable; one\n" in book.teacher_page()


@pytest.mark.parametrize("begins", ["=", "+", "-", "@"])
def test_a_strangers_text_is_no_formula_and_no_markup(assignment: Assignment, begins: str) -> None:
    told = f"{begins}cmd|' /C calc'!A0 <b>\x1b"
    one = Graded(Student("s1", told), Status.FAILED, told)
    book = Book(assignment, [one], [(Path(told), told)], b"")
    row = book.gradebook().records()[0]
    assert (row["name"], row["note"]) == (f"'{told[:-1]}\\x1b",) * 2
    for page in (book.teacher_page(), feedback_page(assignment, replace(one, note=""), "p-1", Path("out"))):
        assert "\\<b\\>" in page
        assert not [part for part in ("<b>", "\x1b") if part in page]


def test_what_a_bot_has_printed_again_is_shown_once(assignment: Assignment) -> None:
    printed = ["ValueError: no idea", "ValueError: no idea", "", "KeyError: 7", "ValueError: no idea"]
    steps = [
        Step(number, f"step-{number}", "A step", Outcome.FAILED, "", 0.1, problem=Problem("a", "b", "c", "d", text))
        for number, text in enumerate(printed, 1)
    ]
    check = Report("s1", "1", "/class/s1", "0", "1", quick=True, steps=tuple(steps))
    page = feedback_page(assignment, replace(graded("s1", status=Status.FAILED), check=check), "p-1", Path("out"))
    shown = [line.partition("| ")[2] for line in page.splitlines() if "printed" in line]
    assert shown == ["ValueError: no idea", "the same as in step 1", "KeyError: 7", "the same as in step 1"]


def test_marks_without_luck_are_up_to_date_until_it_can_be_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = played_run(tmp_path / "run", format_=FORMATS["gin-deals"], groups=1)
    monkeypatch.setattr("arena.classroom.marks.luck_of", lambda _: "NumPy is missing.")
    kept = marks_of(folder, "ann")
    assert kept.no_luck == "NumPy is missing."
    assert {one.less_luck for one in kept.met} == {None}
    assert up_to_date(kept, folder)
    monkeypatch.setattr("arena.classroom.marks.luck_of", lambda _: None)
    assert not up_to_date(kept, folder)
    assert up_to_date(replace(kept, no_luck=""), folder)


def test_a_reason_why_luck_is_not_judged_is_told_once(assignment: Assignment) -> None:
    some = [graded(student, replace(marks(met("simple")), no_luck="NumPy is missing.")) for student in ("s1", "s2")]
    assert Book(assignment, some, [], b"").teacher_page().count("* NumPy is missing.\n") == 1


def test_the_teacher_is_told_of_copies_and_of_references_that_fail(assignment: Assignment) -> None:
    some = [
        graded("s1", marks(met("simple", 0.0, level=True))),
        graded("s2", marks(met("greedy", faults=3))),
        graded("s3", marks(met("greedy"), play="b")),
    ]
    page = Book(assignment, some, [(Path("x\x1b.zip"), "nobody")], b"").teacher_page()
    assert "* s1 (Name of s1), s2 (Name of s2)\n" in page
    assert "* s1 (Name of s1): simple\n" in page
    assert "* greedy: 3 faults against s2\n" in page
    assert "* x\\\\x1b.zip: nobody\n" in page
    assert "s3" not in page


def test_two_that_fail_at_once_are_no_twins() -> None:
    assert twins([("s1", marks(hands=0)), ("s2", marks(hands=0))]) == []
    assert twins([("s1", marks()), ("s2", marks(play="b")), ("s3", marks())]) == [["s1", "s3"]]
