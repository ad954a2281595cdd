"""Bots that print more than anybody wants to read, and play honestly all the same."""

import sys

from culprit import Moment, serve

from arena.protocol.v1 import player_pb2 as pb

LINE = b"one line of a million, on a draw from the stock\n"


def print_lines(moment: Moment, count: int) -> list[pb.Decision]:
    for _ in range(count // 1000):
        sys.stderr.buffer.write(LINE * 1000)
    sys.stderr.flush()
    return [moment.honest]


def print_bytes(moment: Moment) -> list[pb.Decision]:
    for file in (sys.stdout.buffer, sys.stderr.buffer):
        file.write(bytes(range(128, 256)) + b"\x1b[2J\n")
        file.flush()
    return [moment.honest]


serve({
    "prints a million lines": lambda moment: print_lines(moment, 1_000_000),
    "prints without end": lambda moment: print_lines(moment, 10**12),
    "prints no text": print_bytes,
})  # fmt: skip
