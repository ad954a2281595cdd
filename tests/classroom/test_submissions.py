"""Exports of the usual course systems, and who of the roster has submitted what."""

from pathlib import Path

import pytest

from arena.classroom.roster import Student
from arena.classroom.submissions import Matched, find_submissions, match
from arena.errors import InputError

JANE, BOB, ZOE = Student("s1", "Jane Doe", "4711"), Student("s2", "Ray, Bob"), Student("s3", "Zoë Müller")
CLASS = [JANE, BOB, ZOE]


def matched(folder: Path, *names: str, students: list[Student] = CLASS) -> Matched:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if name.endswith("/") else path.write_text("x")
    return match(students, find_submissions(folder))


def names_of(result: Matched) -> dict[str, str]:
    return {student: found.path.name for student, found in result.of.items()}


def test_moodle_has_a_folder_for_each_or_the_files_beside_each_other(tmp_path: Path) -> None:
    folders = matched(
        tmp_path / "a", "Jane Doe_4711_assignsubmission_file_/bot.zip", "Bob Ray_88_assignsubmission_file/x"
    )
    assert names_of(folders) == {
        "s1": "Jane Doe_4711_assignsubmission_file_",
        "s2": "Bob Ray_88_assignsubmission_file",
    }
    files = matched(tmp_path / "b", "Zoe Muller_9_assignsubmission_file_my_bot.zip")
    assert names_of(files) == {"s3": "Zoe Muller_9_assignsubmission_file_my_bot.zip"}


def test_what_was_typed_into_moodles_page_is_no_second_submission(tmp_path: Path) -> None:
    typed, handed_in = "Jane Doe_4711_assignsubmission_onlinetext_", "Jane Doe_4711_assignsubmission_file_"
    for name in ("bot.zip", "ginny/bot.yaml"):
        folder = tmp_path / name[:3]
        assert names_of(matched(folder, f"{typed}/onlinetext.html", f"{handed_in}/{name}")) == {"s1": handed_in}
    both = matched(tmp_path / "both", f"{typed}/old.zip", f"{handed_in}/new.zip")
    neither = matched(tmp_path / "neither", f"{typed}/onlinetext.html", f"{handed_in}/report.pdf")
    assert [list(one.unclear) for one in (both, neither)] == [["s1"], ["s1"]]


def test_canvas_squeezes_the_name_and_marks_what_is_late(tmp_path: Path) -> None:
    result = matched(
        tmp_path, "doejane_12_900_bot.zip", "raybob_LATE_13_901_my_bot-1.tar.gz", "doejane_12_902_notes.pdf"
    )
    assert {student: found.late for student, found in result.of.items()} == {"s1": False, "s2": True}
    assert result.of["s1"].path.name == "doejane_12_900_bot.zip"  # what is no archive is no bot


def test_gradescope_tells_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "submission_metadata.yml").write_text(
        "submission_500:\n  :submitters:\n  - :name: Jane Doe\n    :sid: s1\n    :email: j@x.org\n"
        "  :created_at: 2026-11-01 10:00:00.5 Z\nsubmission_501:\n  :submitters:\n  - :name: Zoë Müller\n    :sid:\n"
    )
    result = matched(tmp_path, "submission_500/bot.yaml", "submission_501/bot.yaml", "submission_502/bot.yaml")
    assert names_of(result) == {"s1": "submission_500", "s3": "submission_501"}
    assert [path.name for path, _ in result.unknown] == ["submission_502"]


def test_an_alias_in_that_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "submission_metadata.yml").write_text("a: &x [1]\nb: *x\n")
    with pytest.raises(InputError, match="expected Gradescope's metadata"):
        find_submissions(tmp_path)


def test_plain_names_are_ids_keys_or_names(tmp_path: Path) -> None:
    result = matched(tmp_path, "4711/", "S2.tar.gz", "Müller, Zoë.zip", ".hidden", "__MACOSX/")
    assert names_of(result) == {"s1": "4711", "s2": "S2.tar.gz", "s3": "Müller, Zoë.zip"}
    assert result.unknown == []


def test_what_is_nobodys_or_anybodys_is_told(tmp_path: Path) -> None:
    twins = [JANE, Student("s9", "Doe Jane")]
    result = matched(tmp_path, "jane doe.zip", "stranger.zip", students=twins)
    assert result.of == {}
    assert [(path.name, why.partition(":")[0]) for path, why in result.unknown] == [
        ("jane doe.zip", "it may be of s1 or s9"),
        ("stranger.zip", "nobody on the roster has such an id, key or name"),
    ]


def test_two_submissions_of_one_student_are_not_chosen_from(tmp_path: Path) -> None:
    result = matched(tmp_path, "s1.zip", "4711.zip", "s2.rar")
    assert result.of == {}
    assert result.unclear["s1"].startswith("2 submissions (4711.zip, s1.zip), expected one with the bot")
    assert result.unclear["s2"].startswith("1 submission (s2.rar), expected one of .zip")
