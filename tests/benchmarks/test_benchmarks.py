"""That the benchmarks measure something. What they find is never tested: it is another machine's every time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.report import Ratio, as_table, rows_of

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
SPEED = {"decisions/s", "us of the arena", "turns a message"} | (
    {"us of the bots"} if sys.platform == "linux" else set()
)


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", "--quick", "--rounds", "1", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("only", "units"),
    [
        ("floor, batch 64", SPEED),
        ("room: empty bots, no hints, timed", {*SPEED, "hands/s"}),
        ("room: simple", {*SPEED, "hands/s"}),
        ("bots by TCP", {*SPEED, "hands/s"}),
        ("bots that dial in, TLS", {*SPEED, "hands/s"}),
        ("series, 2 workers: simple", {"hands/s", "decisions/s"}),
        ("start of simple", {"ms", "MB"}),
        (
            "commits: deals",
            {"hands/s", "us of the coordinator", "shards/s", "bytes a hand, sent", "bytes a hand, stored"},
        ),
        ("OpenSpiel", {"hands/s"}),
    ],
)
def test_each_measurement_finds_its_figures(only: str, units: set[str]) -> None:
    done = bench("--peers", "--json", "--only", only)
    rows = json.loads(done.stdout or "{}").get("rows", [])
    assert {row["unit"] for row in rows} == units, done.stderr
    assert all(0 < row["lowest"] == row["median"] == row["highest"] for row in rows)


def test_a_language_is_asked_one_turn_and_many() -> None:
    done = bench("--json", "--only", "simple, batch")
    rows = json.loads(done.stdout or "{}").get("rows", [])
    told = {row["what"]: row["median"] for row in rows if row["unit"] == "turns a message"}
    assert told == {"simple, batch 1": 1.0, "simple, batch 64": 64.0}, done.stderr


def test_the_meld_solver_is_compared_with_openspiel() -> None:
    rows = json.loads(bench("--json", "--only", "melds").stdout)["rows"]
    ours, theirs = rows[:3], rows[3:]
    assert [row["unit"] + ", OpenSpiel" for row in ours] == [row["unit"] for row in theirs]
    for mine, other in zip(ours, theirs, strict=True):
        assert mine["ratio"] == pytest.approx(mine["median"] / other["median"])


def test_memory_is_looked_at_while_a_series_is_played() -> None:
    rows = json.loads(bench("--json", "--memory").stdout)["rows"]
    assert [row["unit"] for row in rows] == [
        f"MB, {who} after {hands} hands" for hands in (20, 100) for who in ("coordinator", "worker")
    ]


def test_the_table_has_medians_and_the_medians_of_the_ratios_of_each_round() -> None:
    fast, slow, rest = ("floor", "n/s"), ("arena", "n/s"), ("arena", "MB")
    rounds = [
        {fast: 100.0, slow: 50.0, rest: 7.0},
        {fast: 200.0, slow: 160.0, rest: 8.0},
        {fast: 10.0, slow: 6.0, rest: 9.0},
    ]
    ratios = {slow: Ratio(fast, at_least=0.6), rest: Ratio(("arena", "GB"), at_most=1)}
    floor, arena, memory = rows_of(rounds, ratios)
    assert (floor.median, floor.lowest, floor.highest, floor.ratio) == (100, 10, 200, None)
    assert (arena.median, arena.ratio, arena.by, arena.target, arena.reached) == (
        50,
        0.6,
        "floor",
        "at least 0.6",
        True,
    )
    assert (memory.ratio, memory.by, memory.reached) == (None, "arena, GB: not measured", None)
    assert "0.60" in as_table([floor, arena, memory])


@pytest.mark.parametrize(("ratio", "value", "reached"), [
    (Ratio(("", ""), at_least=0.8), 0.79, False),
    (Ratio(("", ""), at_most=1.0), 1.0, True),
    (Ratio(("", ""), at_most=1.0), 1.01, False),
    (Ratio(("", "")), 0.1, None),
])  # fmt: skip
def test_a_target_is_reached_or_not(ratio: Ratio, value: float, reached: bool | None) -> None:
    assert ratio.reached(value) is reached


def test_a_measurement_that_is_not_there_is_an_error() -> None:
    done = bench("--only", "abacus")
    assert done.returncode == 1
    assert done.stderr.startswith("--only abacus: expected a part of one of these: floor, batch 1; ")
