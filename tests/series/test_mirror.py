"""A bot against its own copy scores exactly zero in every deal group, whether it throws dice or not."""

from itertools import permutations
from pathlib import Path

import pytest
from bots_at_table import bot_class, play
from playing import FORMATS
from series_bench import BOTS, SAMPLES, named, play_series, records_of, write_series

from arena.dealer.values import GameSpec

DICER, SIMPLE = BOTS / "dicer", SAMPLES / "simple"


def test_copies_as_processes_score_zero_in_every_group(tmp_path: Path) -> None:
    copies = [named(name, DICER) for name in ("one", "two")]
    play_series(write_series(tmp_path, copies, groups=8), tmp_path / "run")
    margins: dict[tuple[int, str], float] = {}
    winners = set()
    for spec, record in records_of(tmp_path / "run"):
        for name, margin in zip(spec.seats, record.outcome.margins, strict=True):
            margins[spec.group, name] = margins.get((spec.group, name), 0.0) + margin
        winners.add(spec.seats[record.outcome.places.index(1)])
    assert set(margins.values()) == {0}
    assert winners == {"one", "two"}


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
