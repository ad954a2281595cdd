"""A limit on waiting that costs next to nothing while it is kept."""

import asyncio
from types import TracebackType


class Limit:
    """As `asyncio.timeout`, to be used again and again, by one task at a time, with one timer for many waits.

        with limit.of(seconds):
            await something
        # TimeoutError where that took longer, or where `cut` was called

    A timer for each wait would cost more than all else the arena does to exchange a message: hardly any is ever due.
    So the timer is left to run, and set again when it is due too early.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._end = 0.0
        self._task: asyncio.Task[object] | None = None  # the one that waits
        self._cancelling = 0
        self._due = False

    def of(self, seconds: float) -> "Limit":
        """The limit, from now on of so many seconds."""
        self._end = self._loop.time() + seconds
        return self

    def __enter__(self) -> None:
        self._task = asyncio.current_task()
        assert self._task is not None
        self._cancelling = self._task.cancelling()
        if self._timer is None or self._timer.when() > self._end:
            self._set_timer()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        task, self._task = self._task, None
        if self._due:
            self._due = False
            assert task is not None
            if task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:  # else somebody cancels it too
                raise TimeoutError from error

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

    def _set_timer(self) -> None:
        self.close()
        self._timer = self._loop.call_at(self._end, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if self._task is not None:
            if self._loop.time() < self._end:
                self._set_timer()
            else:
                self.cut()
