"""`arena export`."""

import json
from pathlib import Path

import pytest
from command import call_arena, run_arena


@pytest.mark.parametrize(
    ("options", "own_field"),
    [((), "deck"), (("--what", "hands", "--format", "jsonl"), "deck"), (("--what", "games"), "margins")],
)
def test_every_line_is_an_object_of_what_was_asked_for(played: Path, options: tuple[str, ...], own_field: str) -> None:
    done = run_arena("export", played, *options)
    assert (done.returncode, done.stderr) == (0, "")
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert [thing["game_id"] for thing in objects] == [0, 1, 2, 3]
    assert all(own_field in thing for thing in objects)


@pytest.mark.parametrize("option", ["--what", "--format"])
def test_an_unknown_choice_is_wrong_usage(played: Path, option: str) -> None:
    done = call_arena("export", played, option, "nothing")
    assert (done.returncode, done.stdout) == (2, "")
    assert "try 'arena export --help'" in done.stderr
