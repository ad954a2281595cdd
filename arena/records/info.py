"""What is fixed of a run before its first card, as values, and how values are kept as JSON."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from arena.errors import RecordError, RulesError
from arena.rules.game import GameFormat

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class BotInfo:
    """A bot of a run.

    version: as its manifest says, free text.
    content_hash: what it was made of; another hash is another bot.
    """

    name: str
    version: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What a run is, for everybody: nothing in it tells of the machine on which it was played.

    name: of the series.
    arena_version: the program that made it.
    config: the whole series with every default, as JSON, its bots by their names.
    format: game, scoring, play and rules.
    seed, commitment: the master seed in hexadecimal and the hash that was published of it.
    bots: by number.
    secret: hexadecimal, what the commitment is to where the seed is made of it and the entries, see
        `arena.dealing.contest_seed`.
    amended: whether some games were taken over from an earlier run.
    luck: the hash of the value function by which luck may be judged, see `arena.standings.luck`: the one that the
        arena had before the first card, so that none can be made to fit the games.
    """

    name: str
    arena_version: str
    config: str
    format: GameFormat
    seed: str
    commitment: str
    bots: tuple[BotInfo, ...]
    secret: str | None = None
    amended: bool = False
    luck: str | None = None


@dataclass(frozen=True, slots=True)
class BotHome:
    """Where a bot is.

    origin: where it came from, for people: its folder as the series names it, a command or an address.
    command: what starts it, `{python}` not filled in; nothing for a bot at an address.
    folder: where that is run, relative to the folder of the run; empty for a bot at an address.
    """

    origin: str
    command: tuple[str, ...] = ()
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Premises:
    """What a run has of its organiser's machine. It is in no digest, and not in what is published.

    config: the whole series as JSON, with the bots' entries as they were given. source: the file that the organiser
        wrote, as it stands.
    base: the folder that paths in `config` are relative to, itself relative to the folder of the run.
    bots: by number.
    """

    config: str = ""
    source: str = ""
    base: str = "."
    bots: tuple[BotHome, ...] = ()


NOWHERE = Premises()
"""What a published run has."""


class Kept(Generic[Value]):
    """How values of a dataclass are kept as JSON: each value has one spelling, and nothing else is read."""

    def __init__(self, kind: type[Value]) -> None:
        self._name = kind.__name__
        self._adapter = TypeAdapter(kind)

    def text(self, value: Value) -> str:
        """The JSON of a value."""
        return self._adapter.dump_json(value).decode()

    def read(self, text: str) -> Value:
        """The value of a text. Raises `RecordError` for a text that `text` does not write."""
        try:
            value = self._adapter.validate_json(text)
        except (ValidationError, RulesError) as error:
            raise RecordError(f"expected the JSON of a {self._name}: {' '.join(str(error).split()):.200}") from error
        if self.text(value) != text:
            raise RecordError(f"expected the JSON of a {self._name} as the arena writes it, got {text!r:.200}")
        return value
