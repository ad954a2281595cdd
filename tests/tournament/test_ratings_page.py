"""The ratings of a run as tables: what people, JSON and CSV are told, and what is refused."""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from command import call_arena, run_arena
from finished_runs import run_of
from made_games import DEALS, made
from playing import Players

from arena.dealer.values import GameSpec
from arena.errors import InputError
from arena.records.store import Run
from arena.standings.sheet import render
from arena.tournament.ratings import LEAST_P, RatedRun, rated

Config = Mapping[str, object]
"""Keys of the series."""


@contextmanager
def deals(
    folder: Path, *pairings: tuple[str, str], groups: int = 12, config: Config = MappingProxyType({})
) -> Iterator[Run]:
    """A run of deals in which the first of every pairing wins both games of each group."""
    info = Players(DEALS).info(4, groups)
    info = replace(info, config=json.dumps(json.loads(info.config) | dict(config)))
    games = [(group, pair, seating) for group in range(groups) for pair in pairings for seating in range(2)]
    specs = [
        GameSpec(index, group, seating, pair[:: 1 - 2 * seating]) for index, (group, pair, seating) in enumerate(games)
    ]
    with Run.create(folder / "run", info, specs) as run:
        run.commit([
            replace(made(group, " ".join(pair), f"{'AB'[seating]}{10 + group}", DEALS)[1], index=index)
            for index, (group, pair, seating) in enumerate(games)
        ])  # fmt: skip
        yield run


CYCLE = (("ann", "bob"), ("bob", "cid"), ("cid", "ann"))


def page(
    folder: Path,
    *pairings: tuple[str, str],
    groups: int = 12,
    anchor: str | None = None,
    config: Config = MappingProxyType({}),
) -> RatedRun:
    with deals(folder, *pairings, groups=groups, config=config) as run:
        return rated(run, anchor=anchor)


def test_people_json_and_csv_are_told_the_same(tmp_path: Path) -> None:
    told = page(tmp_path, ("ann", "bob"), ("ann", "cid"), ("bob", "cid"))
    parts = json.loads(told.as_json())
    assert [row["bot"] for row in parts["ratings"]] == ["ann", "bob", "cid"]
    assert [(row["bot"], row["against"]) for row in parts["pairs"]] == [("ann", "bob"), ("ann", "cid"), ("bob", "cid")]
    rows = list(csv.DictReader(io.StringIO(render(told.ratings, "csv"))))
    assert rows == [{key: "" if cell is None else str(cell) for key, cell in row.items()} for row in parts["ratings"]]
    text = told.as_text("simple")
    assert text.index("Ratings") < text.index("ann") < text.index("Every two bots")
    assert max(map(len, text.splitlines())) <= 80
    assert parts["notes"] == list(told.notes)


def test_nothing_is_told_as_certain(tmp_path: Path) -> None:
    told = page(tmp_path, ("ann", "bob"), groups=40)
    (pair,) = told.pairs.records()
    assert (pair["p"], pair["p_holm"], pair["significant"]) == (LEAST_P, LEAST_P, "yes")
    assert pair["outranks_percent"] == pytest.approx(100 * 2001 / 2002, abs=1e-4)
    assert "99.95" in told.as_text("simple")


def test_a_significant_cycle_is_listed_and_not_hidden_in_equal_ratings(tmp_path: Path) -> None:
    told = page(tmp_path, *CYCLE)
    assert told.cycles == (("ann", "bob", "cid"),)
    assert [(row["place"], row["rating"]) for row in told.ratings.records()] == [(1, 1500)] * 3
    assert [note for note in told.notes if note.startswith("Cycles: ann > bob > cid > ann. ")]


def test_the_series_says_where_the_scale_begins_and_the_command_may_say_otherwise(tmp_path: Path) -> None:
    asked = {"ratings": {"anchor": "bob", "at": 1000}}
    rows = {row["bot"]: row for row in page(tmp_path, ("ann", "bob"), ("bob", "cid"), config=asked).ratings.records()}
    assert (rows["bob"]["rating"], rows["bob"]["rating_low"]) == (1000, None)
    other = page(tmp_path / "other", ("ann", "bob"), ("bob", "cid"), anchor="ann", config=asked)
    assert {row["bot"]: row["rating"] for row in other.ratings.records()}["ann"] == 1000
    assert (
        "Rating: Bradley-Terry, over all games; ann stands at 1000, and 400 more are odds of ten to one." in other.notes
    )


def test_a_table_has_the_probability_that_the_row_outranks_the_column(tmp_path: Path) -> None:
    told = page(tmp_path, ("ann", "bob"), ("bob", "cid"))
    matrix = {row["bot"]: row for row in told.outranks.records()}
    assert [*matrix] == ["ann", "bob", "cid"]
    assert {row["bot"]: row[str(row["bot"])] for row in told.outranks.records()} == dict.fromkeys(matrix)
    for row in told.pairs.records():
        assert matrix[row["bot"]][str(row["against"])] == row["outranks_percent"]


def test_bots_that_never_met_are_compared_and_have_no_margin(tmp_path: Path) -> None:
    told = page(tmp_path, ("ann", "bob"), ("bob", "cid"))
    (row,) = [row for row in told.pairs.records() if {row["bot"], row["against"]} == {"ann", "cid"}]
    assert (row["margin_a_hand"], row["p"], row["significant"]) == (None, None, None)
    assert isinstance(row["outranks_percent"], float)


def test_games_that_ended_in_a_fault_are_in_and_told(tmp_path: Path) -> None:
    with run_of("gin", tmp_path / "run") as run:
        told = rated(run)
    (faults,) = [note for note in told.notes if note.startswith("Faults: ")]
    assert faults.startswith("Faults: in 2 of these games a bot committed one, and 4 were lost unplayed. They count as")
    assert {row["bot"]: row["games"] for row in told.ratings.records()} == {"ann": 10, "bob": 12, "cid": 10}


def test_three_hand_is_rated_by_orders(tmp_path: Path) -> None:
    with run_of("three-hand", tmp_path / "run") as run:
        told = rated(run)
    assert any(note.startswith("Rating: Plackett-Luce") for note in told.notes)
    assert "No intervals: some bot has one deal group only." in told.notes
    assert {row["rating_low"] for row in told.ratings.records()} == {None}


def test_a_run_that_cannot_be_rated_is_told_why(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no deal group is complete yet"):
        page(tmp_path / "none")
    with pytest.raises(InputError, match="cannot be compared: ann, bob; cid, dot"):
        page(tmp_path / "apart", ("ann", "bob"), ("cid", "dot"))
    with (
        deals(tmp_path, ("ann", "bob"), ("bob", "cid"), config={"ratings": {"anchor": "cid"}}) as run,
        pytest.raises(
            InputError, match=r"their anchor is cid, .* expected one of ann, bob; --anchor BOT takes another"
        ),
    ):
        rated(run, frozenset(["cid"]))


def test_the_command_shows_both_tables_with_their_notes_or_one_for_a_program(tmp_path: Path) -> None:
    with deals(tmp_path, *CYCLE) as run:
        folder, told = run.folder, rated(run)
    shown = run_arena("ratings", folder)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == told.as_text("simple") + "\n" + "\n".join(told.notes) + "\n"
    assert call_arena("ratings", folder, "--pairs", "--format", "csv").stdout == render(told.pairs, "csv")
    wrong = call_arena("ratings", folder, "--anchor", "eve")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "their anchor is eve" in wrong.stderr


def test_without_the_extra_the_command_says_how_to_get_it(tmp_path: Path) -> None:
    with deals(tmp_path, *CYCLE) as run:
        folder = run.folder
    program = "import sys; sys.modules['numpy'] = None; from arena.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "ratings", folder], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("this needs the library numpy, which is not installed: pip install 'gin-arena[")
    assert done.stderr.count("\n") == 1
