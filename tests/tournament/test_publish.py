"""What is published of a run: enough to verify it, the same bytes every time, and nothing that is another's."""

import gzip
import json
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from command import call_arena, run_arena
from report_bench import keys_of
from series_bench import play_series, write_series

from arena.errors import RecordError, RunError
from arena.players.faults import Fault
from arena.records.store import Run
from arena.records.verify import verify
from arena.tournament.publish import publish

BOT = """
import os
import sys
from pathlib import Path

from arena.bot import Action, Bot, Turn, serve

NAME = Path(__file__).parent.name


class Clumsy(Bot):
    def discard(self, turn: Turn) -> Action:
        if turn.random.random() < 0.05:
            print(f"words-of-{NAME} in {os.getcwd()} and {sys.prefix} and", Path.home(), file=sys.stderr)
            raise LookupError(f"secret-of-{NAME}")
        return super().discard(turn)


serve(Clumsy)
"""
NAMES = ("ann", "bob", "cid")
ORGANISER = "the-organisers-own"
MANY = {"quarantine_after": 999}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of three bots that fail and talk, in a folder whose name is the organiser's business."""
    home = tmp_path_factory.mktemp("home") / ORGANISER
    for name in NAMES:
        folder = home / "entries" / name
        folder.mkdir(parents=True)
        (folder / "bot.py").write_text(BOT)
        (folder / "bot.yaml").write_text(f'name: {name}\nrun: ["{{python}}", bot.py]\n')
    entries = [home / "entries" / name for name in NAMES]
    assert all(path.is_absolute() for path in entries)
    play_series(write_series(home, entries, groups=2, faults=MANY, rules={"target": 25}), home / "runs" / "cup")
    return home / "runs" / "cup"


@pytest.fixture(scope="module")
def published(played: Path) -> Path:
    with Run.open(played) as run:
        return publish(run, played.parent / "published").folder


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, and everything that is packed in one."""
    found: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file():
            found[name] = path.read_bytes()
        if path.suffix == ".gz":
            found[f"{name}/"] = gzip.decompress(path.read_bytes())
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                found |= {f"{name}/{entry}": archive.read(entry) for entry in archive.namelist()}
    return found


def test_the_public_record_verifies_alone_with_the_same_digest(played: Path, published: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(published / "public" / "run.sqlite", alone)
    with Run.open(played) as run, Run.open(alone) as public:
        found = verify(public)
        assert found == verify(run)
        assert found.games == len(run)
        assert found.digest in (published / "public" / "README.md").read_text()
        assert {fault.output for _, fault, _ in public.faults()} == {""}
        assert not list(public.voids())


def test_nothing_of_the_machine_and_nothing_of_another_bot_is_in_it(played: Path, published: Path) -> None:
    with Run.open(played) as run:
        assert all(fault.output for _, fault, _ in run.faults() if fault.fault is Fault.CRASH)
        assert {spec.seats[fault.seat] for spec, fault, _ in run.faults()} == set(NAMES)
    files = contents(published)
    assert ORGANISER.encode() in (played / "run.sqlite").read_bytes()
    home = str(Path.home()).encode()
    for name, data in files.items():
        assert ORGANISER.encode() not in data, name
        assert home + b"/" not in data, name
        assert str(Path(__file__).parents[2]).encode() not in data, name
        for bot in NAMES:
            if not name.startswith(f"private/{bot}.zip"):
                assert f"secret-of-{bot}".encode() not in data, name
                assert f"words-of-{bot}".encode() not in data, name
    for bot in NAMES:
        own = files[f"private/{bot}.zip/test-{bot}/faults.txt"].decode()
        assert f"bot.py:15 LookupError: secret-of-{bot}" in own
        assert "again: arena ask BOT " in own
        assert any(f"words-of-{bot}" in data.decode() for name, data in files.items() if f"test-{bot}/logs" in name)


def test_publishing_twice_gives_equal_bytes(played: Path, published: Path, tmp_path: Path) -> None:
    with Run.open(played) as run:
        publish(run, tmp_path / "again")
    assert contents(tmp_path / "again") == contents(published)


def test_every_hand_is_there_to_be_read(played: Path, published: Path) -> None:
    files = contents(published / "public")
    pages = b"".join([files[f"replays.zip/{pair}.txt"] for pair in ("ann - bob", "ann - cid", "bob - cid")]).decode()
    lines = files["hands.jsonl.gz/"].decode().splitlines()
    for line in lines:
        hand = json.loads(line)
        assert f"Game {hand['game_id']}, hand {hand['hand']} of " in pages
    assert len(lines) == pages.count(" is dealt ") // 2
    assert len(keys_of(files["report.html"].decode())) == len(lines)


@pytest.mark.thorough
def test_an_archive_is_enough_for_its_author(played: Path, published: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(published / "private" / "ann.zip") as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "test-ann"
    listed = run_arena("faults", ".", "--bot", "ann", "--json", folder=folder)
    assert listed.returncode == 0, listed.stderr
    (problem, *_) = json.loads(listed.stdout)["faults"]
    assert problem["where"] == "bot.py:15 LookupError: secret-of-ann"
    assert problem["command"] == ["{python}", "bot.py"]
    shown = run_arena("replay", ".", str(problem["game"]), str(problem["hand"]), folder=folder)
    assert "ann: crash, " in shown.stdout
    bot = played.parents[1] / "entries" / "ann"
    asked = run_arena("ask", bot, problem["turns"][0], folder=folder)
    assert asked.returncode == 1, asked.stderr
    assert "LookupError: secret-of-ann" in asked.stderr
    with Run.open(folder) as run:
        assert all("ann" in spec.seats for spec, _ in run.records())
        assert all(fault.output == "" for spec, fault, _ in run.faults() if spec.seats[fault.seat] != "ann")
        verify(run)
    refused = run_arena("resume", ".", folder=folder)
    assert refused.returncode == 2
    assert "a published run, without its bots" in refused.stderr


def test_a_run_that_is_not_complete_is_published_without_its_open_groups(played: Path, tmp_path: Path) -> None:
    partly = shutil.copytree(played, tmp_path / "partly")
    with closing(sqlite3.connect(partly / "run.sqlite")) as connection, connection:
        for table in ("results", "hands", "faults", "times"):
            connection.execute(f"DELETE FROM {table} WHERE game = 8")
    with Run.open(partly) as run:
        group = run.record(8)[0].group
        with pytest.raises(RunError, match="11 of 12 games are finished, expected all of them"):
            publish(run, tmp_path / "out")
        assert not (tmp_path / "out").exists()
        found = publish(run, tmp_path / "out", incomplete=True)
        assert found.games == 6
    for folder in (tmp_path / "out" / "public",):
        with Run.open(folder) as public:
            assert {spec.group for spec, _ in public.records()}.isdisjoint({group})
            assert public.done()


def test_a_folder_that_is_there_is_left_alone(played: Path, published: Path, tmp_path: Path) -> None:
    somebodys = tmp_path / "out.part" / "notes"
    somebodys.parent.mkdir()
    somebodys.touch()
    with Run.open(played) as run:
        for out, named in ((published, published), (tmp_path / "out", somebodys.parent), (Path("/"), Path("/"))):
            with pytest.raises(RunError, match=f"^{named}: expected a new folder"):
                publish(run, out)
    assert somebodys.exists()
    assert not list(published.parent.glob("*.part"))


def test_nothing_is_published_of_a_record_that_is_wrong(played: Path, tmp_path: Path) -> None:
    for change in ("UPDATE faults SET detail = 'none'", "UPDATE faults SET kind = 'sneeze'"):
        wrong = shutil.copytree(played, tmp_path / "wrong", dirs_exist_ok=True)
        with closing(sqlite3.connect(wrong / "run.sqlite")) as connection, connection:
            connection.execute(change)
        with (
            Run.open(wrong) as run,
            pytest.raises(RecordError, match=f"^{wrong}: nothing is published, .*: game [0-9]"),
        ):
            publish(run, tmp_path / "out")
        assert [path.name for path in tmp_path.iterdir()] == ["wrong"]


def test_the_public_times_claim_nothing_of_attempts_that_are_not_published(published: Path) -> None:
    assert "broken off" not in (published / "public" / "timing.md").read_text()


def test_the_command_says_what_it_has_done(played: Path, tmp_path: Path) -> None:
    done = run_arena("publish", played, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "12 games, " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("digest ")
    assert done.stderr.startswith("Publishing: record\n")
    assert "\x1b" not in done.stderr


def test_what_was_published_is_not_published_again_and_says_which_games_it_has(published: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(published / "private" / "ann.zip") as archive:
        archive.extractall(tmp_path)
    for folder in (published / "public", tmp_path / "test-ann"):
        refused = call_arena("publish", folder, "--out", tmp_path / "again")
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr == f"{folder}: this is a published run; take the one that it was made of\n"
    with Run.open(tmp_path / "test-ann") as run:
        other = next(spec.index for spec in run.games() if "ann" not in spec.seats)
    shown = call_arena("replay", ".", str(other), folder=tmp_path / "test-ann")
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr == f".: game {other} is not in this published run, expected one that is\n"
