"""What a bot is charged with while the arena waits for it: its own time, not that of the arena or the machine.

The wall clock leaves out the processor time of the arena's own thread, which looks after other tables meanwhile, and
the time in which this thread was not there at all: stopped, or held up by the machine. Both come off two clocks that
are read once when a request is sent and once when its answer is here.
"""

import asyncio
import time
from enum import StrEnum
from typing import NamedTuple
from weakref import WeakKeyDictionary

from arena.players.processor import Processor, Sample, starved

CEILING, CEILING_SECONDS = 10.0, 1.0
"""No wait takes longer on the wall than so many times its limit, and a second, whatever it is measured by."""
BEAT = 0.025
"""Seconds between two signs of life of a loop."""
LATE = 0.05
"""A loop that has neither worked nor given a sign of life for so long was not there."""
NO_PROCESSOR = "but had to wait for a processor most of the time"
"""What a starved bot did."""


class Measure(StrEnum):
    """What a bot's time is measured by."""

    WALL = "wall"
    CPU = "cpu"


class Presence:
    """Whether the loop of this thread is there. Idle or at work it gives a sign of life every now and then."""

    def __init__(self) -> None:
        self._lost = 0.0
        self._sign()

    @classmethod
    def here(cls) -> "Presence":
        """The one of the running loop."""
        loop = asyncio.get_running_loop()
        if loop not in _presences:
            _presences[loop] = cls()
        return _presences[loop]

    def away(self, wall: float, own: float) -> float:
        """Seconds that the loop was not there in all its time.

        wall: the monotonic clock now. own: the processor time of this thread now.
        """
        gap = wall - self._wall - (own - self._own) - LATE
        return self._lost + gap if gap > 0 else self._lost

    def away_so_far(self) -> float:
        """Seconds that the loop was not there in all its time."""
        return self.away(time.monotonic(), time.thread_time())

    def _beat(self) -> None:
        self._lost = self.away(time.monotonic(), time.thread_time())
        self._sign()

    def _sign(self) -> None:
        self._wall, self._own = time.monotonic(), time.thread_time()
        asyncio.get_running_loop().call_later(BEAT, self._beat)


_presences: WeakKeyDictionary[asyncio.AbstractEventLoop, Presence] = WeakKeyDictionary()


class _Reading(NamedTuple):
    """The clocks at one moment, in seconds: on the wall, of this thread, and how long its loop was not there so far."""

    wall: float
    own: float
    away: float


class Stopwatch:
    """Measures waits for one bot, one at a time.

    spent: seconds that the bot is charged with for the last wait, as of the last call of `left`.
    network: seconds of each wait that are not the bot's, but those of the way there and back.
    """

    def __init__(self, measure: Measure = Measure.WALL, processor: Processor | None = None) -> None:
        """Prepare. processor: that of the bot, which a measure by it needs; `None` for a bot that runs elsewhere."""
        assert processor is not None or measure is Measure.WALL
        self._presence = Presence.here()
        self._processor = processor
        self._by_cpu = measure is Measure.CPU
        self.spent = 0.0
        self.network = 0.0
        self.start()

    def start(self) -> None:
        """A wait begins."""
        self.spent = 0.0
        self._sample: Sample | None = None
        self._held: _Reading | None = None
        self._held_until = 0.0
        self._begun = self._clocks()
        self._used = self._read()

    def left(self, limit: float) -> float:
        """Seconds that are left of a limit; it is over if there are none. Charges the bot, see `spent`.

        A bot on the wall clock that ran while the arena was away had that time, and is charged with it.
        """
        begun, now = self._begun, self._held or self._clocks()
        away = now.away - begun.away
        present = now.wall - begun.wall - away
        if self._by_cpu:
            self.spent = self._read() - self._used
        else:
            self.spent = max(present - (now.own - begun.own) - self.network, 0.0)
            if away > 0.0:
                self.spent = max(self.spent, min(self._read() - self._used, self.spent + away))
        return min(limit - self.spent, ceiling(limit) - present)

    def pause(self, limit: float) -> float:
        """Seconds until it has to be asked again; 0 if the limit is over.

        When half of the time is over it begins to watch whether the bot gets a processor.
        """
        left = self.left(limit)
        if self._held is not None:
            return max(self._held_until - time.monotonic(), 0.0)
        if left > limit / 2:
            return left - limit / 2
        if self._sample is None and self._processor is not None:
            self._sample = self._processor.sample()
        return max(left, 0.0)

    def hold(self, most: float) -> None:
        """Stand still: the bot is away. most: seconds until it has to be back, else the limit is over."""
        if self._held is None:
            self._held = self._clocks()
            self._held_until = self._held.wall + most

    def go_on(self) -> None:
        """The bot is back: what was between counts for nothing."""
        if self._held is not None:
            held, now = self._held, self._clocks()
            self._begun = _Reading(
                *[then + end - start for then, start, end in zip(self._begun, held, now, strict=True)]
            )
            self._held = None

    @property
    def held(self) -> bool:
        """Whether it stands still."""
        return self._held is not None

    def starved(self, limit: float) -> bool:
        """Whether it got none, and so little all in all that it is not its fault that a limit is over."""
        if self._sample is None or self._processor is None or self._read() - self._used >= limit:
            return False
        return starved(self._sample, self._processor.sample())

    def _clocks(self) -> _Reading:
        wall, own = time.monotonic(), time.thread_time()
        return _Reading(wall, own, self._presence.away(wall, own))

    def _read(self) -> float:
        if self._processor is None:
            return 0.0
        return self._processor.whole() if self._by_cpu else self._processor.own()


def ceiling(limit: float) -> float:
    """The longest that a wait with this limit takes on the wall, in seconds."""
    return CEILING * limit + CEILING_SECONDS
