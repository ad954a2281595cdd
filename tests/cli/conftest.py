"""A small run, played once by the real command."""

from pathlib import Path

import pytest
from command import run_arena

SAMPLES = Path(__file__).parents[2] / "sample_bots"


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run: two deals, each in two seatings. Copy it before changing anything."""
    folder = tmp_path_factory.mktemp("played")
    series = folder / "small.yaml"
    series.write_text(
        f"name: small\nbots: [{SAMPLES}/random, {SAMPLES}/simple]\nplay: deals\ngroups: 2\nseed: 1\nworkers: 1\n"
    )
    done = run_arena("run", series, "--out", folder / "run")
    assert done.returncode == 0, done.stderr
    return folder / "run"
