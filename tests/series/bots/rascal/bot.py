"""An honest bot but for its doomed turns, whose seed is a multiple of EVERY: there it misbehaves as WAY says.

Its way may also be to wear out: then each of its processes ends at the turn after EVERY others. Or to stay: then it
ends for nothing but a kill.

It speaks the protocol itself, because `arena.bot` would not let it do all that it does.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc

from arena.bot import Bot, Turn, makes_meld
from arena.bot.games import Games
from arena.protocol.v1 import player_pb2 as pb
from arena.protocol.v1.player_pb2_grpc import PlayerServicer, add_PlayerServicer_to_server

FOR_EVER = 3600


class Honest(Bot):
    """Takes what makes a meld, and knocks as soon as it can."""

    def draw(self, turn: Turn) -> bool:
        return makes_meld(turn.top, turn.hand)


class Rascal(PlayerServicer):
    """The protocol's side of it."""

    def __init__(self, way: str, every: int) -> None:
        self._way = way
        self._every = every
        self._asked = 0

    def Hello(self, request: pb.HelloRequest, context: grpc.ServicerContext) -> pb.HelloResponse:  # noqa: N802
        return pb.HelloResponse(protocol_version=1, name="rascal")

    def Play(  # noqa: N802
        self, request_iterator: Iterator[pb.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[pb.PlayResponse]:
        games = Games(Honest)
        for request in request_iterator:
            doomed = {turn.id for turn in request.turns if turn.seed % self._every == 0}
            if self._way in ("wear", "stay"):
                doomed.clear()
            if self._way == "wear":
                self._asked += len(request.turns)
                if self._asked > self._every:
                    os._exit(4)
            response = pb.PlayResponse()
            for decision in games.answer(request).decisions:
                if decision.turn_id not in doomed:
                    response.decisions.append(decision)
                else:
                    response.decisions.extend(self._misbehave(decision))
            if response.decisions:
                yield response

    def _misbehave(self, honest: pb.Decision) -> list[pb.Decision]:
        match self._way:
            case "crash":
                print("no such card", file=sys.stderr, flush=True)
                os._exit(3)
            case "suicide":
                os.kill(os.getpid(), signal.SIGKILL)
            case "stall":
                time.sleep(FOR_EVER)
            case "silence":
                return []
            case "illegal":
                illegal = pb.ACTION_DEFEND if honest.action != pb.ACTION_DEFEND else pb.ACTION_STOCK
                return [pb.Decision(turn_id=honest.turn_id, action=illegal)]
            case "malformed":
                return [pb.Decision(turn_id=honest.turn_id, action=pb.ACTION_DISCARD, card=52)]
            case "stranger":
                return [honest, pb.Decision(turn_id=honest.turn_id ^ 1, action=honest.action)]
            case "repetition":
                return [honest, honest]
        raise ValueError(self._way)


def serve(way: str, every: int) -> None:
    if way == "stay":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    server = grpc.server(ThreadPoolExecutor(4))
    add_PlayerServicer_to_server(Rascal(way, every), server)
    server.add_insecure_port(os.environ["ARENA_LISTEN"])
    server.start()
    server.wait_for_termination()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
