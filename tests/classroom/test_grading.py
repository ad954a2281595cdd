"""A class of small submissions, graded for real but for the length of the check, and graded again."""

import csv
import json
import re
import shutil
import stat
import zipfile
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest
from series_bench import SAMPLES, InThisProcess

from arena.classroom import grading
from arena.classroom.assignment import load_assignment
from arena.classroom.graded import Graded, Status
from arena.classroom.grading import Grading
from arena.classroom.roster import Student, read_roster
from arena.classroom.round import Done, grade_class, opened
from arena.classroom.submissions import Found, find_submissions, match
from arena.errors import HostError, InputError, RunError
from arena.kit.check.course import PARTS, check_bot
from arena.kit.check.report import Report
from arena.kit.handed_in import unpack_bot
from arena.players.spec import BotSpec
from arena.tournament import local, runner

ASSIGNMENT = """
name: tiny
references: [{sample: simple}]
play: deals
groups: 2
workers: 1
isolation: none
seed: 1
clock: {ready: 1h, decision: 1h, goodbye: 1h}    # no bot is ever late
"""
ROSTER = "id,name\ns1,Jane Doe\ns2,Bob Ray\ns3,Carl Crash\ns4,Eve Ill\ns5,Nobody Home\n"
CRASHES = '''"""Leaves at its first discard."""
from arena.bot import Bot, serve


class Leaver(Bot):
    def discard(self, turn):
        raise ValueError("no idea what to discard")


if __name__ == "__main__":
    serve(Leaver)
'''


@dataclass
class Class:
    """A folder with an assignment, a roster and submissions. said: what was done for each student."""

    folder: Path
    said: list[str] = field(default_factory=list)
    results: list[Graded] = field(default_factory=list)

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def grade(self) -> Done:
        """Grade it, with the first steps of the check alone."""
        self.said, self.results = [], []
        assignment = load_assignment(self.folder / "assignment.yaml")
        students = read_roster(self.folder / "roster.csv")
        found = match(students, find_submissions(self.folder / "submissions"))
        with (
            patch.object(grading, "check_bot", partial(check_bot, parts=PARTS[:3])),
            patch.object(local, "WorkerPool", InThisProcess),
            opened(self.out) as secrets,
        ):
            one = Grading(assignment, self.out, assignment.seed or secrets.seed, say=self.said.append)
            begin = lambda student: self.said.append(student.id)  # noqa: E731
            return grade_class(one, students, found, secrets.pseudonyms, begin, self.results.append)

    def page(self, student: str) -> str:
        return (self.out / "feedback" / f"{student}.md").read_text()

    def gradebook(self) -> dict[str, dict[str, str]]:
        with (self.out / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
            return {row["id"]: row for row in csv.DictReader(file)}


def zip_folder(folder: Path, archive: Path, top: str = "bot") -> None:
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(folder.glob("*.*")):
            packed.write(path, f"{top}/{path.name}")


def a_class(folder: Path) -> Class:
    (folder / "assignment.yaml").write_text(ASSIGNMENT)
    (folder / "roster.csv").write_text(ROSTER)
    submissions = folder / "submissions"
    submissions.mkdir()
    zip_folder(SAMPLES / "beginner", submissions / "doejane_LATE_1_2_bot.zip")
    moodle = submissions / "Bob Ray_7_assignsubmission_file_"
    moodle.mkdir()
    zip_folder(SAMPLES / "beginner", moodle / "mine.zip", top="copied")
    shutil.copytree(SAMPLES / "beginner", submissions / "s3", ignore=shutil.ignore_patterns("__pycache__"))
    (submissions / "s3" / "bot.py").write_text(CRASHES)
    (submissions / "s4").mkdir()
    (submissions / "s4" / "bot.yaml").write_text("name: eve\n")
    (submissions / "stranger.zip").write_bytes(b"")
    return Class(folder)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Class:
    made = a_class(tmp_path_factory.mktemp("class"))
    made.grade()
    return made


def test_every_student_has_a_row(graded: Class) -> None:
    rows = graded.gradebook()
    assert list(rows) == ["s1", "s2", "s3", "s4", "s5"]
    assert {student: row["status"] for student, row in rows.items()} == {
        "s1": "graded", "s2": "graded", "s3": "graded", "s4": "not playable", "s5": "missing",
    }  # fmt: skip
    assert [rows[student]["late"] for student in rows] == ["late", "", "", "", ""]
    assert [rows[student]["check"] for student in rows] == ["passed", "passed", "passed", "", ""]


def test_one_that_fails_costs_itself_alone(graded: Class) -> None:
    rows = graded.gradebook()
    assert [rows[student]["faults"] for student in ("s1", "s2", "s3")] == ["0", "0", "4"]
    assert float(rows["s3"]["simple_margin"]) < -25
    assert float(rows["s3"]["simple_better"]) < 0.1
    assert rows["s1"]["simple_margin"] == rows["s2"]["simple_margin"] != ""
    assert rows["s4"]["note"].startswith("bot.yaml:1:1: 'run' is missing")


def test_a_page_tells_a_student_what_went_wrong_and_nothing_of_others(graded: Class) -> None:
    crash = graded.page("s3")
    assert "**crash**, 4 times" in crash
    assert "bot.py:7" in crash
    assert "no idea what to discard" in crash
    for student, page in {student: graded.page(student) for student in graded.gradebook()}.items():
        assert str(graded.folder) not in page
        names = {line.split(",")[1] for line in ROSTER.splitlines()[1:] if not line.startswith(student)}
        assert not any(name in page for name in names)
    assert "0 hands judged from the dealer's chair; 4 hands that ended by a fault" in crash
    good = graded.page("s1")
    assert "s1 passes" in good
    assert "marked as late" in good
    assert "4 hands judged" in good
    assert "There is no submission." in graded.page("s5")


def test_the_teacher_is_told_what_to_look_at(graded: Class) -> None:
    page = (graded.out / "teacher.md").read_text()
    assert "5 students: 3 graded, 1 not playable, 1 missing." in page
    assert "* stranger.zip: nobody on the roster" in page
    assert re.search(r"play identically .*\n\n\* s1 \(Jane Doe\), s2 \(Bob Ray\)\n", page)
    assert "* s4 (Eve Ill): not playable; bot.yaml:1:1" in page
    assert "* s5 (Nobody Home)" in page


def test_what_is_published_names_nobody(graded: Class) -> None:
    rows = list(csv.DictReader((graded.out / "published.csv").read_text().splitlines()))
    assert len(rows) == 3
    text = "".join((graded.out / name).read_text() for name in ("published.csv", "published.md"))
    assert not re.search(r"s[1-5]\b|Jane|Doe|Bob|Ray|Carl", text)
    pseudonym = re.search(r"In published tables: (p-\w+)\.", graded.page("s3"))
    assert pseudonym is not None
    (own,) = [row for row in rows if row["pseudonym"] == pseudonym[1]]
    assert own["faults"] == "4"


def test_only_what_is_new_is_graded_again(graded: Class, tmp_path: Path) -> None:
    again = Class(tmp_path / "again")
    shutil.copytree(graded.folder, again.folder)
    before = graded.gradebook()
    (again.folder / "roster.csv").write_text(ROSTER.replace("s5,Nobody Home", "s5,New Comer"))
    zip_folder(SAMPLES / "beginner", again.folder / "submissions" / "s5.zip")
    (again.folder / "submissions" / "s3" / "bot.yaml").write_text("name: nothing\n")
    again.grade()
    told = "s1 s2 s3 unpacking s4 unpacking s5 unpacking checking playing judging"
    assert again.said == told.split()
    assert {one.student.id: one.fresh for one in again.results} == {
        "s1": False, "s2": False, "s3": True, "s4": True, "s5": True,
    }  # fmt: skip
    after = again.gradebook()
    assert {student: after[student] for student in ("s1", "s2")} == {
        student: before[student] for student in ("s1", "s2")
    }
    assert after["s3"]["status"] == "not playable"
    assert after["s5"]["simple_margin"] == before["s1"]["simple_margin"]  # the same deals for everybody, then and now
    assert "s5 (New Comer)" in (again.out / "teacher.md").read_text()


def test_a_run_that_was_broken_off_is_taken_up(tmp_path: Path) -> None:
    made = a_class(tmp_path)
    for path in (tmp_path / "submissions").iterdir():
        if not path.name.startswith("doejane"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    interrupt = runner.Runner.interrupt

    def stopped(self: runner.Runner, *_: object) -> None:
        interrupt(self)
        raise KeyboardInterrupt

    with patch.object(runner.Runner, "play", stopped):
        done = made.grade()
    assert done.interrupted
    assert made.gradebook()["s1"]["status"] == "not graded yet"
    made.grade()
    assert made.said == ["s1", "playing", "judging"]
    assert made.gradebook()["s1"]["status"] == "graded"


def one_student(folder: Path, submission: Path | None = None) -> Class:
    """A class of one, with the beginner among the sample bots unless another submission is given."""
    made = a_class(folder)
    shutil.rmtree(folder / "submissions")
    (folder / "submissions").mkdir()
    shutil.copytree(submission or SAMPLES / "beginner", folder / "submissions" / "s1")
    return made


def with_manifest(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "bot.yaml").write_text(text)
    return folder


def test_what_this_machine_cannot_do_costs_one_student_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Class, "out", Path("out"))  # as the documentation gives it
    made = one_student(tmp_path)
    with_manifest(tmp_path / "submissions" / "s2", "name: x\n")

    def full(source: Path, folder: Path) -> None:
        if source.name == "s1":
            raise OSError(28, "No space left on device", str(folder / "bot.py"))
        unpack_bot(source, folder)

    monkeypatch.setattr(grading, "unpack_bot", full)
    made.grade()
    rows = made.gradebook()
    assert [rows[student]["status"] for student in ("s1", "s2")] == ["not graded: this machine", "not playable"]
    assert rows["s1"]["note"] == "bot.py: No space left on device; mend that, and grade again with the same command"
    assert "No space left" in made.page("s1")


def test_whatever_a_build_has_left_is_removed_or_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Grading(load_assignment(_written(tmp_path / "a.yaml", ASSIGNMENT)), tmp_path / "out", "1")
    found = Found(with_manifest(tmp_path / "bot", "name: x\n"))
    deep = work = tmp_path / "out" / "students" / "s1"
    work.mkdir(parents=True)
    for _ in range(30):  # together longer than any path may be
        (inner := tmp_path / "outer" / ("n" * 200)).parent.mkdir()
        deep.rename(inner)
        deep = inner.parent.rename(work)
    monkeypatch.setattr(grading, "remove_private_folder", lambda _: None)
    kept = one.grade(Student("s1", ""), found)
    assert (kept.status, kept.note) == (
        Status.HOST,
        "the submission: this cannot be removed, remove it and grade again",
    )
    monkeypatch.undo()
    assert one.grade(Student("s1", ""), found).status is Status.FAILED
    assert sorted(path.name for path in work.iterdir()) == ["bot"]


def test_the_book_is_written_whatever_breaks_off_the_grading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = one_student(tmp_path)

    def broken(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(grading, "unpack_bot", broken)
    with pytest.raises(MemoryError):
        made.grade()
    assert made.gradebook()["s1"]["status"] == "not graded yet"


def test_no_word_on_a_page_tells_where_the_class_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Class, "out", Path("out"))
    made = one_student(tmp_path)
    tell = (
        "import os, sys\n\nprint(os.path.abspath(__file__), os.path.abspath('../../../gradebook.csv'))\nsys.exit(1)\n"
    )
    (tmp_path / "submissions" / "s1" / "bot.py").write_text(tell)
    made.grade()
    page = made.page("s1")
    assert "(class)/gradebook.csv" in page
    assert not [word for word in ("students", str(tmp_path), "out/") if word in page]


@pytest.mark.parametrize("isolation", ["best-effort", "none"])
def test_a_submission_that_would_keep_the_network_is_refused(tmp_path: Path, isolation: str) -> None:
    assignment = load_assignment(_written(tmp_path / "a.yaml", ASSIGNMENT), [f"isolation={isolation}"])
    folder = with_manifest(tmp_path / "bot", "name: x\nrun: [x]\ntransport: tcp\n")
    one, student = Grading(assignment, tmp_path / "out", "1"), Student("s1", "Jane")
    with patch.object(Grading, "_checked", side_effect=HostError("the check begins")):
        graded = one.grade(student, Found(folder))
    refused = graded.status is Status.FAILED and "expected 'transport: unix'" in graded.note
    assert refused is (isolation != "none"), graded.note


def test_a_build_may_not_put_another_manifest_in_place(tmp_path: Path) -> None:
    assignment = load_assignment(_written(tmp_path / "a.yaml", ASSIGNMENT))
    folder = with_manifest(tmp_path / "bot", "name: x\nrun: [x]\n")
    one, student = Grading(assignment, tmp_path / "out", "1"), Student("s1", "Jane")
    secret = _written(tmp_path / "secret.yaml", "name: x\nrun: [secret]\npassword: open sesame\n")

    def swapped(_: Grading, work: Path, spec: BotSpec) -> Report:
        (work / "bot" / "bot.yaml").unlink()
        (work / "bot" / "bot.yaml").symlink_to(secret)
        return Report(spec.name, "", str(spec.folder), "", "1", True, ())

    with patch.object(Grading, "_checked", swapped):
        graded = one.grade(student, Found(folder))
    assert (graded.status, graded.note) == (Status.FAILED, "its bot.yaml is a link, expected a file")


def test_what_was_graded_is_in_the_book_of_an_interrupted_class_too(graded: Class, tmp_path: Path) -> None:
    again = Class(tmp_path / "again")
    shutil.copytree(graded.folder, again.folder)
    before = graded.gradebook()
    with (again.folder / "submissions" / "doejane_LATE_1_2_bot.zip").open("ab") as file:
        file.write(b"x")  # another submission of the first student

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with patch.object(grading, "unpack_bot", interrupted):
        assert again.grade().interrupted
    after = again.gradebook()
    assert after["s1"]["status"] == "not graded yet"
    assert [after[student] for student in ("s2", "s3")] == [before[student] for student in ("s2", "s3")]


def test_a_run_that_is_gone_is_played_again(graded: Class, tmp_path: Path) -> None:
    again = Class(tmp_path / "again")
    shutil.copytree(graded.folder, again.folder)
    shutil.rmtree(again.out / "students" / "s1" / "run")
    (again.out / "students" / "s2" / "run" / "run.sqlite").write_bytes(b"spoilt")
    again.grade()
    assert again.said == ["s3", "s1", "playing", "judging", "s2", "playing", "judging", "s4", "unpacking"]
    assert again.gradebook() == graded.gradebook()


def test_one_that_did_not_start_is_tried_again(tmp_path: Path) -> None:
    made = one_student(tmp_path)
    bot, good = tmp_path / "submissions" / "s1" / "bot.py", (SAMPLES / "beginner" / "bot.py").read_text()
    flag = tmp_path / "ready"
    late = f"import pathlib, sys\n\nif not pathlib.Path({str(flag)!r}).exists():\n    sys.exit(1)\n"
    bot.write_text(good.replace("from arena", f"{late}from arena", 1))
    made.grade()
    assert made.gradebook()["s1"]["status"] == "not playable"
    flag.touch()
    made.grade()
    assert made.said == ["s1", "checking", "playing", "judging"]
    assert made.gradebook()["s1"]["status"] == "graded"


def test_a_submission_is_told_by_its_files_and_not_by_what_the_course_system_calls_it(tmp_path: Path) -> None:
    one = Grading(load_assignment(_written(tmp_path / "a.yaml", ASSIGNMENT)), tmp_path / "out", "1")
    folder = with_manifest(tmp_path / "bot", "name: x\n")
    zip_folder(folder, tmp_path / "doejane_1_2_bot.zip")
    keys = {path: one._key(path) for path in (folder, tmp_path / "doejane_1_2_bot.zip")}
    for path, key in keys.items():
        again = path.rename(path.with_name(f"again-{path.name}"))
        assert one._key(again) == key
    again = tmp_path / "again-bot"
    (again / "bot.yaml").chmod(0o755)
    assert one._key(again) != keys[folder]
    (again / "bot.yaml").chmod(0o644)
    assert one._key(again) == keys[folder]
    (again / "bot.yaml").rename(again / "bot.yml")
    assert one._key(again) != keys[folder]


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_an_empty_folder_that_was_there_is_closed_to_others(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    out.chmod(0o755)
    with opened(out):
        assert stat.S_IMODE(out.stat().st_mode) == 0o700
    out.chmod(0o750)
    with opened(out):
        assert stat.S_IMODE(out.stat().st_mode) == 0o750  # the teacher's own wish since


def test_a_folder_that_is_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("x")
    with pytest.raises(RunError, match="expected a new or an empty folder"), opened(tmp_path):
        pass
    with opened(tmp_path / "new") as first:
        pass
    with opened(tmp_path / "new") as second:
        assert first == second
        with pytest.raises(RunError, match="another arena is grading here"), opened(tmp_path / "new"):
            pass
    (tmp_path / "new" / "secret.json").write_text(json.dumps({"seed": 1}))
    with pytest.raises(InputError, match="damaged"), opened(tmp_path / "new"):
        pass
