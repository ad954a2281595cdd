"""A bot that thinks nothing: bare gRPC and the first legal action, the least that any Python bot can cost."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc

from arena.protocol.v1 import player_pb2 as pb
from arena.protocol.v1.player_pb2_grpc import PlayerServicer, add_PlayerServicer_to_server


def answer(request: pb.PlayRequest) -> pb.PlayResponse:
    """The first legal action of every turn, with the first card that may be discarded where one is asked."""
    response = pb.PlayResponse()
    decisions = response.decisions
    for turn in request.turns:
        decision = decisions.add()
        decision.turn_id = turn.id
        decision.action = turn.legal[0]
        if turn.discards:
            decision.card = turn.discards[0]
    return response


class Empty(PlayerServicer):
    def Hello(self, request: pb.HelloRequest, context: grpc.ServicerContext) -> pb.HelloResponse:  # noqa: ARG002, N802
        return pb.HelloResponse(protocol_version=1, name="empty")

    def Play(  # noqa: N802
        self, request_iterator: Iterator[pb.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[pb.PlayResponse]:
        context.add_callback(lambda: os._exit(0))
        for request in request_iterator:
            if request.turns:
                yield answer(request)


if __name__ == "__main__":
    server = grpc.server(ThreadPoolExecutor(2))
    server.add_insecure_port(os.environ["ARENA_LISTEN"])
    add_PlayerServicer_to_server(Empty(), server)
    server.start()
    server.wait_for_termination()
