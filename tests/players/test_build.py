"""Building a bot."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.players.build import build
from arena.players.manifest import BotSpec, inline_spec


def bot(folder: Path, *command: str) -> BotSpec:
    return replace(inline_spec("bot", run=("./bot",), folder=folder), build=command or None)


def test_a_build_runs_in_the_folder(tmp_path: Path) -> None:
    build(bot(tmp_path, "{python}", "-c", "open('made', 'w').close()"))
    assert (tmp_path / "made").exists()


def test_a_bot_without_a_build_needs_none(tmp_path: Path) -> None:
    build(bot(tmp_path))


def test_a_build_that_fails_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"failed with code 3; its last words: no compiler; run it there to see all"):
        build(bot(tmp_path, "sh", "-c", "echo trying; echo no compiler >&2; exit 3"))


def test_a_build_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the build command 'mak' cannot be run: there is no command 'mak'"):
        build(bot(tmp_path, "mak"))
