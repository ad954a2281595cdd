"""A class from its roster to its gradebook: one submission after the other, and nothing twice.

OUT/gradebook.csv, teacher.md      for the teacher
OUT/published.md, published.csv    for everybody, by pseudonyms
OUT/feedback/ID.md                 for each student
OUT/students/ID/                       what was made of each submission, kept for the next time
OUT/secret.json                    the seed of the decks, and what pseudonyms are made of
"""

import json
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from arena.classroom.book import Book, write_book
from arena.classroom.feedback import feedback_page
from arena.classroom.graded import Graded, Status
from arena.classroom.grading import Grading
from arena.classroom.roster import Student
from arena.classroom.submissions import Found, Matched
from arena.errors import InputError, RunError
from arena.locks import LockedError, locked

KEPT = "secret.json"


class Secrets(NamedTuple):
    """What nobody but the teacher knows: the seed of the decks, and the key of the pseudonyms."""

    seed: str
    pseudonyms: bytes


@dataclass(slots=True)
class Done:
    """A class as far as it was graded. interrupted: whether it was stopped before the last submission."""

    book: Book
    interrupted: bool


@contextmanager
def opened(out: Path) -> Iterator[Secrets]:
    """Use a folder for a class, alone, and with the secrets that it has had from the beginning.

    Raises `InputError` for a folder that holds something else or is in use.
    """
    if out.exists() and not (out / KEPT).exists() and any(out.iterdir()):
        raise RunError(
            f"{out}: expected a new or an empty folder, or one that was graded in before; give another: --out"
        )
    out.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (out / KEPT).exists():
        out.chmod(0o700)  # one that was there may be open to all
    try:
        with locked(out / "lock"):
            yield _secrets(out / KEPT)
    except LockedError:
        raise RunError(f"{out}: another arena is grading here, expected to be alone") from None
    except sqlite3.Error as error:
        raise RunError(f"{out}: {error}, expected a folder that can be written") from None


def _secrets(path: Path) -> Secrets:
    if not path.exists():
        text = json.dumps({"seed": secrets.token_hex(16), "pseudonyms": secrets.token_hex(16)})
        path.touch(mode=0o600)
        path.write_text(text + "\n")
    try:
        kept = json.loads(path.read_text())
        return Secrets(str(kept["seed"]), bytes.fromhex(kept["pseudonyms"]))
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{path}: damaged, expected what `arena grade` has written; grade in another folder") from None


def grade_class(
    grading: Grading,
    students: Sequence[Student],
    matched: Matched,
    pseudonyms: bytes,
    begin: Callable[[Student], None] = lambda _: None,
    done: Callable[[Graded], None] = lambda _: None,
) -> Done:
    """Grade every submission and write all the files, whatever comes between.

    What was graded before is taken up first, so that it is in the book of an interrupted class too.
    begin, done: told of each student of whom there is a submission.
    """
    handed_in = [(student, matched.of[student.id]) for student in students if student.id in matched.of]
    graded = {student.id: _waiting(student, matched) for student in students}
    interrupted = False
    try:
        left = []
        for student, found in handed_in:
            known = grading.kept(student, found)
            graded[student.id] = known or graded[student.id]
            if known is None or known.status is Status.FAILED:
                left.append((student, found))
            else:
                begin(student)
                done(known)
        for student, found in left:
            begin(student)
            graded[student.id] = grading.grade(student, found)
            done(graded[student.id])
    except KeyboardInterrupt:
        interrupted = True
    finally:
        book = Book(grading.assignment, list(graded.values()), matched.unknown, pseudonyms)
        write_book(book, grading.out)
        _write_feedback(book, grading.out)
    return Done(book, interrupted)


def _waiting(student: Student, matched: Matched) -> Graded:
    """A student before anything is graded."""
    if student.id in matched.unclear:
        return Graded(student, Status.UNCLEAR, matched.unclear[student.id])
    found: Found | None = matched.of.get(student.id)
    return Graded(student, Status.MISSING) if found is None else Graded(student, Status.PENDING, late=found.late)


def _write_feedback(book: Book, out: Path) -> None:
    """A page for every student of the roster, and no others."""
    names = book.pseudonyms()
    folder, draft = out / "feedback", out / "feedback.part"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    for one in book.graded:
        student = one.student.id
        page = feedback_page(book.assignment, one, names[student], out)
        (draft / f"{student}.md").write_text(page, encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    draft.rename(folder)
