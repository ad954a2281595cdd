"""`arena verify`, as a process."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from command import call_arena, run_arena


def test_a_run_as_it_was_played_verifies(played: Path) -> None:
    done = run_arena("verify", played)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{played}: 4 of 4 games, 4 hands: all agree\ndigest ")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE games SET seat0 = seat1, seat1 = seat0 WHERE game = 3", "game 3 of the schedule: seats: expected "),
        ("UPDATE hands SET line = 'Z' || line WHERE game = 3", "game 3: hand 1: column 1: expected "),
    ],
    ids=["another", "unreadable"],
)
def test_a_changed_record_is_named_and_answered_with_no(change: str, told: str, played: Path, tmp_path: Path) -> None:
    changed = shutil.copytree(played, tmp_path / "changed")
    with closing(sqlite3.connect(changed / "run.sqlite")) as connection, connection:
        connection.execute(change)
    done = call_arena("verify", changed)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith(f"{changed}: {told}")
    assert done.stdout.count("\n") == 1


def test_a_folder_that_holds_no_run_is_wrong_input(tmp_path: Path) -> None:
    done = call_arena("verify", tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert str(tmp_path) in done.stderr
