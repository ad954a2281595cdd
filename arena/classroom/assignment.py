"""What `assignment.yaml` may say: the keys of a series, with references in place of its bots, and `check`.

    name: gin-1
    references: [{sample: random}, {sample: simple}]
    check: full
    groups: 100

`arena check BOT --assignment` and `arena grade` both read it, so that a student checks by what the teacher grades by.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from arena.documents import Document, Problem, check, read_document, refuse
from arena.errors import InputError
from arena.isolation.values import Mode
from arena.kit.check.candidate import Clock
from arena.players.files import MANIFEST
from arena.players.spec import BotSpec, Transport
from arena.rules.view import GAME_NAMES, GAMES, GameKind
from arena.tournament.config import COMMIT, FRESH, BotEntry, SeriesConfig
from arena.tournament.config import Clock as SeriesClock
from arena.tournament.series import Series, series_of

REFUSED = ("bots", "format", "gauntlet", "compare", "triples", "secret_file")
"""Keys of a series that an assignment decides itself."""
_STAND_IN = {"sample": "simple", "name": "the student"}
"""A bot where there is none yet, to see whether the rest of the series is right."""
_OTHERS = [{"sample": "simple", "name": f"reference {number}"} for number in (1, 2)]
"""The same for references that only the teacher has."""


def _some(references: tuple[BotEntry, ...]) -> tuple[BotEntry, ...]:
    if not references:  # a smallest length would be told of a list, too, whose only item is wrong
        raise ValueError("a list of 1 or more")
    return references


class OwnKeys(BaseModel):
    """The keys that an assignment has beside those of a series.

    references: bots that every student's bot plays, as `bots` of a series has them.
    check: how thorough the check is. Its failure costs nothing but what the teacher makes of it.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    references: Annotated[tuple[BotEntry, ...], AfterValidator(_some)] = Field(
        description="a list of bots, such as [{sample: random}, {sample: simple}]"
    )
    check: Literal["full", "quick"] = "full"


@dataclass(frozen=True, slots=True)
class Assignment:
    """An assignment, and the series that each student's bot plays by it.

    trial: the series with a sample bot in place of a student's, every default in it. quick: whether the check is.
    seed: what the file says, nothing where the decks are not to be known before.
    base: what the paths of the references are relative to. document: the file.
    """

    trial: Series
    quick: bool
    seed: str
    base: Path
    document: Document

    @property
    def config(self) -> SeriesConfig:
        """The series, every default in it."""
        return self.trial.config

    @property
    def references(self) -> tuple[BotSpec, ...]:
        """Who is played, in the order of the file."""
        return self.trial.bots[1:]

    @property
    def name(self) -> str:
        """The assignment's name."""
        return self.config.name

    @property
    def game(self) -> GameKind:
        """What is played."""
        return GAMES[self.config.game]

    def series(self, bot: Path, name: str, seed: str) -> Series:
        """The series of a student's bot in this folder, under this name: it against each of the references.

        Raises `InputError` for a bot that cannot take part.
        """
        entry = {"path": str(bot.resolve()), "name": name}
        return series_of(_as_series(self.document, entry, seed), self.base)


def load_assignment(path: Path, settings: Sequence[str] = (), *, at_home: bool = False) -> Assignment:
    """Read an assignment. Raises one `InputError` with a line for each mistake, as `load_series` does.

    settings: `key=value` of the command line, laid over it.
    at_home: for a student's check, which goes without the references: the teacher may have kept them.
    """
    document = read_document(path, settings)
    own, problems = check(OwnKeys, document)
    for key in REFUSED:
        if key in document.value:
            told = f"'{key}' is no key of an assignment, expected references, which every student's bot plays"
            problems.append(Problem(document.key_at((key,)), told))
    if document.value.get("seed") == COMMIT:
        told = f"seed is {COMMIT}, expected a number or a text, or no seed: then the decks are not known before"
        problems.append(Problem(document.at(("seed",)), told))
    if own is None or problems:
        refuse(problems)
    if at_home:
        document = replace(document, value={**document.value, "references": _OTHERS})
    series = series_of(_as_series(document, _STAND_IN), path.parent)
    seed = "" if series.config.seed == FRESH else series.config.seed
    return Assignment(series, own.check == "quick", seed, path.parent, document)


def for_assignment(spec: BotSpec, assignment: Assignment) -> BotSpec:
    """A bot as an assignment checks and plays it: in its game alone.

    Raises `InputError` if it plays others only, or asks for a network that an isolated class has not.
    """
    if assignment.game not in spec.games:
        game = GAME_NAMES[assignment.game]
        raise InputError(f"its {MANIFEST} does not list {game} among its games, expected it, as {game} is played")
    if spec.transport is Transport.TCP and assignment.config.isolation is not Mode.NONE:
        raise InputError(
            f"its {MANIFEST} says 'transport: tcp', which would leave it the network, expected 'transport: unix', or "
            "none: then it listens on a unix socket, where it is told to by ARENA_LISTEN"
        )
    return replace(spec, games=(assignment.game,))


def check_clock(clock: SeriesClock) -> Clock:
    """The limits of a check, as the clock of a series has them."""
    seconds = [one.total_seconds() for one in (clock.ready, clock.decision, clock.bank, clock.goodbye)]
    return Clock(*seconds)


def _as_series(document: Document, bot: dict[str, str], seed: str | None = None) -> Document:
    """The document of the series: a student's bot first, then the references, with their places in the file."""
    references = document.value["references"]
    assert isinstance(references, list)
    kept = {key: value for key, value in document.value.items() if key not in OwnKeys.model_fields}
    value = {**kept, "bots": [bot, *references], "format": "gauntlet", "gauntlet": 1}
    if seed is not None:
        value["seed"] = seed
    pairs = []
    for key, node in document.root.value:
        if key.value == "references":
            renamed = yaml.ScalarNode(key.tag, "bots", key.start_mark, key.end_mark)
            items = [yaml.MappingNode(node.tag, [], node.start_mark, node.end_mark), *node.value]
            pairs.append((renamed, yaml.SequenceNode(node.tag, items, node.start_mark, node.end_mark)))
        else:
            pairs.append((key, node))
    root = yaml.MappingNode(document.root.tag, pairs, document.root.start_mark, document.root.end_mark)
    return replace(document, value=value, root=root)
