"""Bots that are gone before they have answered."""

import os
import signal
import sys

from culprit import Moment, serve, wait_for_ever
from wire import PLAY

from arena.protocol.v1 import player_pb2 as pb

UNKNOWN = 2
"""A status of gRPC: what its servers say for a program that raised an error."""


def exit_with(code: int) -> list[pb.Decision]:
    print("no such card", file=sys.stderr, flush=True)
    os._exit(code)


def signal_itself(_: Moment) -> list[pb.Decision]:
    os.kill(os.getpid(), signal.SIGSEGV)
    wait_for_ever()


def close_stream(moment: Moment) -> list[pb.Decision]:
    moment.wire.end(PLAY)
    wait_for_ever()


def end_stream(moment: Moment) -> list[pb.Decision]:
    moment.wire.end(PLAY, UNKNOWN, "cannot play this")
    wait_for_ever()


def hang_up(moment: Moment) -> list[pb.Decision]:
    moment.wire.hang_up()
    wait_for_ever()


def write_no_frame(moment: Moment) -> list[pb.Decision]:
    moment.wire.write(b"HTTP/1.1 200 OK\r\n\r\nknock\r\n")
    wait_for_ever()


serve({
    "exits": lambda _: exit_with(3),
    "exits with 0": lambda _: exit_with(0),
    "is killed by a signal": signal_itself,
    "closes its stream": close_stream,
    "ends its stream with an error": end_stream,
    "closes its connection": hang_up,
    "writes no HTTP/2": write_no_frame,
})  # fmt: skip
