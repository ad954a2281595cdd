"""A command that is told to end lets go of what it holds: its files, its bots, the terminal."""

import os
import pty
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from series_bench import seen
from tiny_service import tiny_service

pytestmark = pytest.mark.timeout(120)  # of processes, on a machine that may be busy
ENDS = [signal.SIGTERM, signal.SIGHUP]


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of what takes every connection, and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def bot(folder: Path) -> Path:
    folder.mkdir()
    (folder / "bot.yaml").write_text("name: silent\nrun: [sleep, '3600']\n")
    return folder


def started(scratch: Path, *arguments: str | Path) -> "subprocess.Popen[bytes]":
    scratch.mkdir()
    command = [sys.executable, "-m", "arena", *map(str, arguments)]
    return subprocess.Popen(command, env={**os.environ, "TMPDIR": str(scratch)}, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("number", ENDS)
def test_a_submission_that_is_killed_leaves_no_archives(tmp_path: Path, silent: str, number: signal.Signals) -> None:
    (tmp_path / "cup.yaml").write_text(f"name: cup\nbots: [{bot(tmp_path / 'bot')}, {{sample: random}}]\ngroups: 1\n")
    with started(tmp_path / "tmp", "submit", tmp_path / "cup.yaml", "--server", silent) as submission:
        while not seen(tmp_path / "tmp", "gin-submit-*/*.zip"):
            assert submission.poll() is None
            time.sleep(0.01)
        submission.send_signal(number)
    assert submission.returncode == -number
    assert [*(tmp_path / "tmp").iterdir()] == []


@pytest.mark.parametrize("number", ENDS)
def test_a_check_that_is_killed_leaves_neither_bots_nor_files(tmp_path: Path, number: signal.Signals) -> None:
    with started(tmp_path / "tmp", "check", bot(tmp_path / "bot"), "--isolation", "none") as check:
        while not seen(tmp_path / "tmp", "gin-*/gin-*/scratch"):
            assert check.poll() is None
            time.sleep(0.01)
        check.send_signal(number)
    assert check.returncode == -number
    assert [*(tmp_path / "tmp").iterdir()] == []


TOLD_TWICE = """
import os, signal, sys, time
from arena.cli import main as way

first, second = map(int, sys.argv[1:])

def run(_):
    try:
        os.kill(os.getpid(), first)
        time.sleep(60)
    finally:
        os.kill(os.getpid(), second)
        time.sleep(0)
        print("let go", flush=True)

way.run = run
way.main()
"""


@pytest.mark.parametrize("first", ENDS)
@pytest.mark.parametrize("second", ENDS)
def test_only_a_second_polite_kill_ends_what_lets_go(first: signal.Signals, second: signal.Signals) -> None:
    told = subprocess.run(
        [sys.executable, "-c", TOLD_TWICE, str(int(first)), str(int(second))], stdout=subprocess.PIPE, check=False
    )
    assert told.returncode == -first
    assert told.stdout == (b"" if first == second == signal.SIGTERM else b"let go\n")


def test_under_nohup_the_end_of_the_terminal_ends_nothing(tmp_path: Path, silent: str) -> None:
    (tmp_path / "cup.yaml").write_text(f"name: cup\nbots: [{bot(tmp_path / 'bot')}, {{sample: random}}]\ngroups: 1\n")
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        submission = started(tmp_path / "tmp", "submit", tmp_path / "cup.yaml", "--server", silent)
    finally:
        signal.signal(signal.SIGHUP, before)
    with submission:
        while not seen(tmp_path / "tmp", "gin-submit-*/*.zip"):
            time.sleep(0.01)
        submission.send_signal(signal.SIGHUP)
        submission.send_signal(signal.SIGTERM)
    assert submission.returncode == -signal.SIGTERM


def shown_until(terminal: int, words: bytes) -> bytes:
    """What is shown on a terminal, until it shows something."""
    text = b""
    while words not in text:
        text += os.read(terminal, 1 << 16)
    return text


def test_a_terminal_on_which_a_series_was_watched_has_its_cursor_back(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with tiny_service(tmp_path) as tiny:
        watch = [sys.executable, "-m", "arena", "watch", "forever", "--server", tiny.address]
        with subprocess.Popen(watch, env={**os.environ, "TERM": "xterm"}, stdout=theirs, stderr=theirs) as watching:
            assert b"\x1b[?25l" in shown_until(ours, b"0 of 0 games")
            watching.send_signal(signal.SIGTERM)
            shown_until(ours, b"\x1b[?25h")
    os.close(theirs)
    os.close(ours)
    assert watching.returncode == -signal.SIGTERM
