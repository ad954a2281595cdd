"""How much a caller may ask: calls a second, and open streams."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from urllib.parse import unquote

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
MOST_KNOWN = 10_000
"""Callers that are remembered, those who called last: strangers come from ever other places."""


class Rates:
    """What each caller has asked, and has open."""

    def __init__(self, limits: Limits = LIMITS, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: seconds that only grow."""
        self._limits = limits
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # calls that are left, and as of when
        self._open: Counter[str] = Counter()

    def count(self, who: str) -> None:
        """One more call of a caller. Raises `RefusedError` where there are too many."""
        now = self._clock()
        left, seen = self._left.get(who, (self._limits.burst, now))
        left = min(self._limits.burst, left + (now - seen) * self._limits.rate)
        self._left[who] = (left - 1 if left >= 1 else left, now)
        self._left.move_to_end(who)
        if len(self._left) > MOST_KNOWN:
            self._left.popitem(last=False)
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


def place_of(peer: str) -> str:
    """Where a caller is of whom no more is known: its address, of IPv6 the network, which is one household's.

    peer: as gRPC tells it, as in `ipv4:192.0.2.7:50312`.
    """
    kind, _, rest = unquote(peer).partition(":")
    try:
        address = ip_address(rest.rpartition(":")[0].strip("[]"))
    except ValueError:
        return kind
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(getattr(address, "ipv4_mapped", None) or address)


def _too_many(sentence: str) -> RefusedError:
    return RefusedError(StatusCode.RESOURCE_EXHAUSTED, sentence)
