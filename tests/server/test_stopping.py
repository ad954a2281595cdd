"""How a server hears that it is to stop, and that it is to do so at once."""

import asyncio
import os
import signal
from collections.abc import Sequence

import pytest

from arena.server.app import stopping
from arena.server.keeper import Keeper

INT, TERM, HUP = signal.SIGINT, signal.SIGTERM, signal.SIGHUP


class Counting(Keeper):
    """Keeps nothing, and counts how often it is to end what is played."""

    def __init__(self) -> None:
        self.killed = 0

    def kill(self) -> None:
        self.killed += 1


@pytest.mark.parametrize(
    ("numbers", "killed"),
    [
        ([INT], 0),
        ([TERM], 0),
        ([INT, INT], 1),
        ([TERM, TERM], 1),
        ([INT, TERM], 1),
        ([HUP, HUP], 0),  # of the terminal's shell, and of the system
        ([TERM, HUP], 0),  # of a session that ends
        ([HUP, HUP, INT, TERM], 1),
    ],
)
def test_only_who_asks_twice_has_what_is_played_ended_at_once(numbers: Sequence[signal.Signals], killed: int) -> None:
    keeper = Counting()

    async def hear() -> None:
        stop = stopping(keeper)
        for number in numbers:
            os.kill(os.getpid(), number)
            await stop.wait()
            await asyncio.sleep(0.01)  # the loop hears of it by a socket
        assert keeper.killed == killed

    before = {number: signal.getsignal(number) for number in (INT, TERM, HUP)}
    try:
        asyncio.run(hear())
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
