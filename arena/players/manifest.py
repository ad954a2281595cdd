"""A bot's folder with its `bot.yaml`, and the kinds of value that a series has in common with it.

name: ginny
version: "1.3"                  # optional, free text
fetch: [go, mod, download]      # optional, run in the folder before `build`, with a network
build: [make]                   # optional, run in the folder before a series, without
run: ["{python}", bot.py]       # in the folder; {python} is the Python the arena runs on
transport: auto                 # optional: auto, unix or tcp
games: [gin, oklahoma]          # optional: what it plays, else all games
"""

import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from arena.addresses import is_address
from arena.documents import one_of, read_document, validated
from arena.errors import InputError
from arena.players.files import MANIFEST, content_hash, is_special
from arena.players.spec import BotSpec, Transport
from arena.rules.view import GAMES, GameKind

# The kinds of value in a manifest, and in a series that gives a bot in place of a folder.


def bot_name(text: str) -> str:
    """The text if it can be a bot's name; raises `ValueError` with what was expected."""
    if not re.fullmatch(r"\w[\w .+-]{0,39}", text) or text.endswith((" ", ".")):
        raise ValueError("up to 40 letters, digits, spaces and .+-_, a letter or digit first")
    return text


def _version(text: str) -> str:
    if len(text) > 60 or not text.isprintable():  # it is shown on terminals
        raise ValueError("up to 60 characters that can be printed, in one line")
    return text


def _word(text: str) -> str:
    if "\0" in text:  # no system can pass it on
        raise ValueError("text without the character 0")
    return text


def _address(text: str) -> str:
    if not is_address(text):
        raise ValueError("host:port or unix:/path")
    return text


def _game(text: object) -> GameKind:
    if not isinstance(text, str) or text not in GAMES:
        raise ValueError(one_of(GAMES))
    return GAMES[text]


def _games(games: tuple[GameKind, ...]) -> tuple[GameKind, ...]:
    if len(set(games)) < len(games):
        raise ValueError("each game once")
    return games


Name = Annotated[str, AfterValidator(bot_name)]
Word = Annotated[str, Field(min_length=1), AfterValidator(_word)]
Command = Annotated[tuple[Word, ...], Field(min_length=1)]
Address = Annotated[str, AfterValidator(_address)]
Games = Annotated[tuple[Annotated[GameKind, BeforeValidator(_game)], ...], Field(min_length=1), AfterValidator(_games)]


class _Manifest(BaseModel):
    """The keys of a `bot.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name = Field(description="the name for the tables")
    version: Annotated[str, AfterValidator(_version)] = ""
    fetch: Command | None = None
    build: Command | None = None
    run: Command = Field(description="the command that starts the bot, as a list")
    transport: Transport = Transport.AUTO
    games: Games = tuple(GameKind)


def read_manifest(folder: Path) -> BotSpec:
    """The bot in a folder. Raises `InputError` with every mistake in its `bot.yaml`, by line and column."""
    if not folder.is_dir():
        found = "this is a file, expected a folder" if folder.exists() else "there is no such folder, expected one"
        raise InputError(f"{folder}: {found} with a bot and its {MANIFEST}")
    path = folder / MANIFEST
    if not path.exists() or is_special(path):
        raise InputError(f"{folder}: no {MANIFEST} in this folder, expected one with the bot's name and run command")
    manifest = validated(_Manifest, read_document(path))
    return BotSpec(
        name=manifest.name,
        version=manifest.version,
        folder=folder.resolve(),
        build=manifest.build,
        run=manifest.run,
        address=None,
        transport=manifest.transport,
        games=manifest.games,
        content_hash=content_hash(folder),
        fetch=manifest.fetch,
    )
