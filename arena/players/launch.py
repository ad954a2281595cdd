"""How a bot is launched: its command line, its environment, where it is to listen."""

import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path

import arena
from arena.errors import HostError
from arena.players.manifest import Transport
from arena.players.programs import dying_with_us, found

PYTHON = "{python}"
"""In a bot's command: the Python the arena runs on."""

LONGEST_SOCKET_PATH = 103
"""Bytes. Linux takes 107, macOS 103."""


def filled_in(words: tuple[str, ...]) -> list[str]:
    """A command with `{python}` filled in."""
    return [word.replace(PYTHON, sys.executable) for word in words]


def command(run: tuple[str, ...], folder: Path) -> list[str]:
    """The command line: `{python}` filled in, the program by its full path, dying with this process where it can."""
    program, *arguments = filled_in(run)
    return dying_with_us([found(program, folder) or program, *arguments])


def missing_program(run: tuple[str, ...], folder: Path) -> str | None:
    """What is wrong with the command's program, `None` where it is there and may be run."""
    program = filled_in(run)[0]
    if found(program, folder):
        return None
    beside = folder / program
    if Path(program).name != program:
        return f"'{program}' may not be executed" if beside.is_file() else f"there is no file '{program}'"
    hint = f"; the file of that name in the bot's folder is './{program}'" if beside.exists() else ""
    return f"there is no command '{program}'{hint}"


def environment(run: tuple[str, ...], scratch: Path, listen: str) -> dict[str, str]:
    """A clean environment: nothing of the user's but the PATH, above all no proxies, which break the loopback.

    scratch: an empty folder, the bot's HOME and place for temporary files.
    listen: the value of ARENA_LISTEN.
    """
    passed = ("PATH", "SYSTEMROOT")  # no socket on Windows without the latter
    variables = {name: os.environ[name] for name in passed if name in os.environ}
    variables |= {"LANG": os.environ.get("LANG", "C.UTF-8"), "HOME": str(scratch), "TMPDIR": str(scratch)}
    variables |= {"ARENA_LISTEN": listen}
    # Prints reach the log even if the bot is killed; a set of texts has one order in every run.
    variables |= {"PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0"}
    checkout = Path(arena.__file__).parent.parent
    installed = {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
    if checkout not in installed and any(PYTHON in word for word in run):
        variables["PYTHONPATH"] = str(checkout)
    return variables


def make_private_folder() -> Path:
    """A fresh folder that only this user may enter, with an empty `scratch` in it. Raises OSError."""
    folder = Path(tempfile.mkdtemp(prefix="gin-"))
    (folder / "scratch").mkdir()
    return folder


def remove_private_folder(folder: Path) -> None:
    """Remove it and all that the bot has left in it."""
    for parent, folders, _ in os.walk(folder):  # a folder without the right to write cannot be emptied
        for name in folders:
            path = Path(parent, name)
            if not path.is_symlink():
                path.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def listen_address(transport: Transport, folder: Path) -> str:
    """What a bot is told in ARENA_LISTEN: a socket in `folder`, or a TCP port of its own choice.

    Raises HostError where a unix socket is demanded and cannot be had.
    """
    path = folder / "s"
    short = len(os.fsencode(path)) <= LONGEST_SOCKET_PATH
    if transport is Transport.TCP or (transport is Transport.AUTO and (sys.platform == "win32" or not short)):
        return "tcp:127.0.0.1:0"
    if not short:
        raise HostError(f"{path} is too long a path for a socket; set TMPDIR to a folder with a shorter one")
    return f"unix:{path}"
