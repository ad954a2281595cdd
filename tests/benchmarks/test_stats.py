"""That `make bench-stats` measures what it says: on a few groups, whose figures mean nothing."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import stats

ROOT = Path(__file__).parents[2]


def test_a_mirrored_hand_is_worth_what_its_variance_says() -> None:
    scores = np.random.default_rng(1).normal(size=(3, 4000, 2))
    scores[1, :, 1] = -scores[1, :, 0] + scores[1, :, 1]  # what one hand brings the other takes, but for as much again
    scores[2] = scores[1]
    worth = stats._worth(scores)
    assert worth[0] == pytest.approx(1, abs=0.1)  # independent hands
    assert worth[1:] == pytest.approx(3, abs=0.3)  # (1 + 2) / 2 over 2 * 1 / 4


@pytest.mark.thorough
def test_every_pair_has_its_figures() -> None:
    command = [sys.executable, "-m", "benchmarks.stats", "--groups", "20", "--workers", "1", "--json"]
    told = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    assert list(told["pairs"]) == list(stats.PAIRS)
    for figures in told["pairs"].values():
        assert set(figures) == {*stats.WAYS, "luck adds"}
        assert all(one["low"] <= one["value"] <= one["high"] or one["value"] > 0 for one in figures.values())
