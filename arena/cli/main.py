"""The way in and the only way out: runs a command and turns whatever ends it into an exit code.

Nothing but the standard library is imported until a command is asked for: worker processes import this
module too, as their main module.
"""

import gc
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from arena.cli.exits import ExitCode
from arena.errors import ArenaError, HostError, printable

NO_THREAD = "can't start new thread"
"""What Python says where the system gives it none."""


def main() -> None:
    """Run the `arena` command with the process's arguments and end the process."""
    _open_streams()
    try:
        _hear_the_end()
        code = run(sys.argv[1:])
    except _KilledError as end:
        signal.signal(end.number, signal.SIG_DFL)
        signal.raise_signal(end.number)  # so that whoever has sent it sees what it did
        raise
    gc.freeze()  # all that is left goes with the process: to look through it first takes a tenth of a second
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. Nothing escapes: every error becomes one line on standard error."""
    try:
        code = _invoke(arguments)
        print(end="", flush=True)  # here, and not at the interpreter's end, where an error cannot be told any more
    except BrokenPipeError:
        _drop_output()
        return ExitCode.PIPE_CLOSED
    except KeyboardInterrupt:
        _complain("interrupted")
        return ExitCode.INTERRUPTED
    except HostError as error:
        _complain(str(error))
        return ExitCode.HOST
    except ArenaError as error:
        _complain(str(error))
        return ExitCode.USAGE
    except OSError as error:
        _drop_output()
        place = f"{error.filename}: " if error.filename else ""
        _complain(f"{place}{error.strerror or error}")
        return ExitCode.HOST
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and str(error) != NO_THREAD:
            return _bug(error)
        _complain(f"{str(error) or 'no memory is left'}: this machine, or its limits (ulimit), are too small for this")
        return ExitCode.HOST
    except Exception as error:  # noqa: BLE001 - the last resort: no traceback reaches a user
        return _bug(error)
    return code


class _KilledError(SystemExit):
    """A polite kill, or the end of the terminal: what is held is let go on the way out, as by Ctrl-C.

    A `SystemExit`, as every other error would end no event loop but what is done in it.
    """

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


def _hear_the_end() -> None:
    """Let a signal that would end the process at once let it end in order; a second polite kill ends it at once.

    The end of a terminal is heard twice, from its shell and from the system, and the end of a session as both signals.
    """
    heard: list[int] = []

    def end(number: int, _: object) -> None:
        if number == signal.SIGTERM and number in heard:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        heard.append(number)
        if len(heard) == 1:
            raise _KilledError(number)

    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(number) is signal.SIG_DFL:  # not under `nohup`
            signal.signal(number, end)


def _invoke(arguments: Sequence[str]) -> int:
    """Run the command and return its code. Usage errors end here, everything else passes through."""
    import typer

    from arena.cli.app import app

    command = typer.main.get_command(app)
    try:
        with command.make_context("arena", list(arguments)) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    except typer.TyperException as error:
        where = getattr(error, "ctx", None)
        wrong = error.format_message().replace("Value error, ", "").rstrip(".")  # its parser's word, nobody else's
        _complain(f"{wrong}: try '{where.command_path if where else 'arena'} --help'")
        return ExitCode.USAGE
    return ExitCode.FINE


def _open_streams() -> None:
    """See to it that the standard streams take whatever is written to them.

    One that was closed to begin with becomes something: else a record would get its number. A character that the
    terminal's encoding does not have, as of a path that is no UTF-8, is told by its number.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("r" if name == "stdin" else "w"))  # noqa: SIM115 - it stays open
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":  # standard error never is
        sys.stdout.reconfigure(errors="backslashreplace")


def _complain(message: str) -> None:
    lines = [printable(line) for line in message.split("\n")]
    try:
        print(*lines, sep="\n", file=sys.stderr, flush=True)
    except OSError:  # nobody can be told
        _drop_output()


def _drop_output() -> None:
    """Send what is still buffered nowhere: the interpreter would try to write it again when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())


def _bug(error: Exception) -> int:
    """Tell of an error that nobody has foreseen, while it is being handled."""
    _complain(f"this is a bug in the arena ({type(error).__name__}: {error}); please report it with {_written()}")
    return ExitCode.HOST


def _written() -> str:
    """Write the traceback of the error being handled to a file; returns the file's path, or the traceback itself."""
    text = traceback.format_exc()
    try:
        with tempfile.NamedTemporaryFile("w", prefix="arena-bug-", suffix=".txt", delete=False) as file:
            file.write(text)
    except OSError:
        return f"this:\n{text}"
    return file.name
