"""`arena replay`, as a process."""

import os
import pty
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from command import call_arena, run_arena

RED, CYAN = "\x1b[31m", "\x1b[36m"


def on_a_terminal(*arguments: str | Path, **environment: str) -> str:
    """What `arena ARGUMENTS` shows on a terminal."""
    terminal, inside = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR"}}
    command = [sys.executable, "-m", "arena", *map(str, arguments)]
    with subprocess.Popen(command, stdout=inside, env={**kept, "TERM": "xterm-256color", **environment}) as process:
        os.close(inside)
        shown = b""
        try:
            while more := os.read(terminal, 4096):
                shown += more
        except OSError:  # how Linux tells the end of a terminal
            pass
    os.close(terminal)
    assert process.returncode == 0
    return shown.decode()


def test_a_game_is_shown_a_line_a_hand(played: Path) -> None:
    done = run_arena("replay", played, "2")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "Game 2: gin, deal group 1, seating 0"
    assert lines[-1].startswith("The game is over (deals): random ")


def test_a_hand_is_shown_turn_by_turn_and_plain_in_a_pipe(played: Path) -> None:
    done = call_arena("replay", played, "2", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Game 2, hand 1 of 1: gin, deal group 1\n")
    assert " is dealt " in done.stdout
    assert "\x1b" not in done.stdout


def test_colours_are_for_terminals_that_want_them(played: Path) -> None:
    coloured = on_a_terminal("replay", played, "2", "1")
    assert RED in coloured
    assert CYAN in coloured
    without = on_a_terminal("replay", played, "2", "1", NO_COLOR="1")
    assert RED not in without
    assert CYAN not in without


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        (["4"], "expected a game from 0 to 3, got 4"),
        (["0", "2"], "expected one of the 1 hands of game 0, got 2"),
        (["-1"], "Invalid value for 'GAME': "),  # the rest is in typer's words, others in each version
        (["0", "-1"], "Invalid value for 'HAND': "),
        (["first"], "Invalid value for 'GAME'"),
    ],
)
def test_a_number_that_is_not_there_is_told(played: Path, numbers: list[str], told: str) -> None:
    done = call_arena("replay", played, *numbers)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert told in done.stderr


def test_a_game_that_is_not_finished_is_told_with_the_way_on(played: Path, tmp_path: Path) -> None:
    unfinished = shutil.copytree(played, tmp_path / "unfinished")
    with closing(sqlite3.connect(unfinished / "run.sqlite")) as connection, connection:
        for table in ("times", "faults", "hands", "results"):
            connection.execute(f"DELETE FROM {table} WHERE game = 3")
    done = call_arena("replay", unfinished, "3")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"game 3 is not finished; to go on with the run: arena resume {unfinished}\n")
