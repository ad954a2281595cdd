"""What hands, faults and times are in a run's file: rows of its tables, see `arena.records.database`."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
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


def fault_row(fault: FaultRecord) -> tuple[int, int, int, str, str, str]:
    """What a fault is kept as."""
    return fault.seat, fault.hand, fault.move, fault.fault.value, fault.detail, fault.output


def read_fault(seats: int, seat: int, hand: int, move: int, kind: str, detail: str, output: str) -> FaultRecord:
    """The fault of a row, in a game of so many seats. Raises `RecordError` or `ValueError`."""
    return FaultRecord(read_seat(seats, seat), hand, move, Fault(kind), detail, output)


def read_faults(seats: int, rows: Iterable[Sequence[Any]]) -> Iterator[FaultRecord]:
    """The faults of a game's rows, which have to be in their places, from 1. Raises as `read_fault` does."""
    for place, (number, *row) in enumerate(rows, 1):
        if number != place:
            raise RecordError(f"expected fault {place}, got fault {number}")
        yield read_fault(seats, *row)


def read_seat(seats: int, seat: int) -> int:
    """The seat of a fault, in a game of so many. Raises `RecordError`."""
    if seat not in range(seats):
        raise RecordError(f"expected a fault of a seat from 0 to {seats - 1}, got {seat}")
    return seat


def read_advised(seats: int, text: str) -> tuple[int, ...]:
    """How often each seat was asked for advice, in a game of so many. Raises `RecordError` or `ValueError`."""
    counts = json.loads(text)
    if len(counts) not in (0, seats) or any(type(count) is not int for count in counts):
        raise RecordError(f"expected how often each seat was asked for advice, got {text:.80}")
    return tuple(counts)


def time_row(time: TimeUse) -> tuple[int, float, float, str, float]:
    """What the times of a seat are kept as."""
    return time.decisions, time.total, time.worst, json.dumps(time.histogram), time.overtime


def read_time(decisions: int, total: float, worst: float, histogram: str, overtime: float) -> TimeUse:
    """The times of a row. Raises `ValueError` for a histogram that is none."""
    buckets = {int(bucket): count for bucket, count in json.loads(histogram).items()}
    return TimeUse(decisions, total, worst, buckets, overtime)
