"""A bot that is killed at its doomed turns, as by somebody outside."""

import os
import signal

from culprit import Moment, serve, wait_for_ever

from arena.protocol.v1 import player_pb2 as pb


def kill_itself(_: Moment) -> list[pb.Decision]:
    os.kill(os.getpid(), signal.SIGKILL)
    wait_for_ever()


serve({"is killed": kill_itself})
