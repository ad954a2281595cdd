"""A small class, where some bots are broken: a table with all of them, and nobody pays for another."""

import json

import pytest
from soak.campaign import crowd, soak


@pytest.mark.thorough
@pytest.mark.timeout(240)
def test_a_class_with_broken_bots_has_its_table(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("c")
    bots = crowd(folder, 10)
    figures = soak(folder, [bots[0], *bots[3:6], bots[9]], 4, [])
    assert (figures.hands > 20, figures.processes, figures.folders) == (True, 0, 0)
    standings = json.loads((folder / "run" / "standings.json").read_text())["standings"]
    faults = {row["bot"]: row["faults"] for row in standings}
    assert faults.pop("pupil004") > 0
    assert faults.pop("pupil009") == 8
    assert faults == {"pupil000": 0, "pupil003": 0, "pupil005": 0}
