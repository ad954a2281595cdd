"""`arena build`."""

import re
from pathlib import Path

from command import run_arena


def a_bot(folder: Path, build: str) -> None:
    folder.mkdir()
    (folder / "bot.yaml").write_text(f"name: bot\n{build}run: ['{{python}}', bot.py]\n")


def test_every_bot_has_its_line_and_a_failure_its_words(tmp_path: Path) -> None:
    a_bot(tmp_path / "plain", "")
    a_bot(tmp_path / "broken", "build: [sh, -c, 'echo line one; echo line two; exit 2']\n")
    a_bot(tmp_path / "fine", "build: ['true']\n")
    done = run_arena("build", "plain", "broken", "fine", folder=tmp_path)
    assert done.returncode == 1
    assert re.sub(r"\d+\.\d s", "N s", done.stdout) == ("plain: nothing to build\nbroken: failed\nfine: built in N s\n")
    assert done.stderr == (
        f"{tmp_path}/broken: the build command 'sh -c echo line one; echo line two; exit 2' failed with code 2; "
        "it printed:\n    line one\n    line two\n"
    )


def test_what_is_built_is_unchanged_until_it_is_forced(tmp_path: Path) -> None:
    a_bot(tmp_path / "fine", "build: ['true']\n")
    lines = [run_arena("build", *more, "fine", folder=tmp_path).stdout for more in ([], [], ["--force"])]
    assert [line.split()[1] for line in lines] == ["built", "unchanged", "built"]


def test_a_wrong_path_and_a_wrong_manifest_are_told_and_the_others_built(tmp_path: Path) -> None:
    a_bot(tmp_path / "wrong", "bild: [make]\n")
    a_bot(tmp_path / "broken", "build: ['false']\n")
    a_bot(tmp_path / "fine", "build: ['true']\n")
    done = run_arena("build", "absent", "wrong", "broken", "fine", folder=tmp_path)
    assert done.returncode == 2
    assert [line.partition(": ")[2].split()[0] for line in done.stdout.splitlines()] == ["no", "no", "failed", "built"]
    absent, wrong, *_ = done.stderr.splitlines()
    assert absent.startswith("absent: there is no such folder")
    assert wrong.startswith("wrong/bot.yaml:2:1: ")
