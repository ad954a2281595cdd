"""The command: its text, its JSON, its codes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import run_arena
from wrong_bots import wrong

from arena.kit.check.course import PARTS

GOLDEN = Path(__file__).parent / "failing_report.txt"
SAMPLES = Path(__file__).parents[2] / "sample_bots"


def settled(text: str, folder: Path) -> str:
    """A report without what differs from run to run and from system to system: times, speeds, memory, the folder."""
    text = re.sub(r"\d+\.\d\d s", "N s", text.replace(str(folder), "FOLDER"))
    text = re.sub(r", memory \d+ MB", "", text)
    return re.sub(r"[\d,]+ (decisions/s|in batches)", r"N \1", text)


@pytest.mark.timeout(240)
def test_the_report_of_a_bot_that_fails(tmp_path: Path) -> None:
    """After a change that is wanted: UPDATE=1 pytest -n0 tests/kit/test_check_command.py."""
    done = run_arena("check", wrong(tmp_path, "knock"), "--quick", environment={"FORCE_COLOR": "1"})
    text = settled(done.stdout, tmp_path)
    if "UPDATE" in os.environ:
        GOLDEN.write_text(text)
    assert done.returncode == 1, done.stderr
    assert text == GOLDEN.read_text()
    assert done.stderr == ""


@pytest.mark.thorough
@pytest.mark.timeout(240)
def test_json_has_every_step() -> None:
    done = run_arena("check", SAMPLES / "simple", "--quick", "--json", "--seed", "another")
    report = json.loads(done.stdout)
    assert (done.returncode, report["passed"], report["seed"], report["quick"]) == (0, True, "another", True)
    assert [(step["number"], step["name"]) for step in report["steps"]] == [
        (number, part.name) for number, part in enumerate(PARTS, 1)
    ]
    assert {step["outcome"] for step in report["steps"]} == {"passed", "skipped"}
    assert set(report["steps"][0]) == {
        "number", "name", "title", "outcome", "note", "seconds", "warnings", "problem",
    }  # fmt: skip


def test_json_of_a_failure_has_the_problem_in_parts(tmp_path: Path) -> None:
    done = run_arena("check", wrong(tmp_path, "exits at once"), "--json")
    problem = json.loads(done.stdout)["steps"][1]["problem"]
    assert done.returncode == 1
    assert problem["sent"].startswith("the command '{python} wrong.py")
    assert problem["came"] == "the process exited with code 1 before it was ready"
    assert problem["expected"] == "a bot that listens where ARENA_LISTEN says, within 10 s"
    assert problem["printed"] == "no opening book"


def test_an_interrupt_ends_a_build_at_once(tmp_path: Path) -> None:
    """It must not be waited for; pytest ends a test that does."""
    wrong(
        tmp_path, "nothing", build="[sh, -c, 'mkdir build; echo $$ > build/pid; mv build/pid build/begun; sleep 3600']"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "check", tmp_path, "--isolation", "none"], stderr=subprocess.PIPE, text=True
    )
    begun = tmp_path / "build" / "begun"
    while not begun.exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.communicate()[1] == "interrupted\n"
    assert process.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(begun.read_text()), 0)


@pytest.mark.parametrize(
    ("manifest", "told"), [(None, "no bot.yaml in this folder"), ("name: x\nrum: [a]\n", "bot.yaml:")]
)
def test_what_is_no_bot_is_wrong_input(manifest: str | None, told: str, tmp_path: Path) -> None:
    if manifest is not None:
        (tmp_path / "bot.yaml").write_text(manifest)
    done = run_arena("check", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
