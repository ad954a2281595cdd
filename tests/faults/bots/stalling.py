"""Bots that do not answer in time.

WAY may be `answers after SECONDS s`.
"""

import os
import signal
import sys
import time

from culprit import WAY, Moment, serve, wait_for_ever
from wire import PLAY

from arena.protocol.v1 import player_pb2 as pb


def hang(_: Moment) -> list[pb.Decision]:
    print("thinking", file=sys.stderr, flush=True)
    wait_for_ever()


def spin(_: Moment) -> list[pb.Decision]:
    while True:
        pass


def stop(_: Moment) -> list[pb.Decision]:
    os.kill(os.getpid(), signal.SIGSTOP)
    wait_for_ever()


def send_nothing(moment: Moment) -> list[pb.Decision]:
    moment.send()
    return []


def send_no_message(moment: Moment) -> list[pb.Decision]:
    """Bytes that are no message of gRPC: it waits for more."""
    moment.wire.send_data(PLAY, b"\xff\0\0\0\1x")
    return []


def answer_late(moment: Moment) -> list[pb.Decision]:
    time.sleep(float(WAY.split()[2]))
    return [moment.honest]


serve({
    "hangs": hang,
    "spins": spin,
    "is stopped": stop,
    "answers the others": lambda _: [],
    "answers with an empty batch": send_nothing,
    "sends no message of gRPC": send_no_message,
    WAY if WAY.startswith("answers after ") else "": answer_late,
})  # fmt: skip
