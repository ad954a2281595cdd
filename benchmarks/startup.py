"""The start of a bot: how soon it is ready, without isolation and with it, and what it holds then."""

import asyncio
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.isolation.probe import find_isolation
from arena.isolation.values import NO_ISOLATION, Isolation, Limits, Mode
from arena.players.manifest import read_manifest
from arena.players.player import Player
from benchmarks.measure import Figures, Size, processes

ISOLATED = "ms, isolated"
LAYERS = "layers"


def measure(bot: Path, _: Size) -> Figures:
    """Milliseconds from the start to the answer to Hello, and MB."""
    return asyncio.run(_measure(bot, NO_ISOLATION))


def measure_isolated(bot: Path, _: Size) -> Figures:
    """The same in all layers that this machine has, and their number; and without any, side by side."""
    isolation = find_isolation(Mode.BEST_EFFORT, Limits())
    plain, isolated = (asyncio.run(_measure(bot, one)) for one in (NO_ISOLATION, isolation))
    layers = float(len(isolation.layers) - len(isolation.missing))
    return {"ms": plain["ms"], ISOLATED: isolated["ms"], LAYERS: layers}


async def _measure(bot: Path, isolation: Isolation) -> Figures:
    with TemporaryDirectory() as logs:
        player = Player(read_manifest(bot), ready=60.0, goodbye=2.0, logs=Path(logs), isolation=isolation)
        try:
            failure = await player.start()
            if failure is not None:
                raise RuntimeError(failure.detail)
            (process,) = [process for process in processes() if process.parent == os.getpid()]
            return {"ms": player.start_up * 1e3, "MB": process.memory}
        finally:
            await player.stop()
