"""The bot `simple` in every language, asked the same: what a language and its gRPC library carry."""

import asyncio
import sys
from itertools import count, cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.errors import InputError
from arena.players.build import build
from arena.players.manifest import read_manifest
from arena.players.player import Player
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import PlayRequest
from arena.rules.options import Rules
from arena.rules.view import GameKind
from benchmarks.floor import turns_of_a_hand
from benchmarks.measure import ROOT, Figures, Meter, Size

BATCHES = (1, 64)
FOLDERS = sorted((ROOT / "sample_bots").glob("simple*"))


def name_of(folder: Path, batch: int) -> str:
    """The name of a measurement."""
    return f"{folder.name}, batch {batch}"


def built(only: str) -> list[Path]:
    """Builds what has this in the name of a measurement. The folders where that went well; of others it is told why."""
    folders = []
    for folder in FOLDERS:
        if not any(only in name_of(folder, batch) for batch in BATCHES):
            continue
        print(f"build of {folder.name}", file=sys.stderr)
        try:
            build(read_manifest(folder))
        except InputError as error:
            print(f"{folder.name} is left out: {error}", file=sys.stderr)
        else:
            folders.append(folder)
    return folders


def measure(bot: Path, batch: int, size: Size) -> Figures:
    """Decisions a second of one bot, with hints and one message in flight, at so many turns a message."""
    return asyncio.run(_measure(bot, batch, size))


async def _measure(bot: Path, batch: int, size: Size) -> Figures:
    meter = Meter()
    with TemporaryDirectory() as logs:
        player = Player(read_manifest(bot), ready=60.0, goodbye=2.0, logs=Path(logs))
        try:
            if (failure := await player.start()) is not None:
                raise RuntimeError(failure.detail)
            lane = asyncio.create_task(_ask(player, batch, meter))
            try:
                return await meter.window(size, [lane], ())
            finally:
                lane.cancel()
                await asyncio.gather(lane, return_exceptions=True)
        finally:
            await player.stop()


async def _ask(player: Player, batch: int, meter: Meter) -> None:
    """Ask the bot for ever."""
    setup = codec.setup_message(GameKind.GIN, False, Rules().as_text(), True)
    turns, numbers = cycle(list(turns_of_a_hand(hints=True))), count(1)
    while True:
        request, ids = PlayRequest(setup=setup), []
        for turn, number in zip(islice(turns, batch), numbers, strict=False):
            codec.add_turn(request, turn._replace(id=number))
            ids.append(number)
        answer = await player.exchange(request, ids, 60.0)
        if answer.failure is not None:
            raise RuntimeError(answer.failure.detail)
        meter.count(len(answer.decisions))
