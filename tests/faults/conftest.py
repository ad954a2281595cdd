import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from fault_bench import BOTS, Played, play_with

from arena.players.programs import dying_with_us


@pytest.fixture(scope="session")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a bot waits that plays honestly, in as many conversations as there are."""
    path = tmp_path_factory.mktemp("honest") / "s"
    address = f"unix:{path}"
    program = dying_with_us([sys.executable, str(BOTS / "honest.py")])
    with subprocess.Popen(program, env={**os.environ, "ARENA_LISTEN": address}) as process:
        while not path.exists() and process.poll() is None:
            time.sleep(0.005)
        yield address
        process.terminate()


@pytest.fixture(scope="session")
def alone(honest: str, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The series without a culprit."""
    return play_with(honest, [], tmp_path_factory.mktemp("alone"))


@pytest.fixture(scope="module")
def played(request: pytest.FixtureRequest, honest: str, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The series with every culprit of a module's CASES, at the cost of the hand. KEYS: of its series."""
    keys = getattr(request.module, "KEYS", {})
    return play_with(honest, request.module.CASES, tmp_path_factory.mktemp("played"), **keys)
