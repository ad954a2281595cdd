"""The limit on waiting, with futures that nobody fulfils."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from bot_bench import LONG

from arena.players.limit import Limit

TINY = 0.01


def run(script: Callable[[Limit], Awaitable[None]]) -> None:
    async def whole() -> None:
        limit = Limit()
        await script(limit)
        task = asyncio.current_task()
        assert task is not None
        assert not task.cancelling()
        limit.close()

    asyncio.run(whole())


async def wait_for_ever() -> None:
    await asyncio.get_running_loop().create_future()


def test_what_is_in_time_goes_on() -> None:
    async def script(limit: Limit) -> None:
        for _ in range(3):
            with limit.of(LONG):
                await asyncio.sleep(0)

    run(script)


def test_what_is_not_in_time_ends_again_and_again() -> None:
    async def script(limit: Limit) -> None:
        for _ in range(3):
            with pytest.raises(TimeoutError), limit.of(TINY):
                await wait_for_ever()

    run(script)


def test_a_shorter_limit_after_a_longer_one_holds() -> None:
    async def script(limit: Limit) -> None:
        with limit.of(LONG):
            await asyncio.sleep(0)
        with pytest.raises(TimeoutError), limit.of(TINY):
            await wait_for_ever()

    run(script)


def test_a_timer_of_a_wait_that_is_over_ends_no_later_one() -> None:
    async def script(limit: Limit) -> None:
        with limit.of(TINY):
            await asyncio.sleep(0)
        with limit.of(LONG):
            await asyncio.sleep(5 * TINY)
        await asyncio.sleep(5 * TINY)

    run(script)


def test_a_wait_can_be_cut() -> None:
    async def script(limit: Limit) -> None:
        limit.cut()  # nobody waits
        asyncio.get_running_loop().call_soon(limit.cut)
        asyncio.get_running_loop().call_soon(limit.cut)
        with pytest.raises(TimeoutError), limit.of(LONG):
            await wait_for_ever()

    run(script)


@pytest.mark.parametrize("cut_too", [False, True])
def test_a_task_that_somebody_cancels_is_cancelled(cut_too: bool) -> None:
    async def script(limit: Limit) -> None:
        async def wait() -> None:
            with limit.of(LONG):
                await wait_for_ever()

        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        if cut_too:
            limit.cut()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(script)


def test_an_error_that_comes_with_the_limit_is_told() -> None:
    async def wait(limit: Limit) -> None:
        with limit.of(LONG):
            try:
                await wait_for_ever()
            except asyncio.CancelledError:
                raise KeyError from None

    async def script(limit: Limit) -> None:
        asyncio.get_running_loop().call_soon(limit.cut)
        with pytest.raises(KeyError):
            await wait(limit)

    run(script)
