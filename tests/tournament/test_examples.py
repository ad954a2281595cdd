from pathlib import Path

import pytest

from arena.documents import check, read_document
from arena.tournament.config import SeriesConfig
from arena.tournament.schedule import schedule_of
from arena.tournament.series import load_series

TOURNAMENTS = Path(__file__).parents[2] / "tournaments"

EXAMPLES = {
    "quickstart": ("gin", "single", "games", 3 * 2 * 40),
    "three-hand": ("three-hand", "single", "games", 4 * 6 * 10),
    "oklahoma-hollywood": ("oklahoma", "hollywood", "games", 1 * 2 * 50),
    "deals": ("gin", "single", "deals", 2 * 2 * 1000),
}


def test_every_example_is_tested() -> None:
    assert {path.stem for path in TOURNAMENTS.glob("*.yaml")} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_what_its_name_says(name: str) -> None:
    path = TOURNAMENTS / f"{name}.yaml"
    asked, problems = check(SeriesConfig, read_document(path))
    assert asked is not None, problems
    bots = ", ".join(f"{{name: b{number}, run: [x]}}" for number in range(len(asked.bots)))
    series = load_series(path, [f"bots=[{bots}]"])
    config, games = series.config, len(schedule_of(series, b""))
    assert (config.name, config.game, config.scoring, config.play, games) == (name, *EXAMPLES[name])
