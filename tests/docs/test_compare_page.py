"""docs/compare.md: its options, exit codes, the example of a comment, and the workflow beside it."""

import re
import subprocess
from pathlib import Path

import pytest
import typer
import yaml
from pages import DOCS, page, section, tables

from arena.cli.app import app
from arena.cli.exits import ExitCode
from arena.standings import sequential
from arena.standings.statistics import Estimate
from arena.tournament.comparison import ALIKE, USUAL, Comparison
from arena.tournament.gate import PRIOR_SD, Word
from arena.tournament.verdict_text import Report, in_markdown
from arena.tournament.verdicts import Difference, Standing

PAGE = page("compare.md")
COMMAND = typer.main.get_command(app).commands["compare"]  # type: ignore[attr-defined]
WORKFLOW = yaml.safe_load((DOCS / "compare-workflow.yml").read_text())
STEPS = {step["name"]: step for step in WORKFLOW["jobs"]["compare"]["steps"] if "name" in step}

EXAMPLE = Report(
    Word.NOT_WORSE,
    "",
    Comparison(scores="adjusted"),
    [
        ("old", "ginny 1.2 (git:origin/main:bots/ginny), content 4be0643f1d98"),
        ("new", "ginny 1.3 (bots/ginny), content 98c1185fd9b2"),
    ],
    Standing(
        word=Word.NOT_WORSE,
        why="",
        groups=2500,
        hands=5000,
        differing=188,
        judged=Estimate(0.312, 0.118),
        raw=Estimate(0.284, 0.171),
        adjusted=Estimate(0.312, 0.118),
        sd=1.9,
        ratio=3.02,
        limit=2.996,
        faults={},
        differences=(
            Difference(12, "old", 1, 7, 24, 25, "discard 7H", "knock 3C", 25.0),
            Difference(40, "old", 1, 3, 81, 80, "stock", "pile", -31.0),
            Difference(53, "old", 1, 9, 106, 107, "discard QS", "discard 4D", 6.0),
        ),
    ),
    Path("compare"),
)


def between(name: str) -> str:
    """What stands between two comments of the page."""
    return PAGE.split(f"<!-- begin of the {name} -->\n")[1].split(f"<!-- end of the {name} -->")[0]


def test_every_option_has_its_line() -> None:
    told = {option for row in tables(section(PAGE, "Options"))[0] for option in re.findall(r"--[a-z-]+", row["option"])}
    options = {text for one in COMMAND.params for text in one.opts if text.startswith("--")}
    assert told == options - {"--help"}


def test_defaults_are_told_right() -> None:
    rows = {row["option"]: row["default"] for row in tables(section(PAGE, "Options"))[0]}
    for number, option in enumerate(("`--worse`", "`--better`")):
        usual, better = USUAL["not-worse"][number], USUAL["better"][number]
        assert rows[option] == f"`{usual}`; for `better` `{better}`"
    assert f"in {ALIKE} deal groups. Where one in {ALIKE // 3 + 1} is" in PAGE


def test_every_verdict_has_its_line_and_its_exit_code() -> None:
    rows = tables(section(PAGE, "How to read it"))[0]
    words = [word for row in rows for word in row["verdict"].split("; ")]
    assert sorted(words) == sorted(word.value for word in Word)
    codes = {int(code) for row in rows for code in re.findall(r"[0-9]+", row["exit code"])}
    assert codes == {ExitCode.FINE, ExitCode.REJECTED, ExitCode.UNDECIDED}


def test_the_constants_of_the_formulas_are_told_right() -> None:
    assert f"Fewer than {sequential.FEWEST} groups say nothing" in PAGE
    assert f"counts {sequential.PRIOR_GROUPS} groups more, of the spread that is expected ({PRIOR_SD:g} points" in PAGE


def test_the_example_of_a_comment_is_what_the_command_writes() -> None:
    assert between("comment").strip() == in_markdown(EXAMPLE).strip()


def test_the_report_of_the_gate_is_on_the_page() -> None:
    report, *_ = tables(between("report"))
    assert "a copy" in [row["the truth"] for row in report]
    assert not [row for row in report if row[""]]


@pytest.mark.parametrize(("ends", "passes"), [(0, 0), (10, 10), (20, 0), (2, 2)])
def test_the_workflow_fails_where_the_new_version_is_rejected(tmp_path: Path, ends: int, passes: int) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "arena").write_text(f'#!/bin/sh\necho "$@" > asked\necho "how it went" > summary.md\nexit {ends}\n')
    (programs / "arena").chmod(0o755)
    summary = tmp_path / "summary"
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", STEPS["Compare"]["run"]],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        env={
            "PATH": f"{programs}:/usr/bin:/bin",
            "TARGET": "origin/main",
            "BOT": WORKFLOW["env"]["BOT"],
            "GITHUB_STEP_SUMMARY": str(summary),
        },
    )
    assert done.returncode == passes, done.stderr
    assert ("::warning::" in done.stdout) is (ends == 20)
    assert summary.read_text() == "how it went\n"
    command, *arguments = (tmp_path / "asked").read_text().split()
    assert command == "compare"
    assert arguments[:2] == ["git:origin/main:bots/ginny", "bots/ginny"]
    options = {text for one in COMMAND.params for text in one.opts}
    assert {word for word in arguments if word.startswith("--")} <= options
