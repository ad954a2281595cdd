"""`arena standings --luck`, on a run that was played in this process."""

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from command import call_arena, run_arena
from playing import FORMATS, Players

from arena.documents import parse_document
from arena.errors import RecordError
from arena.records.plan import check_plan
from arena.records.store import Run
from arena.standings.luck import installed
from arena.tournament.running import begin
from arena.tournament.series import series_of

PLAYERS = Players(FORMATS["gin-deals"])
SCHEDULE = PLAYERS.schedule(3, 4)


def made(folder: Path, luck: str | None) -> Path:
    with Run.create(folder, replace(PLAYERS.info(3, 4), luck=luck), SCHEDULE) as run:
        run.commit([PLAYERS.game(spec) for spec in SCHEDULE])
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return made(tmp_path / "run", installed())


def test_margins_less_luck_stand_beside_the_others(folder: Path) -> None:
    shown = run_arena("standings", folder, "--luck", "--format", "json")
    assert (shown.returncode, shown.stderr) == (0, "")
    told = json.loads(shown.stdout)
    for rows in (told["standings"], told["crosstable"]):
        assert all(row["adjusted_a_hand"] != row["margin_a_hand"] for row in rows)
        assert all(row["adjusted_a_hand_pm"] > 0 for row in rows)
        assert sum(row["adjusted_a_hand"] for row in rows) == pytest.approx(0, abs=1e-3)
    assert any("docs/luck.md" in note for note in told["notes"])
    assert "adjusted" not in call_arena("standings", folder, "--format", "json").stdout


def test_a_crosstable_has_both(folder: Path) -> None:
    for_people = call_arena("standings", folder, "--luck", "--crosstable").stdout
    raw, less = for_people.split("\nLess luck\n")
    assert "ann" in raw
    assert "ann" in less
    heads = (
        call_arena("standings", folder, "--luck", "--crosstable", "--format", "csv").stdout.splitlines()[0].split(",")
    )
    assert sorted(heads[1::2]) == sorted(
        [f"{name}{what}" for name in ("ann", "bob", "cid") for what in ("", " less luck")]
    )


def test_a_run_without_a_judge_is_told_of_and_shown_as_ever(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", None)
    shown = call_arena("standings", folder, "--luck")
    assert shown.returncode == 0
    assert shown.stderr.startswith("Luck is not judged: the run was played by an arena that could not judge luck yet")
    assert shown.stdout == call_arena("standings", folder).stdout


def test_a_run_remembers_what_it_will_be_judged_by(tmp_path: Path) -> None:
    text = "name: x\nbots: [{sample: simple}, {sample: random}]\ngroups: 1\n"
    with begin(series_of(parse_document(text, "s.yaml"), tmp_path), tmp_path, tmp_path / "run") as run:
        assert run.info.luck == installed()
        assert installed() is not None
        assert check_plan(run).groups == 1
    with sqlite3.connect(tmp_path / "run" / "run.sqlite") as database:
        database.execute("UPDATE run SET info = replace(info, ?, ?)", (installed(), "0" * 64))
    database.close()
    with Run.open(tmp_path / "run") as run, pytest.raises(RecordError, match="digest of the plan"):
        check_plan(run)
