"""What hands, faults and times are in a run's file: rows of its tables, see `arena.records.database`."""

import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from arena.dealer.values import FaultRecord, HandRecord, TimeUse
from arena.errors import RecordError
from arena.players.faults import Fault
from arena.records import notation

Rows = defaultdict[int, list[list[Any]]]
"""Rows by game."""


def by_game(rows: Iterable[tuple[Any, ...]]) -> Rows:
    """Rows that begin with a game, without it, by game, in their order."""
    found: Rows = defaultdict(list)
    for game, *row in rows:
        found[game].append(row)
    return found


def read_hand(number: int, line: str) -> HandRecord:
    """The hand of a row. Raises `RecordError`."""
    try:
        hand = notation.decode(line)
    except RecordError as error:
        raise RecordError(f"hand {number}: {error}") from error
    if hand.number != number:
        raise RecordError(f"hand {number}: expected the line of this hand, got that of hand {hand.number}")
    return hand


def fault_row(fault: FaultRecord) -> tuple[int, int, str, str]:
    """What a fault is kept as."""
    return fault.seat, fault.hand, fault.fault.value, fault.detail


def read_fault(place: int, number: int, seat: int, hand: int, kind: str, detail: str) -> FaultRecord:
    """The fault of a row, which has to be in this place, from 1. Raises `RecordError` or `ValueError`."""
    if number != place:
        raise RecordError(f"expected fault {place}, got fault {number}")
    return FaultRecord(seat, hand, Fault(kind), detail)


def time_row(time: TimeUse) -> tuple[int, float, float, str]:
    """What the times of a seat are kept as."""
    return time.decisions, time.total, time.worst, json.dumps(time.histogram)


def read_time(decisions: int, total: float, worst: float, histogram: str) -> TimeUse:
    """The times of a row. Raises `ValueError` for a histogram that is none."""
    buckets = {int(bucket): count for bucket, count in json.loads(histogram).items()}
    return TimeUse(decisions, total, worst, buckets)
