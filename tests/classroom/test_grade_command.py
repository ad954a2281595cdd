"""`arena grade`, and `arena check` by an assignment, as commands."""

import json
import shutil
from pathlib import Path

import pytest
from command import call_arena, run_arena
from series_bench import SAMPLES

EXAMPLE = Path(__file__).parents[2] / "tournaments" / "class"
NOTHING = 'name: nothing\nrun: ["{python}", -c, "print(1)"]\n'
"""A bot that ends at once."""


def bot(folder: Path, manifest: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "bot.yaml").write_text(manifest)
    return folder


@pytest.mark.parametrize("relative", [False, True])
def test_a_class_without_a_bot_that_plays_has_its_gradebook(tmp_path: Path, *, relative: bool) -> None:
    folder = bot(tmp_path / "in" / "s1001", 'name: x\nrun: ["{python}", bot.py]\n')
    (folder / "bot.py").write_text("raise ValueError('no opening book')\n")
    bot(tmp_path / "in" / "s1002", "name: x\n")
    files = [
        "--roster",
        EXAMPLE / "roster.csv",
        "--submissions",
        tmp_path / "in",
        "--out",
        "out" if relative else tmp_path / "out",
    ]
    arguments = ("grade", EXAMPLE / "assignment.yaml", *files, "--set", "isolation=none")
    done = run_arena(*map(str, arguments), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "3 students: 2 not playable, 1 missing" in done.stdout
    isolation, first, second = done.stderr.splitlines()
    assert isolation == "Isolation: none. Bots run with your rights."
    assert first.startswith("1/2 s1001: not playable: it does not play: the step 'start' of the check failed")
    assert second.startswith("2/2 s1002: not playable: bot.yaml:1:1: 'run' is missing")
    page = (tmp_path / "out" / "feedback" / "s1001.md").read_text()
    assert "exited with code 1" in page
    assert 'File "./bot.py", line 1' in page
    assert str(tmp_path) not in page
    assert "out/students" not in page + (tmp_path / "out" / "feedback" / "s1002.md").read_text()
    again = run_arena(*map(str, arguments), folder=tmp_path)
    assert "(unchanged)" not in again.stderr  # this machine may have been too busy to start it
    assert "graded anew" not in again.stderr
    other = run_arena(*map(str, arguments), "--set", "groups=7", folder=tmp_path)
    told = (
        "out has 1 submission graded by another assignment, other settings, references, or another arena: graded anew"
    )
    assert told in other.stderr
    shutil.rmtree(folder)
    without = run_arena(*map(str, arguments), "--set", "groups=8", folder=tmp_path)
    assert "graded anew" not in without.stderr  # who has submitted nothing now is not


def test_mistakes_of_the_teacher_are_told_before_anything_is_done(tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("name\nJane\n")
    arguments: list[str | Path] = ["grade", EXAMPLE / "assignment.yaml", "--roster"]
    mistakes: list[tuple[list[str | Path], str]] = [
        ([roster], f"{roster}:1:1: no column id"),
        ([EXAMPLE / "roster.csv", "--submissions", tmp_path / "none"], "there is no such folder"),
        ([EXAMPLE / "roster.csv", "--set", "grups=1"], "--set grups: unknown key 'grups'"),
    ]
    for wrong, told in mistakes:
        done = call_arena(*arguments, *wrong, folder=tmp_path)
        assert (done.returncode, told in done.stderr) == (2, True), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["roster.csv"]


def test_a_check_by_an_assignment_has_its_game_and_is_as_thorough(tmp_path: Path) -> None:
    assignment = tmp_path / "assignment.yaml"
    assignment.write_text("name: a\nreferences: [kept/by/the/teacher]\ngame: oklahoma\ncheck: quick\n")
    folder = bot(tmp_path / "bot", NOTHING)
    checked = run_arena("check", folder, "--assignment", assignment, "--isolation", "none", "--json")
    assert checked.returncode == 1
    assert json.loads(checked.stdout)["quick"] is True
    folder = bot(tmp_path / "other", f"{NOTHING}games: [gin]\n")
    refused = call_arena("check", folder, "--assignment", assignment)
    assert (refused.returncode, "does not list oklahoma among its games" in refused.stderr) == (2, True)


@pytest.mark.thorough
@pytest.mark.timeout(300)
def test_the_example_grades_a_class(tmp_path: Path) -> None:
    for student, sample in (("s1001", "greedy"), ("4712", "beginner"), ("Zoe Muller", "random")):
        shutil.copytree(SAMPLES / sample, tmp_path / "in" / student, ignore=shutil.ignore_patterns("__pycache__"))
    done = run_arena(
        *("grade", EXAMPLE / "assignment.yaml", "--roster", EXAMPLE / "roster.csv", "--submissions", tmp_path / "in"),
        *("--out", tmp_path / "out", "--set", "groups=4", "--set", "check=quick"),
    )
    assert done.returncode == 0, done.stderr
    assert "3 students: 3 graded" in done.stdout
    rows = (tmp_path / "out" / "gradebook.csv").read_text(encoding="utf-8-sig").splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == ["s1001", "s1002", "s1003"]
    assert "came out even" in (tmp_path / "out" / "teacher.md").read_text()
