"""`arena grade`."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.exits import ExitCode
from arena.cli.playing import WORKERS, building, interruptible, isolation_told

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.classroom.graded import Graded

_EVERYTHING = "gradebook.csv and teacher.md (yours alone), feedback/ (a page a student), published.md (by pseudonyms)"


def grade(
    assignment: Annotated[Path, typer.Argument(metavar="FILE", help="The assignment, a YAML file.")],
    roster: Annotated[Path, typer.Option("--roster", metavar="FILE", help="CSV with id, name and perhaps key.")],
    submissions: Annotated[
        Path | None,
        typer.Option("--submissions", metavar="DIR", help="What was handed in [default: submissions beside FILE]."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Folder for everything [default: grades/NAME].")
    ] = None,
    workers: Annotated[int | None, WORKERS] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Set a key of the assignment: --set groups=20."),
    ] = None,
) -> None:
    """Grade the bots of a class: check each, let it play the references, and write the gradebook and the feedback.

    Submissions are folders or archives, as Moodle, Canvas and Gradescope export them or named by a student's id. Each
    is played in a run of its own, isolated, on the same deals as all others, so that a bad one spoils nothing. Started
    again, only what is new is graded; Ctrl-C keeps what is done. Exits 0 whatever the bots did, 3 where this machine
    could not grade one of them.

    \b
    Examples:
      arena grade assignment.yaml --roster roster.csv
      arena grade task.yaml --roster r.csv --submissions export --out grades/1
    """
    from arena.classroom.assignment import load_assignment
    from arena.classroom.book import counted
    from arena.classroom.graded import Status
    from arena.classroom.grading import Grading
    from arena.classroom.roster import read_roster
    from arena.classroom.round import grade_class, opened
    from arena.classroom.submissions import find_submissions, match
    from arena.standings.sheet import render
    from arena.tournament.running import built

    loaded = load_assignment(assignment, settings or ())
    students = read_roster(roster, frozenset(bot.name for bot in loaded.references))
    matched = match(students, find_submissions(submissions or assignment.parent / "submissions"))
    folder = out or Path("grades") / loaded.name
    built(lambda: loaded.trial, building)  # and not first for a student, who would be told of it
    loaded = load_assignment(assignment, settings or ())
    isolation_told(loaded.trial, folder)
    with opened(folder) as secrets, _progress(len(matched.of)) as progress:
        grading = Grading(loaded, folder, loaded.seed or secrets.seed, workers, interruptible, progress.say)
        if changed := grading.outdated(matched.of):
            typer.echo(
                f"{folder} has {counted(changed, 'submission')} graded by another assignment, other settings, "
                "references, or another arena: graded anew now. Give another --out to keep what is there.",
                err=True,
            )
        begin = lambda student: progress.begin(student.id)  # noqa: E731
        done = grade_class(grading, students, matched, secrets.pseudonyms, begin, progress.done)
    typer.echo(render(done.book.overview(), "simple"), nl=False)
    graded = done.book.graded
    counts = {status: sum(one.status is status for one in graded) for status in Status}
    told = ", ".join(f"{count} {status.value}" for status, count in counts.items() if count)
    strangers = f"; {counted(len(matched.unknown), 'submission')} of nobody on the roster" if matched.unknown else ""
    typer.echo(f"\n{counted(len(graded), 'student')}: {told}{strangers}")
    typer.echo(f"{folder}: {_EVERYTHING}")
    if done.interrupted:
        typer.echo("Stopped; what is graded is kept. Go on with the same command.", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED)
    if counts[Status.HOST]:
        typer.echo(
            "Some could not be graded by this machine, see teacher.md; try again with the same command.", err=True
        )
        raise typer.Exit(ExitCode.HOST)


class _Progress:
    """Tells how far the class is: a bar on a terminal, elsewhere a line for each submission."""

    def __init__(self, total: int, show: Callable[[int, str], None] | None) -> None:
        self._total = total
        self._show = show
        self._number = 0
        self._student = ""
        self._start = 0.0

    def begin(self, student: str) -> None:
        """A submission is begun."""
        self._number += 1
        self._student = student
        self._start = time.monotonic()

    def say(self, what: str) -> None:
        """What is being done with it."""
        if self._show:
            self._show(self._number - 1, f"{self._student}: {what}")

    def done(self, one: "Graded") -> None:
        """It is graded, or was before."""
        if self._show:
            self._show(self._number, "")
            return
        took = f"{time.monotonic() - self._start:.0f} s" if one.fresh else "unchanged"
        note = f": {one.note.partition(chr(10))[0]}" if one.note else ""
        checked = "" if one.check is None else f", {one.check.verdict()}"
        typer.echo(
            f"{self._number}/{self._total} {one.student.id}: {one.status.value}{note}{checked} ({took})", err=True
        )


@contextmanager
def _progress(total: int) -> Iterator[_Progress]:
    if not sys.stderr.isatty():
        yield _Progress(total, None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("submissions"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, TextColumn("{task.fields[now]}"), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("submissions", total=total, now="")
        yield _Progress(total, lambda number, now: bar.update(task, completed=number, now=now))
