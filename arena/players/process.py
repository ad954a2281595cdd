"""A bot as a process: started in a session of its own, heard, watched, and ended with all it has started."""

import asyncio
import errno
import os
import re
import signal
import socket
import sys
from pathlib import Path

from arena.errors import HostError
from arena.players import launch
from arena.players.faults import Failure, Fault
from arena.players.log import Log, LogFolder
from arena.players.manifest import BotSpec

READY_LINE = re.compile(rb"^ARENA-READY (127\.0\.0\.1:[0-9]{1,5})\r?\n", re.MULTILINE)
"""What a bot that listens on TCP prints on its standard output."""

LAST_OUTPUT_SECONDS = 0.5
"""How long the last output of a dead process is waited for: another that escaped may hold its pipes open."""
DEATH_SECONDS = 10.0
"""No process outlives SIGKILL for so long unless the machine is ill."""
_FIRST_POLL, _SLOWEST_POLL = 0.002, 0.02
_LONGEST_READY_LINE = 256


class Output:
    """The logs of one bot: its standard output and error, kept over its starts."""

    def __init__(self, logs: Path, name: str) -> None:
        folder = LogFolder(logs, name)
        self.out = Log(folder, "stdout.log")
        self.err = Log(folder, "stderr.log")
        self._starts = 0

    def begin(self) -> None:
        """A process starts."""
        self._starts += 1
        for log in (self.out, self.err):
            log.begin(f"start {self._starts}")

    def flush(self) -> None:
        """A process has ended. Raises HostError if the logs cannot be written."""
        self.out.flush()
        self.err.flush()

    def last_words(self) -> str:
        """The last line of the process's error output, or else of its output."""
        return self.err.last_line() or self.out.last_line()

    def recent(self) -> str:
        """The end of the error output of the last process that has any, or else of the output."""
        return self.err.recent() or self.out.recent()


class BotProcess(asyncio.SubprocessProtocol):
    """One process of one bot, from its start to its end.

    exited: the exit code (negative: the signal that ended it), as soon as there is one.
    target: the address to dial, once it is ready.
    """

    def __init__(self, folder: Path, listen: str, output: Output) -> None:
        loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[int] = loop.create_future()
        self.target: str | None = None
        self.folder = folder
        self.pid = 0
        self._listen = listen
        self._output = output
        self._closed: asyncio.Future[None] = loop.create_future()
        self._line: bytes | None = b"" if listen.startswith("tcp:") else None  # what may become the ready line
        self._transport: asyncio.SubprocessTransport | None = None

    @classmethod
    async def start(cls, spec: BotSpec, output: Output) -> "BotProcess | Failure":
        """Start a bot. A command that cannot be run is the bot's fault, a machine that cannot run it the host's."""
        folder = spec.folder or Path.cwd()
        missing = launch.missing_program(spec.run, folder)
        if missing is not None:
            return Failure(Fault.NEVER_READY, f"cannot be started: {missing}")
        try:
            private = launch.make_private_folder()
        except OSError as error:
            return Failure(Fault.SPAWN, f"no private folder for the bot: {error}")
        try:
            process = cls(private, launch.listen_address(spec.transport, private), output)
            await process._spawn(spec, folder)
        except HostError as error:
            launch.remove_private_folder(private)
            return Failure(Fault.SPAWN, str(error))
        except OSError as error:
            launch.remove_private_folder(private)
            bots = error.errno in (errno.ENOENT, errno.EACCES, errno.ENOEXEC)
            return Failure(Fault.NEVER_READY if bots else Fault.SPAWN, f"cannot be started: {error.strerror}")
        except BaseException:
            launch.remove_private_folder(private)
            raise
        return process

    async def ready(self) -> None:
        """Wait until it listens (`target` is set) or has exited. Set the limit outside; this may be cancelled."""
        pause = _FIRST_POLL
        while not self.exited.done():
            if self._listen.startswith("unix:") and _accepts(self._listen.removeprefix("unix:")):
                self.target = self._listen
            if self.target is not None:
                return
            await asyncio.wait({self.exited}, timeout=pause)
            pause = min(pause * 1.5, _SLOWEST_POLL)

    async def end(self, grace: float) -> int:
        """Ask the process to end, give it `grace` seconds, end it with all it has started, and clear up after it.

        Returns the exit code. Raises HostError if it cannot be ended or its logs cannot be written.
        """
        try:
            if grace > 0 and not self.exited.done():
                self._signal(signal.SIGTERM)
                await asyncio.wait({self.exited}, timeout=grace)
        finally:
            if not self.exited.done():
                self.kill()
        await asyncio.wait({self.exited}, timeout=DEATH_SECONDS)
        if not self.exited.done():
            raise HostError(f"the bot's process {self.pid} does not end")
        await asyncio.wait({self._closed}, timeout=LAST_OUTPUT_SECONDS)
        assert self._transport is not None
        self._transport.close()
        launch.remove_private_folder(self.folder)
        self._output.flush()
        return self.exited.result()

    async def _spawn(self, spec: BotSpec, folder: Path) -> None:
        self._output.begin()
        self._transport, _ = await asyncio.get_running_loop().subprocess_exec(
            lambda: self,
            *launch.command(spec.run, folder),
            stdin=asyncio.subprocess.DEVNULL,
            cwd=folder,
            env=launch.environment(spec.run, self.folder / "scratch", self._listen),
            start_new_session=True,  # its own process group too, which is ended as a whole
        )
        self.pid = self._transport.get_pid()

    # What the loop tells.

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """The process has written."""
        (self._output.out if fd == 1 else self._output.err).write(data)
        if fd == 1 and self._line is not None:
            self._line += data
            if found := READY_LINE.search(self._line):
                self.target, self._line = found[1].decode(), None
            else:
                self._line = self._line[self._line.rfind(b"\n") + 1 :][:_LONGEST_READY_LINE]

    def process_exited(self) -> None:
        """The process has ended; what it started goes with it."""
        assert self._transport is not None
        self.kill()
        code = self._transport.get_returncode()
        if not self.exited.done():
            self.exited.set_result(-1 if code is None else code)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The process has started."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.pid = transport.get_pid()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 -- the loop's signature
        """The process has ended and all its output is read."""
        if not self._closed.done():
            self._closed.set_result(None)

    def kill(self) -> None:
        """Kill the process and all it has started, and wait for nothing."""
        self._signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)

    def _signal(self, number: int) -> None:
        """Signal the process and all it has started.

        The group's number stays taken as long as one of them is left. Where none is, a new process could in theory
        have it, between the exit and its notice: numbers are handed out in turn, and the gap is milliseconds.
        """
        try:
            if sys.platform == "win32":
                os.kill(self.pid, number)
            else:
                os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):  # macOS says the latter of a group of zombies
            pass


def _accepts(path: str) -> bool:
    """Whether somebody listens at a unix socket. It exists a moment before."""
    if sys.platform == "win32" or not Path(path).exists():
        return False
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        try:
            probe.connect(path)
        except OSError:
            return False
    return True


def exit_text(code: int) -> str:
    """How a process ended, in words."""
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
