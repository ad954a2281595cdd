"""What a command leaves behind that is killed, the next one removes."""

import os
import subprocess
import sys
import time
from pathlib import Path

from command import run_arena
from series_bench import seen


def test_what_a_killed_check_has_left_is_removed_by_the_next_command(tmp_path: Path) -> None:
    scratch, bot = tmp_path / "tmp", tmp_path / "silent"
    scratch.mkdir()
    bot.mkdir()
    (bot / "bot.yaml").write_text("name: silent\nrun: [sleep, '3600']\n")
    check = [sys.executable, "-m", "arena", "check", str(bot), "--isolation", "none"]
    with subprocess.Popen(check, env={**os.environ, "TMPDIR": str(scratch)}, stdout=subprocess.DEVNULL) as killed:
        while not seen(scratch, "gin-*/gin-*/scratch"):
            time.sleep(0.01)
        killed.kill()
    assert list(scratch.iterdir())
    (bot / "bot.yaml").write_text("name: silent\nrun: ['false']\n")
    assert run_arena("check", bot, environment={"TMPDIR": str(scratch)}).returncode == 1
    assert not list(scratch.iterdir())
