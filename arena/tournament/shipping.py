"""Bots on their way to another machine: packed here, and there unpacked and built once, in a depot.

What travels is what counts for a bot's content hash, and it is known by this hash on both sides. What a build makes
stays at home, since the other machine may be another system: there the bot is built again.

The depot is a folder of the user's among the temporary files, and stays for the next run:

    HASH/bot      a bot with this content
    HASH/ready    its content after the build: equal again, it can play
    HASH.lock     held by the one worker of the machine that unpacks or builds it
"""

import io
import os
import shutil
import sqlite3
import stat
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath

from arena.errors import HostError, InputError
from arena.isolation.values import Isolation
from arena.locks import LockedError, locked
from arena.players.build import BUILD_SECONDS, build
from arena.players.files import bot_files, content_hash
from arena.players.spec import BotSpec
from arena.tournament.series import Series

_PATIENCE = 2 * BUILD_SECONDS
"""Seconds that another worker may take to fetch and to build a bot."""


def check_shippable(series: Series) -> None:
    """Raise `InputError`, with a line for each, for bots that cannot play on another machine."""
    wrong = []
    for bot, entry in zip(series.bots, series.config.bots, strict=True):
        if entry.run is not None:
            wrong.append(f"{bot.name} is a command, which runs here, expected a folder with a bot.yaml, to be sent")
        elif bot.joins:
            wrong.append(f"{bot.name} dials in to one machine, expected a bot in a folder or at an address host:port")
        elif bot.address is not None and bot.address.startswith("unix:"):
            wrong.append(f"{bot.name} is at {bot.address}, which is on this machine, expected an address host:port")
    if wrong:
        raise InputError("\n".join([f"a cluster cannot play with this bot: {line}" for line in wrong]))


def parcel(bot: BotSpec) -> bytes:
    """A bot's own files, as a compressed tar. Raises `InputError` if they are not what they were."""
    assert bot.folder is not None
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as archive:
        for path in bot_files(bot.folder):
            try:
                data = (bot.folder / path).read_bytes()
                mode = (bot.folder / path).stat().st_mode
            except OSError as error:
                raise InputError(f"{bot.folder / path}: {error.strerror}, expected a file that can be read") from None
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode = len(data), 0o755 if mode & stat.S_IXUSR else 0o644
            archive.addfile(entry, io.BytesIO(data))
    if content_hash(bot.folder) != bot.content_hash:
        raise InputError(f"{bot.name} has changed since the run began, and the cluster has workers without it")
    return packed.getvalue()


class Depot:
    """The bots that this machine has been sent."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, made where it is not there. Raises `HostError` for one that is not this user's alone."""
        self.folder = folder
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            found = folder.lstat()
        except OSError as error:
            raise HostError(f"{folder}: {error.strerror}, expected a folder for bots, or TMPDIR with room") from None
        own = not hasattr(os, "getuid") or found.st_uid == os.getuid()
        if not stat.S_ISDIR(found.st_mode) or not own or found.st_mode & 0o022:
            raise HostError(
                f"{folder}: this is not of the arena's making, expected a folder that nobody else may write"
            )

    def find(self, bot: BotSpec) -> BotSpec | None:
        """The bot as it lies here, ready to play; `None` where it has to be sent."""
        with self._alone(bot):
            return self._ready(bot)

    def take_in(self, bot: BotSpec, packed: bytes, isolate: Callable[[], Isolation]) -> BotSpec:
        """Unpack and build a bot, unless another worker has meanwhile, and return it as it lies here.

        isolate: tells what isolates its build. Raises `InputError` for a build that fails, `HostError` for what arrived
        otherwise than it was sent.
        """
        with self._alone(bot):
            if ready := self._ready(bot):
                return ready
            place = self.folder / bot.content_hash
            try:
                shutil.rmtree(place, ignore_errors=True)
                _unpack(packed, place / "bot")
            except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
                raise HostError(f"{place}: the bot {bot.name} cannot be unpacked: {error}") from None
            if content_hash(place / "bot") != bot.content_hash:
                raise HostError(f"{place}: the bot {bot.name} did not arrive as it was sent")
            here = replace(bot, folder=place / "bot")
            build(here, isolate=isolate)
            (place / "ready").write_text(content_hash(place / "bot"))
            return here

    def _ready(self, bot: BotSpec) -> BotSpec | None:
        place = self.folder / bot.content_hash
        try:
            ready = (place / "ready").read_text() == content_hash(place / "bot")
        except (OSError, InputError, UnicodeDecodeError):
            return None
        return replace(bot, folder=place / "bot") if ready else None

    @contextmanager
    def _alone(self, bot: BotSpec) -> Iterator[None]:
        try:
            with locked(self.folder / f"{bot.content_hash}.lock", _PATIENCE):
                yield
        except LockedError:
            raise HostError(f"{self.folder}: another worker has been building {bot.name} for too long") from None
        except sqlite3.Error as error:
            raise HostError(f"{self.folder}: {error}, expected a folder that can be written") from None


def depot() -> Depot:
    """The depot of this user on this machine. Raises `HostError`."""
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Depot(Path(tempfile.gettempdir()) / f"gin-bots-{user}")


def _unpack(packed: bytes, folder: Path) -> None:
    """Raises OSError, and whatever there is for what was cut off or changed."""
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as archive:
        for entry in archive:  # not `extractall`: Python 3.11.3 and older let it write anywhere
            path, data = PurePosixPath(entry.name), archive.extractfile(entry)
            if data is None or not entry.isreg() or path.is_absolute() or ".." in path.parts:
                raise tarfile.TarError(f"{entry.name} is no file of a bot")
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("xb") as file:
                shutil.copyfileobj(data, file)
            place.chmod(entry.mode & 0o755)
    for parent, _, _ in os.walk(folder):
        Path(parent).chmod(0o755)  # a bot may be a user of its own
