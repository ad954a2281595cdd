"""A bot as a process: started in a session of its own, heard, watched, and ended with all it has started."""

import asyncio
import errno
import os
import re
import signal
import socket
import stat
import struct
import sys
from pathlib import Path

from arena.errors import HostError
from arena.isolation.sandbox import Sandbox
from arena.isolation.values import NO_ISOLATION, Isolation, Mode
from arena.players import launch
from arena.players.faults import Failure, Fault
from arena.players.log import Log, LogFolder
from arena.players.spec import BotSpec, Transport

READY_LINE = re.compile(rb"^ARENA-READY (127\.0\.0\.1:[0-9]{1,5})\r?\n", re.MULTILINE)
"""What a bot that listens on TCP prints on its standard output."""

MOST_OUTPUT = 64 << 20
"""Bytes that a process may print. A million lines of sixty characters are within it; the arena reads them all in a
fraction of a second, keeps the ends, and would read on for as long as a bot that only prints goes on.
"""
LAST_OUTPUT_SECONDS = 0.5
"""How long the last output of a dead process is waited for: another that escaped may hold its pipes open."""
DEATH_SECONDS = 10.0
"""No process outlives SIGKILL for so long unless the machine is ill."""
_KILLED = -9
"""Exit code of what a SIGKILL has ended."""
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

    def hand_on(self) -> None:
        """Another player of the same bot goes on with it, so that their number does not grow with that of players."""
        for log in (self.out, self.err):
            log.hand_on()

    def latest(self) -> str:
        """The end of the error output of the last process, or else of its output."""
        return self.err.latest or self.out.latest

    def recent(self) -> str:
        """The end of the error output of the last process that has any, or else of the output."""
        return self.err.recent() or self.out.recent()


class BotProcess(asyncio.SubprocessProtocol):
    """One process of one bot, from its start to its end.

    exited: the exit code (negative: the signal that ended it), as soon as there is one.
    target: the address to dial, once it is ready.
    pid: of the process that was started, which may be no more than what isolates the bot.
    bot_pid: of the process that serves, once it is ready, whatever was started around it.
    killed: whether it was ended by a SIGKILL that was not the arena's.
    unboxed: whether it ended before it was the bot, because its sandbox could not be made.
    overflowed: whether it was ended because it printed more than it may.
    """

    def __init__(self, folder: Path, listen: str, output: Output, sandbox: Sandbox | None = None) -> None:
        loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[int] = loop.create_future()
        self.target: str | None = None
        self.folder = folder
        self.pid = 0
        self.bot_pid = 0
        self._sandbox = sandbox or Sandbox(NO_ISOLATION, folder)
        self.killed = False
        self.unboxed = False
        self.overflowed = False
        self._printed = 0  # bytes
        self._ended = False  # by this arena
        self._listen = listen
        self._output = output
        self._closed: asyncio.Future[None] = loop.create_future()
        self._line: bytes | None = b"" if listen.startswith("tcp:") else None  # what may become the ready line
        self._transport: asyncio.SubprocessTransport | None = None

    @classmethod
    async def start(cls, spec: BotSpec, output: Output, isolation: Isolation = NO_ISOLATION) -> "BotProcess | Failure":
        """Start a bot. A command that cannot be run is the bot's fault, a machine that cannot run it the host's."""
        folder = spec.folder or Path.cwd()
        missing = launch.missing_program(spec.run, folder)
        if missing is not None:
            return Failure(Fault.NEVER_READY, f"cannot be started: {missing}")
        try:
            private = launch.make_private_folder()
        except OSError as error:
            return Failure(Fault.SPAWN, f"no private folder for the bot: {error}")
        sandbox = None
        try:
            transport = spec.transport
            if transport is Transport.AUTO and isolation.mode is Mode.REQUIRED:  # no other door leads into its sandbox
                transport = Transport.UNIX
            listen = launch.listen_address(transport, private, isolation)
            sandbox = Sandbox(isolation, private, network=listen.startswith("tcp:"))
            process = cls(private, listen, output, sandbox)
            await process._spawn(spec, folder)
        except BaseException as error:
            if sandbox is not None:
                sandbox.close()
            launch.remove_private_folder(private)
            if isinstance(error, HostError):
                return Failure(Fault.SPAWN, str(error))
            if isinstance(error, OSError):
                bots = error.errno in (errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.E2BIG)
                return Failure(Fault.NEVER_READY if bots else Fault.SPAWN, f"cannot be started: {error.strerror}")
            raise
        return process

    async def ready(self) -> None:
        """Wait until it listens (`target` is set) or has exited. Set the limit outside; this may be cancelled."""
        pause = _FIRST_POLL
        while not self.exited.done():
            if self._listen.startswith("unix:"):
                path = self._sandbox.outside(self._listen.removeprefix("unix:"))
                listener = 0 if path is None else _listener(path)
                if path is not None and listener and self._sandbox.holds(listener):
                    self.target, self.bot_pid = f"unix:{path}", listener
            if self.target is not None:
                self.bot_pid = self.bot_pid or self._sandbox.main_process(self.pid)
                return
            await asyncio.wait({self.exited}, timeout=pause)
            pause = min(pause * 1.5, _SLOWEST_POLL)

    async def end(self, grace: float) -> int:
        """Ask the process to end, give it `grace` seconds, end it with all it has started, and clear up after it.

        Returns the exit code. Raises HostError if it cannot be ended or its logs cannot be written.
        """
        try:
            if grace > 0 and not self.exited.done():
                self._sandbox.terminate(self.pid)
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
        self._sandbox.close()
        launch.remove_private_folder(self.folder)
        self._output.flush()
        return self.exited.result()

    async def _spawn(self, spec: BotSpec, folder: Path) -> None:
        self._output.begin()
        self._transport, _ = await asyncio.get_running_loop().subprocess_exec(
            lambda: self,
            *launch.command(spec.run, folder, self._sandbox),
            stdin=asyncio.subprocess.DEVNULL,
            cwd=folder,
            env=launch.environment(spec.run, self.folder / "scratch", self._listen),
            start_new_session=True,  # its own process group too, which is ended as a whole
        )
        self.pid = self._transport.get_pid()

    # What the loop tells.

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """The process has written."""
        self._printed += len(data)
        if self._printed > MOST_OUTPUT and not self.overflowed:
            self.overflowed = True
            self.kill()
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
        code = self._transport.get_returncode()
        code = -1 if code is None else self._sandbox.exit_code(code)
        self.killed = code == _KILLED and not self._ended
        self.unboxed = code > 0 and not self._ended and self._sandbox.failed
        self._sandbox.over(self.pid)
        if not self.exited.done():
            self.exited.set_result(code)

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
        self._ended = True
        self._sandbox.kill(self.pid)

    def cpu_seconds(self) -> float | None:
        """Processor time of the process and all it has started, `None` where nobody counts it."""
        return self._sandbox.cpu_seconds()

    def out_of_memory(self) -> bool:
        """Whether one of them was killed because all together had used up their memory."""
        return self._sandbox.out_of_memory()


def _listener(path: str) -> int:
    """The process that listens at a unix socket, -1 where the system does not tell; 0 if none does."""
    if sys.platform == "win32":
        return 0
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        try:
            if not stat.S_ISSOCK(os.lstat(path).st_mode):  # a link may lead to the door of somebody else
                return 0
            probe.connect(path)
            if sys.platform != "linux":
                return -1
            pid, _, _ = struct.unpack("3i", probe.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        except OSError:
            return 0
    return int(pid)


def exit_text(code: int) -> str:
    """How a process ended, in words."""
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
