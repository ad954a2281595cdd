"""Turns as they come up in play: whole hands played by the rules, with simple-minded players."""

from functools import cache
from random import Random

from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.actions import PASS, STOCK, Action, defend, discard, knock
from arena.rules.hand import Hand
from arena.rules.options import Rules
from arena.rules.view import Frame, GameKind, HandView, Role, Scores, Turn, TurnKind


def setup_message(hints: bool) -> pb.Setup:
    return codec.setup_message(GameKind.GIN, False, {"gin_bonus": "25"}, hints)


def frame(hand: Hand, position: int, game_id: int) -> Frame:
    role = Role.DEALER if position else Role.NONDEALER
    return Frame(game_id, 1, role, Scores((10, 20), (1, 1)), hand.limit, hand.multiplier, hand.deal.upcard)


@cache
def _turns(games: int, hints: bool, rules: Rules) -> tuple[Turn, ...]:
    dice = Random(games)
    turns: list[Turn] = []
    hands = [Hand(rules, dice.sample(range(52), 52)) for _ in range(games)]
    # A game is seen by two seats, each under an id of its own.
    frames = [
        [frame(hand, position, 1000 + 2 * game + position) for position in range(2)] for game, hand in enumerate(hands)
    ]
    while any(hand.result is None for hand in hands):
        for game, hand in enumerate(hands):
            if hand.result is None:
                view = hand.view(hand.to_act, hints)
                turns.append(Turn(len(turns) + 1, frames[game][hand.to_act], view, dice.getrandbits(64)))
                hand.apply(_action(hand.view(hand.to_act, hints=True)))
    return tuple(turns)


def turns_of_games(games: int, hints: bool = True, rules: Rules | None = None) -> list[Turn]:
    """All turns of the first hands of this many games, the games interleaved."""
    return list(_turns(games, hints, rules or Rules()))


def _action(view: HandView) -> Action:
    if view.kind is TurnKind.UPCARD:
        return PASS
    if view.kind is TurnKind.DRAW:
        return STOCK
    if view.kind is TurnKind.DISCARD:
        return knock(view.knocks[0]) if view.knocks else discard(view.discards[-1])
    return defend()
