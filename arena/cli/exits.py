"""The exit codes of every command: one table, explained in docs/exit-codes.md."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a command's end means to a script. Commands raise `typer.Exit` with one of these."""

    FINE = 0
    """Done, or yes. What bots did wrong in a run leaves it here: it is in the table."""
    NO = 1
    """Checked, and the answer is no."""
    USAGE = 2
    """Wrong usage or input."""
    HOST = 3
    """This machine cannot do what is needed, or the arena itself is broken."""
    REJECTED = 10
    """Compared, and the new version is not as was asked."""
    UNDECIDED = 20
    """Compared, and the hands that were allowed do not tell."""
    INTERRUPTED = 130
    """Ctrl-C."""
    PIPE_CLOSED = 141
    """Whoever read the output stopped reading, as in `arena ... | head`."""
