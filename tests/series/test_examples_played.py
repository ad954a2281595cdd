"""Every example series is played, small, and what comes of it keeps the laws of tables."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from command import run_arena
from series_bench import records_of

TOURNAMENTS = Path(__file__).parents[2] / "tournaments"
SMALL = {
    "quickstart": ("groups=2",),
    "three-hand": ("groups=1", "triples=balanced 1"),
    "oklahoma-hollywood": ("groups=2",),
    "deals": ("groups=2",),
}


EXAMPLES = [
    pytest.param(path, id=path.stem, marks=() if path.stem == "quickstart" else pytest.mark.thorough)
    for path in sorted(TOURNAMENTS.glob("*.yaml"))
]


@pytest.mark.parametrize("path", EXAMPLES)
def test_an_example_is_played_and_its_tables_keep_their_laws(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    settings = [word for setting in SMALL[path.stem] for word in ("--set", setting)]
    done = run_arena("run", path, "--out", out, *settings)
    assert done.returncode == 0, done.stderr
    tables = json.loads((out / "standings.json").read_text())
    played = records_of(out)
    seats = len(played[0][0].seats)
    standings: list[dict[str, Any]] = tables["standings"]

    places = [row["place"] for row in standings]
    assert places == [1 + sum(other < place for other in places) for place in places]
    for row in standings:
        assert row["games"] == row["won"] + row["drawn"] + row["lost"]
        assert row["faults"] == 0
    # Every game and every hand is in the rows of those who played it, and its margins add up to nothing.
    appearances = Counter(name for spec, _ in played for name in spec.seats)
    assert {row["bot"]: row["games"] for row in standings if row["games"]} == appearances
    assert sum(row["hands"] for row in standings) == seats * sum(len(record.hands) for _, record in played)
    assert all(sum(record.outcome.margins) == 0 for _, record in played)
    assert sum(row["margin_a_game"] * row["games"] for row in standings if row["games"]) == pytest.approx(
        0, abs=1e-3 * len(played)
    )
    for end in ("gins", "knocks", "undercuts"):
        assert sum(row[end] for row in standings) == sum(row[f"{end}_suffered"] for row in standings)

    meetings = {(row["bot"], row["against"]): row for row in tables["crosstable"]}
    for (bot, against), row in meetings.items():
        mirrored = meetings[against, bot]
        assert (row["games"], row["hands"], row["margin_a_hand"]) == (
            mirrored["games"], mirrored["hands"], -mirrored["margin_a_hand"],
        )  # fmt: skip
    for row in standings:
        assert sum(meeting["games"] for pair, meeting in meetings.items() if pair[0] == row["bot"]) == (
            row["games"] * (seats - 1)
        )
    assert {"standings.md", "standings.csv", "crosstable.md", "crosstable.csv", "timing.md", "timing.json"} <= {
        file.name for file in out.iterdir()
    }
