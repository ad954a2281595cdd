"""The score sheet: columns that take points, and what they are worth once the game is over.

A game with single scoring is a sheet of one column, Hollywood one of three.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.rules.options import Rules

HOLLYWOOD_COLUMNS = 3


class Column:
    """One column. To be read by all, changed by `Scoreboard` alone.

    points: by seat, without bonuses.
    entries: by seat, how often it scored here; each is a box.
    winner: the seat that reached the target and so closed the column; `None` while it takes points.
    """

    __slots__ = ("entries", "points", "winner")

    def __init__(self, seats: int) -> None:
        self.points = [0] * seats
        self.entries = [0] * seats
        self.winner: int | None = None

    @property
    def open(self) -> bool:
        """Whether it still takes points."""
        return self.winner is None


class Scoreboard:
    """All columns of one game, and which of them each seat has opened (RULES 4).

    target: what closes a column; `None` closes none, as in play by deals.
    late_start: which column a win opens, `shift` or `strict`.
    """

    __slots__ = ("_late_start", "_opened", "_target", "columns")

    def __init__(self, seats: int, columns: int, target: int | None, late_start: str) -> None:
        self.columns = tuple(Column(seats) for _ in range(columns))
        self._target = target
        self._late_start = late_start
        self._opened: tuple[list[Column], ...] = tuple([] for _ in range(seats))

    @property
    def closed(self) -> bool:
        """Whether all columns are closed."""
        return not any(column.open for column in self.columns)

    def total(self, seat: int) -> int:
        """A seat's points over all columns."""
        return sum(column.points[seat] for column in self.columns)

    def enter(self, scorers: Sequence[int], points: int) -> None:
        """Give points to the seats that score for a hand, the one who won it first.

        Where two of them reach the target at once the higher total wins the column, equal totals the first (T5).
        """
        for seat in scorers:
            self._open_next(seat)
        for column in self.columns:
            if column.open:
                for seat in scorers:
                    if column in self._opened[seat]:
                        column.points[seat] += points
                        column.entries[seat] += 1
                best = max(scorers, key=column.points.__getitem__)
                if self._target is not None and column.points[best] >= self._target:
                    column.winner = best

    def _open_next(self, seat: int) -> None:
        """Open the next column for a win: the lowest still open, or (strict) simply the next, closed or not."""
        opened = self._opened[seat]
        for column in self.columns:
            if column not in opened and (column.open or self._late_start == "strict"):
                opened.append(column)
                return


@dataclass(frozen=True, slots=True)
class ColumnOutcome:
    """What a finished column came to, by seat.

    points: without bonuses. totals: bonuses included. margins: see `settle`.
    winner: the seat that won it, `None` where nobody did.
    """

    points: tuple[int, ...]
    totals: tuple[int, ...]
    margins: tuple[float, ...]
    winner: int | None


def settle(rules: Rules, points: Sequence[int], entries: Sequence[int], winner: int | None) -> ColumnOutcome:
    """Settle the bonuses of A9 in a finished column, pairwise (T5).

    Against each other player a seat has its points, a box for each of its entries, and if it won the column the game
    bonus. The winner's game bonus (`game_x2`) or points (`points_x2`) count twice against a player without an entry.
    The margin of a seat is the mean, over the others, of what it has against them less what they have against it. So
    margins add up to 0, and without bonuses they are its points less the mean of theirs.
    In the totals, which name no opponent, a shutout counts if it holds against all others.
    """
    seats = range(len(points))

    def worth(seat: int, other: int) -> int:
        value = points[seat] + rules.box_bonus * entries[seat]
        if seat == winner:
            shut_out = entries[other] == 0
            value += rules.game_bonus * (2 if shut_out and rules.shutout == "game_x2" else 1)
            value += points[seat] if shut_out and rules.shutout == "points_x2" else 0
        return value

    others = [[other for other in seats if other != seat] for seat in seats]
    own = [[worth(seat, other) for other in others[seat]] for seat in seats]
    theirs = [[worth(other, seat) for other in others[seat]] for seat in seats]
    return ColumnOutcome(
        points=tuple(points),
        totals=tuple([min(own[seat]) for seat in seats]),
        margins=tuple([(sum(own[seat]) - sum(theirs[seat])) / len(others[seat]) for seat in seats]),
        winner=winner,
    )
