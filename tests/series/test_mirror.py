"""A bot against its own copy scores exactly zero in every deal group, whether it throws dice or not."""

from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from bots_at_table import bot_class, play
from playing import FORMATS
from series_bench import BOTS, SAMPLES, named, play_series, records_of, write_series

from arena.dealer.values import GameSpec

DICER, SIMPLE = BOTS / "dicer", SAMPLES / "simple"

SERIES: dict[str, tuple[Path, dict[str, object]]] = {
    "gin": (DICER, {}),
    "three-hand": (DICER, {"game": "three-hand", "groups": 2, "rules": {"target": 30}}),
}


@pytest.mark.parametrize("name", SERIES)
def test_copies_as_processes_score_zero_in_every_group(name: str, tmp_path: Path) -> None:
    bot, keys = SERIES[name]
    copies = [named(copy, bot) for copy in ("one", "two", "three")[: 3 if name == "three-hand" else 2]]
    play_series(write_series(tmp_path, copies, **{"groups": 8, **keys}), tmp_path / "run")
    margins: Counter[tuple[int, str]] = Counter()
    winners = set()
    for spec, record in records_of(tmp_path / "run"):
        for seat, bot_name in enumerate(spec.seats):
            margins[spec.group, bot_name] += record.outcome.margins[seat]  # type: ignore[assignment]  # halves
        winners.add(spec.seats[record.outcome.places.index(1)])
    assert set(margins.values()) == {0}
    assert winners == {copy["name"] for copy in copies}


@pytest.mark.parametrize("bot", [SIMPLE, DICER], ids=lambda bot: bot.name)
@pytest.mark.parametrize("game", FORMATS)
def test_copies_at_a_table_score_zero_in_every_group(game: str, bot: Path) -> None:
    """Every game, scoring and play."""
    format_ = FORMATS[game]
    names = ("one", "two", "three")[: format_.seats]
    copies = [bot_class(bot.name, bot.parent)] * format_.seats
    for group in range(3):
        margins = dict.fromkeys(names, 0.0)
        for seating, seats in enumerate(permutations(names)):
            record = play(GameSpec(seating, group, seating, seats), format_, copies)
            for name, margin in zip(seats, record.outcome.margins, strict=True):
                margins[name] += margin
        assert set(margins.values()) == {0}
