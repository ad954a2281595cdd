"""Reading a bot.yaml, and telling a changed bot from an unchanged one."""

import os
import pickle
from contextlib import suppress
from pathlib import Path

import pytest
from bot_bench import nest

from arena.errors import InputError
from arena.players.files import bot_files, content_hash, hash_of, read_file
from arena.players.launch import make_private_folder, remove_private_folder
from arena.players.manifest import read_manifest
from arena.players.spec import Transport, inline_spec
from arena.rules.view import GameKind


def bot(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "bot.yaml").write_text(text)
    return folder


def test_a_full_manifest(tmp_path: Path) -> None:
    text = """
name: ginny
version: "1.3"
build: [make]
run: ["{python}", bot.py, --level, "3"]
transport: tcp
games: [gin, oklahoma]
"""
    spec = read_manifest(bot(tmp_path / "ginny", text))
    assert (spec.name, spec.version, spec.build) == ("ginny", "1.3", ("make",))
    assert spec.run == ("{python}", "bot.py", "--level", "3")
    assert (spec.folder, spec.address, spec.transport) == (tmp_path / "ginny", None, Transport.TCP)
    assert spec.games == (GameKind.GIN, GameKind.OKLAHOMA)
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_the_least_manifest(tmp_path: Path) -> None:
    spec = read_manifest(bot(tmp_path / "bot", "name: Émile 2\nrun: [./bot]\n"))
    assert (spec.version, spec.build, spec.transport, spec.games) == ("", None, Transport.AUTO, tuple(GameKind))


def test_every_mistake_is_told_at_its_place(tmp_path: Path) -> None:
    text = """name: a/b
version: 1.3
run: ./bot --fast
transport: udp
games: [gin, bridge]
build: []
comand: x
"""
    folder = bot(tmp_path / "bot", text)
    with pytest.raises(InputError) as caught:
        read_manifest(folder)
    assert str(caught.value).replace(f"{folder}/", "").splitlines() == [
        "bot.yaml:1:7: name is 'a/b', expected up to 40 letters, digits, spaces and .+-_, a letter or digit first",
        "bot.yaml:2:10: version is 1.3, which YAML reads as a number, expected text: write it in quotes, '1.3'",
        "bot.yaml:3:6: run is './bot --fast', expected a list, as in [a, b]",
        "bot.yaml:4:12: transport is 'udp', expected 'auto', 'unix' or 'tcp'",
        "bot.yaml:5:14: item 2 of games is 'bridge', expected gin, three-hand or oklahoma",
        "bot.yaml:6:8: build is [], expected a list of 1 or more",
        "bot.yaml:7:1: unknown key 'comand', expected name, version, fetch, build, run, transport or games",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'name: x\nrun: [x]\nversion: "\\e[2J"\n',
            "version is '\\x1b[2J', expected up to 60 characters that can be printed, in one line",
        ),
        ("version: x\n", "'name' is missing, expected the name for the tables"),
        ("name: x\n", "'run' is missing, expected the command that starts the bot, as a list"),
        ("name: x\nrun: [x]\ngames: [gin, gin]\n", "games is [gin, gin], expected each game once"),
        ("name: x\nrun: [x]\ngames: [gin, 3]\n", "item 2 of games is 3, expected gin, three-hand or oklahoma"),
        ("name: x\nrun: [x, 3]\n", "item 2 of run is 3, which YAML reads as a number, expected text"),
        ('name: x\nrun: [x, "a\\0b"]\n', "item 2 of run is 'a\\x00b', expected text without the character 0"),
        ('name: "x."\nrun: [x]\n', "name is 'x.', expected up to 40 letters"),
    ],
)
def test_a_mistake(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read_manifest(bot(tmp_path / "bot", text))
    assert told in str(caught.value)


def test_a_folder_that_is_no_bot(tmp_path: Path) -> None:
    (tmp_path / "bot.zip").touch()
    with pytest.raises(InputError, match=r"bot\.zip: this is a file, expected a folder with a bot and its bot\.yaml"):
        read_manifest(tmp_path / "bot.zip")
    with pytest.raises(InputError, match="nobody: there is no such folder, expected one with a bot"):
        read_manifest(tmp_path / "nobody")
    with pytest.raises(InputError, match=r"no bot.yaml in this folder, expected one with the bot's name"):
        read_manifest(tmp_path)


def test_an_inline_bot_is_a_command_or_an_address() -> None:
    command = inline_spec("a", run=("x", "y"))
    assert command.content_hash == inline_spec("b", run=("x", "y")).content_hash
    others = [inline_spec("a", run=("x y",)), inline_spec("a", run=("xy",)), inline_spec("a", address="x:1")]
    assert len({spec.content_hash for spec in (command, *others)}) == 4
    with pytest.raises(ValueError, match="a command or an address, or dials in"):
        inline_spec("a")
    with pytest.raises(ValueError, match="a command or an address, or dials in"):
        inline_spec("a", run=("x",), address="x:1")


def test_the_content_hash_tells_a_changed_bot(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    (folder / "data").mkdir(parents=True)
    (folder / "bot.py").write_text("print()")
    (folder / "data" / "book").write_text("ab")
    seen = {content_hash(folder)}

    def changed() -> bool:
        before = len(seen)
        seen.add(content_hash(folder))
        return len(seen) > before

    for cache in (".git", "__pycache__", "data/__pycache__", "node_modules", ".venv", "env"):
        (folder / cache).mkdir()
        (folder / cache / "pyvenv.cfg").write_text("of the moment")
    os.mkfifo(folder / "pipe")
    os.utime(folder / "bot.py", (0, 0))
    assert not changed()
    (folder / "bot.py").write_text("print( )")
    assert changed()
    (folder / "data" / "book").rename(folder / "data" / "bok")
    assert changed()
    (folder / "data" / "bok").rename(folder / "bok")
    assert changed()
    (folder / "empty").touch()
    assert changed()
    (folder / "link").symlink_to(folder / "bok")
    assert changed()
    (folder / "bok").write_text("abc")
    assert changed()


def test_the_content_hash_does_not_depend_on_where_a_bot_is(tmp_path: Path) -> None:
    for parent in ("a", "b"):
        (tmp_path / parent / "bot").mkdir(parents=True)
        for name in ("x", "y", "z") if parent == "a" else ("z", "y", "x"):
            (tmp_path / parent / "bot" / name).write_text(name)
    assert content_hash(tmp_path / "a" / "bot") == content_hash(tmp_path / "b" / "bot")


def test_the_content_hash_is_that_of_the_files_read_whole(tmp_path: Path) -> None:
    """It is read in pieces, so that weights of gigabytes fit into any memory."""
    for name, size in {"none": 0, "small": 5, "piece": 1 << 20, "more": (5 << 20) + 7}.items():
        (tmp_path / name).write_bytes(os.urandom(size))
    assert content_hash(tmp_path) == hash_of((path, read_file(tmp_path, path)) for path in bot_files(tmp_path))


@pytest.mark.parametrize("special", ["pipe", "device"])
def test_a_manifest_that_would_never_end_is_not_read(tmp_path: Path, special: str) -> None:
    if special == "pipe":
        os.mkfifo(tmp_path / "bot.yaml")
    else:
        (tmp_path / "bot.yaml").symlink_to("/dev/zero")
    with pytest.raises(InputError, match=r"no bot\.yaml in this folder"):
        read_manifest(tmp_path)


@pytest.mark.parametrize(("mode", "inner"), [(0o000, "/pyvenv.cfg"), (0o600, "/pyvenv.cfg"), (0o300, "")])
def test_a_folder_that_cannot_be_looked_into_is_no_part_that_is_left_out(
    tmp_path: Path, mode: int, inner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could hold anything. For root, who may look everywhere, the system's answers are put in its mouth."""
    secret = tmp_path / "bot" / "secret"
    bot(secret.parent, "name: a\nrun: [x]\n")
    secret.mkdir()
    secret.chmod(mode)
    if os.geteuid() == 0:
        scandir, stat = os.scandir, os.stat

        def refused(path: object) -> None:
            raise PermissionError(13, "Permission denied", str(path))

        monkeypatch.setattr(
            os, "scandir", lambda path: refused(path) if Path(path) == secret and not mode & 0o400 else scandir(path)
        )
        monkeypatch.setattr(
            os,
            "stat",
            lambda path, **more: (
                refused(path) if Path(path).parent == secret and not mode & 0o100 else stat(path, **more)
            ),
        )
    with pytest.raises(InputError) as caught:
        read_manifest(secret.parent)
    secret.chmod(0o700)
    assert str(caught.value) == f"{secret}{inner}: Permission denied, expected a file or folder that can be read"


@pytest.mark.skipif(os.name == "nt", reason="no such folders can be made there")
@pytest.mark.parametrize(("depth", "name"), [(1200, "in"), (50, "i" * 200)])
def test_folders_without_end_are_no_more_than_a_mistake(depth: int, name: str) -> None:
    """How deep is too deep depends on the Python."""
    folder = make_private_folder()
    nest(folder, depth, name)
    try:
        with suppress(InputError):
            bot_files(folder)
    finally:
        remove_private_folder(folder)
