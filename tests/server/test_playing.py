"""The process that plays a series, as the server hears it."""

import asyncio
import sys

from arena.server.playing import Event, Playing


async def heard(program: str) -> list[Event]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    playing = Playing(process)
    events = [event async for event in playing.events()]
    await playing.ended()
    return events


def test_a_line_in_which_it_was_killed_says_nothing() -> None:
    program = """print('{"event": "note"}'); print('{"event": "faults", "faul', end="")"""
    assert asyncio.run(heard(program)) == [{"event": "note"}]
