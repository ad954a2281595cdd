"""What one who watches a series is told: what is known now, then what changes, and at the end what came of it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path

from arena.errors import ArenaError, HostError
from arena.protocol.v1 import arena_pb2 as pb
from arena.server.caller import Caller, Role
from arena.server.desk import Desk, Mark
from arena.server.held import OVER, Held, Watcher
from arena.server.playing import Event

PAUSE_SECONDS = 0.25
"""Between two things that are told: a person reads no faster."""
RETRY_SECONDS = 1.0
MOST_FAILURES = 10
"""How often the tables are asked for again when they cannot be had."""


async def watch(held: Held, run: Path, desk: Desk, caller: Caller) -> AsyncGenerator[pb.WatchResponse]:
    """The events of a series until it is over, the last its end.

    Progress and standings are the newest when they are taken, so that a slow reader misses steps and holds up nobody.
    """
    progress: pb.Progress | None = None
    mark: Mark | None = None
    tables, due, failures = b"", 0.0, 0
    clock = asyncio.get_running_loop().time
    with held.watched() as watcher:
        while True:
            watcher.news.clear()
            over = held.state in OVER
            if not over and held.progress != progress:
                progress = held.progress
                yield pb.WatchResponse(progress=progress)
            for response in _faults(watcher, caller):
                yield response
            if held.games_done and held.mark != mark and (over or clock() >= due):
                mark = held.mark
                try:
                    data, pause = await desk.next_standings(run, mark)
                except HostError:  # too many are reading, or the machine is short of something
                    failures += 1
                    if failures < MOST_FAILURES:
                        mark = None
                        await asyncio.sleep(RETRY_SECONDS)
                        continue
                except ArenaError:
                    pass  # a run that cannot be read is told by its end
                else:
                    failures, due = 0, clock() + pause
                    if data != tables:
                        tables = data
                        yield pb.WatchResponse(standings=pb.StandingsResponse.FromString(data))
            if over and held.state in OVER:
                yield pb.WatchResponse(progress=held.progress)
                return
            await asyncio.sleep(PAUSE_SECONDS)
            behind = held.games_done and held.mark != mark
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, due - clock()) if behind else None):
                    await watcher.news.wait()


def _faults(watcher: Watcher, caller: Caller) -> list[pb.WatchResponse]:
    """What there is of faults, and how many there were too many of."""
    told = [pb.WatchResponse(fault=_fault(fault, caller)) for fault in watcher.faults]
    if watcher.left_out:
        told.append(pb.WatchResponse(faults_left_out=watcher.left_out))
    watcher.faults.clear()
    watcher.left_out = 0
    return told


def _fault(event: Event, caller: Caller) -> pb.FaultInfo:
    """A fault as the caller may see it. What a bot has printed may tell of cards that others are yet to get."""
    info = pb.FaultInfo(bot=event["bot"], game=event["game"], hand=event["hand"], kind=event["kind"])
    if caller.role is Role.ORGANISER or (event["seen"] and caller.owns(info.bot)):
        info.told, info.output = event["told"], event["output"]
    return info
