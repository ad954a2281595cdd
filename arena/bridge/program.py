"""The program behind a bridge: started once, asked by lines, and ended with its bridge."""

import subprocess
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from arena.bot.server import given_address, introduction, leave, listen
from arena.bridge.lines import LineError, read_decision, request_lines, shown
from arena.errors import InputError
from arena.players.programs import dying_with_us, found
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.view import GameKind

LONGEST_LINE = 1 << 16
"""Bytes of the longest line that a program may write."""
END_SECONDS = 1.0
"""For a program to end when its input has ended, or to be seen to have ended."""
NOTICE_SECONDS = 0.2
"""For this process to hear of what has ended the program as well: a signal goes to both."""


def serve_program(
    command: Sequence[str], name: str = "", games: Iterable[GameKind] = (), advises: bool = False
) -> NoReturn:
    """Be a bot that decides as a program does, until the end of the process. Never returns.

    command: the program and its arguments. name: the bot's, for logs; empty for the program's own.
    games, advises: as a bot says of itself in Hello.

    Listens and ends as `arena.bot.serve` does. What the program does wrong ends the process with code 1 and a line on
    standard error. Raises `InputError` for a program that cannot be started.
    """
    address = given_address()
    program = Program(command)
    hello = introduction(name or Path(command[0]).stem, games=games, advises=advises)
    listen(address, hello, lambda: program.answer, program.end)


class Program:
    """A running program. What it does wrong ends this process.

    A batch is written by the thread that has it to answer while another thread reads, so that neither side waits for
    the other with full pipes.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Start it here, its standard error being ours. Raises `InputError`."""
        self._process = _start(command)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input = self._process.stdin  # without a buffer, as a close would wait for a write
        self._output = self._process.stdout
        self._ending = threading.Event()
        self._failing = threading.Lock()
        self._asking = threading.Lock()
        self._setup: pb.Setup | None = None
        self._open: set[int] = set()  # ids of the turns that are still to be answered
        self._response = pb.PlayResponse()
        self._answered = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def answer(self, request: pb.PlayRequest) -> pb.PlayResponse:
        """Pass a request on, and wait for a decision on each of its turns. Several arenas take it in turns."""
        with self._asking:
            fresh = request.setup != self._setup
            if fresh:
                self._setup = pb.Setup.FromString(request.setup.SerializeToString())
            lines = request_lines(request, setup=fresh)
            response = self._response = pb.PlayResponse()
            self._answered.clear()
            self._open = {turn.id for turn in request.turns}
            self._write(lines)
            if request.turns:
                self._answered.wait()
            return response

    def end(self) -> None:
        """Close its input, give it a moment to end, and kill it if it has not."""
        self._ending.set()
        self._input.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill()

    def _write(self, lines: bytes) -> None:
        left = memoryview(lines)
        try:
            while left:
                left = left[self._input.write(left) or 0 :]
        except (OSError, ValueError):  # its end of the pipe is closed, or ours
            self._gone()

    def _read(self) -> None:
        """Take the program's lines as they come, in a thread of its own."""
        with open(self._output.fileno(), "rb", closefd=False) as output:  # with a buffer, for lines
            while text := output.readline(LONGEST_LINE):
                if len(text) < LONGEST_LINE and not text.endswith(b"\n"):
                    break  # its last one, cut off: how it has ended says more
                try:
                    self._take(text)
                except LineError as error:
                    self._fail(f"a line of the program: {error}")
        self._gone()

    def _take(self, text: bytes) -> None:
        """Take one line. Raises `LineError`."""
        if self._ending.is_set():
            return
        if len(text) == LONGEST_LINE and not text.endswith(b"\n"):
            raise LineError(f"expected a line of less than {LONGEST_LINE} bytes, got {shown(text)}")
        decision = read_decision(text)
        if decision.turn_id not in self._open:
            raise LineError(f'expected the "turn_id" of a turn that is still to be answered, got {shown(text)}')
        self._response.decisions.append(decision)
        self._open.remove(decision.turn_id)
        if not self._open:
            self._answered.set()

    def _gone(self) -> None:
        """The program has ended or closed its end of a pipe. Unless it was told to, it is at fault."""
        try:
            code = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            if self._ending.is_set():
                return
            self._fail("the program has closed its standard input or output, expected both to stay open")
        if self._ending.wait(NOTICE_SECONDS):
            return
        ended = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        self._fail(f"the program {ended}, expected it to go on until its input ends; see above what it said itself")

    def _fail(self, why: str) -> NoReturn:
        """End the program and this process, once: another thread that comes here waits for its end."""
        self._failing.acquire()  # never released
        self._kill()
        leave(1, f"bridge: {why}")

    def _kill(self) -> None:
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)


def _start(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start a program with pipes that have no buffers on this side. Raises `InputError`."""
    program = found(command[0], Path.cwd())
    if program is None:
        place = f"in {Path.cwd()}" if Path(command[0]).name != command[0] else "on the PATH"
        raise InputError(f"bridge: there is no program {command[0]!r} {place}; is it built, installed and executable?")
    try:
        argv = dying_with_us([program, *command[1:]])
        return subprocess.Popen(argv, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as error:
        raise InputError(f"bridge: {command[0]!r} cannot be started: {error.strerror}") from None
