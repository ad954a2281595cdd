"""A bot on its way to another machine: it arrives as it was sent, is built once, and is told from a damaged one."""

import io
import os
import tarfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import HostError, InputError
from arena.isolation.values import NO_ISOLATION
from arena.players.manifest import read_manifest
from arena.players.spec import BotSpec
from arena.tournament.shipping import Depot, parcel


@pytest.fixture
def bot(tmp_path: Path) -> BotSpec:
    """A bot whose build leaves a line in a file for each time that it was run."""
    folder = tmp_path / "bot"
    (folder / "lib").mkdir(parents=True)
    (folder / "bot.yaml").write_text("name: ann\nbuild: [./make]\nrun: ['{python}', bot.py]\n")
    (folder / "make").write_text("#!/bin/sh\nmkdir -p build && echo built >>build/times\n")
    (folder / "make").chmod(0o755)
    (folder / "lib" / "x.py").write_text("x = 1\n")
    return read_manifest(folder)


def times_built(here: BotSpec) -> int:
    assert here.folder is not None
    return len((here.folder / "build" / "times").read_text().splitlines())


def test_a_bot_that_two_workers_are_sent_is_built_once(bot: BotSpec, tmp_path: Path) -> None:
    packed = parcel(bot)
    depots = [Depot(tmp_path / "depot") for _ in range(2)]
    assert depots[0].find(bot) is None
    with ThreadPoolExecutor(2) as both:
        first, second = both.map(lambda depot: depot.take_in(bot, packed, lambda: NO_ISOLATION), depots)
    assert first == second == depots[0].find(bot)
    assert first.folder != bot.folder
    assert replace(first, folder=bot.folder) == bot
    assert times_built(first) == 1
    assert first.folder is not None
    assert os.access(first.folder / "make", os.X_OK)
    assert read_manifest(first.folder).content_hash == bot.content_hash


def test_a_bot_that_was_damaged_meanwhile_is_sent_again(bot: BotSpec, tmp_path: Path) -> None:
    depot = Depot(tmp_path / "depot")
    here = depot.take_in(bot, parcel(bot), lambda: NO_ISOLATION)
    assert here.folder is not None
    (here.folder / "lib" / "x.py").unlink()
    assert depot.find(bot) is None
    assert depot.take_in(bot, parcel(bot), lambda: NO_ISOLATION) == here
    assert (here.folder / "lib" / "x.py").exists()


def test_a_bot_that_arrives_otherwise_than_it_was_sent_does_not_play(bot: BotSpec, tmp_path: Path) -> None:
    depot = Depot(tmp_path / "depot")
    other = io.BytesIO()
    with tarfile.open(fileobj=other, mode="w:gz") as archive:
        archive.add(bot.folder or "", arcname=".", filter=lambda file: None if file.name.endswith("x.py") else file)
    for packed in (other.getvalue(), parcel(bot)[:-100], b""):
        with pytest.raises(HostError, match=r"the bot ann (did not arrive as it was sent|cannot be unpacked)"):
            depot.take_in(bot, packed, lambda: NO_ISOLATION)
        assert depot.find(bot) is None


def test_a_bot_that_has_changed_since_the_run_began_is_not_sent(bot: BotSpec) -> None:
    assert bot.folder is not None
    (bot.folder / "lib" / "x.py").write_text("x = 2\n")
    with pytest.raises(InputError, match=r"^ann has changed since the run began"):
        parcel(bot)


def test_a_build_that_fails_there_is_told_with_what_it_printed(bot: BotSpec, tmp_path: Path) -> None:
    assert bot.folder is not None
    (bot.folder / "make").write_text("#!/bin/sh\necho no compiler here\nexit 1\n")
    bot = read_manifest(bot.folder)
    with pytest.raises(InputError, match="no compiler here"):
        Depot(tmp_path / "depot").take_in(bot, parcel(bot), lambda: NO_ISOLATION)


def test_a_depot_that_others_can_write_to_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "depot").mkdir()
    (tmp_path / "depot").chmod(0o777)
    with pytest.raises(HostError, match="not of the arena's making"):
        Depot(tmp_path / "depot")
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(HostError, match="not of the arena's making"):
        Depot(tmp_path / "link")
