"""Who has used up its faults, counted in schedule order whatever order the games are played in.

A bot is quarantined from the game after its `most`-th fault, counting only games that were played. Whether a
game counts can depend on an earlier quarantine of an opponent, so the exact answer for a game is known only
when every earlier game is settled; until then a game is at most *suspect*, and is best played last.
"""

from bisect import insort
from collections.abc import Callable, Iterable, Sequence

from arena.dealer.values import GameSpec


class Ledger:
    """Counts faults of bots over the games of a schedule.

    `settled` is the number of games, from the schedule's start, whose standing is final.
    """

    def __init__(self, spec: Callable[[int], GameSpec], games: int, most: int) -> None:
        """`spec(index)` is the schedule, `games` its length, `most` the faults that quarantine a bot."""
        self._spec = spec
        self._games = games
        self._most = most
        self._faults: dict[int, tuple[str, ...]] = {}  # of played games that were not settled yet
        self._seen: dict[str, list[int]] = {}
        self._counted: dict[str, int] = {}
        self._played: set[int] = set()
        self.settled = 0

    def add(self, index: int, bots: Iterable[str]) -> None:
        """A game was played; `bots` names the bot of each fault in it."""
        faults = tuple(bots)
        self._played.add(index)
        self._faults[index] = faults
        for bot in faults:
            insort(self._seen.setdefault(bot, []), index)

    def suspect(self, index: int) -> bool:
        """Whether some bot of this game has as many faults in earlier games as quarantine takes."""
        return any(self._many_before(bot, index) for bot in self._spec(index).seats)

    def _many_before(self, bot: str, index: int) -> bool:
        seen = self._seen.get(bot, ())
        return len(seen) >= self._most and seen[self._most - 1] < index

    def settle(self) -> list[tuple[GameSpec, Sequence[str]]]:
        """Settle as many games as can be.

        Returns those that are not to be played, or not to count as played, each with the bots quarantined in it.
        """
        barred: list[tuple[GameSpec, Sequence[str]]] = []
        while self.settled < self._games:
            spec = self._spec(self.settled)
            out = [bot for bot in spec.seats if self._counted.get(bot, 0) >= self._most]
            if out:
                barred.append((spec, out))
            elif spec.index in self._played:
                for bot in self._faults.get(spec.index, ()):
                    self._counted[bot] = self._counted.get(bot, 0) + 1
            else:
                break
            self._played.discard(spec.index)
            self._faults.pop(spec.index, None)
            self.settled += 1
        return barred
