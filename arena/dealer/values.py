"""What is played, how, and what came of it, as values: the dealer returns them, the tournament stores them."""

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

OWN_GROUPS = 10**9
"""The deal groups from here on belong to one game each, which is not mirrored: see `arena.tournament.schedule`."""


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
    """A fault in a game.

    seat: whom it is charged to.
    hand: from 1, 0 in a game that was not played. move: of the hand, from 1, the one that was asked; 0 where none was.
    detail, output: see `arena.players.faults.Failure`. The output is private, and part of no digest.
    """

    seat: int
    hand: int
    move: int
    fault: Fault
    detail: str
    output: str = ""


@dataclass(frozen=True, slots=True)
class Void:
    """A game that was broken off by nobody's fault who plays in it, and has to be played again from its start.

    bot: whose process the host has failed, empty where it was not one bot's. No record keeps it.
    """

    index: int
    fault: Fault
    detail: str
    bot: str = ""


@dataclass(frozen=True, slots=True)
class RoomRules:
    """How a room is run.

    tables: games in flight at once.
    batch: most turns in one message; 1 in a timed series, where a bot has one turn in flight.
    timed: whether the time used so far is told in the turns.
    decision, bank: seconds for a decision, and seconds a game that may be drawn on beyond it.
    quarantine_after: after this many faults of a bot its later games are left unplayed.
    hand: seconds a hand that all decisions of a game may come to on average so far, `None` for any.
    """

    tables: int
    batch: int
    timed: bool
    decision: float
    bank: float
    quarantine_after: int
    hand: float | None = None


HISTOGRAM_BASE = 1.1
"""Ratio of a bucket's time to the one below."""


@dataclass(frozen=True, slots=True)
class TimeUse:
    """Decision times of one seat in one game, in seconds. Kept apart from results: never the same twice.

    histogram: decisions by time, bucket `b` holds times near `HISTOGRAM_BASE ** b` microseconds.
    overtime: drawn from the bank, and from that of advising.
    """

    decisions: int = 0
    total: float = 0.0
    worst: float = 0.0
    histogram: Mapping[int, int] = field(default_factory=dict)
    overtime: float = 0.0

    @classmethod
    def of(cls, seconds: Sequence[float], overtime: float = 0.0) -> Self:
        """What these decision times come to."""
        buckets = Counter([_bucket(time) for time in seconds])
        worst = max(seconds, default=0.0)
        return cls(len(seconds), sum(seconds), worst, dict(sorted(buckets.items())), overtime)


_STEP = log(HISTOGRAM_BASE)


@lru_cache(maxsize=512)  # all turns of a batch have one time
def _bucket(seconds: float) -> int:
    return round(log(max(seconds * 1e6, 1.0)) / _STEP)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One finished game: its hands, its outcome, its faults, and apart from them the times by seat.

    advised: by seat, how often it was asked for advice. With the rest it fixes every turn that was asked in the game.
    """

    index: int
    hands: tuple[HandRecord, ...]
    outcome: GameOutcome
    faults: tuple[FaultRecord, ...]
    times: tuple[TimeUse, ...]
    advised: tuple[int, ...] = ()
