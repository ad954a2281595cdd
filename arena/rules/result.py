"""How a hand ended, as a value."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Position(IntEnum):
    """A player's place in one hand. In three-hand the captain is the non-dealer and the box deals."""

    NONDEALER = 0
    DEALER = 1


class ResultKind(StrEnum):
    """The ways a hand can end."""

    KNOCK = "knock"
    GIN = "gin"
    BIG_GIN = "big_gin"
    UNDERCUT = "undercut"
    TIE = "tie"
    """Equal counts where `undercut_on_tie` is off: nothing is scored."""
    WALL = "wall"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class HandResult:
    """The end of a hand.

    winner: position (0 non-dealer, 1 dealer) that scores, `None` for a wall or a tie.
    points: what the winner earns, doubling included; 0 without a winner.
    knocker: position that went down; for a forfeit the winner, who scores as if gone gin; `None` at a wall.
    knocker_deadwood, defender_deadwood: counts as scored, the defender's after lay-offs; `None` at a wall.
    melds, defender_melds: masks as they counted, also where the arena chose them; in a forfeit against a knock `melds`
        are what the winner had laid down.
    layoffs: mask of the defender's cards laid off.
    """

    kind: ResultKind
    winner: int | None = None
    points: int = 0
    knocker: int | None = None
    knocker_deadwood: int | None = None
    defender_deadwood: int | None = None
    melds: tuple[int, ...] = ()
    defender_melds: tuple[int, ...] = ()
    layoffs: int = 0
