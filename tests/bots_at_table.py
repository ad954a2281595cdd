"""Bots at a table in this process: turns and decisions pass through messages, as they do between processes."""

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.bot import Bot
from arena.bot.games import Games
from arena.dealer.table import Table, TableRules
from arena.dealer.values import GameRecord, GameSpec
from arena.dealing import master_seed
from arena.players.faults import Failure
from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.game import GameFormat
from arena.rules.view import Advice, Turn

SAMPLE_BOTS = Path(__file__).parents[1] / "sample_bots"
SEED = master_seed("bots at a table")


def no_fate(turn: Turn, seat: int) -> None:
    """Nothing goes wrong."""


def bot_class(name: str, folder: Path = SAMPLE_BOTS) -> type[Bot]:
    """The bot in a folder of sample_bots, or of another folder."""
    spec = importlib.util.spec_from_file_location(f"{folder.name}_{name}", folder / name / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Bot)]
    (only,) = [bot for bot in found if bot is not Bot]
    return only


def play(spec: GameSpec, game_format: GameFormat, seats: Sequence[type[Bot]], hints: bool = True) -> GameRecord:
    """Play one game. Raises `IllegalAction` or `MalformedDecision` where a bot is at fault."""
    return play_by(TableRules(game_format, SEED, hints), spec, seats)


def play_by(
    shared: TableRules,
    spec: GameSpec,
    seats: Sequence[type[Bot]],
    fate: Callable[[Turn, int], Failure | None] = no_fate,
) -> GameRecord:
    """Play one game by these rules. fate: says of a turn and its seat whether it meets with a failure."""
    table = Table(spec, shared, tuple(bot.advise is not Bot.advise for bot in seats))
    games = [Games(bot) for bot in seats]
    game_format = shared.format
    setup = codec.setup_message(game_format.game, game_format.hollywood, game_format.rules.as_text(), shared.hints)
    while table.asked is not None:
        failure = fate(table.asked, table.seat)
        if failure is not None:
            table.fault(failure)
            continue
        request = pb.PlayRequest(setup=setup)
        for notice in table.ended[table.seat]:
            codec.add_hand_over(request, notice)
        table.ended[table.seat].clear()
        codec.add_turn(request, table.asked)
        request = pb.PlayRequest.FromString(request.SerializeToString())
        (decision,) = games[table.seat].answer(request).decisions
        if not table.asked.advising:
            table.decide(codec.read_decision(decision))
        elif decision.action:
            table.advise(Advice(codec.read_decision(decision), codec.read_text(decision)))
        else:
            table.advise(None)
    return table.record()
