"""Which hands go onto the page: all of a small run, and of a large one those that teach the most.

The cards are the same in all seatings of a deal group, so what a bot makes of a hand in all of them together is not the
luck of the deal. The *swing* of a hand is what the bot made of it that made the most. (Where a game has decks of its
own, hands are chosen by their points.)
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from itertools import groupby
from typing import NamedTuple

from arena.dealer.values import GameRecord, GameSpec, HandRecord

Played = tuple[GameSpec, GameRecord]
Pairing = tuple[str, ...]
"""Names of the bots that meet, in the order of the run."""


class HandKey(NamedTuple):
    """A hand: number of its game, from 0, and its own, from 1."""

    game: int
    hand: int


class Swing(NamedTuple):
    """The points that a bot made of a hand less those of its opponents, in all seatings together; the most of all."""

    bot: str
    points: int


@dataclass(slots=True)
class PairingHands:
    """What was seen of the hands of a pairing, and what is kept of that.

    seen: how many there were.
    first, faulty: the first of all and of those with a fault.
    swings: the hands with the largest swings, a heap of (swing, minus the first key, keys of all seatings).
    swing_of: the swings of these hands.
    """

    seen: int = 0
    first: list[HandKey] = field(default_factory=list)
    faulty: list[HandKey] = field(default_factory=list)
    swings: list[tuple[int, tuple[int, int], tuple[HandKey, ...]]] = field(default_factory=list)
    swing_of: dict[HandKey, Swing] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Of a pairing: how many hands there are to be seen, and which of them are shown, why, and with what swing."""

    pairing: Pairing
    seen: int
    reasons: dict[HandKey, str]
    swings: dict[HandKey, Swing]


class Choice:
    """Notes the games of a run as they pass, in schedule order, and then chooses.

    most: hands a pairing. open_to_all: the games whose hands may be shown.
    """

    def __init__(self, bots: Sequence[str], most: int, open_to_all: Collection[int]) -> None:
        self._order = {name: number for number, name in enumerate(bots)}
        self._most = most
        self._open = open_to_all
        self._pairings: dict[Pairing, PairingHands] = defaultdict(PairingHands)

    def noting(self, games: Iterable[Played], without: frozenset[str]) -> Iterator[Played]:
        """The games as they come, noted where they may be shown and none of the bots in `without` plays."""
        for _, members in groupby(games, key=lambda game: (game[0].group, sorted(game[0].seats))):
            played = list(members)
            spec = played[0][0]
            if spec.index in self._open and without.isdisjoint(spec.seats):
                self._note(tuple(sorted(spec.seats, key=self._order.__getitem__)), played)
            yield from played

    def _note(self, pairing: Pairing, played: Sequence[Played]) -> None:
        hands = self._pairings[pairing]
        by_number: dict[int, list[tuple[GameSpec, HandRecord]]] = defaultdict(list)
        for spec, record in played:
            faulty = {fault.hand for fault in record.faults}
            for hand in record.hands:
                by_number[hand.number].append((spec, hand))
                key = HandKey(spec.index, hand.number)
                hands.seen += 1
                if len(hands.first) < self._most:
                    hands.first.append(key)
                if hand.number in faulty and len(hands.faulty) < self._most:
                    hands.faulty.append(key)
        for seatings in by_number.values():
            if len(seatings) == len(played) and self._most:
                self._keep(
                    hands, _swing(pairing, seatings), [HandKey(spec.index, hand.number) for spec, hand in seatings]
                )

    def _keep(self, hands: PairingHands, swing: Swing, keys: Sequence[HandKey]) -> None:
        if len(keys) > 1:  # else it is just the points of the hand
            hands.swing_of |= dict.fromkeys(keys, swing)
        entry = (swing.points, (-keys[0].game, -keys[0].hand), tuple(keys))  # of equal ones the first
        if len(hands.swings) < self._most:
            heappush(hands.swings, entry)
            return
        _, _, gone = heappushpop(hands.swings, entry)
        for key in gone:
            hands.swing_of.pop(key, None)

    def chosen(self) -> list[Chosen]:
        """What is shown of each pairing, in the order in which they came."""
        return [self._of(pairing, hands) for pairing, hands in self._pairings.items()]

    def _of(self, pairing: Pairing, hands: PairingHands) -> Chosen:
        reasons: dict[HandKey, str] = {}

        def add(keys: Iterable[HandKey], reason: str, most: int) -> None:
            for key in keys:
                if len(reasons) < most:
                    reasons.setdefault(key, reason)

        largest = [key for swing, _, keys in sorted(hands.swings, reverse=True) if swing for key in keys]
        everything = hands.seen <= self._most
        if not everything:
            add(hands.faulty, "fault", self._most // 4)
            add(largest, "swing", self._most - self._most // 4)
        add(hands.first, "first", self._most)
        shown = dict(sorted(reasons.items()))
        return Chosen(pairing, hands.seen, shown, {key: hands.swing_of[key] for key in shown if key in hands.swing_of})


def _swing(pairing: Pairing, seatings: Iterable[tuple[GameSpec, HandRecord]]) -> Swing:
    """The swing of a hand, which was played in these games."""
    made = dict.fromkeys(pairing, 0)
    for spec, hand in seatings:
        winner = hand.result.winner
        if winner is not None:
            made[spec.seats[hand.roles.seat(winner)]] += hand.result.points
            made[spec.seats[hand.roles.seat(1 - winner)]] -= hand.result.points
    bot = max(made, key=made.__getitem__)
    return Swing(bot, made[bot])
