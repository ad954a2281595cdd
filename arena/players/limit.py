"""A limit on waiting that costs next to nothing while it is kept."""

import asyncio
from types import TracebackType

from arena.players.clock import Stopwatch

_SHORTEST = 0.001
"""Seconds. So soon a timer may be set again."""


class Limit:
    """As `asyncio.timeout`, to be used again and again, by one task at a time, with one timer for many waits.

        with limit.of(seconds):
            answer = await something
            limit.check()
        # TimeoutError where that took longer, or where `cut` was called

    What counts is what a stopwatch charges, and that may be less than has passed: a timer that is due sees how much is
    left, and is set again. A timer for each wait would cost more than all else the arena does to exchange a message:
    hardly any is ever due. So it is left to run, and set again also when it is due too early.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._wall = self._watch = Stopwatch()
        self._timer: asyncio.TimerHandle | None = None
        self._seconds = 0.0
        self._first_look = 0.0  # by the loop's clock
        self._task: asyncio.Task[object] | None = None  # the one that waits
        self._cancelling = 0
        self._due = False

    def of(self, seconds: float, watch: Stopwatch | None = None) -> "Limit":
        """The limit, from now on of so many seconds. watch: what counts them, by default a wall clock."""
        self._seconds = seconds
        self._first_look = self._loop.time() + seconds / 2
        self._watch = watch or self._wall
        self._watch.start()
        return self

    def check(self) -> None:
        """Raise TimeoutError if the time is over: what came just now came too late."""
        if self._watch.left(self._seconds) < 0:
            raise TimeoutError

    def __enter__(self) -> None:
        self._task = asyncio.current_task()
        assert self._task is not None
        self._cancelling = self._task.cancelling()
        if self._timer is None or self._timer.when() > self._first_look:
            self._set_timer(self._seconds / 2)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        task, self._task = self._task, None
        if self._due:
            self._due = False
            assert task is not None
            if task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:  # else somebody cancels it too
                raise TimeoutError from error

    def look(self) -> None:
        """The stopwatch counts in another way from now on: see how much is left."""
        self.close()
        self._ring()

    def cut(self) -> None:
        """End the wait, if there is one, as if the time was over."""
        if self._task is not None and not self._due:
            self._due = True
            self._task.cancel()

    def close(self) -> None:
        """Leave no timer behind."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set_timer(self, seconds: float) -> None:
        self.close()
        self._timer = self._loop.call_later(max(seconds, _SHORTEST), self._ring)

    def _ring(self) -> None:
        self._timer = None
        if self._task is None:
            return
        pause = self._watch.pause(self._seconds)
        if pause > 0:
            self._set_timer(pause)
        else:
            self.cut()
