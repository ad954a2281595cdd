"""The faults of a run as the author of a bot wants them: equal ones together, with the place where each went wrong."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from arena.dealer.values import FaultRecord, GameSpec, HandRecord, Void
from arena.players.faults import Fault
from arena.players.place import last_words, place_in
from arena.records.store import Run
from arena.records.turns import TurnName

FEW = 3
"""Turns that are named of many."""
_ENDED = (Fault.CRASH, Fault.NEVER_READY, Fault.OUT_OF_MEMORY, Fault.TOO_MUCH_OUTPUT)
"""Faults by which a process ends: what it said last is about them."""
_SAID = (Fault.ILLEGAL, Fault.MALFORMED)
"""Faults of a process that is well: what it has printed is of no interest."""
_ASKED = re.compile(r"^([a-z ]+ asked(?: at once)?|told of what has ended); ", re.DOTALL)
_VARIES = re.compile(r"(?:\b(?:[A2-9TJQK][CDHS]|0x[0-9a-fA-F]+|\d+)\b[ ,]*)+")
_STAYS = re.compile(r"code \d+|version \d+")


@dataclass(frozen=True, slots=True)
class Problem:
    """Equal faults of one bot.

    bot: its name. kind: of the fault. asked, came: what was asked, empty where nothing was, and what came.
    where: the place in the source with what was said there, or the bot's last words; empty where there are none.
    game, hand: of the first; the hand is 0 where none was played. turns: of all of them, to be asked again.
    count: how often. output: the end of what the bot had printed at the first of them.
    """

    bot: str
    kind: Fault
    asked: str
    came: str
    where: str
    game: int
    hand: int
    turns: tuple[TurnName, ...]
    count: int
    output: str

    def line(self, again: str = "arena ask BOT") -> str:
        """All of it in one line, as of the first. again: the command that asks a turn, without the turn."""
        place = self.where or f"{self.kind}: {self.came}"
        hand = f" hand {self.hand}" if self.hand else ""
        asked = f", {self.asked}" if self.asked else ""
        ask = f"; again: {again} {self.turns[0]}" if self.turns else ""
        return f"{place}, game {self.game}{hand}{asked}{ask}"

    def as_json(self) -> dict[str, object]:
        """The same for a program."""
        return {
            "bot": self.bot,
            "kind": self.kind,
            "count": self.count,
            "asked": self.asked or None,
            "came": self.came,
            "where": self.where or None,
            "game": self.game,
            "hand": self.hand or None,
            "turns": [str(turn) for turn in self.turns],
            "output": self.output,
        }


@dataclass(frozen=True, slots=True)
class Broken:
    """Games that were broken off for the same reason, and by no bot's fault. void: those that are not finished."""

    kind: Fault
    detail: str
    attempts: int
    games: tuple[int, ...]
    void: tuple[int, ...]

    def as_json(self) -> dict[str, object]:
        """The same for a program."""
        return {
            "kind": self.kind,
            "culprit": self.kind.culprit,
            "detail": self.detail,
            "attempts": self.attempts,
            "games": self.games,
            "void": self.void,
        }


def problems_of(
    faults: Iterable[tuple[GameSpec, FaultRecord, HandRecord | None]], folders: Mapping[str, str]
) -> list[Problem]:
    """The faults of a run, equal ones together: bot by bot, the most frequent first, what was not played last.

    folders: of the bots, by name, as they stand in what a bot prints; one that is not there is not known.
    """
    found: dict[tuple[str, ...], Problem] = {}
    for spec, fault, hand in faults:
        problem = _problem(spec, fault, hand, folders.get(spec.seats[fault.seat], ""))
        key = (problem.bot, problem.kind, *map(_alike, (problem.asked, problem.came, problem.where)))
        first = found.get(key)
        if first is None:
            found[key] = problem
        else:
            found[key] = replace(first, count=first.count + 1, turns=first.turns + problem.turns)
    return sorted(found.values(), key=lambda one: (one.bot, one.kind is Fault.QUARANTINED, -one.count))


def broken_off(voids: Iterable[tuple[int, Void]], done: set[int]) -> list[Broken]:
    """The games that were broken off, equal reasons together. done: the games that are finished."""
    found: dict[tuple[Fault, str], list[Void]] = {}
    for _, void in voids:
        found.setdefault((void.fault, _alike(void.detail)), []).append(void)
    return [
        Broken(kind, some[0].detail, len(some), games, tuple([game for game in games if game not in done]))
        for (kind, _), some in found.items()
        if (games := tuple(dict.fromkeys([void.index for void in some])))
    ]


def folders_of(run: Run) -> dict[str, str]:
    """The folders of a run's bots, by name, of those that are known."""
    homes = zip(run.info.bots, run.premises.bots, strict=False)
    return {bot.name: str((run.folder / home.folder).resolve()) for bot, home in homes if home.folder}


def _problem(spec: GameSpec, fault: FaultRecord, hand: HandRecord | None, folder: str) -> Problem:
    match = _ASKED.match(fault.detail)
    asked, came = (match[1], fault.detail[match.end() :]) if match else ("", fault.detail)
    turns: tuple[TurnName, ...] = ()
    if fault.hand and fault.move:
        advising = hand is not None and hand.roles.out == fault.seat
        turns = (TurnName(spec.index, fault.hand, fault.move, advising),)
    bot = spec.seats[fault.seat]
    where = _where(fault, folder)
    return Problem(bot, fault.fault, asked, came, where, spec.index, fault.hand, turns, 1, fault.output)


def _where(fault: FaultRecord, folder: str) -> str:
    if fault.fault in _SAID:
        return ""
    place = place_in(fault.output, folder)
    if place is not None:
        return str(place)
    return last_words(fault.output) if fault.fault in _ENDED else ""


def _alike(text: str) -> str:
    """A text without what differs between two faults that are the same: cards and numbers, but not lines and codes."""
    place, space, told = text.partition(" ") if re.match(r"\S+:\d+ ", text) else ("", "", text)
    kept = "".join(_STAYS.findall(told))
    return f"{place}{space}{_VARIES.sub('#', told)}{kept}"
