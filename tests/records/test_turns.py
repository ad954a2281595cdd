"""Every turn of a game is made again from its record, whatever the game and whatever went wrong in it."""

import pytest
from playing import FORMATS, Players

from arena.dealer.table import FaultCost, Table
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import PlayRequest
from arena.records.turns import asked_turns
from arena.rules.view import Turn

FAULTS = {FaultCost.HAND: 0.05, FaultCost.GAME: 0.003}
"""How often: where they cost the game it is soon over."""


def sent(turn: Turn | None) -> bytes:
    """A turn as a bot is sent it."""
    assert turn is not None
    request = PlayRequest()
    codec.add_turn(request, turn)
    return request.SerializeToString(deterministic=True)


@pytest.mark.parametrize("cost", FaultCost)
@pytest.mark.parametrize("kind", FORMATS)
def test_the_turns_of_a_record_are_those_that_were_sent(kind: str, cost: FaultCost) -> None:
    players = Players(FORMATS[kind], faults=FAULTS[cost], cost=cost)
    faults = 0
    for spec in players.schedule(3, 2):
        table = Table(spec, players.shared, advisers=(True,) * len(spec.seats))
        before = [sent(turn) for turn in players.turns(table)]
        record = table.record()
        assert [sent(turn.table.asked) for turn in asked_turns(players.shared, spec, record)] == before
        faults += len(record.faults)
    assert faults
