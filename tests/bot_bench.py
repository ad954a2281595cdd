"""Players of bots that misbehave, as real processes, and what is left of them."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from arena.isolation.processes import environment
from arena.players.player import Exchange, Player
from arena.players.spec import BotSpec, Transport, inline_spec
from arena.protocol.v1.player_pb2 import TURN_KIND_DRAW, PlayRequest

LONG = 3600.0
"""Seconds. A limit that is never reached: pytest ends a test that waits for it."""
SHORT = 0.3
"""Seconds. A limit that is reached."""
BOTS = Path(__file__).parent / "players" / "bots"


def rascal(*way: str, transport: Transport = Transport.AUTO) -> BotSpec:
    """The bot of players/bots/misbehaving.py, told how to misbehave."""
    return inline_spec("rascal", run=("{python}", "misbehaving.py", *way), folder=BOTS, transport=transport)


def request(*ids: int) -> PlayRequest:
    """A request for draws."""
    message = PlayRequest()
    for turn_id in ids:
        message.turns.add(id=turn_id, kind=TURN_KIND_DRAW)
    return message


async def ask(player: Player, *ids: int, limit: float = LONG) -> Exchange:
    """Ask a player for draws."""
    return await player.exchange(request(*ids), ids, limit)


def play(player: Player, script: Callable[[], Awaitable[None]]) -> None:
    """Start a player, follow the script, and stop the player whatever happens."""

    async def whole() -> None:
        try:
            assert await player.start() is None
            await script()
        finally:
            await player.stop()

    asyncio.run(whole())


class Bench:
    """Where the bots of a test live.

    logs: folder of their logs.
    private: where the arena makes their private folders.
    """

    def __init__(self, logs: Path, private: Path) -> None:
        self.logs = logs
        self.private = private

    def player(self, *way: str, spec: BotSpec | None = None, ready: float = LONG, goodbye: float = LONG) -> Player:
        """A player of a bot, by default of a rascal."""
        return Player(spec or rascal(*way), ready=ready, goodbye=goodbye, logs=self.logs)

    def read(self, log: str = "rascal/stderr.log") -> str:
        """What a bot has printed."""
        return (self.logs / log).read_text()

    async def first_words(self) -> None:
        """Wait until a bot has printed something."""
        while not self.logs.exists():  # noqa: ASYNC110 -- nobody tells
            await asyncio.sleep(0.01)

    def left(self) -> tuple[list[Path], list[int]]:
        """The private folders and the processes that are still there."""
        return list(self.private.iterdir()), list(processes_of(self.private))


def nest(folder: Path, depth: int, name: str = "in") -> None:
    """Make a folder in a folder in a folder ..., deeper than any path may be long if need be."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def processes_of(folder: Path) -> Iterator[int]:
    """Processes with a folder in their environment, zombies apart. By /proc: elsewhere none is found."""
    for entry in Path("/proc").glob("[0-9]*") if sys.platform == "linux" else ():
        try:
            if os.fsencode(folder) in environment(entry):
                yield int(entry.name)
        except OSError:  # it has gone, or is another user's
            continue
