"""A run with faults: where it points to, `arena faults` and `arena ask`."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from command import call_arena, run_arena

from arena.dealer.values import Void
from arena.players.faults import Fault
from arena.records.store import Run

BOT = """
import sys
from arena.bot import Bot, knock, serve
class Clumsy(Bot):
    def discard(self, turn):
        if turn.hand_number == 1:
            print("\\x1b[2J\\x1b[31mI win\\rbob loses", file=sys.stderr)
            sys.exit("dropped the cards")
        if turn.hand_number == 2:
            return knock(turn.discards[0])
        return [][turn.hand_number]
serve(Clumsy)
"""


@pytest.fixture(scope="module")
def clumsy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bot that fails in every hand, and its run."""
    folder = tmp_path_factory.mktemp("clumsy")
    (folder / "bot").mkdir()
    (folder / "bot" / "bot.py").write_text(BOT)
    (folder / "bot" / "bot.yaml").write_text('name: clumsy\nrun: ["{python}", bot.py]\n')
    (folder / "series.yaml").write_text(
        "name: cup\ngroups: 1\nworkers: 1\nseed: 5\nrules: {target: 500, max_hands: 3}\nbots: [bot, {sample: simple}]\n"
    )
    done = run_arena("run", "series.yaml", folder=folder)
    assert done.returncode == 0, done.stderr
    (folder / "said").write_text(done.stdout)
    return folder


def listed(folder: Path, *arguments: str) -> list[dict[str, object]]:
    done = call_arena("faults", "runs/cup-001", "--json", *arguments, folder=folder)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout)["faults"])


def test_a_run_ends_with_where_to_look(clumsy: Path) -> None:
    last = (clumsy / "said").read_text().splitlines()[-1]
    assert last.startswith("Faults: clumsy ")
    assert last.endswith("What was asked, what came, and where it went wrong: arena faults runs/cup-001")


def test_equal_faults_are_one_entry_with_all_that_its_author_wants(clumsy: Path) -> None:
    done = run_arena("faults", "runs/cup-001", folder=clumsy)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("clumsy: ")
    assert f"  started by  {sys.executable} bot.py, in bot\n" in done.stdout
    assert done.stdout.count("dropped the cards, game ") == 1
    assert ", game 0 hand 1, discard asked; again: arena ask bot 0.1." in done.stdout
    assert "    look        arena replay runs/cup-001 0 1\n" in done.stdout
    kinds = {(problem["kind"], problem["where"]) for problem in listed(clumsy)}
    assert ("crash", "dropped the cards") in kinds
    assert ("crash", "bot.py:11 IndexError: list index out of range") in kinds
    assert [problem["where"] for problem in listed(clumsy) if problem["kind"] == "illegal"] == [None]
    (crash, *_) = [problem for problem in listed(clumsy) if problem["where"] == "dropped the cards"]
    assert (crash["count"], crash["asked"], crash["came"]) == (2, "discard asked", "the process exited with code 1")
    assert crash["command"] == ["{python}", "bot.py"]
    assert len(crash["turns"]) == 2  # type: ignore[arg-type]


def test_what_a_bot_printed_moves_no_cursor_and_forges_no_line(clumsy: Path) -> None:
    for arguments in (["faults", "runs/cup-001", "--full"], ["replay", "runs/cup-001", "0", "1"]):
        done = call_arena(*arguments, folder=clumsy)
        assert all(line.isprintable() for line in done.stdout.split("\n"))
    assert "\\x1b[2J" in call_arena("faults", "runs/cup-001", "--full", folder=clumsy).stdout


def test_one_bot_alone(clumsy: Path) -> None:
    assert listed(clumsy, "--bot", "simple") == []
    assert call_arena("faults", "runs/cup-001", "--bot", "simple", folder=clumsy).stdout == (
        "runs/cup-001: no faults of simple\n"
    )
    refused = call_arena("faults", "runs/cup-001", "--bot", "bib", folder=clumsy)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "expected a bot of the run (clumsy, simple), got bib" in refused.stderr


@pytest.mark.thorough
def test_games_that_were_not_played_come_after_what_they_were_not_played_for(clumsy: Path, tmp_path: Path) -> None:
    more = tmp_path / "more"
    changed = ("--set", "groups=3", "--set", "faults.quarantine_after=1", "--out", more)
    done = run_arena("run", "series.yaml", *changed, folder=clumsy)
    assert done.returncode == 0, done.stderr
    lines = call_arena("faults", more).stdout.splitlines()
    assert re.fullmatch(r"clumsy: \d+ faults?, and [1-5] games? not played for them", lines[0])
    entries = [line for line in lines if re.match(r"  \S.*, game \d", line)]
    assert [line.startswith("  quarantined: ") for line in entries] == [False] * (len(entries) - 1) + [True]


def test_games_that_were_broken_off_have_a_part_of_their_own(clumsy: Path) -> None:
    with Run.open(clumsy / "runs" / "cup-001", write=True) as run:
        run.commit([], voids=[Void(1, Fault.KILLED, "draw asked; killed"), Void(0, Fault.KILLED, "draw asked; killed")])
    done = call_arena("faults", "runs/cup-001", folder=clumsy)
    assert done.stdout.splitlines()[-3:] == [
        "Broken off, which costs nobody anything:",
        "  killed (the host), games 0, 1: draw asked; killed",
        "",
    ]


def first(folder: Path, kind: str) -> str:
    return next(str(problem["turns"][0]) for problem in listed(folder) if problem["kind"] == kind)  # type: ignore[index]


def test_a_turn_is_asked_again_and_judged(clumsy: Path) -> None:
    legal = run_arena("ask", "bot", "0.1.1", folder=clumsy)
    assert legal.returncode == 0, legal.stderr
    assert legal.stdout.startswith("Turn 0.1.1 of runs/cup-001, asked of ")
    illegal = run_arena("ask", "bot", first(clumsy, "illegal"), folder=clumsy)
    assert illegal.returncode == 1
    assert "answer    knock " in illegal.stdout
    assert "(illegal, after " in illegal.stdout
    assert "recorded  illegal: discard asked; expected at most " in illegal.stdout
    crash = run_arena("ask", "bot", first(clumsy, "crash"), folder=clumsy)
    assert crash.returncode == 1
    assert "dropped the cards" in crash.stderr
    assert "recorded  crash: discard asked; the process exited with code 1\n" in crash.stdout


def test_the_bot_has_the_terminal_of_its_author(clumsy: Path, tmp_path: Path) -> None:
    mended = tmp_path / "mended"
    mended.mkdir()
    (mended / "bot.yaml").write_text('name: clumsy\nrun: ["{python}", bot.py]\n')
    (mended / "bot.py").write_text(BOT.replace("if turn.hand_number == 1:", "breakpoint()\n        if False:"))
    asked = run_arena(
        "ask", mended, first(clumsy, "crash"), "--run", clumsy / "runs" / "cup-001", stdin="p turn.kind.name\nc\n"
    )
    assert "(Pdb) 'DISCARD'" in asked.stdout
    assert "; this bot has changed since, or is another\n" in asked.stdout
    assert asked.returncode == 1  # it goes on to the next mistake


def test_a_bot_that_listens_already_is_asked_there(clumsy: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    environment = {**os.environ, "ARENA_LISTEN": f"tcp:{address}", "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, "bot.py"], cwd=clumsy / "bot", env=environment, stdout=subprocess.PIPE, text=True
    ) as bot:
        assert bot.stdout is not None
        assert bot.stdout.readline().startswith("ARENA-READY")
        asked = run_arena("ask", address, "0.1.1", folder=clumsy)
        bot.kill()
    assert asked.returncode == 0, asked.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["bot", "17"], "'17' names no turn, expected game, hand and move, such as 17.4.9"),
        (["bot", "99.1.1"], "expected a game from 0 to 1, got 99"),
        (["bot", "0.99.1"], "there is no turn 0.99.1: of game 0 the hands 1 to "),
        (["nobody", "0.1.1"], "nobody: there is no such folder"),
        (["bot", "0.1.1", "--run", "nowhere"], "nowhere: expected the folder of a run"),
    ],
)
def test_what_cannot_be_asked_is_told(clumsy: Path, arguments: list[str], told: str) -> None:
    done = call_arena("ask", *arguments, folder=clumsy)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(told) or told in done.stderr


def test_a_bot_is_asked_in_its_own_folder_with_the_runs_beside_it(clumsy: Path) -> None:
    done = run_arena("ask", ".", "0.1.1", folder=clumsy / "bot")
    assert done.returncode == 0, done.stderr
    assert "Turn 0.1.1 of " in done.stdout
    assert "/runs/cup-001, asked of " in done.stdout


def test_without_a_run_one_has_to_be_named(tmp_path: Path, clumsy: Path) -> None:
    alone = shutil.copytree(clumsy / "bot", tmp_path / "bot")
    done = call_arena("ask", alone, "0.1.1", folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, "there is no run in the folder runs, expected one with --run DIR\n")


def test_a_bot_that_cannot_be_started_is_told_with_its_command(tmp_path: Path) -> None:
    (tmp_path / "series.yaml").write_text(
        "name: cup\nplay: deals\ngroups: 1\nworkers: 1\nbots: [{name: one, run: [none]}, {name: two, run: [neither]}]\n"
    )
    done = run_arena("run", "series.yaml", "--out", "run", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    shown = call_arena("faults", "run", folder=tmp_path).stdout
    assert "cannot be started: there is no command 'none', game 0 hand 1; again: arena ask --run run BOT 0.1." in shown
    assert "  started by  none, in none\n" in shown


def test_more_workers_than_a_machine_can_have_are_refused(tmp_path: Path) -> None:
    refused = call_arena("run", str(tmp_path / "series.yaml"), "--workers", "99999999999")
    assert refused.returncode == 2
    assert "1024" in refused.stderr
