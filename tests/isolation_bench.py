"""Programs in a sandbox, run by an arena of root or of an ordinary user, and what came of them."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import arena
from arena.isolation.values import MIB, Layer

PROGRAMS = Path(__file__).parent / "isolation" / "programs"
ORDINARY = 64_321
"""The number of an ordinary user, who has nothing."""
SMALL = {"memory": 256 * MIB, "processes": 40, "open_files": 100, "file_size": 2 * MIB, "scratch": 8 * MIB}
"""Limits that are soon reached."""
PLAIN_PYTHONS = ("/usr/bin/python3", "/usr/local/bin/python3")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a program: its exit code, what it printed, and which layers there were (a reason for those off)."""

    code: int
    out: list[str]
    err: str
    layers: dict[str, str]
    cpu_seconds: float | None
    out_of_memory: bool

    @property
    def number(self) -> int:
        """The number that an attack tells."""
        (line,) = self.out
        return int(line.removeprefix("# "))

    def needs(self, *layers: Layer) -> None:
        """Skip the test where one of these layers is off; where it is to be tested, fail it."""
        for layer in layers:
            if self.layers[layer] != "on":
                words = f"here is no {self.layers[layer]}"
                if "CI" in os.environ and layer is not Layer.TOTALS:
                    pytest.fail(words)
                pytest.skip(words)


@dataclass(frozen=True, slots=True)
class Bench:
    """Where attacks are run.

    user: who runs the arena, `None` for the user of the tests. folder: the bot's. python: that this user can run.
    home: a folder with a copy of the arena's isolation, and of the programs.
    """

    user: int | None
    folder: Path
    python: str
    home: Path

    def command(self) -> list[str]:
        """The arena's own command."""
        become = [] if self.user is None else become_user(self.user)
        return [*become, self.python, str(self.home / "programs" / "drive.py")]

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(self.home),
            "TMPDIR": str(self.home / "tmp"),
            "HOME": str(self.home),
            "SECRET": "of the arena",
            **more,
        }

    def asked(self, argv: list[str], **more: object) -> str:
        return json.dumps({"argv": argv, "folder": str(self.folder), "limits": SMALL, "wait": "exit", **more})

    def run(self, argv: list[str], **more: object) -> Outcome:
        """Run a command in a sandbox. more: for the driver; `path` is the PATH of the arena."""
        path = str(more.pop("path", os.environ["PATH"]))
        done = subprocess.run(
            self.command(),
            input=self.asked(argv, **more),
            capture_output=True,
            text=True,
            env=self.environment(PATH=path),
            check=False,
        )
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout.splitlines()[-1])
        out = report.pop("out").splitlines()
        return Outcome(out=out, **report)

    def attack(self, name: str, *arguments: object, **more: object) -> Outcome:
        """Run one of the attacks of attack.py."""
        return self.run(self.attack_command(name, *arguments), **more)

    def attack_command(self, name: str, *arguments: object) -> list[str]:
        return [self.python, str(self.folder / "attack.py"), name, *map(str, arguments)]


def bench_of(folder: Path, *, ordinary: bool) -> Bench:
    """A bench in a folder that everybody may enter. ordinary: of an ordinary user, though the tests are run by root."""
    home, bot = folder / "arena", folder / "bot"
    shutil.copytree(PROGRAMS, home / "programs")
    package = Path(arena.__file__).parent
    shutil.copytree(package / "isolation", home / "arena" / "isolation")
    for name in ("__init__.py", "errors.py"):
        shutil.copy(package / name, home / "arena")
    bot.mkdir()
    shutil.copy(PROGRAMS / "attack.py", bot)
    for path in (home, *home.rglob("*"), *bot.rglob("*")):  # whatever the umask
        path.chmod(0o755)
    (home / "tmp").mkdir()
    (home / "tmp").chmod(0o1777)
    return Bench(ORDINARY if ordinary else None, bot, plain_python() if ordinary else sys.executable, home)


def become_user(user: int) -> list[str]:
    """What makes a command that of a user, given by number."""
    return [shutil.which("setpriv") or "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]


NEW_ENOUGH = "import sys, ctypes, json, subprocess; sys.exit(sys.version_info < (3, 11))"


def plain_python() -> str:
    """A Python that every user may run."""
    for python in (*PLAIN_PYTHONS, sys.executable):
        # By way of a shell: `setpriv` itself still finds what only root may look for.
        ask = [*become_user(ORDINARY), "sh", "-c", 'exec "$@"', "sh", python, "-c", NEW_ENOUGH]
        if shutil.which(python) and subprocess.run(ask, capture_output=True, check=False).returncode == 0:
            return python
    pytest.skip("there is no Python 3.11 that an ordinary user may run")
