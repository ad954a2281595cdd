"""Building a bot before it plays, and only where something has changed.

A bot is built in two steps: `fetch` gets what is needed from elsewhere, `build` makes the bot without a network. Both
are strangers' programs, and run in a sandbox as bots do, but that they may write to the bot's folder.

A folder that was built has a folder `.arena`, which is no part of the bot (`content_hash`):

    built      what it was built from; equal again, there is nothing to do
    build.log  all that the last build has printed
    home       the HOME of both steps, where tools keep what they have fetched
    lock       held by the one process that builds

A stranger may have brought that folder along, and his steps may write to it as to all of his: so it is looked at before
anything in it is used. Through a link the arena would write elsewhere, with rights that the stranger has not.
"""

import os
import platform
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, NamedTuple

from arena.errors import InputError, printable
from arena.isolation.lending import lent
from arena.isolation.sandbox import Sandbox
from arena.isolation.values import GIB, MIB, NO_ISOLATION, Isolation, Limits
from arena.locks import LockedError, locked
from arena.players.files import content_hash
from arena.players.launch import (
    TOOLCHAINS,
    build_environment,
    filled_in,
    make_private_folder,
    missing_program,
    remove_private_folder,
)
from arena.players.launch import command as command_line
from arena.players.process import LAST_OUTPUT_SECONDS, exit_text
from arena.players.spec import BotSpec

BUILD_SECONDS = 600.0
"""A build that takes longer has stalled."""
KEPT = ".arena"
"""The folder, in the bot's, for what the arena keeps about it."""
SHOWN_BYTES = 8192
"""Of a failed build's output, how much of its end is shown."""
LOG_BYTES = 16 * MIB
"""A step that prints more is ended."""
BUILD_LIMITS = Limits(
    memory=8 * GIB, processes=4096, open_files=8192, file_size=2 * GIB, scratch=2 * GIB, cpu=timedelta(hours=1)
)
"""Compilers use more than what they make."""


class Built(StrEnum):
    """What came of a build that did not fail."""

    NOTHING = "nothing to build"
    UNCHANGED = "unchanged"
    BUILT = "built"


def build(
    spec: BotSpec,
    *,
    force: bool = False,
    begin: Callable[[], None] = lambda: None,
    isolate: Callable[[], Isolation] = lambda: NO_ISOLATION,
) -> Built:
    """Run a bot's fetch and build commands, if it has them, in its folder.

    They are not run where neither the folder nor a command has changed since they last went well, and what was made is
    still there. A build that leaves the bot's own files otherwise than it found them does not count as the last: it
    may have been somebody at work on them. force: run it in any case. begin: called before it is run. isolate: tells
    what isolates it, where it is run; its limits are those of a build in place of its own.
    Two processes never build in one folder at once. Raises InputError, with the end of the output, if it fails.
    """
    if spec.build is None and spec.fetch is None:
        return Built.NOTHING
    folder = spec.folder or Path.cwd()
    _look_at_kept(folder)
    stamp = folder / KEPT / "built"
    if not force and _unchanged(stamp, spec, folder):
        return Built.UNCHANGED
    with _alone(folder):
        if not force and _unchanged(stamp, spec, folder):  # another process has built it meanwhile
            return Built.UNCHANGED
        stamp.unlink(missing_ok=True)
        before = content_hash(folder)
        begin()
        isolation = replace(isolate(), limits=BUILD_LIMITS)
        (folder / KEPT / "build.log").unlink(missing_ok=True)
        for name, command in (("fetch", spec.fetch), ("build", spec.build)):
            if command is not None:
                _run(Step(name, command, folder), isolation)
        _look_at_kept(folder)
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
    made = [word for word in filled_in(spec.run) if os.path.exists(folder / word)]  # noqa: PTH110 -- of any word
    commands = [repr(command) for command in (filled_in(spec.fetch or ()), filled_in(spec.build or ()), made)]
    return "\n".join((content, sys.platform, platform.machine(), *commands, ""))


def _look_at_kept(folder: Path) -> None:
    """Raise `InputError` where the arena's folder in a bot's, or a file in it, is none that the arena has made."""
    kept = folder / KEPT
    folders, files = (kept, kept / "home"), (kept / "built", kept / "build.log", kept / "lock")
    for path in (*folders, *files):
        try:
            found = path.lstat()
        except OSError:  # it is not there, or whoever needs it will say what is wrong
            continue
        right = stat.S_ISDIR(found.st_mode) if path in folders else stat.S_ISREG(found.st_mode)
        if not right or (path.name == "lock" and found.st_size):  # SQLite would read what is in it
            raise InputError(f"{path}: this is not of the arena's making, expected a folder {KEPT} that is; remove it")


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


class Step(NamedTuple):
    """One step of building a bot."""

    name: str
    command: tuple[str, ...]
    folder: Path

    @property
    def told(self) -> str:
        """What a message begins with."""
        return f"{self.folder}: the {self.name} command {' '.join(self.command)!r}"


def _run(step: Step, isolation: Isolation) -> None:
    """Run a step to its end."""
    folder = step.folder
    _look_at_kept(folder)
    if missing := missing_program(step.command, folder):
        raise InputError(f"{step.told} cannot be run: {missing}")
    home = folder / KEPT / "home"
    home.mkdir(exist_ok=True)
    private = make_private_folder()
    sandbox = Sandbox(isolation, private, network=step.name == "fetch")
    path = folder / KEPT / "build.log"
    with path.open("a+b", buffering=0) as log:  # held throughout: the step may put another file in its place
        try:
            with lent(folder, sandbox.user):
                ended = _run_in(sandbox, step, build_environment(home, private / "scratch"), log)
        except OSError as error:
            raise InputError(f"{step.told} cannot be run: {error.strerror}") from None
        finally:
            sandbox.close()
            remove_private_folder(private)
        if ended:
            raise InputError(f"{step.told} {ended};{_words(log, path)}")


def _run_in(sandbox: Sandbox, step: Step, environment: dict[str, str], log: BinaryIO) -> str:
    """Run a step and keep what it prints. Returns what went wrong, nothing if all is well."""
    tools = [Path(environment[name]) for name in TOOLCHAINS if name in environment]
    process = subprocess.Popen(
        command_line(step.command, step.folder, sandbox, writable=True, tools=tools),
        cwd=step.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # what it has started ends with it
    )
    too_much = threading.Event()
    reader = threading.Thread(target=_keep, args=(process, log, too_much, sandbox), daemon=True)
    reader.start()
    try:
        code = sandbox.exit_code(process.wait(BUILD_SECONDS))
    except subprocess.TimeoutExpired:
        return f"has not ended in {BUILD_SECONDS:g} s"
    finally:
        sandbox.kill(process.pid)
        process.wait()
        sandbox.over(process.pid)
        reader.join(LAST_OUTPUT_SECONDS)  # what has escaped may hold the pipe open
    if too_much.is_set():
        return f"has printed more than {LOG_BYTES // MIB} MiB"
    if sandbox.out_of_memory():
        return f"has used more than {BUILD_LIMITS.memory // GIB} GiB of memory"
    return f"failed with code {code}" if code > 0 else f"{exit_text(code)}" if code else ""


def _keep(process: "subprocess.Popen[bytes]", log: BinaryIO, too_much: threading.Event, sandbox: Sandbox) -> None:
    """Write what a process prints to the log, up to a size; one that prints more is ended."""
    assert process.stdout is not None
    left = LOG_BYTES
    with process.stdout as pipe, suppress(ValueError):  # the log is closed: what has escaped holds the pipe open
        while piece := os.read(pipe.fileno(), 1 << 16):
            log.write(piece[: max(left, 0)])
            left -= len(piece)
            if left < 0 and not too_much.is_set():
                too_much.set()
                sandbox.kill(process.pid)


def _words(log: BinaryIO, path: Path) -> str:
    """The end of a build's output, as the rest of a message. path: of its log."""
    size = log.seek(0, os.SEEK_END)
    log.seek(max(0, size - SHOWN_BYTES))
    lines = log.read().decode(errors="replace").splitlines()
    if size > SHOWN_BYTES:
        lines = [f"... {size} bytes, all of them in {path}", *lines[1:]]
    shown = [f"    {printable(line.expandtabs(4))}" for line in lines]
    return " it printed:\n" + "\n".join(shown) if shown else " it printed nothing"
