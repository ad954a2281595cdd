import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from isolation_bench import Bench, bench_of

WHO = ["as root", "as an ordinary user"] if hasattr(os, "geteuid") and os.geteuid() == 0 else ["as this user"]


@pytest.fixture(params=WHO)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """Where attacks are run, by an arena of each kind of user that the tests can be."""
    if sys.platform != "linux":
        pytest.skip("only Linux has what isolation is made of")
    folder = Path(tempfile.mkdtemp(prefix="test-"))  # pytest's own folders are for one user alone
    folder.chmod(0o755)
    yield bench_of(folder, ordinary=request.param == "as an ordinary user")
    shutil.rmtree(folder)
