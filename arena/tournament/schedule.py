"""What is played, before it is played: every game of a series, numbered.

A *pairing* is the bots that meet, two or in three-hand three. A *seating* is one of the orders in which they take the
seats. All pairings play the same deal groups in all seatings, and the games stand in the order group, pairing, seating:
so any beginning of the schedule is balanced over the pairings, and a million games are arithmetic and no list.

A pairing with a bot that cannot be started afresh (it listens at an address, or dials in) would meet every deck again
and again. It gets decks of its own instead, each for one game, its seatings taking turns; so its games are not
mirrored. The series can trust such bots (`bot_memory: trusted`), and then they play as all others do.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

from arena.dealer.values import OWN_GROUPS, GameSpec
from arena.rules.game import GameFormat, Play
from arena.tournament.config import SeriesConfig
from arena.tournament.series import Series
from arena.tournament.triples import balanced_triples

Pairing = tuple[int, ...]
"""The numbers of the bots that meet, in the order of the series."""

NOT_MIRRORED = "Games with a bot that cannot be started afresh are on decks of their own, not mirrored."
"""What a reader of the tables has to know where there are such games."""


@dataclass(frozen=True)
class Schedule:
    """The games of a series.

    bots: names, by number. pairings: who meets. rounds: deal groups a pairing.
    unrenewed: numbers of the bots that cannot be started afresh; the games of their pairings have decks of their own.
    """

    bots: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    rounds: int
    unrenewed: tuple[int, ...] = ()

    @cached_property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """By seat, which bot of the pairing (0 the first) has it: 2 orders, in three-hand 6."""
        return tuple(permutations(range(len(self.pairings[0]))))

    def __len__(self) -> int:
        return self.rounds * len(self.pairings) * len(self.seatings)

    def index(self, round_: int, pairing: int, seating: int) -> int:
        """The number of a game in the schedule."""
        return (round_ * len(self.pairings) + pairing) * len(self.seatings) + seating

    def place(self, index: int) -> tuple[int, int, int]:
        """Round, pairing and seating of a game: `index` the other way round. Raises `IndexError`."""
        if not 0 <= index < len(self):
            msg = f"expected a game from 0 to {len(self) - 1}, got {index}"
            raise IndexError(msg)
        rest, seating = divmod(index, len(self.seatings))
        return *divmod(rest, len(self.pairings)), seating

    def pairing(self, index: int) -> int:
        """The number of a game's pairing."""
        return self.place(index)[1]

    def spec(self, index: int) -> GameSpec:
        """A game, by its number. Raises `IndexError`."""
        round_, pairing, seating = self.place(index)
        bots = self.pairings[pairing]
        seats = tuple([self.bots[bots[place]] for place in self.seatings[seating]])
        return GameSpec(index, self._group(round_, pairing, seating), seating, seats)

    def __iter__(self) -> Iterator[GameSpec]:
        return map(self.spec, range(len(self)))

    @property
    def note(self) -> str:
        """What a reader of the tables has to know of the schedule: a sentence, or nothing."""
        if not self._unshared:
            return ""
        bots = ", ".join(self.bots[bot] for bot in self.unrenewed)
        return f"{NOT_MIRRORED} They are those of {bots}."

    def _group(self, round_: int, pairing: int, seating: int) -> int:
        if pairing not in self._unshared:
            return round_
        own = round_ * len(self._unshared) + self._unshared[pairing]
        return OWN_GROUPS + own * len(self.seatings) + seating

    @cached_property
    def _unshared(self) -> dict[int, int]:
        """The pairings whose games have decks of their own, numbered."""
        unshared = [number for number, bots in enumerate(self.pairings) if set(bots) & set(self.unrenewed)]
        return {pairing: number for number, pairing in enumerate(unshared)}


def schedule_of(series: Series, seed: bytes) -> Schedule:
    """The schedule of a series. seed: the master seed, which chooses balanced triples and nothing else here."""
    trusted = series.config.bot_memory == "trusted"
    return Schedule(
        bots=tuple(bot.name for bot in series.bots),
        pairings=_pairings(series.config, len(series.bots), series.format.seats, seed),
        rounds=series.config.groups,
        unrenewed=() if trusted else tuple(number for number, bot in enumerate(series.bots) if bot.elsewhere),
    )


def _pairings(config: SeriesConfig, bots: int, seats: int, seed: bytes) -> tuple[Pairing, ...]:
    """Who meets.

    In a gauntlet each of the first bots meets the others, in three-hand two at a time, and the first never meet. In a
    comparison the first two meet, and then both meet each of the others.
    """
    if config.format == "compare":
        return ((0, 1), *[(version, other) for other in range(2, bots) for version in (0, 1)])
    if config.gauntlet is not None:
        others = tuple(combinations(range(config.gauntlet, bots), seats - 1))
        return tuple((first, *rest) for first in range(config.gauntlet) for rest in others)
    if config.triples is not None and config.triples != "all":
        return balanced_triples(bots, int(config.triples.split()[1]), seed)
    return tuple(combinations(range(bots), seats))


HANDS_TO_100 = {2: 11.0, 3: 14.0}
"""Hands in a game to 100 points by the number of players: measured with copies of the sample bot `simple` under
the rules of the house."""
HOLLYWOOD_HANDS = 1.4
"""How many times as many hands it takes to fill three Hollywood columns; measured likewise."""


def expected_hands(format_: GameFormat) -> float:
    """About how many hands a game takes. Bots that hardly ever knock need more, straight gin about half."""
    if format_.play is Play.DEALS:
        return 1.0
    hands = HANDS_TO_100[format_.seats] * format_.rules.target / 100
    return min(max(1.0, hands * (HOLLYWOOD_HANDS if format_.hollywood else 1.0)), float(format_.rules.max_hands))
