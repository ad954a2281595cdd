"""What other systems do not have: the arena starts without POSIX, and plays where there are no unix sockets."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from bots_at_table import SAMPLE_BOTS
from command import run_arena
from pages import ROOT

pytestmark = pytest.mark.thorough

PROGRAM = Path(__file__).parent / "programs" / "without_posix.py"


def pretend(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """An `arena` command in a process that takes itself to be on Windows."""
    command = [sys.executable, PROGRAM, *arguments]
    environment = os.environ | {"GRPC_VERBOSITY": "ERROR"}  # gRPC is there before the arena, which would see to it
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_nothing_of_posix_is_needed_to_start() -> None:
    done = pretend("--help")
    assert done.returncode == 0, done.stderr
    modules = [path for path in (ROOT / "arena").rglob("*.py") if path.name not in ("__init__.py", "__main__.py")]
    assert int(done.stderr.split()[0]) >= len(modules)
    assert "Fair tournaments for gin rummy bots." in done.stdout


@pytest.mark.timeout(240)
def test_a_bot_is_checked_without_posix() -> None:
    """Started, asked, played and ended, over TCP."""
    done = pretend("check", SAMPLE_BOTS / "simple", "--quick")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\nsimple passes: 27 steps, 1 left out.\n" in done.stdout


def test_without_unix_sockets_every_bot_plays_over_tcp(tmp_path: Path) -> None:
    """A folder for temporary files with too long a path for a socket stands for a system that has none."""
    long = tmp_path / ("x" * 100)
    long.mkdir()
    bots = sorted(path.parent for path in SAMPLE_BOTS.glob("*/bot.py"))
    clock = {"ready": "1h", "decision": "1h"}
    series = {
        "clock": clock,
        "name": "tcp",
        "bots": list(map(str, bots)),
        "groups": 1,
        "play": "deals",
        "seed": 1,
        "workers": 1,
    }
    (tmp_path / "tcp.yaml").write_text(json.dumps(series))
    done = run_arena("run", "tcp.yaml", "--out", "run", folder=tmp_path, environment={"TMPDIR": str(long)})
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "run" / "standings.json").read_text())["standings"]
    assert {row["bot"]: (row["games"], row["faults"]) for row in rows} == {
        bot.name: (2 * len(bots) - 2, 0) for bot in bots
    }
    for bot in bots:
        assert "ARENA-READY 127.0.0.1:" in (tmp_path / "run" / "logs" / bot.name / "stdout.log").read_text()
    assert list(long.iterdir()) == []
