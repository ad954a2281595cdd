"""A person at `arena play`, through a pipe: reads what is shown, and answers."""

import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

PROMPT = "\n> "
_TYPED = {
    "take the upcard": "take",
    "draw from the stock": "stock",
    "take from the pile": "pile",
    "lay down the best": "",
}


class Sitter:
    """Runs `arena play ARGUMENTS`.

    shown: all that was shown so far. code: the exit code, once it has ended.
    """

    def __init__(self, *arguments: str | Path) -> None:
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "arena", "play", *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**kept, "TERM": "xterm-256color", "FORCE_COLOR": "1"},
        )
        self.shown = ""
        self.told = ""
        self.code: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def read(self, until: str = PROMPT) -> str:
        """What is shown up to the next question, or to the end. until: another text to stop behind."""
        assert self._process.stdout is not None
        read = b""
        while not (read.endswith(PROMPT.encode()) if until == PROMPT else until.encode() in read):
            more = os.read(self._process.stdout.fileno(), 65536)
            if not more:
                self.told = self._process.communicate()[1].decode()
                self.code = self._process.returncode
                break
            read += more
        self.shown += read.decode()
        return read.decode().removesuffix("> ")

    def type(self, line: str) -> str:
        """Type a line; returns what is shown up to the next question."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()
        return self.read().removeprefix(f"{line}\n")

    def end(self) -> str:
        """Type nothing more; returns what is shown."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.stdin = None
        return self.read()

    def signal(self, number: int) -> None:
        """Send the process a signal."""
        self._process.send_signal(number)

    def play_by_hints(self, until: str = "\0", advice: str = "") -> str:
        """Do what the hints say until something is shown, or to the end. Returns the last that was shown.

        advice: what is typed where advice is asked for.
        """
        shown = self.read() if not self.shown else self.shown
        while self.code is None and until not in shown:
            if "Your advice to" in shown:
                shown = self.type(advice)
                continue
            hint = self.type("hint").splitlines()[0].removeprefix("simple would ")
            shown = self.type(_TYPED.get(hint, hint.removeprefix("discard ").replace("knock with", "knock")))
        return shown
