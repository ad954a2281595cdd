"""The start of a bot: how soon it is ready, and what it holds then."""

import asyncio
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.players.manifest import read_manifest
from arena.players.player import Player
from benchmarks.measure import Figures, Size, processes


def measure(bot: Path, _: Size) -> Figures:
    """Milliseconds from the start to the answer to Hello, and MB."""
    return asyncio.run(_measure(bot))


async def _measure(bot: Path) -> Figures:
    with TemporaryDirectory() as logs:
        player = Player(read_manifest(bot), ready=60.0, goodbye=2.0, logs=Path(logs))
        try:
            failure = await player.start()
            if failure is not None:
                raise RuntimeError(failure.detail)
            (process,) = [process for process in processes() if process.parent == os.getpid()]
            return {"ms": player.start_up * 1e3, "MB": process.memory}
        finally:
            await player.stop()
