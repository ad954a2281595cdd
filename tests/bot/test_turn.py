"""A turn as a bot sees it: what the message does not carry."""

import pytest
from played_turns import turns_of_games

from arena.bot import Setup, Turn
from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.view import GameKind
from arena.rules.view import Turn as AskedTurn


def seen(asked: AskedTurn, hints: bool = True) -> Turn:
    request = pb.PlayRequest()
    codec.add_turn(request, asked)
    return Turn(request.turns[0], Setup(GameKind.GIN, False, {}, hints))


def test_dice_are_those_of_the_decision() -> None:
    first, second = turns_of_games(2)[:2]
    throws = seen(first).random.random()
    assert throws == seen(first).random.random()
    assert throws != seen(second).random.random()
    turn = seen(first)
    assert turn.random is turn.random
    assert turn.random.random() != turn.random.random()


def test_without_hints_a_turn_works_out_what_they_would_have_said() -> None:
    with_hints, without = turns_of_games(20, hints=True), turns_of_games(20, hints=False)
    assert any(turn.view.knocks for turn in with_hints)
    for hinted, bare in zip(with_hints, without, strict=True):
        assert (bare.view.deadwood, bare.view.knocks) == (b"", b"")
        worked_out = seen(bare, hints=False)
        assert (worked_out.deadwood, worked_out.knocks) == (hinted.view.deadwood, hinted.view.knocks)


def test_the_top_of_the_pile_is_its_last_card() -> None:
    asked = next(turn for turn in turns_of_games(1) if len(turn.view.discard_pile) > 2)
    assert seen(asked).top == asked.view.discard_pile[-1]
    with pytest.raises(IndexError):
        _ = seen(asked._replace(view=asked.view._replace(discard_pile=b""))).top
