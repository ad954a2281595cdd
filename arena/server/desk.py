"""The reading desk: what is folded out of runs is folded in a process of its own, and once for all who ask.

Reading costs seconds where a run is large, and would hold up every stream of the server if it were done there.
"""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import ParamSpec, TypeVar

from arena.errors import HostError
from arena.server import reading
from arena.server.caller import Caller
from arena.server.reading import Proposal, Wish
from arena.tournament.pool import WorkerPool
from arena.tournament.workers import WorkerDiedError

MOST_KEPT = 64
"""Tables that are kept for the next who ask."""
SHARE = 0.2
"""The part of a processor that reading the same tables of a series that is being played may cost."""
MOST_WAITING = 32
"""Readings that wait for their turn; those who ask for more are told to ask later."""
MOST_OF_ONE = 8
"""The same of one caller: one who asks for ever other tables keeps nobody else from theirs."""
LEAST_SECONDS = 1.0
"""Between two readings of the same tables, however quick they are."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Mark:
    """The point at which a run was read: equal marks mean equal tables.

    series: its id. play: how often its play was begun. games_done, settled: see `Progress`. live: whether more comes.
    """

    series: str
    play: int
    games_done: int
    settled: int
    live: bool


@dataclass(slots=True)
class _Kept:
    """Tables that were read. mark: of the run. at: when, on the monotonic clock. cost: seconds that it took."""

    mark: Mark
    data: bytes
    at: float
    cost: float

    @property
    def due(self) -> float:
        """When the tables of a series that is being played may be read again."""
        return self.at + max(LEAST_SECONDS, self.cost * (1 / SHARE - 1))


class Desk:
    """Reads runs for those who ask. Close it at the end."""

    def __init__(self, who: Callable[[], str] = lambda: "") -> None:
        """Prepare. who: names the one who asks, so that each is counted apart; nothing for whoever may always ask."""
        self._who = who
        self._pool = WorkerPool(1)
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._being_read: dict[Hashable, asyncio.Task[_Kept]] = {}
        self._waiting = Counter[str]()  # by who asks

    async def standings(self, run: Path, mark: Mark, wish: Wish = Wish()) -> bytes:  # noqa: B008 - it is frozen
        """A `StandingsResponse`; see `tables`."""
        return (await self._tables(reading.standings, run, mark, wish)).data

    async def crosstable(self, run: Path, mark: Mark, wish: Wish) -> bytes:
        """A `CrosstableResponse`; see `tables`."""
        return (await self._tables(reading.crosstable, run, mark, wish)).data

    async def next_standings(self, run: Path, mark: Mark) -> tuple[bytes, float]:
        """The standings for those who watch, and the seconds to wait before they are asked for again."""
        kept = await self._tables(reading.standings, run, mark, Wish())
        return kept.data, max(0.0, kept.due - time.monotonic())

    async def hand(self, run: Path, game: int, number: int) -> bytes:
        """A `HandResponse`. Raises `ArenaError`."""
        return await self._read(reading.hand, run, game, number)

    async def faults(self, run: Path, bot: str, caller: Caller) -> bytes:
        """A `FaultsResponse`. Raises `ArenaError`."""
        return await self._read(reading.faults, run, bot, caller)

    async def games_done(self, run: Path) -> int:
        """How many games are finished. Raises `ArenaError`."""
        return await self._read(reading.games_done, run)

    async def proposal(self, base: Path, source: str, name: str, runs: Path) -> Proposal:
        """What a series that is submitted is. Raises `InputError`."""
        return await self._read(reading.proposal, base, source, name, runs)

    def close(self) -> None:
        """End the process that reads, whatever it is reading."""
        self._pool.kill()
        self._pool.shutdown(cancel_futures=True)

    async def _tables(self, read: Callable[[Path, Wish], bytes], run: Path, mark: Mark, wish: Wish) -> _Kept:
        """The tables of a run at a mark. Those of a run that is being played may be a little older than that.

        Whoever asks while they are being read gets what comes of it. Raises `ArenaError`.
        """
        key = (mark.series, read.__name__, wish)
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            if kept.mark == mark or (mark.live and kept.mark.play == mark.play and time.monotonic() < kept.due):
                return kept
        task_key = (key, mark if not mark.live else None)
        task = self._being_read.get(task_key)
        if task is None:
            task = asyncio.create_task(self._keep(key, read, run, mark, wish))
            self._being_read[task_key] = task
            task.add_done_callback(lambda done: self._forget(task_key, done))
        return await asyncio.shield(task)

    async def _keep(
        self, key: Hashable, read: Callable[[Path, Wish], bytes], run: Path, mark: Mark, wish: Wish
    ) -> _Kept:
        start = time.monotonic()
        data = await self._read(read, run, wish)
        now = time.monotonic()
        kept = self._kept[key] = _Kept(mark, data, now, now - start)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return kept

    async def _read(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        who = self._who()
        if self._waiting.total() >= MOST_WAITING:
            raise HostError("too many are reading now: ask again in a little while")
        if who and self._waiting[who] >= MOST_OF_ONE:
            raise HostError(
                f"{MOST_OF_ONE} of your questions are waiting to be read up: ask again when they are answered"
            )
        self._waiting[who] += 1
        try:
            return await asyncio.wrap_future(self._pool.submit(read, *args, **kwargs))
        except WorkerDiedError:
            raise HostError("the process that reads was ended: is the machine out of memory? Ask again") from None
        finally:
            self._waiting[who] -= 1

    def _forget(self, key: Hashable, task: asyncio.Task[_Kept]) -> None:
        del self._being_read[key]
        if not task.cancelled():
            task.exception()  # all who have asked may have gone
