import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from bot_bench import Bench


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A bench that has to be left clean: no private folder, no process."""
    private = Path(tempfile.mkdtemp(prefix="test-"))
    monkeypatch.setattr(tempfile, "tempdir", str(private))
    bench = Bench(tmp_path / "logs", private)
    yield bench
    left = bench.left()
    shutil.rmtree(private)
    assert left == ([], [])
