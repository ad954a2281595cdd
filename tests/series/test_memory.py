"""A bot process meets a deal group once: a bot that remembers deals scores exactly like its forgetful twin."""

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from command import run_arena
from series_bench import BOTS, LONG, SAMPLES, Crew, bot_spec, games, play_series, records_of, write_series
from thinning import thinned

from arena.dealer.room import Room
from arena.dealer.values import RoomRules
from arena.players.player import Player


def entries(*places: str) -> list[object]:
    memory = {"name": "memory", "run": ["{python}", str(BOTS / "memory" / "bot.py"), *places]}
    return [memory, SAMPLES / "simple", BOTS / "dicer"]


def test_a_memory_is_worth_nothing(tmp_path: Path) -> None:
    """Against two opponents, in both seatings."""
    played = {}
    for places in ((), ("process", "home")):
        folder = tmp_path / "-".join(places)
        folder.mkdir(exist_ok=True)
        play_series(write_series(folder, entries(*places), format="gauntlet", groups=4), folder / "run")
        played[places] = games(record for _, record in records_of(folder / "run"))
        assert not list(folder.glob("run/logs/memory*"))  # it has recognised nothing
    assert played[()] == played["process", "home"]


@pytest.mark.parametrize("place", thinned(["home", "process"], 2))
def test_the_memory_works_where_a_process_meets_a_group_twice(place: str, tmp_path: Path) -> None:
    """What the test above would find: the mirrored games played by the same processes."""
    crew = Crew((bot_spec("memory", "memory", place), bot_spec("forgetful", "memory")), tmp_path)
    specs = crew.specs(6)
    mirrored = [replace(spec, seats=spec.seats[::-1]) for spec in specs]

    async def both_seatings() -> None:
        rules = RoomRules(128, 128, False, LONG, 0.0, 1)
        players = [Player(bot, ready=LONG, goodbye=LONG, logs=tmp_path) for bot in crew.bots]
        await asyncio.gather(*(player.start() for player in players))
        await Room(players, crew.shared, rules).play(specs, lambda: False)
        await Room(players[::-1], crew.shared, rules).play(mirrored, lambda: False)
        await asyncio.gather(*(player.stop() for player in players))

    asyncio.run(both_seatings())
    assert (tmp_path / "memory" / "stdout.log").read_text().count("I know these cards") >= 4
    assert not (tmp_path / "forgetful").exists()


@pytest.mark.thorough
def test_a_bot_that_writes_into_its_folder_is_named(tmp_path: Path) -> None:
    """A memory there is one that nothing but a sandbox can prevent, as the folder is where the bot works."""
    bot = tmp_path / "memory"
    shutil.copytree(BOTS / "memory", bot)
    series = write_series(tmp_path, [bot, BOTS / "absent"], groups=1, play="deals", isolation="none")
    done = run_arena("run", series, "--out", tmp_path / "run")
    assert done.returncode == 0
    assert "Warning: the folder of memory has changed during the run." in done.stderr
    assert done.stderr.count("Warning") == 1
    refused = run_arena("resume", tmp_path / "run")
    assert refused.returncode == 2
    assert "the bot memory" in refused.stderr
    assert "has changed since the run began; bring it back" in refused.stderr
