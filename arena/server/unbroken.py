"""Work that goes on to its end also when whoever waits for it is cancelled, as when a client goes."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


async def unbroken(work: Coroutine[Any, Any, T]) -> T:
    """Do it to its end. Who is cancelled meanwhile is so when it is done, and nobody is told what came of it."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with suppress(asyncio.CancelledError):  # once more, as by a time limit after the client has gone
                await asyncio.wait({task})
        if not task.cancelled():
            task.exception()
        raise
