"""Bots that dial in, as processes."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from fake_door import PATIENCE


def clean_environment(**more: str) -> dict[str, str]:
    """That of this process without what concerns the arena."""
    return {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")} | more


class Dialling:
    """A process that dials in. A context manager; leaving it ends the process."""

    def __init__(
        self, command: Sequence[str | Path], environment: Mapping[str, str], folder: Path | None = None
    ) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate(timeout=PATIENCE)

    def line(self) -> str:
        """The next line on its standard error."""
        assert self.process.stderr is not None
        return self.process.stderr.readline().rstrip("\n")

    def end(self) -> tuple[int, str]:
        """Wait for its end: exit code, what is left of standard error."""
        _, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, err


class Join(Dialling):
    """The command `arena join`."""

    def __init__(self, *arguments: str | Path, isolation: str = "none") -> None:
        command = [sys.executable, "-m", "arena", "join", "--isolation", isolation, *map(str, arguments)]
        super().__init__(command, clean_environment())
