"""A seeded hunt: spoilt input for every target, and what breaks the law."""

import contextlib
import signal
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from random import Random

from fuzz.mutation import mutated
from fuzz.target import Target

HANG_SECONDS = 20
"""What a case may take at the very most, on the slowest machine: nearly all take a millisecond."""


@dataclass
class Hunt:
    """What came of it. failures: inputs with what they led to, one for each kind. slowest: seconds of a case."""

    cases: int = 0
    failures: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    slowest: float = 0.0


def hunt(name: str, target: Target, cases: int, seed: object, end: float = inf) -> Hunt:
    """Try spoilt inputs, always the same ones for a seed. end: when to stop, on the monotonic clock."""
    dice = Random(f"{name} {seed}")
    result = Hunt()
    while result.cases < cases and time.monotonic() < end:
        data = mutated(dice.choice(target.inputs), target.words, target.inputs, dice)
        result.cases += 1
        start = time.perf_counter()
        if (broken := breach(target, data)) is not None:
            kind = broken.splitlines()[-2] if "\n" in broken.strip() else broken
            result.failures.setdefault(kind[:80], (data, broken))
        result.slowest = max(result.slowest, time.perf_counter() - start)
    return result


def breach(target: Target, data: bytes) -> str | None:
    """How an input breaks the law: a traceback, or `None`."""
    try:
        with _no_hang():
            target.check(data)
    except Exception:  # noqa: BLE001 - whatever is not declared is what is hunted
        return traceback.format_exc(limit=-4)
    return None


@contextlib.contextmanager
def _no_hang() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"not done within {HANG_SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(HANG_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
