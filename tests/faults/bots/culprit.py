"""What the bots of this folder have in common: each plays honestly but for its doomed turns, where it misbehaves.

    program WAY [EVERY [KIND [advising]]]

A turn is doomed if its seed is a multiple of EVERY, and if it is what is meant: of the KIND, if that is not `any`, and
a decision, or else to advise. The seed of a turn is the same whenever it is asked, so a turn that fails does so again
when it is asked alone.
"""

import os
import socket
import sys
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple, NoReturn

from wire import HELLO, PLAY, Wire

from arena.protocol.v1 import player_pb2 as pb

WAY, EVERY, KIND, ADVISING = [*sys.argv[1:], *("", "0", "any", "")[len(sys.argv) - 1 :]]
FOR_EVER = 3600.0


class Moment(NamedTuple):
    """Where a way to misbehave comes in.

    turn: the doomed one. honest: the decision on it. others: those on the other turns of the request.
    """

    wire: Wire
    turn: pb.Turn
    honest: pb.Decision
    others: list[pb.Decision]

    def send(self, *decisions: pb.Decision) -> None:
        """Send an answer now."""
        self.wire.send(PLAY, pb.PlayResponse(decisions=decisions).SerializeToString())


Way = Callable[[Moment], list[pb.Decision]]
"""Returns what is said in place of the honest decision, if it returns."""


def wait_for_ever() -> NoReturn:
    """Use no processor time."""
    while True:
        time.sleep(FOR_EVER)


def decide(turn: pb.Turn) -> pb.Decision:
    """What a bot of `arena.bot` decides that overrides nothing; as advice it is the same."""
    if turn.kind == pb.TURN_KIND_UPCARD:
        return pb.Decision(turn_id=turn.id, action=pb.ACTION_PASS)
    if turn.kind == pb.TURN_KIND_DRAW:
        return pb.Decision(turn_id=turn.id, action=pb.ACTION_STOCK)
    if turn.kind == pb.TURN_KIND_DISCARD:
        _, card = min(zip(turn.deadwood, turn.discards, strict=True))
        action = pb.ACTION_KNOCK if card in turn.knocks else pb.ACTION_DISCARD
        return pb.Decision(turn_id=turn.id, action=action, card=card)
    return pb.Decision(turn_id=turn.id, action=pb.ACTION_DEFEND)


def doomed(turn: pb.Turn) -> bool:
    """Whether to misbehave at a turn."""
    meant = KIND in ("any", pb.TurnKind.Name(turn.kind).removeprefix("TURN_KIND_").lower())
    return meant and turn.advising == bool(ADVISING) and EVERY != "0" and turn.seed % int(EVERY) == 0


def introduce() -> pb.HelloResponse:
    """What an honest bot says of itself."""
    return pb.HelloResponse(protocol_version=1, name="culprit", advises=bool(ADVISING))


def listen() -> socket.socket:
    """Listen where the arena says."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.environ["ARENA_LISTEN"].removeprefix("unix:"))
    listener.listen()
    return listener


def serve(
    ways: Mapping[str, Way],
    hello: Callable[[Wire], pb.HelloResponse] = lambda _: introduce(),
    goodbye: Callable[[], None] = lambda: None,
) -> NoReturn:
    """Be a bot that misbehaves in one of these ways. hello, goodbye: what it says, and does at its end."""
    listener = listen()
    while True:
        connection, _ = listener.accept()
        try:
            converse(Wire(connection), ways.get(WAY), hello)
        except ConnectionError:  # the arena only looked whether somebody listens
            continue
        goodbye()
        sys.exit()


def converse(wire: Wire, way: Way | None, hello: Callable[[Wire], pb.HelloResponse]) -> None:
    """Answer until the arena says goodbye."""
    for stream, message in wire.messages():
        if stream == HELLO:
            wire.send(HELLO, hello(wire).SerializeToString())
            wire.end(HELLO)
            continue
        turns = pb.PlayRequest.FromString(message).turns
        honest = [decide(turn) for turn in turns]
        answer: list[pb.Decision] = []
        for turn, decision in zip(turns, honest, strict=True):
            if way and doomed(turn):
                others = [other for other in honest if other is not decision]
                answer += way(Moment(wire, turn, decision, others))
            else:
                answer.append(decision)
        if answer:
            wire.send(PLAY, pb.PlayResponse(decisions=answer).SerializeToString())
    wire.end(PLAY)
