"""What real bots are charged with, and who pays when they are late."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from bot_bench import LONG, Bench, ask, play, rascal

from arena.players.clock import Measure
from arena.players.faults import Fault
from arena.players.player import Player
from arena.players.spec import inline_spec

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
NAP, WORK = 0.3, 0.1
LIMIT = 0.4


def measured(bench: Bench, measure: Measure, *way: str) -> Player:
    return Player(rascal(*way), ready=LONG, goodbye=LONG, logs=bench.logs, measure=measure)


@contextmanager
def one_busy_processor(others: int) -> Iterator[None]:
    """What is in here, and what is started in here, has to share one processor with so many others."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    spin = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(spin, start_new_session=True) for _ in range(others)]
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
        for process in busy:
            process.kill()
            process.wait()


def test_on_the_wall_a_nap_is_charged(bench: Bench) -> None:
    player = measured(bench, Measure.WALL, "naps", str(NAP))

    async def script() -> None:
        assert (await ask(player, 1)).elapsed >= NAP / 2  # less the arena's work

    play(player, script)


@needs_linux
def test_by_the_processor_a_nap_is_not_charged(bench: Bench) -> None:
    player = measured(bench, Measure.CPU, "naps", str(NAP))

    async def script() -> None:
        decisions, failure, elapsed = await ask(player, 1, limit=NAP)
        assert (list(decisions), failure) == ([1], None)
        assert elapsed < NAP

    play(player, script)


@needs_linux
@pytest.mark.parametrize("way", ["works", "works in threads"])
def test_by_the_processor_work_is_charged(bench: Bench, way: str) -> None:
    player = measured(bench, Measure.CPU, way, str(WORK))

    async def script() -> None:
        assert (await ask(player, 1)).elapsed >= WORK

    play(player, script)


@needs_linux
@pytest.mark.parametrize("way", [("sleeps",), ("works", "3600")])
def test_by_the_processor_too_a_wait_ends(bench: Bench, way: tuple[str, ...]) -> None:
    player = measured(bench, Measure.CPU, *way)

    async def script() -> None:
        failure = (await ask(player, 1, limit=0.05)).failure
        assert failure is not None
        assert failure.fault is Fault.TIMEOUT

    play(player, script)


@needs_linux
@pytest.mark.parametrize(
    ("way", "others", "fault"),
    [
        (("works", "3600"), 9, Fault.STARVED),
        (("sleeps",), 9, Fault.TIMEOUT),
        (("spins unimportantly", "3600"), 9, Fault.TIMEOUT),
    ],
)
def test_who_is_late_on_a_busy_machine(bench: Bench, way: tuple[str, ...], others: int, fault: Fault) -> None:
    with one_busy_processor(0):  # all that is started has this one processor
        player = measured(bench, Measure.WALL, *way)

        async def script() -> None:
            with one_busy_processor(others):
                failure = (await ask(player, 1, limit=LIMIT)).failure
                assert failure is not None
                assert failure.fault is fault

        play(player, script)


@needs_linux
def test_a_bot_that_gets_no_processor_to_start_with_has_not_failed(bench: Bench) -> None:
    with one_busy_processor(9):
        program = ("{python}", "-c", "while True: pass")
        player = Player(inline_spec("busy", run=program), ready=2.0, goodbye=LONG, logs=bench.logs)
        failure = asyncio.run(player.start())
        assert failure is not None
        assert failure.fault is Fault.STARVED
        assert failure.detail.startswith("the bot did not listen at the address in ARENA_LISTEN within 2 s, but had to")
