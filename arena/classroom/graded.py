"""What came of one student's submission."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from arena.classroom.marks import Marks
from arena.classroom.roster import Student
from arena.kit.check.report import Report


class Status(StrEnum):
    """What became of a student's submission."""

    GRADED = "graded"
    FAILED = "not playable"
    MISSING = "missing"
    UNCLEAR = "unclear"
    PENDING = "not graded yet"
    HOST = "not graded: this machine"


@dataclass(frozen=True, slots=True)
class Graded:
    """What came of a submission.

    note: why it was not graded, for the student and the teacher; empty else. late: as the course system marks it.
    check: what came of the check, `None` where there was none. run, marks: the folder of its games and what they have
    come to, `None` where there are none. fresh: whether anything was done for it now.
    """

    student: Student
    status: Status
    note: str = ""
    late: bool = False
    check: Report | None = None
    run: Path | None = None
    marks: Marks | None = None
    fresh: bool = False
