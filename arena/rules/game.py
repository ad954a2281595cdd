"""A game: hands to the target (or a single deal), who plays them in which part, and what comes of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.errors import RulesError
from arena.rules.options import Rules
from arena.rules.result import HandResult, Position
from arena.rules.roles import Roles, next_roles
from arena.rules.scoreboard import HOLLYWOOD_COLUMNS, Column, ColumnOutcome, Scoreboard, settle
from arena.rules.view import GameKind, Scores

__all__ = ["UNDEALT_DEADWOOD", "ColumnOutcome", "Ending", "Game", "GameFormat", "GameOutcome", "Play", "Roles"]

UNDEALT_DEADWOOD = 57
"""What a player who forfeits a deal before a card was dealt is counted with: the mean of ten dealt cards, rounded."""

_NO_BONUSES = Rules(game_bonus=0, box_bonus=0, shutout="none")


class Play(StrEnum):
    """What a game is: hands to the target, or one hand from 0-0 without bonuses."""

    GAMES = "games"
    DEALS = "deals"


class Ending(StrEnum):
    """Why a game ended."""

    TARGET = "target"
    """A total reached the target; in Hollywood all columns are closed."""
    MAX_HANDS = "max_hands"
    """As many hands were played as the rules allow (A16)."""
    DEALS = "deals"
    """The one hand of play by deals."""
    FORFEIT = "forfeit"
    """A player forfeited the game."""


@dataclass(frozen=True, slots=True)
class GameFormat:
    """What is played. Raises `RulesError` for what makes no sense together."""

    game: GameKind
    hollywood: bool
    play: Play
    rules: Rules

    def __post_init__(self) -> None:
        problems = []
        if self.hollywood and self.play is Play.DEALS:
            problems.append(("play", "expected games, because Hollywood scores the hands of a game; got deals"))
        if self.game is GameKind.OKLAHOMA and self.rules.knock_limit != "upcard":
            problems.append(("knock_limit", f"expected upcard, as Oklahoma has it, got {self.rules.knock_limit}"))
        if problems:
            raise RulesError(problems)

    @property
    def seats(self) -> int:
        """How many play."""
        return 3 if self.game is GameKind.THREE_HAND else 2


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """What a finished game came to, everything by seat.

    totals: points with the bonuses of A9 (Hollywood: the sum over the columns).
    points: without bonuses.
    margins: T5, see `settle` (Hollywood: the sum over the columns). They add up to 0.
    places: 1 for the first; equal ones share a place. By points, which is who reached the target first; in Hollywood by
        totals, then by columns won. Who forfeited the game is behind all who did not.
    hands_won: hands won as a player, so no hand twice.
    columns: the three of Hollywood, else empty.
    """

    totals: tuple[int, ...]
    points: tuple[int, ...]
    margins: tuple[float, ...]
    places: tuple[int, ...]
    hands_won: tuple[int, ...]
    ending: Ending
    columns: tuple[ColumnOutcome, ...] = ()


class Game:
    """One game in progress: `roles` says who plays the next hand, `record` takes its result.

    roles: seats of the next hand, `None` once the game is over.
    """

    def __init__(self, format_: GameFormat, first: Roles) -> None:
        """Begin with the roles of the first hand. Raises `ValueError` for roles that are not the game's seats."""
        if sorted(first.seen_from(first.nondealer)) != list(range(format_.seats)):
            msg = f"expected the roles of {format_.seats} seats, got {first}"
            raise ValueError(msg)
        deals = format_.play is Play.DEALS
        rules = format_.rules
        self.roles: Roles | None = first
        self._format = format_
        self._rules = rules
        self._last_roles = first
        self._hands = 0
        self._hands_won = [0] * format_.seats
        self._forfeited: set[int] = set()
        columns = HOLLYWOOD_COLUMNS if format_.hollywood else 1
        self._board = Scoreboard(format_.seats, columns, None if deals else rules.target, rules.late_start)

    @property
    def totals(self) -> tuple[int, ...]:
        """Points so far by seat, without bonuses (Hollywood: the sum over the columns)."""
        return tuple(self._board.total(seat) for seat in range(self._format.seats))

    def record(self, result: HandResult) -> None:
        """Enter the result of a hand that was played in the current roles. Raises `ValueError` once the game is over.

        The winner scores. A captain's win is also the points of the player who sits out under `captain_points: team`;
        in the columns they are an entry of its own, which earns a box there. But the hand was won by the captain.
        """
        roles = self.roles
        if roles is None:
            raise ValueError("expected no further hand in a game that is over")
        self._hands += 1
        if result.winner is not None:
            winner = roles.seat(result.winner)
            scorers = [winner]
            if roles.out is not None and result.winner == Position.NONDEALER and self._rules.captain_points == "team":
                scorers.append(roles.out)
            self._board.enter(scorers, result.points)
            self._hands_won[winner] += 1
        self._last_roles = roles
        over = self._ending() is not None
        self.roles = None if over else next_roles(roles, result.winner, self._rules.next_dealer)

    def scores(self, seat: int) -> Scores:
        """The score before the next hand as a seat sees it, in the order of `Roles.seen_from`."""
        order = (self.roles or self._last_roles).seen_from(seat)
        columns = self._board.columns if self._format.hollywood else ()
        return Scores(
            totals=tuple([self._board.total(other) for other in order]),
            hands_won=tuple([self._hands_won[other] for other in order]),
            columns=tuple([tuple([column.points[other] for other in order]) for column in columns]),
            open=tuple([column.open for column in columns]),
        )

    def forfeit(self, seat: int) -> None:
        """End the game by the fault of a seat; several may forfeit, in any order.

        Every other player's total is raised to the target, if below it, in each column that is still open; the offender
        keeps its points. A hand in progress is to be forfeited and recorded first, so that it costs no less than that
        hand. In play by deals that hand is all; where none was recorded each other player earns the gin bonus and
        `UNDEALT_DEADWOOD`, about what a forfeit at the first decision comes to.
        """
        self._forfeited.add(seat)
        self.roles = None

    def outcome(self) -> GameOutcome:
        """What the finished game came to. Raises `ValueError` before it is over."""
        ending = self._ending()
        if ending is None:
            raise ValueError("expected a game that is over, but it goes on")
        columns = tuple(self._settled(column) for column in self._board.columns)
        points = _sums([column.points for column in columns])
        totals = _sums([column.totals for column in columns])
        return GameOutcome(
            totals=totals,
            points=points,
            margins=tuple(map(sum, zip(*[column.margins for column in columns], strict=True))),
            places=self._places(totals if self._format.hollywood else points, columns),
            hands_won=tuple(self._hands_won),
            ending=ending,
            columns=columns if self._format.hollywood else (),
        )

    def _ending(self) -> Ending | None:
        if self._forfeited:
            return Ending.FORFEIT
        if self._format.play is Play.DEALS:
            return Ending.DEALS if self._hands else None
        if self._board.closed:
            return Ending.TARGET
        return Ending.MAX_HANDS if self._hands >= self._rules.max_hands else None

    def _settled(self, column: Column) -> ColumnOutcome:
        """A column at the end; one that nobody closed is won by who leads in it alone."""
        points, winner = list(column.points), column.winner
        if winner is None:
            staying = [seat for seat in range(len(points)) if seat not in self._forfeited]
            if self._forfeited:
                for seat in staying:
                    points[seat] = max(points[seat], self._award())
            leaders = [seat for seat in staying if points[seat] == max(points[other] for other in staying)]
            winner = leaders[0] if len(leaders) == 1 else None
        bonuses = self._rules if self._format.play is Play.GAMES else _NO_BONUSES
        won = column.entries if self._format.hollywood else self._hands_won
        return settle(bonuses, points, won, winner)

    def _award(self) -> int:
        """The points to which a forfeit of the game raises the others."""
        if self._format.play is Play.GAMES:
            return self._rules.target
        return 0 if self._hands else self._rules.gin_bonus + UNDEALT_DEADWOOD

    def _places(self, scores: Sequence[int], columns: Sequence[ColumnOutcome]) -> tuple[int, ...]:
        won = [column.winner for column in columns]
        keys = [(seat not in self._forfeited, score, won.count(seat)) for seat, score in enumerate(scores)]
        return tuple(1 + sum(other > key for other in keys) for key in keys)


def _sums(rows: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))
