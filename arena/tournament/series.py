"""A series as it is loaded: its file, every default in place, its bots found, its rules made."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb, factorial
from pathlib import Path

import yaml

from arena.documents import Document, Problem, check, read_document, refuse
from arena.errors import RulesError, short
from arena.players.clock import Measure
from arena.players.processor import HAS_CLOCK
from arena.players.spec import BotSpec
from arena.rules.game import GameFormat, Play
from arena.rules.options import OPTIONS, Rules, rules_from
from arena.rules.view import GAME_NAMES, GAMES, GameKind
from arena.tournament.config import COMMIT, BotEntry, SeriesConfig
from arena.tournament.entrants import enter

MOST_GAMES = 10_000_000
"""A schedule is written into the record and held in memory before the first card: so many take minutes and 500 MB."""


@dataclass(frozen=True, slots=True)
class Series:
    """A series that can be played.

    config: the whole of it: every default, every option of the rules, an entry for each bot. Paths are as in the file,
        relative to its folder, so that a record of it can travel.
    format: game, scoring, play and rules. bots: in the order of `config.bots`.
    source: the file's text, as the organiser wrote it.
    """

    config: SeriesConfig
    format: GameFormat
    bots: tuple[BotSpec, ...]
    source: str

    @property
    def joining(self) -> tuple[str, ...]:
        """The names of the bots that dial in."""
        return tuple([bot.name for bot in self.bots if bot.joins])

    def reached(self, addresses: Mapping[str, str]) -> "Series":
        """The same with the addresses at which a server has its bots that dial in, by name."""
        bots = [replace(bot, address=addresses[bot.name]) if bot.joins else bot for bot in self.bots]
        return replace(self, bots=tuple(bots))

    def as_json(self) -> str:
        """The configuration as a line of JSON, for the record; `series_of` reads it."""
        return self.config.model_dump_json(exclude_none=True)

    def public_json(self) -> str:
        """The same for everybody: the bots by their names, and no path."""
        names = tuple([BotEntry(path=bot.name) for bot in self.bots])
        return self.config.model_copy(update={"bots": names, "secret_file": None, "cluster": None}).model_dump_json(
            exclude_none=True
        )

    def as_yaml(self) -> str:
        """The configuration as YAML, every default in it, for people."""
        values = self.config.model_dump(mode="json", exclude_none=True)
        return yaml.safe_dump(values, sort_keys=False, default_flow_style=None, width=100, allow_unicode=True)


def load_series(path: Path, settings: Sequence[str] = ()) -> Series:
    """Load a series from its file, with settings (`key=value`) of the command line laid over it.

    Raises one `InputError` with a line for each mistake, `file:line:column: what is wrong, what was expected`.
    """
    return series_of(read_document(path, settings), path.parent)


def series_of(document: Document, base: Path) -> Series:
    """The series of a document whose paths are relative to `base`. Raises `InputError` as `load_series` does."""
    config, problems = check(SeriesConfig, document)
    said = {name: field.default for name, field in SeriesConfig.model_fields.items()} | document.value
    rules, rule_problems = _rules(document, said)
    game = _game(said, rules)
    entrants = enter(document, base, game)
    wrong = [*_laws(said)]
    if config is not None and entrants.sound:
        wrong += [*_counts(config, len(entrants.specs)), *_anchor(config, [bot.name for bot in entrants.specs])]
    if config is not None and config.clock.measure is Measure.CPU:
        place = document.at(("clock", "measure"))
        problems += [Problem(place, told) for told in _unmeasured(entrants.specs)]
    if config is not None and config.cluster is not None:
        place = document.at(("cluster",))
        problems += [Problem(place, told) for told in _out_of_reach(entrants.specs)]
    problems += [*rule_problems, *entrants.problems, *(Problem(document.at((key,)), text) for key, text in wrong)]
    if config is None or rules is None or game is None or problems or not entrants.sound:
        refuse(problems, entrants.foreign)
    whole = {"bots": tuple(entrants.entries), "game": GAME_NAMES[game], "rules": rules.as_dict()}
    config = config.model_copy(update=whole).filled()
    format_ = GameFormat(game, config.scoring == "hollywood", Play(config.play), rules)
    return Series(config, format_, tuple(entrants.specs), document.text)


def _rules(document: Document, said: Mapping[str, object]) -> tuple[Rules | None, list[Problem]]:
    """The rules, `None` where the document does not say them right, and what is wrong with them."""
    given = said["rules"]
    if not isinstance(given, dict):
        return None, []  # `check` tells it
    try:
        return rules_from(given, oklahoma=said["game"] == "oklahoma"), []
    except RulesError as error:
        problems = []
        for option, message in error.problems:
            known = option == "preset" or option in OPTIONS
            place = document.at(("rules", option)) if known else document.key_at(("rules", option))
            # `expected A, got B` is told here as all other mistakes of a file are.
            told = re.sub(r"^expected (.*), got ([^;]*)", r"\2, expected \1", message)
            between = " is" if told != message else ":"
            problems.append(Problem(place, f"{short(option)}{between} {told}"))
        return None, problems


def _game(said: Mapping[str, object], rules: Rules | None) -> GameKind | None:
    """The game, `None` where the document does not say it right. Gin whose upcard sets the limit is Oklahoma."""
    game = GAMES.get(str(said["game"]))
    if game is GameKind.GIN and rules is not None and rules.knock_limit == "upcard":
        return GameKind.OKLAHOMA
    return game


def _laws(said: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """What does not go together, by the key to blame. Values that are wrong in themselves break no law."""
    if said["scoring"] == "hollywood" and said["play"] == "deals":
        yield "play", "play is deals, expected games, because Hollywood scores the hands of a game"
    if said["format"] in ("round-robin", "compare") and said["gauntlet"] is not None:
        meant = "a round-robin" if said["format"] == "round-robin" else "a comparison"
        yield "gauntlet", f"gauntlet has no meaning in {meant}, expected it with format: gauntlet"
    if said["format"] in ("round-robin", "gauntlet") and said["compare"] is not None:
        yield "compare", f"compare has no meaning in a {said['format']}, expected it with format: compare"
    if said["format"] == "compare" and said["game"] == "three-hand":
        yield "format", "two versions are compared at a table of two, expected another game than three-hand"
    if said["triples"] is not None and said["game"] != "three-hand":
        yield "triples", f"triples has no meaning in {said['game']}, expected it with game: three-hand"
    if said["triples"] not in (None, "all") and said["format"] == "gauntlet":
        yield "triples", "triples are chosen in a round-robin, expected all of them in a gauntlet"
    if said["secret_file"] is not None and said["seed"] != COMMIT:
        seed = short(str(said["seed"]))
        yield "secret_file", f"secret_file has no meaning with seed: {seed}, expected it with seed: {COMMIT}"
    if said["timed"] is True and said["batch"] not in (None, 1):
        yield "batch", f"batch is {said['batch']}, expected 1 in a timed series, where a bot has one turn at a time"


def _counts(config: SeriesConfig, bots: int) -> Iterator[tuple[str, str]]:
    """What a number of bots is too small for, by the key to blame."""
    seats = 3 if config.game == "three-hand" else 2
    first = (config.gauntlet or 1) if config.format == "gauntlet" else 0
    if bots < seats:
        yield "bots", f"{bots} of them, expected {seats} or more"
    elif first and bots - first < seats - 1:
        yield (
            "gauntlet",
            f"the first {first} of {bots} bots, expected {bots - seats + 1} or less, as they need others to play",
        )
    games = config.groups * _pairings(config, bots, seats) * factorial(seats)
    if games > MOST_GAMES:
        fewer = "triples: balanced 200" if seats == 3 else "format: gauntlet"
        told = (
            f"groups is {config.groups}, which makes {games:,} games, expected {MOST_GAMES:,} or less: "
            f"have fewer groups or pairings, as with {fewer}"
        )
        yield "groups", told
    if config.triples and config.triples != "all" and int(config.triples.split()[1]) > comb(bots, 3):
        yield "triples", f"triples is '{config.triples}', expected {comb(bots, 3)} or less: {bots} bots have no more"


def _anchor(config: SeriesConfig, bots: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with the anchor of the ratings, by the key to blame."""
    anchor = config.ratings.anchor
    if anchor is not None and anchor not in bots:
        yield "ratings", f"ratings.anchor is {short(anchor)}, expected a bot of the series: {short(', '.join(bots))}"


def _unmeasured(bots: Sequence[BotSpec]) -> Iterator[str]:
    """Why the processor time of these bots cannot be read."""
    told = "clock.measure is cpu, expected wall"
    if not HAS_CLOCK:
        yield f"{told}: this system does not tell what processor time another process has used"
        return
    for bot in bots:
        if bot.elsewhere:
            where = "dials in" if bot.joins else "is at an address"
            yield f"{told}: '{bot.name}' {where}, so that its processor time is not known here"


def _out_of_reach(bots: Sequence[BotSpec]) -> Iterator[str]:
    """Why these bots cannot be asked by the processes of a cluster."""
    for bot in bots:
        if bot.joins:
            yield f"cluster is given, and '{bot.name}' dials in to the server, expected one of the two"


def _pairings(config: SeriesConfig, bots: int, seats: int) -> int:
    """How many pairings these bots make."""
    if config.format == "gauntlet":
        first = config.gauntlet or 1
        return first * comb(max(0, bots - first), seats - 1)
    if config.format == "compare":
        return 2 * bots - 3
    if seats == 3 and config.triples and config.triples != "all":
        return int(config.triples.split()[1])
    return comb(bots, seats)
