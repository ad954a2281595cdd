"""How a recorded game went: its hands, and the score after each."""

from collections.abc import Iterator
from typing import NamedTuple

from arena.dealer.table import TableRules, first_roles
from arena.dealer.values import GameRecord, GameSpec, HandRecord
from arena.records.info import RunInfo
from arena.rules.game import Game, Roles


class HandScored(NamedTuple):
    """A hand, and the points of all seats after it, without the bonuses that are settled at the end of the game.

    totals: by seat (Hollywood: the sum over the columns). columns: Hollywood only, each by seat.
    """

    hand: HandRecord
    totals: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]


def first_roles_of(info: RunInfo, spec: GameSpec) -> Roles:
    """Who has which part in the first hand of a game."""
    return first_roles(TableRules(info.format, bytes.fromhex(info.seed)), spec.group)


def course(info: RunInfo, spec: GameSpec, record: GameRecord) -> Iterator[HandScored]:
    """The hands of a finished game with the score after each."""
    game = Game(info.format, first_roles_of(info, spec))
    for hand in record.hands:
        game.record(hand.result)
        own_columns = [[points[0] for points in game.scores(seat).columns] for seat in range(len(spec.seats))]
        yield HandScored(hand, game.totals, tuple(zip(*own_columns, strict=True)))
