"""Bots that break the conversation.

WAY may be `answers a turn of others: ID`.
"""

import struct
from itertools import count

from culprit import WAY, Moment, serve, wait_for_ever
from wire import PLAY

from arena.protocol.v1 import player_pb2 as pb

OTHERS = "answers a turn of others: "
HUGE = 100 << 20


def answer_also(moment: Moment, *ids: int) -> list[pb.Decision]:
    return [moment.honest, *(pb.Decision(turn_id=one, action=pb.ACTION_PASS) for one in ids)]


def answer_in_two_messages(moment: Moment) -> list[pb.Decision]:
    moment.send(moment.honest)
    return [moment.honest]


def flood(moment: Moment, *decisions: pb.Decision) -> list[pb.Decision]:
    for _ in count():
        moment.send(*decisions)
    return []


def send_huge(moment: Moment) -> list[pb.Decision]:
    moment.wire.send_data(PLAY, struct.pack(">BI", 0, HUGE))
    for _ in range(0, HUGE, 1 << 20):
        moment.wire.send_data(PLAY, bytes(1 << 20))
    wait_for_ever()


def send_no_protobuf(moment: Moment) -> list[pb.Decision]:
    moment.wire.send(PLAY, b"\xff\xff\xff")
    return []


serve({
    "answers twice": lambda moment: [moment.honest, moment.honest],
    "answers in two messages": answer_in_two_messages,
    "answers an unknown turn": lambda moment: answer_also(moment, moment.turn.id ^ 1 << 63),
    "answers a stale turn": lambda moment: answer_also(moment, moment.turn.id - 1),
    "answers more than it was asked": lambda moment: answer_also(moment, *range(1000)),
    "floods": lambda moment: flood(moment, pb.Decision(turn_id=1, action=pb.ACTION_PASS)),
    "floods with nothing": flood,
    "sends 100 MB": send_huge,
    "sends no protobuf": send_no_protobuf,
    WAY if WAY.startswith(OTHERS) else "": lambda moment: answer_also(moment, int(WAY.removeprefix(OTHERS))),
})  # fmt: skip
