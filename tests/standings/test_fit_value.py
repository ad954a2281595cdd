"""The tool that fits the value function, on a few games: what it writes is what it has learned, and is read."""

from pathlib import Path

import numpy as np
import pytest

from arena.standings.luck_value import Networks
from tools import fit_value, value_data
from tools.value_data import Rows

FEW = 12


@pytest.fixture(scope="module")
def rows() -> Rows:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value_data, "PART", FEW)
        return value_data._part(0)


def test_the_rows_of_a_draw_are_weighed_against_each_other(rows: Rows) -> None:
    assert len(rows.margin) == 2 * FEW
    assert set(rows.hand) == set(range(2 * FEW))
    assert np.all(np.diff(rows.hand) >= 0)
    by_hand = np.bincount(rows.hand, rows.share)
    assert np.allclose(by_hand, 0, atol=1e-5)


def test_what_is_written_is_what_was_learned(rows: Rows, tmp_path: Path) -> None:
    text = fit_value.fitted(rows, epochs=2, networks=1)
    assert text == fit_value.fitted(rows, epochs=2, networks=1)
    (tmp_path / "value.json").write_text(text)
    read = Networks.read(tmp_path / "value.json")
    centre, spread = rows.features[rows.came].mean(axis=0), rows.features[rows.came].std(axis=0) + 1e-6
    net = fit_value._trained(rows, centre, spread, 2, 0)
    given = (rows.features - centre) / spread
    learned = net.outputs(np.clip(given, -16, 16))[-1][:, 0] * 40
    off = read.worth(rows.features.astype(np.float64)) - learned  # by rounding alone, here and there half a point
    assert np.abs(off).mean() < learned.std() / 10
