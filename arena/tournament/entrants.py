"""The bots of a series: from the entries of its file to bots that can be started, or everything that is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from glob import glob, has_magic
from pathlib import Path

from pydantic import ValidationError

from arena.documents import Document, Problem, unknown
from arena.errors import InputError, short
from arena.players.files import MANIFEST
from arena.players.manifest import read_manifest
from arena.players.samples import sample_folders
from arena.players.spec import BotSpec, Transport, inline_spec
from arena.rules.view import GAME_NAMES, GameKind
from arena.tournament.config import BotEntry

_NO_BOTS = ("__pycache__", "node_modules")


@dataclass(slots=True)
class Entrants:
    """The bots of a series, in their order, and what is wrong with them.

    entries: one for each bot, patterns replaced by the folders they match. specs: what the bots are.
    problems: what is wrong in the series file. foreign: what is wrong in the bots' own files, as lines that say where.
    """

    entries: list[BotEntry] = field(default_factory=list)
    specs: list[BotSpec] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong with those that are listed right."""
        return not self.problems and not self.foreign


def enter(document: Document, base: Path, game: GameKind | None) -> Entrants:
    """The bots that the key `bots` of a series' document names.

    base: what paths are relative to, the folder of the series file.
    game: what the bots have to play; `None` where the document does not say it right.
    Entries that are no `BotEntry` are passed over: `check` tells them.
    """
    entrants = Entrants()
    origins: dict[str, str] = {}
    listed = document.value.get("bots")
    for index, raw in enumerate(listed if isinstance(listed, list) else []):
        place = document.at(("bots", index))
        try:
            entry = BotEntry.model_validate(raw)
        except ValidationError:
            continue
        for bot in _each(entry, base):
            if isinstance(bot, str):
                entrants.problems.append(Problem(place, bot))
                continue
            try:
                spec = _spec(bot, base)
            except InputError as error:
                entrants.foreign.append(str(error))
                continue
            entrants.problems += [Problem(place, wrong) for wrong in _unfit(spec, bot, origins, game)]
            origins.setdefault(spec.name, bot.origin)
            entrants.entries.append(bot)
            entrants.specs.append(spec)
    return entrants


def _each(entry: BotEntry, base: Path) -> Iterator[BotEntry | str]:
    """An entry for each bot that an entry names, or what is wrong."""
    if entry.sample is not None and entry.sample not in sample_folders():
        yield unknown("sample bot", entry.sample, sample_folders())
        return
    if entry.path is None:
        yield entry
        return
    folders = [entry.path]
    if has_magic(entry.path):
        folders = [
            match
            for match in sorted(glob(entry.path, root_dir=base))  # noqa: PTH207 -- Path.glob takes no '..' and no absolute path
            if (base / match).is_dir() and Path(match).name not in _NO_BOTS
        ]
    if not folders:
        yield f"no folder matches {short(entry.path)!r} in {base}, expected one or more with a {MANIFEST}"
    if len(folders) > 1 and entry.name is not None:
        yield f"{short(entry.path)!r} matches {len(folders)} folders, expected one for the name '{entry.name}'"
        return
    for folder in folders:
        yield _missing(folder, base) or entry.model_copy(update={"path": folder})


def _missing(folder: str, base: Path) -> str | None:
    """What a folder lacks to be a bot's."""
    try:
        if (base / folder / MANIFEST).is_file():
            return None
        if (base / folder).is_file():
            return f"{short(folder)!r} is a file, expected the folder of a bot, with its {MANIFEST}"
        if (base / folder).is_dir():
            return f"the folder {short(folder)!r} has no {MANIFEST}, expected one with the bot's name and run command"
    except OSError as error:
        return f"{short(folder)!r} cannot be looked into ({error.strerror}), expected a folder with a {MANIFEST}"
    return f"there is no folder {short(folder)!r} in {base}, expected one with a {MANIFEST}"


def _unfit(spec: BotSpec, entry: BotEntry, origins: dict[str, str], game: GameKind | None) -> Iterator[str]:
    """Why a bot cannot take part. origins: where the bots before it came from, by name."""
    if spec.name in origins:
        source = f"sample: {entry.sample}" if entry.sample else f"path: {short(entry.origin)}"
        source = "join: true" if entry.join else source
        yield (
            f"'{spec.name}' is the name of {short(origins[spec.name])} and of {short(entry.origin)}, "
            f"expected a name for each bot, as in {{{source}, name: {spec.name}-2}}"
        )
    if game is not None and game not in spec.games:
        plays = " and ".join([GAME_NAMES[kind] for kind in spec.games])
        yield f"'{spec.name}' plays {plays}, expected a bot that plays {GAME_NAMES[game]}"


def _spec(entry: BotEntry, base: Path) -> BotSpec:
    """The bot of an entry. Raises `InputError` for what is wrong in its folder."""
    folder = base / entry.path if entry.path is not None else sample_folders().get(entry.sample or "")
    if folder is not None:
        spec = read_manifest(folder)
        return replace(spec, name=entry.name or spec.name)
    assert entry.name is not None
    return inline_spec(
        entry.name,
        run=entry.run or (),
        address=entry.address,
        joins=bool(entry.join),
        folder=base.resolve(),
        transport=entry.transport or Transport.AUTO,
        games=entry.games or tuple(GameKind),
    )
