"""What a bot is: its folder with a `bot.yaml`, or a command or an address given in the series.

name: ginny
version: "1.3"                  # optional, free text
fetch: [go, mod, download]      # optional, run in the folder before `build`, with a network
build: [make]                   # optional, run in the folder before a series, without
run: ["{python}", bot.py]       # in the folder; {python} is the Python the arena runs on
transport: auto                 # optional: auto, unix or tcp
games: [gin, oklahoma]          # optional: what it plays, else all games
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from arena.addresses import is_address
from arena.documents import one_of, read_document, validated
from arena.errors import InputError
from arena.rules.view import GAMES, GameKind

MANIFEST = "bot.yaml"


class Transport(StrEnum):
    """Where a bot listens. AUTO is a unix socket where the system has them, else TCP."""

    AUTO = "auto"
    UNIX = "unix"
    TCP = "tcp"


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot that can take part in a series.

    name: what the tables call it.
    version: free text, may be empty.
    folder: where its commands run; `None` where the arena itself runs.
    fetch: command to be run before `build`, with a network, or `None`.
    build: command to be run before a series, or `None`.
    run: command that starts it, `{python}` not yet filled in; empty for a bot at an address.
    address: where a bot that runs elsewhere listens, `unix:/path` or `host:port`; `None` for one that is started.
    transport: where a bot that is started listens.
    games: what it plays.
    content_hash: SHA-256 in hex of what it is made of, so that a changed bot is told from an unchanged one.
    joins: whether it dials in to the arena's server; its address is then that of the server's door for it, `None` as
        long as that is not known.
    """

    name: str
    version: str
    folder: Path | None
    build: tuple[str, ...] | None
    run: tuple[str, ...]
    address: str | None
    transport: Transport
    games: tuple[GameKind, ...]
    content_hash: str
    fetch: tuple[str, ...] | None = None
    joins: bool = False

    @property
    def elsewhere(self) -> bool:
        """Whether it runs where the arena cannot start it afresh: at an address, or wherever it dials in from."""
        return self.joins or self.address is not None


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
        raise InputError(f"{folder}: there is no such folder, expected one with a bot and its {MANIFEST}")
    path = folder / MANIFEST
    if not path.exists() or _is_special(path):
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


def _is_special(path: Path) -> bool:
    """Whether it is a pipe, a device or the like, which reading would wait for or never come to the end of.

    A link may lead to what the kernel calls a file, such as its messages to come or all of the memory.
    """
    mode = path.stat().st_mode
    if path.is_symlink() and any(path.resolve().is_relative_to(top) for top in _KERNELS):
        return True
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def inline_spec(
    name: str,
    *,
    run: tuple[str, ...] = (),
    address: str | None = None,
    joins: bool = False,
    folder: Path | None = None,
    transport: Transport = Transport.AUTO,
    games: tuple[GameKind, ...] = tuple(GameKind),
) -> BotSpec:
    """A bot given by a command, which runs in `folder`, by the address it already listens at, or as one that dials in.

    Its content hash is that of the command or address, or of the name: what it runs may change unnoticed.
    """
    if bool(run) + bool(address) + joins != 1:
        raise ValueError("a bot has a command or an address, or dials in")
    given = ("address", address) if address else ("join", name) if joins else ("run", *run)
    digest = hashlib.sha256("\0".join(given).encode()).hexdigest()
    return BotSpec(name, "", folder, None, run, address, transport, games, digest, joins=joins)


_KERNELS = (Path("/proc"), Path("/sys"), Path("/dev"))
"""Where files are none that lie on a disk."""
_MADE = ("__pycache__", "build", "node_modules", "target")
_PIECE = 1 << 20


def content_hash(folder: Path) -> str:
    """SHA-256 in hex of all files of a bot. Raises `InputError` for what cannot be read."""
    digest = hashlib.sha256()
    for path in bot_files(folder):
        try:
            with (folder / path).open("rb") as file:
                digest.update(_heading(path, os.fstat(file.fileno()).st_size))
                while piece := file.read(_PIECE):  # a bot may have gigabytes of weights
                    digest.update(piece)
        except OSError as error:
            raise _unreadable(folder / path, error) from None
    return digest.hexdigest()


def hash_of(files: Iterable[tuple[str, bytes]]) -> str:
    """The content hash of a bot with these paths, in their order, and bytes."""
    digest = hashlib.sha256()
    for path, data in files:
        digest.update(_heading(path, len(data)))
        digest.update(data)
    return digest.hexdigest()


def _heading(path: str, size: int) -> bytes:
    """What stands in a content hash before the bytes of a file."""
    return f"{path}\0{size}\0".encode(errors="surrogateescape")


def _unreadable(path: Path, error: OSError, what: str = "file") -> InputError:
    return InputError(f"{path}: {error.strerror}, expected a {what} that can be read")


def read_file(folder: Path, path: str) -> bytes:
    """One of a bot's files. Raises `InputError` if it cannot be read."""
    try:
        return (folder / path).read_bytes()
    except OSError as error:
        raise _unreadable(folder / path, error) from None


def bot_files(folder: Path) -> list[str]:
    """The files that a bot is made of, as paths in its folder with slashes, in their order.

    Left out is what changes without the bot: what a build or an installer makes, so folders named `build`, `target`,
    `node_modules` or `__pycache__` or with a dot at the front, and virtual environments. Links to files count as
    files, other links not, nor those to what the kernel makes up. Raises `InputError` for a folder that cannot be
    looked into.
    """

    def refuse(error: OSError) -> NoReturn:
        raise error

    found = []
    try:
        for parent, folders, files in os.walk(folder, onerror=refuse):
            folders[:] = [
                name
                for name in folders
                if not name.startswith(".") and name not in _MADE and not Path(parent, name, "pyvenv.cfg").exists()
            ]
            for name in files:
                path = Path(parent, name)
                if path.exists() and not _is_special(path):
                    found.append(path.relative_to(folder).as_posix())
    except OSError as error:
        raise _unreadable(Path(error.filename), error, "file or folder") from None
    except RecursionError:
        raise InputError(f"{folder}: folders in folders without end, expected a bot's files") from None
    return sorted(found)
