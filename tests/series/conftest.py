from pathlib import Path

import pytest
from series_bench import BOTS, PAIR_GAMES, SAMPLES, play_series, results, write_series

from arena.tournament.runner import RunEnd


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A series of two bots, one of them a dicer."""
    bots = [SAMPLES / "simple", BOTS / "dicer"]
    return write_series(tmp_path_factory.mktemp("pair"), bots, groups=PAIR_GAMES // 2, rules={"target": 20})


@pytest.fixture(scope="session")
def pair_results(pair: Path) -> dict[str, str]:
    """The results of the pair, played in one go by one worker."""
    assert play_series(pair, pair.parent / "run") is RunEnd.COMPLETE
    return results(pair.parent / "run")
