"""One submission from its archive to its record: unpacked, built, checked and played, each in a folder of its own.

    students/ID/key          what it was made of: equal again, nothing is done anew
    students/ID/bot/         the submission, unpacked
    students/ID/check.json   what came of the check
    students/ID/run/         its series against the references, a run as any other
    students/ID/marks.json   what that has come to; written last

Nothing that a submission does or lacks reaches beyond its own folder and its own line in the gradebook.
"""

import asyncio
import hashlib
import sqlite3
import stat
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from arena import __version__
from arena.classroom.assignment import Assignment, check_clock, for_assignment
from arena.classroom.graded import Graded, Status
from arena.classroom.marks import Marks, marks_of, up_to_date
from arena.classroom.roster import Student
from arena.classroom.submissions import Found
from arena.errors import HostError, InputError, RecordError, RunError, printable
from arena.kit.check.course import check_bot
from arena.kit.check.report import Outcome, Report
from arena.kit.handed_in import bot_folder, files_of, unpack_bot
from arena.players.files import MANIFEST
from arena.players.launch import remove_private_folder
from arena.players.manifest import read_manifest
from arena.players.scratch import own_scratch
from arena.players.spec import BotSpec
from arena.records.store import Run
from arena.tournament.isolating import isolation_of
from arena.tournament.publish import cleared_of
from arena.tournament.results import write_results
from arena.tournament.runner import RunEnd, Runner
from arena.tournament.running import begin, built, runner_of, take_up
from arena.tournament.series import Series

CHECK_SEED = "1"
"""That of `arena check` where nothing else is said, so that the teacher's check finds what the student's found."""
_VITAL = ("build", "start", "hello")
_REPORT, _MARKS = TypeAdapter(Report), TypeAdapter(Marks)
_FREE = {"bots", "workers", "tables", "batch", "rank_by"}
"""Settings on which no result depends."""


@dataclass(frozen=True, slots=True)
class Grading:
    """How the submissions of an assignment are graded.

    out: the folder for everything. seed: of the decks, the same for all. workers: processes, instead of the
    assignment's number. playing: what lets a run be interrupted. say: told what is being done.
    """

    assignment: Assignment
    out: Path
    seed: str
    workers: int | None = None
    playing: Callable[[Runner], AbstractContextManager[None]] = lambda _: nullcontext()
    say: Callable[[str], None] = lambda _: None

    def outdated(self, students: Iterable[str]) -> int:
        """Of how many students, by id, a submission was graded by another assignment, settings, references or arena."""
        premises = self._premises()
        keys = [_read(self.out / "students" / id_ / "key") for id_ in students]
        return sum(key.partition("\n")[0] != premises for key in keys if key)

    def kept(self, student: Student, found: Found) -> Graded | None:
        """What came of a submission when it was graded before; `None` where it was not, or anything has changed.

        One that did not start is found too, but is to be tried again: this machine may have been too busy.
        """
        work = self._work(student)
        try:
            if _read(work / "key") != self._key(found.path):
                return None
            graded = Graded(student, Status.GRADED, late=found.late, check=_kept_report(work))
            if graded.check is None:
                return None
            if told := _unplayable(graded.check):
                return replace(graded, status=Status.FAILED, note=told)
            marks = _MARKS.validate_json((work / "marks.json").read_bytes())
            return replace(graded, run=work / "run", marks=marks) if up_to_date(marks, work / "run") else None
        except (OSError, ValidationError, RunError):
            return None

    def grade(self, student: Student, found: Found) -> Graded:
        """Grade a submission, from where it was left if it is still the same.

        What is wrong with the submission, or with this machine, is in the result. Raises `KeyboardInterrupt` where the
        run was stopped.
        """
        work = self._work(student)
        found = replace(found, path=found.path.absolute())  # messages have one form of it
        graded = Graded(student, Status.GRADED, late=found.late, fresh=True)
        try:
            return self._graded(graded, found, work)
        except HostError as error:
            return replace(graded, status=Status.HOST, note=self._told(str(error), found, work))
        except (OSError, sqlite3.Error) as error:
            return replace(graded, status=Status.HOST, note=self._told(_of_system(error), found, work))

    def _graded(self, graded: Graded, found: Found, work: Path) -> Graded:
        """The same, where the machine does its part. Raises `HostError`, `OSError` or of SQLite where it does not."""
        try:
            key = self._key(found.path)
            if _read(work / "key") != key:
                _remove(work)
                self.say("unpacking")
                unpack_bot(found.path, work / "bot")
                (work / "key").write_text(key)
            folder = bot_folder(work / "bot")
            _own_manifest(folder)
            spec = for_assignment(read_manifest(folder), self.assignment)
            spec = replace(spec, name=graded.student.id)
            report = self._checked(work, spec)
            graded = replace(graded, check=report)
            if told := _unplayable(report):
                return replace(graded, status=Status.FAILED, note=told)
            return replace(graded, run=work / "run", marks=self._marked(work, spec))
        except (InputError, RecordError) as error:
            (work / "key").unlink(missing_ok=True)
            return replace(graded, status=Status.FAILED, note=self._told(str(error), found, work))

    def _work(self, student: Student) -> Path:
        """The folder of all that is made of a student's submission."""
        return self.out.absolute() / "students" / student.id

    def _premises(self) -> str:
        """A hash of what the results of all depend on: the references, the settings, the arena."""
        config = self.assignment.config.model_dump_json(exclude=_FREE, exclude_none=True)
        references = [f"{bot.name} {bot.content_hash}" for bot in self.assignment.references]
        settings = [__version__, self.seed, config, str(self.assignment.quick), *references]
        return hashlib.sha256("\n".join(settings).encode()).hexdigest()

    def _key(self, source: Path) -> str:
        """What a result depends on, in two lines: the premises of all, and a hash of the submission."""
        digest = hashlib.sha256()
        inside = source.is_dir()
        for path in files_of(source) if inside else [source]:
            name = str(path.relative_to(source)) if inside else path.suffix  # the rest is the course system's
            executable = inside and bool(path.stat().st_mode & stat.S_IXUSR)
            digest.update(f"\0{name}\0{executable}\0".encode(errors="surrogateescape"))
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return f"{self._premises()}\n{digest.hexdigest()}\n"

    def _checked(self, work: Path, spec: BotSpec) -> Report:
        """The report of the check, from its file where there is one of a bot that plays."""
        known = _kept_report(work)
        if known is not None and not _unplayable(known):
            return known
        self.say("checking")
        series = self._series(spec)
        isolation = isolation_of(series, work / "run")
        clock = check_clock(self.assignment.config.clock)
        with own_scratch():
            quick = self.assignment.quick
            report = asyncio.run(check_bot(spec, CHECK_SEED, quick=quick, clock=clock, isolation=isolation))
        (work / "check.json").write_bytes(_REPORT.dump_json(report, indent=2))
        return report

    def _marked(self, work: Path, spec: BotSpec) -> Marks:
        """What its games come to: they are played, or gone on with."""
        folder = work / "run"
        self.say("playing")
        try:
            self._play(folder, spec)
        except RunError:  # of a run that cannot be taken up, as its bot has changed its own folder
            _remove(folder)
            self._play(folder, spec)
        self.say("judging")
        marks = marks_of(folder, spec.name)
        (work / "marks.json").write_bytes(_MARKS.dump_json(marks))
        return marks

    def _play(self, folder: Path, spec: BotSpec) -> None:
        if folder.exists():
            with Run.open(folder, write=True) as run:
                self._play_on(run, take_up(run))
        else:
            series = built(lambda: self._series(spec))
            with begin(series, self.assignment.base, folder) as run:
                self._play_on(run, series)

    def _play_on(self, run: Run, series: Series) -> None:
        runner = runner_of(run, series, self.workers, isolation_of(series, run.folder), self.say)
        with self.playing(runner):
            end = runner.play(None, lambda _: None)
        if end is RunEnd.INTERRUPTED:
            raise KeyboardInterrupt
        if end is RunEnd.VOID:
            raise HostError("this machine broke off some of its games again and again; grade it again")
        write_results(run)

    def _series(self, spec: BotSpec) -> Series:
        """Its series, by its files as they are now: its build may have written them."""
        assert spec.folder is not None
        _own_manifest(spec.folder)
        series = self.assignment.series(spec.folder, spec.name, self.seed)
        for_assignment(series.bots[0], self.assignment)
        return series

    def _told(self, told: str, found: Found, work: Path) -> str:
        """What went wrong, without the paths of this machine."""
        try:
            bot = bot_folder(work / "bot", strict=False)
        except OSError:  # a build may have left what cannot be looked through
            bot = work / "bot"
        for form in (bot.resolve(), bot):
            told = told.replace(f"{form}/", "")  # its own files are called as it calls them
        parts = [(path, "the submission") for path in (bot, work / "bot", work, found.path)]
        cleared = cleared_of([*parts, (self.out, "(class)"), (self.assignment.base, "(assignment)")])
        return "\n".join(printable(line) for line in cleared(told).splitlines())


def _own_manifest(folder: Path) -> None:
    """Refuse a bot.yaml that is a link: it would be read where it leads, and messages tell of what is in it."""
    if (folder / MANIFEST).is_symlink():
        raise InputError(f"its {MANIFEST} is a link, expected a file")


def _unplayable(report: Report) -> str:
    """Why a bot cannot play, by its check; empty where it can."""
    lost = [step for step in report.steps if step.name in _VITAL and step.outcome is Outcome.FAILED]
    return f"it does not play: the step '{lost[0].title.lower()}' of the check failed" if lost else ""


def _kept_report(work: Path) -> Report | None:
    try:
        return _REPORT.validate_json((work / "check.json").read_bytes())
    except (OSError, ValidationError):
        return None


def _of_system(error: OSError | sqlite3.Error) -> str:
    """What this machine could not do, for people."""
    what = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    where = f"{error.filename}: " if isinstance(error, OSError) and error.filename is not None else ""
    return f"{where}{what}; mend that, and grade again with the same command"


def _remove(folder: Path) -> None:
    """Remove a folder, whatever a bot or its build has left in it. Raises `HostError` where it stays."""
    if folder.exists():
        remove_private_folder(folder)
        if folder.exists():
            raise HostError(f"{folder}: this cannot be removed, remove it and grade again")


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError):
        return ""
