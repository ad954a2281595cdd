"""How much a caller may ask: calls a second, and open streams."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from grpc import StatusCode

from arena.server.refusals import RefusedError


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is too much.

    rate: calls a second in the long run. burst: calls at once, after a rest. streams: open calls of one caller that
    carry streams (Join, Watch, Submit). in_all: the same of all callers together.
    """

    rate: float = 100.0
    burst: int = 500
    streams: int = 512
    in_all: int = 2048


LIMITS = Limits()
"""Room for 50 bots of one caller, each with a stream or two a worker; a person never comes near."""


class Rates:
    """What each caller has asked, and has open."""

    def __init__(self, limits: Limits = LIMITS, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: seconds that only grow."""
        self._limits = limits
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}  # calls that a caller may still make, and as of when
        self._open: Counter[str] = Counter()

    def count(self, who: str) -> None:
        """One more call of a caller. Raises `RefusedError` where there are too many."""
        now = self._clock()
        left, seen = self._left.get(who, (self._limits.burst, now))
        left = min(self._limits.burst, left + (now - seen) * self._limits.rate)
        self._left[who] = (left - 1 if left >= 1 else left, now)
        if left < 1:
            raise _too_many(f"more than {self._limits.rate:g} calls a second: wait a little, and call less often")

    @contextmanager
    def stream(self, who: str) -> Iterator[None]:
        """One more open stream of a caller. Raises `RefusedError` where there are too many."""
        if self._open[who] >= self._limits.streams:
            raise _too_many(f"more than {self._limits.streams} open streams of one token: end some first")
        if self._open.total() >= self._limits.in_all:
            raise _too_many(f"more than {self._limits.in_all} open streams of all callers: try again later")
        self._open[who] += 1
        try:
            yield
        finally:
            self._open[who] -= 1


def _too_many(sentence: str) -> RefusedError:
    return RefusedError(StatusCode.RESOURCE_EXHAUSTED, sentence)
