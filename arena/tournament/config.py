"""What the file of a series may say: every key, what it may be, and its default.

This is the one home of the defaults. Those of `gauntlet`, `compare`, `triples` and `batch` hang on other keys, so they
are `None` until `SeriesConfig.filled` has put them in.
"""

import re
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictInt,
    ValidationError,
    field_serializer,
    model_validator,
)

from arena.documents import one_of
from arena.errors import RecordError
from arena.isolation.values import Limits, Mode
from arena.players.clock import Measure
from arena.players.manifest import Address, Command, Games, Name, Word
from arena.players.spec import Transport
from arena.records.info import RunInfo
from arena.rules.view import GAME_NAMES
from arena.standings.ranking import CRITERIA
from arena.tournament.comparison import Comparison
from arena.tournament.durations import Duration, Limit, parse_duration
from arena.tournament.sizes import Size

FRESH, COMMIT = "fresh", "commit"
"""The seeds that are no seeds: one that nobody has seen, and one made of a committed secret and the entries."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _only_true(value: object) -> object:
    if value is not True:
        raise ValueError("true, or to be left out")
    return value


class BotEntry(_Section):
    """One entry of `bots`: a text alone is its `path`.

    path: a folder with a bot.yaml, or a pattern that matches such folders, relative to the series file.
    sample: one of the sample bots, by name.
    name: instead of the manifest's; needed where there is none.
    run: a command, run in the folder of the series file. address: where a bot already listens.
    join: the bot dials in to the arena's server, under its name.
    transport, games: as in a bot.yaml, which has its own.
    """

    path: Word | None = None
    sample: Word | None = None
    name: Name | None = None
    run: Command | None = None
    address: Address | None = None
    join: Annotated[Literal[True], BeforeValidator(_only_true)] | None = None
    transport: Transport | None = None
    games: Games | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_text(cls, value: object) -> object:
        if not isinstance(value, str | dict):
            raise ValueError("a folder, a pattern such as entries/*, or a bot as in {name: ..., run: [...]}")  # noqa: TRY004
        return {"path": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        kinds = ("path", "sample", "run", "address", "join")
        given = [key for key in kinds if getattr(self, key) is not None]
        if len(given) != 1:
            raise ValueError(f"this bot has {' and '.join(given) or 'none of them'}, expected one of {one_of(kinds)}")
        has_manifest = self.path is not None or self.sample is not None
        if not has_manifest and self.name is None:
            raise ValueError("this bot has no name, expected one for the tables")
        own = [key for key in ("transport", "games") if has_manifest and getattr(self, key) is not None]
        if own:
            raise ValueError(f"this bot has {given[0]} and {own[0]}, expected {own[0]} in its bot.yaml")
        if self.address is not None and self.transport is not None:
            raise ValueError("this bot has address and transport, expected the address alone to say how it is reached")
        if self.join and self.transport is not None:
            raise ValueError("this bot has join and transport, expected no transport, as it listens nowhere")
        return self

    @property
    def origin(self) -> str:
        """Where the bot comes from: its folder, the sample bots, its address or its command, or that it dials in."""
        if self.sample is not None:
            return f"the sample bot {self.sample}"
        if self.join:
            return f"{self.name}, which dials in"
        return self.path or self.address or " ".join(self.run or ())

    @field_serializer("games")
    def _game_names(self, games: Games | None) -> list[str] | None:
        return None if games is None else [GAME_NAMES[game] for game in games]


class Clock(_Section):
    """How long a bot may take.

    ready: from its start to its answer to Hello. goodbye: from the arena's goodbye to its end.
    decision: for one decision. bank: what a game may draw on beyond that, by each bot.
    hand: what all decisions of a game may come to for each hand that has begun; no limit without it.
    measure: of the time for decisions: on the wall, or of the bot's own on the processors.
    """

    ready: Limit = parse_duration("10s")
    decision: Limit = parse_duration("100ms")
    bank: Duration = parse_duration("5s")
    hand: Limit | None = None
    goodbye: Limit = parse_duration("2s")
    measure: Measure = Measure.WALL


class Remote(_Section):
    """What holds for bots that dial in.

    grace: how long one whose connection broke may be away. network: the most that is taken off the time for an answer
    for its way there and back. wait: how long a series waits for bots that are not there yet.
    """

    grace: Limit = parse_duration("30s")
    network: Duration = parse_duration("200ms")
    wait: Duration = parse_duration("1h")


class FaultPolicy(_Section):
    """What a bot's fault costs, and after how many its later games are lost unplayed."""

    cost: Literal["forfeit_hand", "forfeit_game"] = "forfeit_hand"
    quarantine_after: Annotated[StrictInt, Field(ge=1)] = 10


class Scale(_Section):
    """Where the scale of the ratings begins: the anchor, or the mean of all bots without one, stands at `at`."""

    anchor: Name | None = None
    at: Annotated[StrictInt, Field(ge=-1_000_000, le=1_000_000)] = 1500


_USUAL = Limits()


class Resources(_Section):
    """What a bot may use of the machine.

    memory: of each of its processes, and of all together. processes: with their threads. open_files: of each process.
    file_size: of one file. scratch: of all files it writes. cpu: processor time of each process.
    """

    memory: Size = _USUAL.memory
    processes: Annotated[StrictInt, Field(ge=1, le=1_000_000)] = _USUAL.processes
    open_files: Annotated[StrictInt, Field(ge=16, le=1_000_000)] = _USUAL.open_files
    file_size: Size = _USUAL.file_size
    scratch: Size = _USUAL.scratch
    cpu: Limit = _USUAL.cpu

    def limits(self) -> Limits:
        """The same for those who start bots."""
        return Limits(**dict(self))


def _series_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}", text):
        raise ValueError("up to 60 letters, digits, - and _, as it names folders")
    return text


def _triples(text: str) -> str:
    if text != "all" and not re.fullmatch(r"balanced [1-9][0-9]{0,6}", text):
        raise ValueError("all, or balanced and a number, as in 'balanced 200'")
    return text


def _criterion(text: str) -> str:
    if text not in CRITERIA:
        raise ValueError(one_of(CRITERIA))
    return text


def _once(words: tuple[str, ...]) -> tuple[str, ...]:
    if not words or len(set(words)) < len(words):
        raise ValueError("one criterion or more, each once")
    return words


def _seed(value: object) -> object:
    if value is None or value == "":
        raise ValueError(f"a number, a text, {FRESH} or {COMMIT}")
    return str(value) if type(value) is int else value


def cluster_address(text: str) -> str:
    """The text if it can be that of a Dask scheduler; raises `ValueError` with what was expected."""
    if not re.fullmatch(r"[a-z]+://[^\s/]+", text):
        raise ValueError("the address of a scheduler, such as tcp://HOST:8786")
    return text


def _workers(value: object) -> object:
    if value != "auto" and not (type(value) is int and 1 <= value <= 1024):
        raise ValueError("auto or a whole number from 1 to 1024")
    return value


Count = Annotated[StrictInt, Field(ge=1, le=1_000_000)]


class SeriesConfig(_Section):
    """A series.

    name: of the series and of its runs' folders. bots: who takes part, in the order of the tables' ties.
    game, scoring, play: what is played; `gin` with `knock_limit: upcard` is Oklahoma. rules: a preset and options.
    format: everyone against everyone, or the first `gauntlet` bots against the others, or the first two against each
        other and each of the others, to compare them, as `compare` asks.
    triples: three-hand round-robin: all, or `balanced N` of them.
    groups: deal groups a pairing, each in all seatings. rank_by: criteria, the next where the one before ties.
    ratings: where their scale begins.
    seed: a number or a text that the decks are made of, or `fresh`, or `commit`.
    secret_file: with `commit` the file of a secret that was committed to before, relative to the series file.
    timed: one turn of a bot at a time, on a clock of its own. hints: whether turns tell deadwood and legal knocks.
    isolation: how much of it a run demands. limits: what a bot may use of the machine.
    bot_memory: `trusted` lets bots that cannot be started afresh (at an address, dialled in) meet a deal group again.
    remote: what holds for bots that dial in.
    hands_shown: when an arena that serves shows a hand: once all games on its deal group are played, or at the end.
    workers: processes; auto is one a core. cluster: where the scheduler of a Dask cluster is, whose processes play
        instead. tables: games in flight in each. batch: most turns in a message.
    """

    name: Annotated[str, AfterValidator(_series_name)] = Field(description="a name for the series, such as autumn-cup")
    bots: tuple[BotEntry, ...] = Field(description="a list of bots, such as [entries/*, ../sample_bots/greedy]")
    game: Literal["gin", "three-hand", "oklahoma"] = "gin"
    scoring: Literal["single", "hollywood"] = "single"
    rules: dict[str, object] = {}
    format: Literal["round-robin", "gauntlet", "compare"] = "round-robin"
    compare: Comparison | None = None
    gauntlet: Count | None = None
    triples: Annotated[str, AfterValidator(_triples)] | None = None
    play: Literal["games", "deals"] = "games"
    groups: Count = 100
    rank_by: Annotated[tuple[Annotated[str, AfterValidator(_criterion)], ...], AfterValidator(_once)] = CRITERIA
    ratings: Scale = Scale()
    seed: Annotated[str, BeforeValidator(_seed)] = FRESH
    secret_file: Word | None = None
    timed: bool = False
    hints: bool = True
    clock: Clock = Clock()
    faults: FaultPolicy = FaultPolicy()
    isolation: Mode = Mode.BEST_EFFORT
    limits: Resources = Resources()
    bot_memory: Literal["fresh", "trusted"] = "fresh"
    remote: Remote = Remote()
    hands_shown: Literal["group", "end"] = "group"
    workers: Annotated[StrictInt | Literal["auto"], BeforeValidator(_workers)] = "auto"
    cluster: Annotated[str, AfterValidator(cluster_address)] | None = None
    tables: Count = 128
    batch: Annotated[StrictInt, Field(ge=1, le=4096)] | None = None

    @property
    def stops_itself(self) -> bool:
        """Whether its run stops at a verdict, with games of the schedule left: then it is finished all the same."""
        return self.compare is not None

    def filled(self) -> Self:
        """The same with the defaults that hang on other keys."""
        gauntlet = 1 if self.format == "gauntlet" else None
        triples = "all" if self.game == "three-hand" else None
        batch = 1 if self.timed else 128
        compare = Comparison() if self.format == "compare" else None
        return self.model_copy(
            update={
                "compare": self.compare or compare,
                "gauntlet": self.gauntlet or gauntlet,
                "triples": self.triples or triples,
                "batch": self.batch or batch,
            }
        )


def config_of(info: RunInfo) -> SeriesConfig:
    """The series of a run, as it stood when the run began: its bots may be gone. Raises `RecordError`."""
    try:
        return SeriesConfig.model_validate_json(info.config)
    except ValidationError as error:
        raise RecordError(f"configuration: expected a series with every setting, found {info.config!r:.80}") from error


_FREE = frozenset((
    *("bots", "name", "groups", "rank_by", "ratings", "isolation", "hands_shown", "workers", "tables", "batch"),
    *("seed", "secret_file"),  # runs have the master seed itself
))  # fmt: skip


def differences(one: SeriesConfig, other: SeriesConfig) -> list[str]:
    """The keys by which two series differ so that a game of the same bots on the same decks is another."""
    before, after = one.model_dump(), other.model_dump()
    return [key for key in before if key not in _FREE and before[key] != after[key]]
