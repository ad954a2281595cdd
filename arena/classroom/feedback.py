"""The page for one student, in Markdown: check, results, faults, decisions, and three hands to learn from."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path

from arena.classroom.assignment import Assignment
from arena.classroom.book import LEGEND
from arena.classroom.graded import Graded, Status
from arena.classroom.marks import Marks
from arena.errors import printable
from arena.kit.check.candidate import REMEDY
from arena.kit.check.report import Outcome, Problem, Report, Step, tail_text
from arena.players.place import last_lines
from arena.records.faults import problems_of
from arena.records.replay import hand_text
from arena.records.store import Run
from arena.standings.audit import BotAudit, audit_sheets
from arena.standings.sheet import Column, Sheet, escaped, render
from arena.tournament.publish import cleared_of, without_paths

HANDS = 3
"""Hands that are shown."""
_MOST_FAULTS = 10
_LINES = 8
"""Of what a bot had printed, how many are shown."""
_SENTENCES: Mapping[Status, str] = {
    Status.MISSING: "There is no submission.",
    Status.UNCLEAR: "It is not clear which submission is meant",
    Status.FAILED: "The submission could not be played",
    Status.HOST: "The submission is not graded, and that is no fault of yours",
    Status.PENDING: "The submission is not graded yet.",
}


def feedback_page(assignment: Assignment, one: Graded, pseudonym: str, out: Path) -> str:
    """The page of a student. It tells nothing of others, and no path of the teacher's machine.

    out: the folder of the class, whose paths are left out too.
    """
    places = [(out, "(class)"), (assignment.base, "(assignment)")]
    parts = [
        f"# {assignment.name}: {one.student.id}",
        f"{escaped(printable(one.student.name))}. In published tables: {pseudonym}.",
    ]
    if one.late:
        parts.append("The submission is marked as late.")
    if one.status is not Status.GRADED:
        sentence = _SENTENCES[one.status]
        parts.append(f"{sentence}:\n\n{_indented(one.note)}" if one.note else sentence)
    if one.check is not None:
        parts += ["## Check", *_check(one.check, places)]
    if one.marks is not None and one.run is not None:
        parts += ["## Results", _results(one.marks)]
        with Run.open(one.run) as run:
            parts += _faults(run, one.student.id, places)
            parts += ["## Decisions", *_decisions(one.marks.audit)]
            parts += _hands(run, one.marks.audit)
    return "\n\n".join(parts) + "\n"


def _check(report: Report, places: list[tuple[Path, str]]) -> Iterator[str]:
    yield report.verdict()
    told = [step for step in report.steps if step.outcome in (Outcome.FAILED, Outcome.WARNED)]
    cleared = cleared_of([(Path(report.folder), "."), *places])
    printed = dict[str, int]()
    for step in told:
        word = "failed" if step.outcome is Outcome.FAILED else "warning"
        shown = _without_paths(step, cleared)
        if shown.problem is not None and shown.problem.printed:
            first = printed.setdefault(shown.problem.printed, step.number)
            if first != step.number:
                shown = replace(shown, problem=replace(shown.problem, printed=f"the same as in step {first}"))
        yield f"Step {step.number}, {step.title} ({word}):\n\n{_indented(tail_text(shown))}"


def _without_paths(step: Step, cleared: Callable[[str], str]) -> Step:
    """The step, without the paths of this machine in what was said and printed."""
    said = {key: cleared(value) for key, value in asdict(step.problem).items()} if step.problem else None
    warnings = tuple(map(cleared, step.warnings))
    return replace(step, warnings=warnings, problem=None if said is None else Problem(**said))


def _results(marks: Marks) -> str:
    columns = [
        Column("reference", "against", text=True),
        Column("hands", "hands"),
        Column("margin", "margin a hand", 2, signed=True),
        Column("less_luck", "less luck", 2, signed=True),
        Column("better", "better with probability", 3),
    ]
    rows = [[met.reference, met.hands, met.margin, met.less_luck, met.better] for met in marks.met]
    table = render(Sheet(columns, rows), "pipe")
    unplayed = f" {marks.unplayed} games were lost unplayed for its faults." if marks.unplayed else ""
    return f"{table}\n{LEGEND}{unplayed}"


def _faults(run: Run, name: str, places: list[tuple[Path, str]]) -> Iterator[str]:
    problems = [one for one in problems_of(run.faults(), {}) if one.bot == name]
    if not problems:
        return
    cleared = without_paths(run, [bot.name for bot in run.info.bots].index(name), places)
    yield "## Faults\n\nEach cost a hand or a game, as the assignment says."
    for one in problems[:_MOST_FAULTS]:
        asked = f"{one.asked}: " if one.asked else ""
        times = f", {one.count} times" if one.count > 1 else ""
        where = f" ({printable(cleared(one.where))})" if one.where else ""
        place = f"first in game {one.game}" + (f", hand {one.hand}" if one.hand else "")
        yield f"**{one.kind.replace('_', ' ')}**{times}: {asked}{printable(cleared(one.came))}{where}; {place}."
        if remedy := REMEDY.get(one.kind):
            yield remedy
        if lines := last_lines(cleared(one.output), _LINES):
            yield f"It had printed:\n\n{_indented(chr(10).join(lines))}"
    if len(problems) > _MOST_FAULTS:
        yield f"And {len(problems) - _MOST_FAULTS} other kinds of fault."


def _decisions(found: BotAudit) -> Iterator[str]:
    """The audit as two tables."""
    apart = f"; {found.faulted} hands that ended by a fault of the bot are not judged" if found.faulted else ""
    yield f"{found.hands} hands judged from the dealer's chair{apart}. docs/classes.md of the arena explains each line."
    if not found.hands:
        return
    for heading, sheet in audit_sheets(found):
        yield f"{heading}:\n\n{render(sheet, 'pipe').rstrip()}"


def _hands(run: Run, found: BotAudit) -> Iterator[str]:
    examples = found.worst(HANDS)
    if not examples:
        return
    yield "## Hands to learn from"
    for example in examples:
        spec, record = run.record(example.game)
        assert record is not None
        kind = example.finding.kind
        yield f"**{kind.meaning}**, move {example.finding.move}: {example.finding.told}."
        yield _indented(hand_text(run.info, spec, record, example.hand))


def _indented(text: str) -> str:
    """A text as a block that Markdown leaves as it is."""
    return "\n".join(f"    {line}".rstrip() for line in text.rstrip().split("\n"))
