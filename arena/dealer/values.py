"""What is played and what came of it, as values: the dealer returns them, the tournament stores them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log
from typing import Self

from arena.players.faults import Fault
from arena.rules.actions import Action
from arena.rules.game import GameOutcome, Roles
from arena.rules.result import HandResult


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game of the schedule.

    index: place in the schedule, from 0.
    group: deal group, from 0; it fixes every deck and seed of the game.
    seating: which permutation of the pairing's bots over the seats, from 0 (2 of them, three-hand 6).
    seats: names of the bots by seat.
    """

    index: int
    group: int
    seating: int
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AdviceRecord:
    """One piece of advice: before which move of the hand (an index into its moves), what, and the text."""

    move: int
    action: Action
    text: str


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One finished hand.

    number: from 1.
    roles: seats of the non-dealer, the dealer, and who sits out.
    deck: 52 cards as played.
    moves: every event, two bytes each: `position << 4 | ActionKind`, then the card or 255.
    advice: what the player who sits out recommended.
    result: how it ended; positions, not seats.
    """

    number: int
    roles: Roles
    deck: bytes
    moves: bytes
    advice: tuple[AdviceRecord, ...]
    result: HandResult


@dataclass(frozen=True, slots=True)
class FaultRecord:
    """A fault in a game: the seat it is charged to, the hand (0 before the first), its kind, a sentence."""

    seat: int
    hand: int
    fault: Fault
    detail: str


HISTOGRAM_BASE = 1.1
"""Ratio of a bucket's time to the one below."""


@dataclass(frozen=True, slots=True)
class TimeUse:
    """Decision times of one seat in one game, in seconds. Kept apart from results: never the same twice.

    histogram: decisions by time, bucket `b` holds times near `HISTOGRAM_BASE ** b` microseconds.
    """

    decisions: int = 0
    total: float = 0.0
    worst: float = 0.0
    histogram: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Self:
        """What these decision times come to."""
        buckets = Counter([_bucket(time) for time in seconds])
        return cls(len(seconds), sum(seconds), max(seconds, default=0.0), dict(sorted(buckets.items())))


_STEP = log(HISTOGRAM_BASE)


@lru_cache(maxsize=512)  # all turns of a batch have one time
def _bucket(seconds: float) -> int:
    return round(log(max(seconds * 1e6, 1.0)) / _STEP)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One finished game: its hands, its outcome, its faults, and apart from them the times by seat."""

    index: int
    hands: tuple[HandRecord, ...]
    outcome: GameOutcome
    faults: tuple[FaultRecord, ...]
    times: tuple[TimeUse, ...]
