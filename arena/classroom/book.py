"""What a teacher gets of a graded class: the gradebook, a table that may be published, and a page of what to look at.

Names are in the gradebook and on the teacher's page, and nowhere else but on each student's own page.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.classroom.assignment import Assignment
from arena.classroom.graded import Graded, Status
from arena.classroom.marks import Met, twins
from arena.errors import printable
from arena.kit.check.report import Outcome
from arena.standings.sheet import Cell, Column, Sheet, escaped, render

_FORMULA = ("=", "+", "-", "@")
"""What begins a formula."""
_SHORTEST = 6
"""Letters of a pseudonym."""


@dataclass(frozen=True, slots=True)
class Book:
    """A graded class.

    graded: every student of the roster, in its order.
    strangers: what belongs to nobody on the roster, and why. secret: what pseudonyms are made of.
    """

    assignment: Assignment
    graded: Sequence[Graded]
    strangers: Sequence[tuple[Path, str]]
    secret: bytes

    def gradebook(self) -> Sheet:
        """A row for every student of the roster."""
        columns = [
            Column("id", "id", text=True),
            Column("name", "name", text=True),
            Column("status", "status", text=True),
            Column("late", "late", text=True),
            *self._result_columns(),
            Column("check_failed", "steps that failed", text=True),
            Column("note", "note", text=True),
        ]
        rows = []
        for one in self.graded:
            failed = [step.name for step in one.check.steps if step.outcome is Outcome.FAILED] if one.check else []
            note, name = _no_formula(" ".join(one.note.split())), _no_formula(one.student.name)
            late = "late" if one.late else ""
            results = self._results(one)
            rows.append([one.student.id, name, one.status.value, late, *results, " ".join(failed), note])
        return Sheet(columns, rows)

    def overview(self) -> Sheet:
        """The gradebook for a terminal: without names and notes."""
        keys = [f"{bot.name}_{what}" for bot in self.assignment.references for what in ("margin", "better")]
        return self.gradebook().select("id", "status", "check", "faults", *keys)

    def published(self) -> Sheet:
        """The submissions that were graded, by pseudonym, in no order that tells whose they are."""
        names = self.pseudonyms()
        rows = [[names[one.student.id], *self._results(one)] for one in self.graded if one.check is not None]
        columns = [Column("pseudonym", "pseudonym", text=True), *self._result_columns()]
        return Sheet(columns, sorted(rows, key=lambda row: str(row[0])))

    def pseudonyms(self) -> dict[str, str]:
        """A pseudonym for every student, by id: the same as long as the secret is. Without it nobody can tell whose."""
        digests = {
            one.student.id: hmac.new(self.secret, one.student.id.encode(), hashlib.sha256).hexdigest()
            for one in self.graded
        }
        length = _SHORTEST
        while len({digest[:length] for digest in digests.values()}) < len(digests):
            length += 1
        return {student: f"p-{digest[:length]}" for student, digest in digests.items()}

    def teacher_page(self) -> str:
        """What a teacher should look at, in Markdown."""
        counts = {status: sum(one.status is status for one in self.graded) for status in Status}
        told = ", ".join(f"{count} {status.value}" for status, count in counts.items() if count)
        parts = [f"# {self.assignment.name}: for the teacher\n", f"{counted(len(self.graded), 'student')}: {told}.\n"]
        for heading, lines in self._sections():
            some = [f"* {escaped(printable(line))}" for line in lines]
            if some:
                parts.append(f"## {heading}\n\n" + "\n".join(some) + "\n")
        return "\n".join(parts)

    def _sections(self) -> Iterator[tuple[str, list[str]]]:
        names = {one.student.id: one.student.name for one in self.graded}
        marks = {one.student.id: one.marks for one in self.graded if one.marks is not None}
        apart = [one for one in self.graded if one.status not in (Status.GRADED, Status.MISSING)]
        yield "Not graded", [f"{_who(one)}: {one.status.value}; {_first_line(one.note)}".rstrip("; ") for one in apart]
        yield (
            "Missing",
            [_who(one) for one in self.graded if one.status is Status.MISSING],
        )
        yield "Submissions of nobody on the roster", [f"{path.name}: {why}" for path, why in self.strangers]
        yield (
            "References that failed: mend them, and grade again",
            [
                f"{met.reference}: {met.faults} faults against {student}"
                for student, one in marks.items()
                for met in one.met
                if met.faults
            ],
        )
        yield (
            "Margins without the luck of the draws are not there",
            sorted({one.no_luck for one in marks.values()} - {""}),
        )
        yield (
            "Submissions that play identically (every decision of every game)",
            [", ".join(f"{one} ({names[one]})" for one in some) for some in twins(marks.items())],
        )
        yield (
            "Submissions that came out even with a reference in every deal group, as its own copy would",
            [
                f"{student} ({names[student]}): {met.reference}"
                for student, one in marks.items()
                for met in one.met
                if met.level and met.hands
            ],
        )

    def _result_columns(self) -> list[Column]:
        columns = [Column("check", "check", text=True), Column("hands", "hands"), Column("faults", "faults")]
        for bot in self.assignment.references:
            margin, name = f"{bot.name}_margin", bot.name
            columns.append(Column(margin, f"margin a hand against {name}", 2, signed=True, pm=f"{margin}_pm"))
            less = f"{name}_less_luck"
            columns.append(Column(less, "less luck", 2, signed=True, pm=f"{less}_pm"))
            columns.append(Column(f"{name}_better", f"better than {name}", 3))
        return columns

    def _results(self, one: Graded) -> list[Cell]:
        check = "" if one.check is None else "passed" if one.check.passed else "failed"
        marks = one.marks
        if marks is None:
            return [check, *[None] * (2 + 3 * len(self.assignment.references))]
        met: dict[str, Met] = {met.reference: met for met in marks.met}
        cells: list[Cell] = [check, marks.hands, marks.faults]
        for bot in self.assignment.references:
            one_met = met.get(bot.name)
            cells += [one_met.margin, one_met.less_luck, one_met.better] if one_met else [None, None, None]
        return cells


def write_book(book: Book, out: Path) -> None:
    """Write the files of the teacher, and the published table, into a folder."""
    title = f"# {book.assignment.name}\n\n"
    for name, text in {
        "gradebook.csv": "\ufeff" + render(book.gradebook(), "csv"),  # by the mark spreadsheets know that it is UTF-8
        "teacher.md": book.teacher_page(),
        "published.csv": render(book.published(), "csv"),
        "published.md": f"{title}{render(book.published(), 'pipe')}\n{LEGEND}\n",
    }.items():
        (out / name).write_text(text, encoding="utf-8")


LEGEND = (
    "Margin: own points less the reference's, a hand, ± the 95 % interval over deal groups; everybody played the same "
    "deals. Less luck: the same without the luck of the draws, another estimate of it, where that can be judged. "
    "Better: the probability that the bot is better than that reference, by these hands."
)


def _who(one: Graded) -> str:
    return f"{one.student.id} ({one.student.name})"


def counted(number: int, what: str) -> str:
    """A number of some things, in words."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _no_formula(text: str) -> str:
    """A stranger's text for a cell: behind an apostrophe where a spreadsheet would take it for a formula."""
    return printable(f"'{text}" if text.startswith(_FORMULA) else text)


def _first_line(text: str) -> str:
    return text.partition("\n")[0]
