"""Bots that try what they may not, and play on; and some that leave something behind.

What is tried would do no harm where nothing forbids it.
"""

import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from culprit import FOR_EVER, Moment, serve

from arena.protocol.v1 import player_pb2 as pb

PIECE = b"x" * (1 << 20)


def trying(deed: Callable[[], object]) -> Callable[[Moment], list[pb.Decision]]:
    """Do it, and play on if that fails too."""

    def way(moment: Moment) -> list[pb.Decision]:
        with suppress(OSError):
            print(deed(), file=sys.stderr, flush=True)
        return [moment.honest]

    return way


def fill_disk() -> None:
    with (Path.home() / "all").open("wb") as file:
        for _ in range(100):
            file.write(PIECE)


def start_child(moment: Moment | None = None) -> None:
    """A grandchild, in a session of its own; with a moment, one that keeps its connection."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for file in (0, 1, 2):
                os.close(file)
            if moment is None:
                os.closerange(3, 256)
            time.sleep(FOR_EVER)
        os._exit(0)
    os.wait()


def fork_bomb() -> None:
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(FOR_EVER)


def leave_child(moment: Moment) -> list[pb.Decision]:
    start_child(moment)
    os._exit(0)


def signal_arena() -> None:
    for pid in range(2, 400_000):
        with suppress(OSError):
            os.kill(pid, signal.SIGURG)  # which nobody minds
    os.kill(os.getppid(), signal.SIGURG)


def look_around() -> list[str]:
    """The environment of others, the folders and sockets of others, and what only root may read."""
    found = [path for path in Path("/proc").glob("[0-9]*/environ") if os.access(path, os.R_OK) and path.read_bytes()]
    found += [*Path.home().parent.parent.glob("*/s"), *Path.home().parent.parent.glob("*/run.sqlite")]
    return [*map(str, found), Path("/etc/shadow").read_text()]


def call_out() -> None:
    with socket.create_connection(("127.0.0.1", 22), timeout=1.0):
        pass


serve({
    "fills its disk": trying(fill_disk),
    "forks without end": trying(fork_bomb),
    "daemonises a child": trying(start_child),
    "leaves a child with its connection": leave_child,
    "signals everybody": trying(signal_arena),
    "looks around": trying(look_around),
    "tries the network": trying(call_out),
})  # fmt: skip
