"""Building a bot before it plays, and only where something has changed.

A folder that was built has a folder `.arena`, which is no part of the bot (`content_hash`):

    built      what it was built from; equal again, there is nothing to do
    build.log  all that the last build has printed
    lock       held by the one process that builds
"""

import os
import platform
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path

from arena.errors import InputError
from arena.locks import LockedError, locked
from arena.players.launch import command as command_line
from arena.players.launch import filled_in, missing_program
from arena.players.log import printable
from arena.players.manifest import BotSpec, content_hash

BUILD_SECONDS = 600.0
"""A build that takes longer has stalled."""
KEPT = ".arena"
"""The folder, in the bot's, for what the arena keeps about it."""
SHOWN_BYTES = 8192
"""Of a failed build's output, how much of its end is shown."""


class Built(StrEnum):
    """What came of a build that did not fail."""

    NOTHING = "nothing to build"
    UNCHANGED = "unchanged"
    BUILT = "built"


def build(spec: BotSpec, *, force: bool = False, begin: Callable[[], None] = lambda: None) -> Built:
    """Run a bot's build command, if it has one, in its folder and with the user's own environment.

    It is not run where neither the folder nor the command has changed since it last went well, and what it made is
    still there. A build that leaves the bot's own files otherwise than it found them does not count as the last: it
    may have been somebody at work on them. force: run it in any case. begin: called before it is run.
    Two processes never build in one folder at once. Raises InputError, with the end of the output, if it fails.
    """
    if spec.build is None:
        return Built.NOTHING
    folder = spec.folder or Path.cwd()
    stamp = folder / KEPT / "built"
    if not force and _unchanged(stamp, spec, folder):
        return Built.UNCHANGED
    with _alone(folder):
        if not force and _unchanged(stamp, spec, folder):  # another process has built it meanwhile
            return Built.UNCHANGED
        stamp.unlink(missing_ok=True)
        before = content_hash(folder)
        begin()
        _run(spec.build, folder)
        if content_hash(folder) == before:
            stamp.write_text(_stamp(spec, folder, before), encoding="utf-8")
    return Built.BUILT


def _unchanged(stamp: Path, spec: BotSpec, folder: Path) -> bool:
    if missing_program(spec.run, folder):
        return False
    try:
        return stamp.read_text(encoding="utf-8") == _stamp(spec, folder, content_hash(folder))
    except (OSError, UnicodeDecodeError):
        return False


def _stamp(spec: BotSpec, folder: Path, content: str) -> str:
    """What a build depends on, and those of its results that the run command names, files and folders."""
    assert spec.build is not None
    made = [word for word in filled_in(spec.run) if os.path.exists(folder / word)]  # noqa: PTH110 -- of any word
    commands = [repr(command) for command in (filled_in(spec.build), made)]
    return "\n".join((content, sys.platform, platform.machine(), *commands, ""))


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Be the one process that builds in a folder."""
    try:
        (folder / KEPT).mkdir(exist_ok=True)
        with locked(folder / KEPT / "lock", BUILD_SECONDS):
            yield
    except LockedError:
        raise InputError(f"{folder}: another arena has been building this bot for {BUILD_SECONDS:g} s") from None
    except sqlite3.Error as error:
        raise InputError(f"{folder / KEPT}: {error}, expected a folder that can be written, for a build") from None
    except OSError as error:
        if error.filename is None:  # nothing to do with the folder, as a pipe that is closed
            raise
        told = f"{error.filename}: {error.strerror}, expected a folder that can be written, for a build"
        raise InputError(told) from None


def _run(command: tuple[str, ...], folder: Path) -> None:
    """Run a build command to its end."""
    told = f"{folder}: the build command {' '.join(command)!r}"
    if missing := missing_program(command, folder):
        raise InputError(f"{told} cannot be run: {missing}")
    log = folder / KEPT / "build.log"
    with log.open("wb") as output:
        try:
            process = subprocess.Popen(
                command_line(command, folder),
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # what it has started ends with it
            )
        except OSError as error:
            raise InputError(f"{told} cannot be run: {error.strerror}") from None
        try:
            code = process.wait(BUILD_SECONDS)
        except subprocess.TimeoutExpired:
            _kill(process)
            raise InputError(f"{told} has not ended in {BUILD_SECONDS:g} s;{_words(log)}") from None
        except BaseException:
            _kill(process)
            raise
    if code:
        raise InputError(f"{told} failed with code {code};{_words(log)}")


def _kill(process: "subprocess.Popen[bytes]") -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):  # it has ended just now; macOS says the latter of zombies
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _words(log: Path) -> str:
    """The end of a build's output, as the rest of a message."""
    with log.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - SHOWN_BYTES))
        lines = file.read().decode(errors="replace").splitlines()
    if size > SHOWN_BYTES:
        lines = [f"... {size} bytes, all of them in {log}", *lines[1:]]
    shown = [f"    {printable(line)}" for line in lines]
    return " it printed:\n" + "\n".join(shown) if shown else " it printed nothing"
