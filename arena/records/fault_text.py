"""The list of a run's faults as text: for a terminal, and for the archive of an entrant."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from arena.errors import printable
from arena.players.faults import Fault
from arena.players.place import last_lines
from arena.records.faults import FEW, Broken, Problem
from arena.rules.words import Style, plain

LINES = 6
"""Of what a bot had printed, how many are shown."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What a list names: the run as commands take it, what starts each bot, and how each is asked again, by name.

    again: a command without the turn. resume: the command that tries again what is void, or nothing.
    """

    run: str
    started: Mapping[str, str]
    again: Mapping[str, str]
    resume: str = ""


def fault_list(
    problems: Sequence[Problem],
    broken: Sequence[Broken],
    wording: Wording,
    *,
    lines: int = LINES,
    style: Style = plain,
) -> Iterator[str]:
    """The lines of the list. lines: how many of what a bot had printed."""
    for bot, some in groupby(problems, key=attrgetter("bot")):
        own = list(some)
        started = wording.started.get(bot)
        yield style("name", bot) + style("", f": {_counted(own)}")
        if started:
            yield style("", f"  started by  {printable(started)}")
        for problem in own:
            yield ""
            yield from [style(*line) for line in _problem(problem, wording, lines)]
        yield ""
    if broken:
        yield style("title", "Broken off, which costs nobody anything:")
        for one in broken:
            yield style("", _broken(one, wording))
        yield ""


def _counted(problems: Sequence[Problem]) -> str:
    """How many faults they are, as the tables count them: a game that was not played for them is none."""
    unplayed = sum(problem.count for problem in problems if problem.kind is Fault.QUARANTINED)
    faults = _times(sum(problem.count for problem in problems) - unplayed, "fault")
    return f"{faults}, and {_times(unplayed, 'game')} not played for them" if unplayed else faults


def _problem(problem: Problem, wording: Wording, lines: int) -> Iterator[tuple[str, str]]:
    again = wording.again.get(problem.bot, "arena ask BOT")
    yield "fault", f"  {printable(problem.line(again))}"
    rows = [("kind", f"{problem.kind}{f', {problem.count} times' if problem.count > 1 else ''}")]
    if problem.asked:
        rows.append(("asked", problem.asked.removesuffix(" asked")))
    rows.append(("came", printable(problem.came)))
    if len(problem.turns) > 1:
        rows.append(("turns", _few(list(map(str, problem.turns)))))
    rows += [("" if at else "printed", f"| {line}") for at, line in enumerate(last_lines(problem.output, lines))]
    hand = f" {problem.hand}" if problem.hand else ""
    rows.append(("look", f"arena replay {wording.run} {problem.game}{hand}"))
    if problem.turns:
        rows.append(("ask again", f"{again} {problem.turns[0]}"))
    yield from [("", f"    {name:<10}  {text}") for name, text in rows]


def _broken(one: Broken, wording: Wording) -> str:
    games = f"game{'s' * (len(one.games) > 1)} {_few(list(map(str, one.games)))}"
    left = f"; still void: {_few(list(map(str, one.void)))}" if one.void else ""
    if left and wording.resume:
        left += f", to try again: {wording.resume}"
    attempts = f", {one.attempts} attempts" if one.attempts > len(one.games) else ""
    return f"  {one.kind} (the {one.kind.culprit}), {games}{attempts}: {printable(one.detail)}{left}"


def _few(words: list[str]) -> str:
    more = len(words) - FEW
    return ", ".join(words[:FEW]) + (f" and {more} more" if more > 0 else "")


def _times(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


def command_text(words: Sequence[str]) -> str:
    """A command as it is typed."""
    return shlex.join(words)
