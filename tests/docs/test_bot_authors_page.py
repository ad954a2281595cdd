"""docs/bot-authors.md: its first bot plays, and its lists are complete."""

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from command import run_arena
from pages import blocks, page, section, tables

import arena.bot
from arena.bot import Bot, Turn, serve
from arena.bot.joining import CA, PLAINTEXT, TLS, TOKEN
from arena.bot.server import JOIN, LISTEN, NAME, READY
from arena.cli.app import app
from arena.documents import parse_document, validated
from arena.kit.new import LANGUAGES
from arena.players import launch
from arena.players.manifest import _Manifest

PAGE = page("bot-authors.md")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def named_in(cells: Iterator[str]) -> list[str]:
    """The words in backticks at the front of cells, calls without their arguments."""
    return [name for cell in cells for name in re.findall(r"`(\w+)(?:\([^)]*\))?`", cell)]


def listed(after: str, heading: str) -> list[str]:
    """The names in the first column of the first table after some words of the page, which has this heading."""
    table = tables(PAGE.partition(after)[2])[0]
    return named_in(row[heading] for row in table)


@pytest.fixture
def ginny(tmp_path: Path) -> Path:
    """A folder with the first bot of the page, and its series."""
    files = {}
    for text in blocks(PAGE, "yaml") + blocks(PAGE, "python"):
        if match := re.match(r"# (my/\S+)\n", text):
            files[match[1]] = text
    assert sorted(files) == ["my/first.yaml", "my/ginny/bot.py", "my/ginny/bot.yaml"]
    (tmp_path / "my" / "ginny").mkdir(parents=True)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_first_bot_of_the_page_plays(ginny: Path) -> None:
    command = "run", "my/first.yaml", "--out", "run", "--set", "groups=2", "--set", "play=deals", "--workers", "1"
    done = run_arena(*command, folder=ginny)
    assert done.returncode == 0, done.stderr
    rows = json.loads((ginny / "run" / "standings.json").read_text())["standings"]
    assert [(row["games"], row["faults"]) for row in rows if row["bot"] == "ginny"] == [(8, 0)]


def test_the_receipt_of_the_page_is_that_of_its_bot(ginny: Path) -> None:
    receipt = run_arena("pack", "my/ginny", folder=ginny).stdout.replace(str(ginny), "/home/me")
    assert receipt in section(PAGE, "Handing it in")


def test_every_language_to_begin_in_is_listed_with_its_needs() -> None:
    rows = tables(section(PAGE, "From nothing to a bot that plays"))[0]
    assert {row["language"].strip("`"): row["what it needs"] for row in rows} == {
        name: language.needs for name, language in LANGUAGES.items()
    }


def test_every_method_of_a_bot_is_listed() -> None:
    assert sorted(listed("**A class.**", "method")) == sorted(
        name for name in _public(Bot) if callable(getattr(Bot, name))
    )


def test_every_property_of_a_turn_is_listed() -> None:
    assert sorted(listed("**A turn**", "property")) == sorted(_public(Turn))


def test_every_helper_is_listed() -> None:
    helpers = [name for name in arena.bot.__all__ if name.islower() and callable(getattr(arena.bot, name))]
    actions = {"discard", "knock", "big_gin", "defend", "serve"}
    assert sorted(listed("**Helpers**", "function")) == sorted(set(helpers) - actions)


def test_the_manifest_of_the_page_is_one() -> None:
    text = next(text for text in blocks(PAGE, "yaml") if "build:" in text)
    manifest = validated(_Manifest, parse_document(text, "bot.yaml"))
    assert manifest.model_fields_set == set(_Manifest.model_fields)


def test_every_key_of_a_manifest_is_listed() -> None:
    assert named_in(row["key"] for row in tables(section(PAGE, "bot.yaml"))[0]) == list(_Manifest.model_fields)


@pytest.mark.parametrize("run", [("{python}", "bot.py"), ("./bot",)])
def test_every_variable_of_a_bots_environment_is_listed(run: tuple[str, ...], tmp_path: Path) -> None:
    given = set(launch.environment(run, tmp_path, "unix:/s"))
    told = set(listed("The environment is clean.", "variable"))
    assert given <= told
    assert told - given <= {"PYTHONPATH"}


def test_the_words_of_the_contract_are_those_of_the_code() -> None:
    assert f"`{LISTEN}`" in PAGE
    assert f"`{READY} 127.0.0.1:PORT`" in PAGE


def test_every_option_of_join_is_listed() -> None:
    options = {one for param in COMMANDS["join"].params if param.param_type_name == "option" for one in param.opts}
    told = [row["option"] for row in tables(section(PAGE, "From behind a firewall"))[0]]
    assert {re.findall(r"--[a-z]+", option)[0] for option in told} == options


def test_every_variable_and_argument_of_a_bot_that_dials_in_is_listed() -> None:
    rows = tables(section(PAGE, "From behind a firewall"))[1]
    assert named_in(row["variable"] for row in rows) == [JOIN, TOKEN, CA, TLS, PLAINTEXT, NAME]
    wanted = [name for name in inspect.signature(serve).parameters if name != "bot_class"]
    assert named_in(row["argument"] for row in rows) == wanted


def _public(kind: type) -> list[str]:
    return [name for name in dir(kind) if not name.startswith("_")]
