"""`arena pack`: one file, the same bytes for the same bot, with the content hash as a receipt."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from bots_at_table import SAMPLE_BOTS
from command import call_arena, run_arena

from arena.errors import InputError
from arena.kit.pack import pack
from arena.players.files import content_hash


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A bot with a program of its own, a folder, a file that is no text, and what was built."""
    folder = tmp_path / "bots" / "anything"
    shutil.copytree(SAMPLE_BOTS / "simple", folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tool.sh").write_text("#!/bin/sh\n")
    (folder / "tool.sh").chmod(0o700)
    for path in ("böoks/opening.bin", "build/made", ".arena/built", "node_modules/x/y.js"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(b"\x00\xff" * 10)
    return folder


FILES = ["README.md", "bot.py", "bot.yaml", "böoks/opening.bin", "tool.sh"]


def test_unpacked_anywhere_it_is_the_same_bot(bot: Path, tmp_path: Path) -> None:
    packed = pack(bot, tmp_path / "in.zip")
    subprocess.run([sys.executable, "-m", "zipfile", "-e", packed.archive, tmp_path / "out"], check=True)
    unpacked = tmp_path / "out" / "simple"
    assert content_hash(unpacked) == packed.content_hash == content_hash(bot)
    assert sorted(path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*.*")) == FILES
    assert (packed.files, packed.warnings) == (5, [])
    assert packed.size == sum((unpacked / path).stat().st_size for path in FILES)
    assert pack(unpacked).content_hash == packed.content_hash


def test_the_same_bot_is_packed_to_the_same_bytes(bot: Path, tmp_path: Path) -> None:
    first = pack(bot).archive
    assert first == bot.parent / "simple.zip"
    other = tmp_path / "elsewhere"
    for path in reversed(FILES):  # made in another order, at another time, with other rights
        (other / path).parent.mkdir(parents=True, exist_ok=True)
        (other / path).write_bytes((bot / path).read_bytes())
        os.utime(other / path, (10**9, 10**9))
        (other / path).chmod(0o755 if path == "tool.sh" else 0o600)
    assert pack(other).archive.read_bytes() == first.read_bytes()


def test_a_program_stays_one(bot: Path) -> None:
    with zipfile.ZipFile(pack(bot).archive) as packed:
        modes = {entry.filename: oct(entry.external_attr >> 16) for entry in packed.infolist()}
    assert modes == {f"simple/{path}": "0o100755" if path == "tool.sh" else "0o100644" for path in FILES}


def test_the_command_prints_the_receipt(bot: Path) -> None:
    done = run_arena("pack", bot, "--out", bot.parent / "hand in.zip")
    size = sum((bot / path).stat().st_size for path in FILES)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        f"{bot.parent}/hand in.zip\nfiles         5\nsize          {size:,} bytes\ncontent hash  {content_hash(bot)}\n"
    )


def test_what_is_large_is_warned_of(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pack(bot).warnings == []
    (bot / "table.bin").write_bytes(bytes(10_400_000))
    assert pack(bot).warnings == ["table.bin has 10 MB"]
    monkeypatch.setattr("arena.kit.pack.LARGE_BOT", 10_300_000)
    assert pack(bot).warnings == ["table.bin has 10 MB", "all files together have 10 MB"]
    done = run_arena("pack", bot)
    assert (done.returncode, done.stderr) == (0, "Warning: table.bin has 10 MB. Is it meant to be handed in?\n")


def test_what_is_no_bot_is_refused_as_everywhere(tmp_path: Path) -> None:
    for manifest, told in ((None, "no bot.yaml in this folder"), ("name: x\nrum: [a]\n", "bot.yaml:2:1: unknown key")):
        folder = tmp_path / "bot"
        folder.mkdir(exist_ok=True)
        if manifest:
            (folder / "bot.yaml").write_text(manifest)
        done = call_arena("pack", "bot", folder=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert told in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["bot"]


def test_an_archive_in_the_bot_itself_is_refused(bot: Path) -> None:
    before = content_hash(bot)
    with pytest.raises(InputError, match=r"simple\.zip would be a file of the bot itself, expected a place outside"):
        pack(bot, bot / "build" / ".." / "simple.zip")
    assert content_hash(bot) == before


def test_nothing_but_a_zip_is_replaced(bot: Path, tmp_path: Path) -> None:
    series, pipe = tmp_path / "series.yaml", tmp_path / "pipe"
    os.mkfifo(pipe)
    series.write_text("name: cup\n")
    for archive, told in (
        (series, "expected a new file, or a zip"),
        (pipe, "expected a new file, or a zip"),
        (Path(), "expected a file in a folder that is there"),
        (tmp_path / "nowhere" / "x.zip", "expected a file in a folder that is there"),
    ):
        with pytest.raises(InputError, match=f"^--out: {told}"):
            pack(bot, archive)
    assert series.read_text() == "name: cup\n"
    assert pipe.is_fifo()
    assert [pack(bot, tmp_path / "x.zip").archive for _ in range(2)] == [tmp_path / "x.zip"] * 2


def test_a_name_that_is_no_text_is_refused_and_an_earlier_archive_stays(bot: Path) -> None:
    archive = pack(bot).archive
    before = archive.read_bytes()
    (bot / os.fsdecode(b"caf\xe9")).write_text("x")
    with pytest.raises(InputError, match="this name is no text, expected one in UTF-8"):
        pack(bot)
    assert archive.read_bytes() == before
    assert sorted(path.name for path in bot.parent.iterdir()) == ["anything", "simple.zip"]


def test_a_bot_that_changes_meanwhile_is_refused(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.kit.pack.read_file", lambda *_: b"other")
    with pytest.raises(InputError, match="has changed while it was packed"):
        pack(bot)
    assert [path.name for path in bot.parent.iterdir()] == ["anything"]
