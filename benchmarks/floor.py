"""The floor: what gRPC and protobuf alone carry between Python processes, with no arena in between.

One asyncio process stands for the arena and asks two processes of the empty bot, each over a stream of its own with one
message in flight, every message with the same number of turns: those of one hand as two empty bots play it, again and
again. So the messages have the sizes of real ones.

What the floor pays for is what every arena has to pay for: each turn is built afresh, field by field (what stays the
same through a hand is merged from bytes, the cheapest way there is), the rules go with every request, and of each
decision the turn's id, the action and the card are read. It does nothing else: it deals no cards, knows no rules, keeps
no time and no record, and checks nothing.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count, cycle, islice
from tempfile import TemporaryDirectory
from typing import NamedTuple

import grpc

from arena import dealing
from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.protocol.v1.player_pb2_grpc import PlayerStub
from arena.rules.actions import Action, discard
from arena.rules.hand import Hand
from arena.rules.options import Rules
from arena.rules.view import Frame, GameKind, Role, Scores, Turn
from benchmarks.measure import EMPTY, ROOT, Figures, Meter, Size


class Constants(NamedTuple):
    """A turn of the floor, ready to be built. fixed: the bytes of all that is not named here."""

    fixed: bytes
    hand: bytes
    drawn: int | None
    discard_pile: bytes
    stock: int
    history: bytes
    discards: bytes


def measure(batch: int, size: Size) -> Figures:
    """Decisions a second at so many turns a message, and what each costs the process that asks."""
    return asyncio.run(_measure(batch, size))


async def _measure(batch: int, size: Size) -> Figures:
    meter = Meter()
    with TemporaryDirectory() as folder:
        sockets = [f"unix:{folder}/{number}" for number in range(2)]
        bots = [_start(socket) for socket in sockets]
        lanes = [asyncio.create_task(_ask(socket, batch, meter)) for socket in sockets]
        try:
            return await meter.window(size, lanes, [bot.pid for bot in bots])
        finally:
            for lane in lanes:
                lane.cancel()
            await asyncio.gather(*lanes, return_exceptions=True)
            for bot in bots:
                bot.kill()
                bot.wait()


def _start(listen: str) -> subprocess.Popen[bytes]:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "ARENA_LISTEN": listen}
    return subprocess.Popen([sys.executable, EMPTY / "bot.py"], env=environment, stdin=subprocess.DEVNULL)


async def _ask(socket: str, batch: int, meter: Meter) -> None:
    """Ask one bot for ever."""
    setup = codec.setup_message(GameKind.GIN, False, Rules().as_text(), False)
    rules = pb.PlayRequest(setup=setup).SerializeToString()
    turns, ids = cycle(_constants()), count()
    async with grpc.aio.insecure_channel(socket, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        call = PlayerStub(channel).Play(wait_for_ready=True)
        while True:
            request = pb.PlayRequest.FromString(rules)
            for turn in islice(turns, batch):
                _build(request.turns.add(), turn, next(ids))
            await call.write(request)
            response = await call.read()
            assert isinstance(response, pb.PlayResponse)
            actions = {decision.turn_id: (decision.action, decision.card) for decision in response.decisions}
            meter.count(len(actions))


def _build(message: pb.Turn, turn: Constants, number: int) -> None:
    message.MergeFromString(turn.fixed)
    message.id = number
    message.seed = 0xFEED_FACE_CAFE_BEEF
    message.hand = turn.hand
    message.discard_pile = turn.discard_pile
    message.stock = turn.stock
    message.history = turn.history
    if turn.drawn is not None:
        message.drawn = turn.drawn
        message.discards = turn.discards


def turns_of_a_hand(hints: bool) -> Iterator[Turn]:
    """The turns of a hand as two empty bots play it."""
    hand = Hand(Rules(), dealing.deck(dealing.master_seed("floor"), 0, 1))
    frames = [
        Frame(1 << 47, 1, role, Scores((0, 0), (0, 0)), hand.limit, hand.multiplier, hand.deal.upcard)
        for role in (Role.NONDEALER, Role.DEALER)
    ]
    while hand.result is None:
        view = hand.view(hand.to_act, hints)
        yield Turn(0, frames[hand.to_act], view, 0)
        hand.apply(discard(view.discards[0]) if view.discards else Action(view.legal[0]))


def _constants() -> Iterator[Constants]:
    for turn in turns_of_a_hand(hints=False):
        request = pb.PlayRequest()
        codec.add_turn(request, turn)
        fixed = request.turns[0]
        for field in ("id", "seed", "hand", "drawn", "discard_pile", "stock", "history", "discards"):
            fixed.ClearField(field)
        view = turn.view
        rest = view.hand, view.drawn, view.discard_pile, view.stock, view.history, view.discards
        yield Constants(fixed.SerializeToString(), *rest)
