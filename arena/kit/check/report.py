"""What came of a check, step by step, as values, as text and as JSON."""

import textwrap
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from arena.errors import printable
from arena.players.place import last_lines

PRINTED_LINES = 12
"""Of what a failing bot has printed, how many lines are shown."""
_WIDTH = 100


class Outcome(StrEnum):
    """What came of a step."""

    PASSED = "passed"
    WARNED = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a step failed: what was sent, what came, what was expected, what to do, and what the bot had printed last."""

    sent: str
    came: str
    expected: str
    remedy: str
    printed: str = ""

    def resembles(self, other: "Problem") -> bool:
        """Whether the bot did the same there, as far as it told: the remedy is the same, and what it had printed."""
        return self.remedy == other.remedy and self.shown() == other.shown()

    def shown(self) -> list[str]:
        """The last lines of what it had printed."""
        return last_lines(self.printed, PRINTED_LINES)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a check.

    number: from 1. name: a word for programs. title: what was looked at.
    note: what was seen, or why the step was skipped. seconds: how long it took.
    warnings: what should be otherwise, and yet is no fault. problem: why it failed, `None` if it did not.
    """

    number: int
    name: str
    title: str
    outcome: Outcome
    note: str
    seconds: float
    warnings: tuple[str, ...] = ()
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A whole check: of which bot, from which seed, and its steps.

    isolation: a line for each layer that was tried.
    """

    bot: str
    version: str
    folder: str
    arena_version: str
    seed: str
    quick: bool
    steps: tuple[Step, ...]
    isolation: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no step failed."""
        return self.count(Outcome.FAILED) == 0

    def count(self, outcome: Outcome) -> int:
        """How many steps came to that."""
        return sum(step.outcome is outcome for step in self.steps)

    def as_json(self) -> dict[str, object]:
        """Everything, for a program."""
        return {"passed": self.passed, **asdict(self)}

    def verdict(self) -> str:
        """The last line."""
        warned, failed = self.count(Outcome.WARNED), self.count(Outcome.FAILED)
        warnings = f", {warned} with a warning" if warned else ""
        if not failed:
            skipped = self.count(Outcome.SKIPPED)
            left_out = f", {skipped} left out" if skipped else ""
            return f"{self.bot} passes: {len(self.steps) - skipped} steps{warnings}{left_out}."
        numbers = ", ".join(str(step.number) for step in self.steps if step.outcome is Outcome.FAILED)
        told = f"{self.bot} fails: step{'s' * (failed > 1)} {numbers} of {len(self.steps)}{warnings}."
        return f"{told} Begin with the first: others may follow from it." if failed > 1 else told


def head_text(number: int, title: str) -> str:
    """The beginning of a step's line."""
    return f"{number:>2}  {title:<{_TITLE}}  "


def tail_text(step: Step, earlier: Sequence[Step] = ()) -> str:
    """The rest of what there is to say of a step: warnings and the problem, in lines; empty for a step that passed.

    earlier: steps of which all has been said: what is the same as in one of them is not said again.
    """
    parts = [("warning", warning) for warning in step.warnings]
    problem = step.problem
    alike = (one.number for one in earlier if problem and one.problem and problem.resembles(one.problem))
    known = next(alike, 0)
    if problem is not None:
        parts += [("sent", problem.sent), ("came", problem.came), ("expected", problem.expected)]
        parts += [("to do", f"as in step {known}" if known else problem.remedy)]
    lines = [line for name, text in parts for line in _paragraph(name, text)]
    if problem is not None and problem.printed and not known:
        shown = problem.shown()
        lines += [f"    {'printed' if not at else '':<10}| {line}" for at, line in enumerate(shown)]
    return "".join(f"{line}\n" for line in lines)


def _paragraph(name: str, text: str) -> list[str]:
    lines = [
        wrapped
        for line in map(printable, text.splitlines())
        for wrapped in textwrap.wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
    ]
    return [f"    {name if not at else '':<10}  {line}" for at, line in enumerate(lines)]


_TITLE = 34
