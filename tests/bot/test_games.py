"""What a later version of the protocol may say, and a Python bot of today lets pass."""

import pytest

from arena.bot import ActionKind, Bot, HandOver, ResultKind, Turn
from arena.bot.games import Games
from arena.protocol.v1 import player_pb2 as pb

LATER = 99


class Listener(Bot):
    told: list[HandOver]

    def draw(self, turn: Turn) -> bool:
        assert turn.legal == (ActionKind.STOCK, ActionKind.PILE)
        return False

    def hand_over(self, notice: HandOver) -> None:
        type(self).told.append(notice)


def request(**notice: int) -> pb.PlayRequest:
    """A notice of hand 1 of a game, and a draw in it that allows one action more than there is."""
    message = pb.PlayRequest(setup=pb.Setup(game=pb.GAME_GIN, rules={"a_later_option": "a later value"}))
    message.turns.add(id=7, game_id=1, kind=pb.TURN_KIND_DRAW, legal=[pb.ACTION_STOCK, LATER, pb.ACTION_PILE])
    if notice:
        message.hands_over.add(game_id=1, hand_number=1, **notice)
    return pb.PlayRequest.FromString(message.SerializeToString())


@pytest.mark.parametrize(
    ("end", "role", "told"),
    [
        (pb.HAND_END_WALL, pb.ROLE_DEALER, [ResultKind.WALL]),
        (LATER, pb.ROLE_DEALER, []),
        (pb.HAND_END_WALL, LATER, []),
        (pb.HAND_END_UNSPECIFIED, pb.ROLE_DEALER, []),
    ],
)
def test_a_bot_is_told_what_it_can_understand_and_plays_on(end: int, role: int, told: list[ResultKind]) -> None:
    Listener.told = []
    games = Games(Listener)
    games.answer(request())
    (decision,) = games.answer(request(end=end, role=role)).decisions
    assert (decision.turn_id, decision.action) == (7, pb.ACTION_STOCK)
    assert [notice.end for notice in Listener.told] == told
