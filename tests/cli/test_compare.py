"""`arena compare`: its exit codes, its run, and what it refuses; a comparison as a process."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from command import run_arena
from compare_bench import BOTS, SAMPLES, SIMPLE
from series_bench import ArenaProcess

from arena.cli import main
from arena.errors import InputError
from arena.records.store import Run
from arena.records.verify import verify

RANDOM = SAMPLES / "random"
QUICK = ("--seed", "7", "--worse", "-3", "--workers", "1", "--raw", "--set", "isolation=none")
"""A question that few hands answer, asked at the least cost."""


def answered(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """Exit code and output of a comparison that plays nothing, in this process."""
    code = main.run(["compare", *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


def compare(folder: Path, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    return run_arena("compare", *arguments, *QUICK, folder=folder)


@pytest.mark.timeout(240)
def test_what_is_far_worse_is_rejected_and_leaves_a_run_like_any_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = ("--junit", tmp_path / "verdict.xml", "--markdown", tmp_path / "summary.md")
    done = compare(tmp_path, SIMPLE, RANDOM, "--json", *files)
    assert done.returncode == 10, done.stderr
    values = json.loads(done.stdout)
    assert (values["verdict"], values["passed"], values["run"]) == ("worse", False, "runs/compare-001")
    assert "To see 3 points a hand with 95 % you need about" in done.stderr
    assert "hands are played." in done.stderr.split("Seed commitment")[0]  # before the first card
    assert ET.parse(tmp_path / "verdict.xml").getroot().get("failures") == "1"
    assert "arena compare: worse" in (tmp_path / "summary.md").read_text()
    run = tmp_path / "runs" / "compare-001"
    with Run.open(run) as opened:
        verify(opened)
        first = values["differences"][0]
        assert opened.record(first["new_game"])[1] is not None
    assert (run / "standings.md").exists()

    assert "A comparison stops at its verdict: " in (run / "standings.md").read_text()
    for command in ("faults", "audit", "standings"):  # what was in play then is nothing to go on with
        assert main.run([command, str(run)]) == 0
        said = capsys.readouterr()
        assert not [word for word in ("arena resume", "Not finished") if word in said.out + said.err]

    code, out, err = answered(capsys, SIMPLE, RANDOM, *QUICK, "--json", "--out", run)
    assert code == 10, err
    assert json.loads(out) == values | {"run": str(run)}
    assert "\n0 hands in" in err

    code, _, err = answered(capsys, SIMPLE, BOTS / "keeps_high", *QUICK, "--out", run)
    assert code == 2
    assert "the new version has changed since this comparison began" in err
    assert main.run(["resume", str(run)]) == 2
    assert "this is a comparison, which stops at its verdict; go on with" in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.timeout(240)
def test_the_verdict_does_not_hang_on_workers_or_on_being_stopped(tmp_path: Path) -> None:
    question = ("compare", SIMPLE, BOTS / "keeps_high", "--seed", "7", "--worse", "-2", "--json", "--raw")
    whole = run_arena(*question, "--workers", "1", "--out", tmp_path / "whole")
    assert whole.returncode in (0, 10), whole.stderr
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with ArenaProcess(scratch, *question, "--workers", "2", "--out", tmp_path / "stopped") as arena:
        arena.wait_for_games(tmp_path / "stopped", 100)
        arena.interrupt()
        code, out, _ = arena.end()
        assert code == 130
        stopped = json.loads(out)
        assert (stopped["verdict"], stopped["passed"]) == ("undecided", None)
        assert stopped["why"].startswith("Interrupted; to go on, give the same command and --out")
    finished = run_arena(*question, "--workers", "2", "--out", tmp_path / "stopped")
    assert finished.returncode == whole.returncode, finished.stderr
    first, second = [json.loads(done.stdout) | {"run": "", "why": ""} for done in (whole, finished)]
    assert first == second


@pytest.mark.thorough
@pytest.mark.timeout(240)
def test_a_copy_that_is_not_the_same_plays_without_a_difference(tmp_path: Path) -> None:
    shutil.copytree(SIMPLE, tmp_path / "copy")
    with (tmp_path / "copy" / "bot.py").open("a") as program:
        program.write("# not a word more\n")
    for options, code in (((), 0), (("--hypothesis", "better"), 10)):
        done = run_arena("compare", SIMPLE, tmp_path / "copy", "--json", *options, folder=tmp_path)
        assert done.returncode == code, done.stderr
        values = json.loads(done.stdout)
        assert (values["verdict"], values["differing_hands"], values["groups"]) == ("no difference in play", 0, 500)


@pytest.mark.thorough
@pytest.mark.timeout(240)
def test_a_pool_is_played_by_both(tmp_path: Path) -> None:
    done = compare(tmp_path, SIMPLE, RANDOM, "--against", f"{SAMPLES}/greed*", "--json")
    assert done.returncode == 10, done.stderr
    assert list(json.loads(done.stdout)["bots"]) == ["old", "new", "against greedy"]


@pytest.mark.thorough
@pytest.mark.timeout(240)
def test_time_that_is_up_leaves_it_undecided(tmp_path: Path) -> None:
    done = run_arena(
        "compare", SIMPLE, BOTS / "keeps_high", "--worse", "-0.01", "--max-time", "4s", "--raw", folder=tmp_path
    )
    assert done.returncode == 20, done.stderr
    assert done.stdout.startswith("open: undecided\nThe time is up; to go on, give the same command and --out runs/")


def test_versions_of_one_content_are_not_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    junit = tmp_path / "verdict.xml"
    code, out, _ = answered(capsys, SIMPLE, SIMPLE, "--junit", junit)
    assert code == 0
    assert out.startswith(
        "passed: same content\nBoth versions have the same content, so that there is nothing to play."
    )
    assert ET.parse(junit).getroot().get("failures") == "0"
    code, out, _ = answered(capsys, SIMPLE, SIMPLE, "--hypothesis", "better")
    assert code == 10
    assert out.startswith("REJECTED: same content\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([SIMPLE, "nowhere"], "nowhere: there is no such folder, expected one with a bot and its bot.yaml"),
        ([SIMPLE, RANDOM, "--against", "nowhere"], "--against: no folder with a bot.yaml matches 'nowhere'"),
        ([SIMPLE, RANDOM, "--hypothesis", "equal"], "--hypothesis: expected not-worse or better, got 'equal'"),
        ([SIMPLE, RANDOM, "--worse", "much"], "--worse: expected points a hand such as -0.3, or standard"),
        ([SIMPLE, RANDOM, "--worse", "0.5"], "--worse, --better: expected a bound for worse below the one for better"),
        ([SIMPLE, RANDOM, "--max-time", "soon"], "--max-time: expected a"),
        ([SIMPLE, RANDOM, "--set", "groups=3"], "--set groups: give --max-hands"),
        ([SIMPLE, RANDOM, "--rules", "nowhere.yaml"], "nowhere.yaml: No such file or directory"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_played(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: Sequence[str | Path],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = answered(capsys, *arguments, "--junit", "verdict.xml")
    assert (code, out) == (2, "")
    assert told in err
    assert os.listdir(tmp_path) == ["verdict.xml"]  # noqa: PTH208 - and no run
    assert ET.parse(tmp_path / "verdict.xml").getroot().get("errors") == "1"


@pytest.mark.parametrize(
    ("option", "place", "told"),
    [
        ("--junit", "nowhere/verdict.xml", "nowhere/verdict.xml: No such file or directory, expected a file that can"),
        ("--junit", "folder", "folder: Is a directory, expected a file that can be written"),
        ("--markdown", "nowhere/summary.md", "nowhere/summary.md: No such file or directory, expected a file that can"),
        ("--markdown", "file/summary.md", "file/summary.md: Not a directory, expected a file that can be written"),
        ("--out", "folder", "folder: expected a new or an empty folder, got one with something in it"),
        ("--out", "file", "file: expected a folder, got a file, here or above"),
        ("--out", "file/run", "file/run: expected a folder, got a file, here or above"),
    ],
)
def test_a_place_that_cannot_take_the_answer_is_told_before_anything_is_played(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    option: str,
    place: str,
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kept").touch()
    (tmp_path / "file").touch()
    code, out, err = answered(capsys, SIMPLE, BOTS / "keeps_high", *QUICK, option, place)
    assert (code, out) == (2, "")
    assert err.startswith(told)
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]  # noqa: PTH208


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ((), "runs/compare-001"),
        (("--out", "deep/run"), "deep/run"),
        (("--out", "../run", "--junit", "verdict.xml"), "verdict.xml"),
        (("--out", "../run", "--markdown", "summary.md"), "summary.md"),
    ],
)
def test_nothing_is_written_into_the_folder_of_a_bot(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: Sequence[str],
    place: str,
) -> None:
    shutil.copytree(BOTS / "keeps_high", tmp_path / "bot")
    monkeypatch.chdir(tmp_path / "bot")
    code, out, err = answered(capsys, SIMPLE, ".", *QUICK, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"{place} is in the folder of new, ")
    assert "Measuring" not in err
    assert os.listdir(tmp_path) == ["bot"]  # noqa: PTH208
    kept = {path.name for path in (BOTS / "keeps_high").iterdir()}
    assert {*os.listdir()} <= {*kept, "verdict.xml"}  # noqa: PTH208 - which has this very error


def test_files_of_an_answer_that_is_never_given_are_left_as_they_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old.md", tmp_path / "new.md"
    old.write_text("of another day")
    for summary in (old, new):
        assert answered(capsys, SIMPLE, "nowhere", "--markdown", summary)[0] == 2
    assert old.read_text() == "of another day"
    assert not new.exists()


def test_that_luck_will_not_be_judged_is_told_before_the_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object) -> None:
        raise InputError("as far as here")

    monkeypatch.setattr("arena.cli.compare.tell_power", stop)
    strange = ("--set", "rules.knock_limit=5", "--set", "isolation=none")  # rules that no value function was fitted to
    question = (SIMPLE, BOTS / "keeps_high", *strange, "--out", tmp_path / "run")
    _, _, err = answered(capsys, *question)
    assert err.startswith("Note: Luck is not judged: ")
    _, _, err = answered(capsys, *question, "--raw")  # as was asked
    assert err == "as far as here\n"


def test_two_comparisons_that_begin_together_get_a_folder_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def begin_another(*_: object) -> None:
        (tmp_path / "runs" / "compare-001").mkdir(parents=True)

    def stop(run: Run, *_: object) -> None:
        raise InputError(str(run.folder))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("arena.cli.compare.tell_power", begin_another)  # while this one measures the pace
    monkeypatch.setattr("arena.cli.compare._play", stop)
    _, _, err = answered(capsys, SIMPLE, BOTS / "keeps_high", *QUICK)
    assert err.splitlines()[-1] == "runs/compare-002"


@pytest.mark.timeout(120)
def test_games_that_take_for_ever_are_broken_off_when_the_time_is_up(tmp_path: Path) -> None:
    sleeper = tmp_path / "sleeper"
    shutil.copytree(SIMPLE, sleeper)
    program = (sleeper / "bot.py").read_text()
    forever = "    def discard(self, _):\n        __import__('time').sleep(3600)\n\n    def other("
    (sleeper / "bot.py").write_text(program.replace("    def discard(", forever))
    patient = ("--set", "clock.decision=1h", "--set", "clock.bank=1h", "--max-time", "4s")
    for _ in range(2):  # in the measuring, and in the play
        done = compare(tmp_path, SIMPLE, sleeper, *patient, "--out", "run")
        assert done.returncode == 20, done.stderr
        assert done.stdout.startswith("open: undecided\nThe time is up; to go on, give the same command and --out run.")


def test_a_bot_that_is_not_built_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.yaml").write_text('name: ginny\nbuild: ["{python}", -c, "raise SystemExit(3)"]\nrun: [none]\n')
    code, _, err = answered(capsys, SIMPLE, bot, "--set", "isolation=none")
    assert code == 2
    assert "the build command" in err
    assert "failed with code 3" in err


def test_a_bot_that_does_not_start_is_told_before_there_is_a_run(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.yaml").write_text('name: ginny\nversion: "2"\nrun: ["{python}", -c, "raise SystemExit(3)"]\n')
    done = compare(tmp_path, SIMPLE, bot)
    assert done.returncode == 2
    assert "the new version, ginny 2 (" in done.stderr
    assert "does not get ready to play: the process exited with code 3 before it was ready" in done.stderr
    assert not (tmp_path / "runs").exists()
