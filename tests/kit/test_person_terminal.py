"""`arena play` on a terminal of 80 columns: colours and the signs of suits, and Ctrl-C and Ctrl-D."""

import os
import pty
import re
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

SIMPLE = Path(__file__).parents[2] / "sample_bots" / "simple"
RED, CYAN, BOLD = "\x1b[31m", "\x1b[36m", "\x1b[1m"
_ON_ITS_OWN_TERMINAL = "import os, sys; os.open(sys.argv[1], os.O_RDWR); os.execv(sys.executable, sys.argv[2:])"
"""The first terminal that the leader of a session opens is its own, from which Ctrl-C is a signal to it."""


class Seat:
    """A terminal with `arena play simple` on it."""

    def __init__(self, **environment: str) -> None:
        self._terminal, inside = pty.openpty()
        self._shown = b""
        termios.tcsetwinsize(inside, (24, 80))
        kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR"}}
        play = [sys.executable, "-m", "arena", "play", str(SIMPLE), "--seed", "7", "--hands", "1"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _ON_ITS_OWN_TERMINAL, os.ttyname(inside), *play],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env={**kept, "TERM": "xterm-256color", "PYTHONUTF8": "1", **environment},
            start_new_session=True,
        )
        os.close(inside)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._terminal)

    def read(self, until: str = "") -> str:
        """What is shown from where the last reading ended up to a text, or to the end."""
        try:
            while not until or until.encode() not in self._shown:
                self._shown += os.read(self._terminal, 4096)
        except OSError:  # how Linux tells the end of a terminal
            until = ""
        before, found, rest = self._shown.partition(until.encode()) if until else (self._shown, b"", b"")
        self._shown = rest
        return (before + found).decode()

    def type(self, text: str) -> None:
        """Press keys, once the program listens."""
        time.sleep(0.3)  # as in test_person_play.py
        os.write(self._terminal, text.encode())

    def code(self) -> int:
        return self._process.wait()


def test_cards_have_colours_and_signs_and_the_line_can_be_edited() -> None:
    with Seat() as seat:
        shown = seat.read("> ")
        assert f"{RED}4♦" in shown
        assert "T♣ " in shown
        assert CYAN in shown
        assert BOLD in shown
        assert max(len(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line)) for line in shown.splitlines()) <= 80
        seat.type("taken\x7f\n")
        assert f"with {RED}4♦" in seat.read("Discard?")
        seat.read("> ")
        seat.type("10♥\n")
        assert "got discard \x1b[31mT♥" in seat.read("> ")
        seat.type("K♠\n")
        assert "Draw from the stock" in seat.read("from the pile?")


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_without_colours_has_signs_alone(environment: dict[str, str]) -> None:
    with Seat(**environment) as seat:
        shown = seat.read("> ")
        assert "4♦" in shown
        assert not re.search(r"\x1b\[[0-9;]*m", shown)


def test_letters_stand_where_the_encoding_has_no_signs() -> None:
    with Seat(PYTHONUTF8="0", PYTHONIOENCODING="latin-1") as seat:
        assert f"{RED}4D" in seat.read("> ")


def test_ctrl_c_ends_the_game_with_the_score() -> None:
    with Seat() as seat:
        seat.read("> ")
        seat.type("\x03")
        assert "The score after 0 hands: " in (shown := seat.read())
        assert "interrupted" in shown
        assert "Traceback" not in shown
        assert seat.code() == 130


def test_ctrl_d_ends_the_game_in_peace() -> None:
    with Seat() as seat:
        seat.read("> ")
        seat.type("\x04")
        assert "The score after 0 hands: " in seat.read()
        assert seat.code() == 0
