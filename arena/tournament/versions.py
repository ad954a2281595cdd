"""Which bots are compared: two versions of one, and a pool that both play, each a folder with a bot."""

from collections.abc import Iterator, Sequence
from glob import escape, glob, has_magic
from pathlib import Path
from typing import NamedTuple

from arena.errors import InputError, short
from arena.players.files import MANIFEST
from arena.players.manifest import read_manifest
from arena.players.spec import BotSpec
from arena.tournament.checkout import PREFIX, checked_out, is_version
from arena.tournament.comparison import NEW, OLD
from arena.tournament.series import load_series

POOL = "--against"


class Version(NamedTuple):
    """A bot of a comparison.

    said: how it was given. spec: what its manifest says; its folder may be built yet.
    """

    said: str
    spec: BotSpec

    @property
    def text(self) -> str:
        """Its name, version and where it is, for people."""
        return f"{f'{self.spec.name} {self.spec.version}'.strip()} ({short(self.said)})"

    def entry(self, name: str) -> dict[str, str]:
        """Its entry in a series."""
        return {"path": escape(str(self.spec.folder)), "name": name}


def version(text: str) -> Version:
    """The bot that a folder, or `git:REF:PATH`, names. Raises `InputError` where there is none."""
    return Version(text, read_manifest(checked_out(text) if is_version(text) else Path(text)))


def pool_of(texts: Sequence[str]) -> list[Version]:
    """The bots that both versions play.

    texts: each a bot's folder, a folder of such folders, a pattern that matches them, or a series file, whose bots it
        is. A bot that is named twice counts once.
    Raises `InputError` for what is none of these, and for two bots of one name.
    """
    found: dict[str, Version] = {}
    for text in texts:
        for bot in _bots(text):
            name = bot.spec.name
            if name in (OLD, NEW):
                raise InputError(
                    f"{POOL}: '{name}' ({short(bot.said)}) is what one of the versions is called, expected another name"
                )
            other = found.setdefault(name, bot)
            if other.spec.content_hash != bot.spec.content_hash:
                raise InputError(
                    f"{POOL}: '{name}' is the name of {short(other.said)} ({other.spec.content_hash[:12]}) and of "
                    f"{short(bot.said)} ({bot.spec.content_hash[:12]}), expected a name for each bot"
                )
    return [*found.values()]


def _bots(text: str) -> Iterator[Version]:
    path = Path(text)
    if is_version(text) or (path / MANIFEST).is_file():
        yield version(text)
        return
    if path.is_file():
        yield from _of_series(path)
        return
    pattern = text if has_magic(text) else str(Path(escape(text)) / "*")
    folders = [folder for folder in sorted(glob(pattern)) if Path(folder, MANIFEST).is_file()]  # noqa: PTH207
    if not folders:
        where = f"no folder with a {MANIFEST} is in" if path.is_dir() else f"no folder with a {MANIFEST} matches"
        raise InputError(
            f"{POOL}: {where} {short(text)!r}, expected a bot, a folder of bots, a pattern in quotes such as 'bots/*', "
            f"a series file or {PREFIX}REF:PATH"
        )
    for folder in folders:
        yield version(folder)


def _of_series(path: Path) -> Iterator[Version]:
    """The bots of a series, under the names that it gives them."""
    series = load_series(path)
    for entry, spec in zip(series.config.bots, series.bots, strict=True):
        if entry.path is None and entry.sample is None:
            raise InputError(
                f"{path}: '{spec.name}' is a command or an address, whose content cannot be pinned, expected a pool of "
                f"folders with a {MANIFEST}"
            )
        yield Version(str(spec.folder), spec)
