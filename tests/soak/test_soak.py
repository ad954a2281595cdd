"""The short form of `make soak`: some hundred hands with a bot that misbehaves at random, twice."""

import pytest
from series_bench import BOTS, results
from soak.campaign import chaos, soak

WAYS = ("illegal", "malformed", "crash", "leave", "flood", "garbage", "stranger", "repetition", "huge")
HANDS = 160


@pytest.mark.timeout(240)
@pytest.mark.thorough
def test_what_misbehaves_at_random_costs_itself_alone_the_same_every_time_and_the_arena_nothing(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    played = []
    for name, workers, tables in (("a", 1, 8), ("b", 2, 32)):
        folder = tmp_path_factory.mktemp(name)
        bots = [chaos(folder, 250, WAYS), BOTS / "dicer"]
        figures = soak(folder, bots, HANDS // 2, [HANDS // 4], workers=workers, tables=tables)
        assert (figures.hands, figures.processes, figures.folders) == (HANDS, 0, 0)
        assert all(kind.startswith("chaos ") for kind in figures.faults)
        assert len(figures.faults) >= 2
        assert figures.logs <= 2 * 2 * workers
        most = max(held.descriptors for each in figures.held.values() for held in each)
        assert most < 80
        played.append(results(folder / "run") | {"faults": str(sorted(figures.faults.items()))})
    assert played[0] == played[1]
