"""A run with faults ends with where to look."""

from pathlib import Path

from command import run_arena

BOT = """
import sys
from arena.bot import Bot, serve
class Clumsy(Bot):
    def discard(self, turn):
        sys.exit("dropped the cards")
serve(Clumsy)
"""


def test_the_first_hand_with_a_fault_can_be_looked_at(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    run = '["{python}", bot.py]'
    (tmp_path / "series.yaml").write_text(
        f"name: cup\nplay: deals\ngroups: 1\nworkers: 1\nbots: [{{name: one, run: {run}}}, {{name: two, run: {run}}}]\n"
    )
    done = run_arena("run", str(tmp_path / "series.yaml"), "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "run"
    told = f"Faults: what the bots wrote is in {folder / 'logs'}; the first: arena replay {folder} 0 1"
    assert done.stdout.splitlines()[-1] == told
    shown = run_arena("replay", str(tmp_path / "run"), "0", "1")
    assert "dropped the cards" in shown.stdout


def test_a_bot_that_cannot_be_started_has_no_logs_to_look_at(tmp_path: Path) -> None:
    (tmp_path / "series.yaml").write_text(
        "name: cup\nplay: deals\ngroups: 1\nworkers: 1\nbots: [{name: one, run: [none]}, {name: two, run: [neither]}]\n"
    )
    done = run_arena("run", str(tmp_path / "series.yaml"), "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"Faults: the first: arena replay {tmp_path / 'run'} 0 1"
    assert "cannot be started: there is no command" in run_arena("replay", str(tmp_path / "run"), "0", "1").stdout


def test_more_workers_than_a_machine_can_have_are_refused(tmp_path: Path) -> None:
    refused = run_arena("run", str(tmp_path / "series.yaml"), "--workers", "99999999999")
    assert refused.returncode == 2
    assert "1024" in refused.stderr
