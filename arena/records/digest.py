"""Digests (SHA-256, hexadecimal) of what a run holds.

They show that something was changed by accident or without care. They are no signature: who changes a record can
make its digest anew. What cannot be made anew is a digest that was published, see `arena verify`.
"""

import hashlib
import json
from collections.abc import Sequence

from arena.dealer.values import FaultRecord, GameSpec


class PlanDigest:
    """Of what is fixed before the first card: the run's description (its JSON) and its schedule."""

    def __init__(self, info: str) -> None:
        self._hash = hashlib.sha256(info.encode())

    def add(self, game: GameSpec) -> None:
        """Take in the next game of the schedule."""
        self._hash.update(f"\n{game.group} {game.seating} {game.seats}".encode())

    def text(self) -> str:
        """The digest of what has been taken in."""
        return self._hash.hexdigest()


def game_digest(index: int, outcome: str, hands: Sequence[str], faults: Sequence[FaultRecord]) -> str:
    """Of a finished game: its place in the schedule, its outcome (JSON), its hands (lines) and its faults."""
    told = [[fault.seat, fault.hand, fault.move, fault.fault, fault.detail] for fault in faults]
    return hashlib.sha256(json.dumps([index, outcome, hands, told]).encode()).hexdigest()
