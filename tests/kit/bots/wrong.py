"""A bot that is wrong in the way its argument names, and plays like `simple` in all else."""

import os
import subprocess
import sys
import time
from pathlib import Path

from google.protobuf.unknown_fields import UnknownFieldSet

from arena.bot import (
    Action,
    ActionKind,
    Advice,
    Bot,
    GameKind,
    Turn,
    TurnKind,
    big_gin,
    defend,
    discard,
    knock,
    serve,
    server,
)
from arena.bot.games import Games
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.actions import PASS, STOCK

WAY = sys.argv[1]
KNOWN_ACTIONS = set(pb.Action.values())
right_answer = Games.answer


def card_of_others(turn: Turn) -> int:
    """A card that is not in the hand."""
    return next(card for card in range(52) if card not in turn.hand)


class Wrong(Bot):
    version = "0.1"

    def decide(self, turn: Turn) -> Action:
        last = turn.kind is TurnKind.DRAW and ActionKind.PASS in turn.legal
        declares = ActionKind.BIG_GIN in turn.legal
        if WAY == "upcard" and turn.kind is TurnKind.UPCARD:
            return STOCK
        if WAY == "draw" and turn.kind is TurnKind.DRAW and not last:
            return PASS
        if WAY == "last discard" and last:
            return STOCK
        if WAY == "discard" and turn.kind is TurnKind.DISCARD and not turn.knocks:
            return discard(card_of_others(turn))
        if WAY == "knock" and turn.knocks and not declares:
            print("I knock with a card I have not got", file=sys.stderr, flush=True)
            return knock(card_of_others(turn))
        if WAY == "big gin" and declares:
            return big_gin((7,))
        if WAY == "defence" and turn.knocker_unmatched:
            return defend(None, 1 << card_of_others(turn))
        if WAY == "gin defence" and turn.kind is TurnKind.DEFEND and not turn.knocker_unmatched:
            return defend(None, 1 << turn.hand[0])
        if WAY == "captain" and turn.advice is not None:
            raise LookupError("what is advice?")
        if WAY == "no hints" and not turn.setup.hints:
            raise IndexError("there is no deadwood")
        if WAY == "dice of its own" and turn.kind is TurnKind.DISCARD:
            return discard(turn.discards[os.urandom(1)[0] % len(turn.discards)])
        if WAY == "sleeps":
            time.sleep(3600)
        return super().decide(turn)


class Adviser(Wrong):
    def advise(self, turn: Turn) -> Advice | None:
        if WAY == "fails to advise":
            raise LookupError("ask somebody else")
        if WAY == "advises half in public":
            return None if turn.hand else Advice(Action(ActionKind.DISCARD))
        return Advice(discard(card_of_others(turn)), "this one")


def answer(games: Games, request: pb.PlayRequest) -> pb.PlayResponse:
    """Answer a request, wrongly where the way is a way to do so."""
    if WAY == "notices" and any(notice.game_id not in games._bots for notice in request.hands_over):
        raise KeyError("no such game")
    if WAY == "unknown fields" and len(UnknownFieldSet(request)):
        raise ValueError("no such field")
    if WAY == "unknown values" and any(action not in KNOWN_ACTIONS for turn in request.turns for action in turn.legal):
        raise ValueError("no such action")
    if WAY == "restart":
        not_met_before(request)
    response = right_answer(games, request)
    decisions = response.decisions
    if WAY == "batches" and len(decisions) > 1:
        decisions.append(decisions[0])
    if WAY == "interleaved" and len(decisions) > 1 and request.hands_over:
        decisions[0].turn_id, decisions[1].turn_id = decisions[1].turn_id, decisions[0].turn_id
    if WAY == "no action":
        decisions[0].ClearField("action")
    if WAY == "tires":
        tire(len(decisions))
    if WAY == "slow":
        time.sleep(0.1)
    return response


def not_met_before(request: pb.PlayRequest) -> None:
    """Fail at a turn that another process has met: it is in a file of the folder."""
    memory = Path(".memory")
    memory.mkdir(exist_ok=True)
    for turn in request.turns:
        file = memory / str(turn.id)
        if file.exists() and file.read_text() != str(os.getpid()):
            raise RuntimeError("this turn was played")
        file.write_text(str(os.getpid()))


def count_the_living() -> None:
    """Note how many processes of this bot there are, this one among them."""
    folder = Path(".processes")
    folder.mkdir(exist_ok=True)
    (folder / str(os.getpid())).touch()
    with Path(".living").open("a") as living:
        print(sum(is_living(int(process.name)) for process in folder.iterdir()), file=living)


def is_living(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


tired = 0


def tire(turns: int) -> None:
    """Fail after a while."""
    global tired  # noqa: PLW0603
    tired += turns
    if tired > 8:
        raise MemoryError("so many games")


def leave(code: int, message: str = "") -> None:
    """End as the bot's server does, or otherwise."""
    if WAY == "never ends":
        time.sleep(3600)
    if WAY == "leaves a process":
        subprocess.Popen(["sleep", "60"], start_new_session=True)
    print(message, file=sys.stderr, flush=True)
    os._exit(3 if WAY == "exits with 3" else code)


if __name__ == "__main__":
    if WAY == "exits at once":
        sys.exit("no opening book")
    if WAY == "never listens":
        time.sleep(3600)
    if WAY == "a newer protocol":
        server.PROTOCOL_VERSION = 2  # type: ignore[attr-defined]
    if WAY == "counts its processes":
        count_the_living()
    if WAY == "colours":
        Wrong.version = "\x1b[31m0.1"
    if WAY == "one at a time":
        Wrong.max_batch = 1
    if WAY == "other games":
        Wrong.games = (GameKind.THREE_HAND,)
    Games.answer = answer  # type: ignore[assignment, method-assign]
    if WAY in ("never ends", "leaves a process", "exits with 3"):
        server.leave = leave  # type: ignore[assignment]
    serve(Adviser if "advi" in WAY else Wrong)
