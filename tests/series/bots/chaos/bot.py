"""A bot that misbehaves at random, by the seed of its turns: about one in EVERY of them, in one of the WAYS.

It is honest else, and remembers nothing, so that its faults are the same in every run.
"""

import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import grpc

from arena.bot import Bot, Turn, makes_meld
from arena.bot.games import Games
from arena.protocol.v1 import player_pb2 as pb

WAYS = ("illegal", "malformed", "crash", "leave", "flood", "garbage", "stranger", "repetition", "huge", "late")
GARBAGE = b"\xff\xff\xff\xff no message at all"
HUGE = 8 * 1024 * 1024
FOR_EVER = 3600
LINES = 20_000


class Honest(Bot):
    """Takes what makes a meld, and knocks as soon as it can."""

    def draw(self, turn: Turn) -> bool:
        return makes_meld(turn.top, turn.hand)


class Chaos:
    """The protocol's side of it."""

    def __init__(self, every: int, ways: tuple[str, ...]) -> None:
        self._every = every
        self._ways = ways

    def hello(self, request: pb.HelloRequest, context: grpc.ServicerContext) -> pb.HelloResponse:
        return pb.HelloResponse(protocol_version=1, name="chaos")

    def play(self, requests: Iterator[pb.PlayRequest], context: grpc.ServicerContext) -> Iterator[bytes]:
        games = Games(Honest)
        for request in requests:
            seeds = {turn.id: turn.seed for turn in request.turns}
            response = pb.PlayResponse()
            for decision in games.answer(request).decisions:
                dice = Random(seeds[decision.turn_id])
                if dice.randrange(self._every):
                    response.decisions.append(decision)
                    continue
                answer = self._misbehave(dice.choice(self._ways), decision)
                if isinstance(answer, bytes):
                    yield answer
                else:
                    response.decisions.extend(answer)
            if response.decisions:
                yield response.SerializeToString()

    def _misbehave(self, way: str, honest: pb.Decision) -> list[pb.Decision] | bytes:
        match way:
            case "illegal":
                action = pb.ACTION_DEFEND if honest.action != pb.ACTION_DEFEND else pb.ACTION_STOCK
                return [pb.Decision(turn_id=honest.turn_id, action=action)]
            case "malformed":
                return [pb.Decision(turn_id=honest.turn_id, action=pb.ACTION_DISCARD, card=52)]
            case "crash":
                print("this is the end", file=sys.stderr, flush=True)
                os._exit(3)
            case "leave":
                os._exit(0)
            case "flood":
                print("spam " * 10 + "\n" * LINES, file=sys.stderr, flush=True)
                return [honest]
            case "garbage":
                return GARBAGE
            case "huge":
                return bytes(HUGE)
            case "stranger":
                return [honest, pb.Decision(turn_id=honest.turn_id ^ 1, action=honest.action)]
            case "repetition":
                return [honest, honest]
        time.sleep(FOR_EVER)
        return [honest]


def serve(chaos: Chaos) -> None:
    server = grpc.server(ThreadPoolExecutor(4))
    handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "Hello": grpc.unary_unary_rpc_method_handler(
            chaos.hello, pb.HelloRequest.FromString, pb.HelloResponse.SerializeToString
        ),
        "Play": grpc.stream_stream_rpc_method_handler(chaos.play, pb.PlayRequest.FromString),
    }
    service = pb.DESCRIPTOR.services_by_name["Player"].full_name
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))
    server.add_insecure_port(os.environ["ARENA_LISTEN"])
    server.start()
    server.wait_for_termination()


if __name__ == "__main__":
    serve(Chaos(int(sys.argv[1]), tuple(sys.argv[2:])))
