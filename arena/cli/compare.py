"""`arena compare`."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.exits import ExitCode
from arena.cli.playing import WORKERS, building, deadline_of, interruptible, isolation_told, warn_of_changes
from arena.cli.power import live, tell_power
from arena.errors import ArenaError, HostError, InputError

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.players.spec import BotSpec
    from arena.records.store import Run
    from arena.tournament.compare import Asked
    from arena.tournament.comparison import Comparison
    from arena.tournament.runner import Progress, RunEnd
    from arena.tournament.series import Series
    from arena.tournament.verdict_text import Report
    from arena.tournament.verdicts import Judge

_BOUND = "points a hand, or 0.02sd"


def compare(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The old version: a bot's folder, or git:REF:PATH.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new version, likewise.")],
    against: Annotated[
        list[str] | None,
        typer.Option("--against", metavar="POOL", help="Bots that both play: a folder, 'bots/*' or a series file."),
    ] = None,
    hypothesis: Annotated[
        str, typer.Option("--hypothesis", help="What the new version is to prove: not-worse or better.")
    ] = "not-worse",
    worse: Annotated[
        str | None,
        typer.Option("--worse", metavar="BOUND", help=f"At this or less it has failed: {_BOUND} [-0.3; better: 0]."),
    ] = None,
    better: Annotated[
        str | None, typer.Option("--better", metavar="BOUND", help="At this or more it has not [0; better: 0.3].")
    ] = None,
    max_hands: Annotated[
        int | None, typer.Option("--max-hands", min=1, help="Hands at most, then it is undecided [20,000 deal groups].")
    ] = None,
    max_time: Annotated[
        str | None, typer.Option("--max-time", metavar="TIME", help="The same after this time, such as 10m [no limit].")
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Judge the bare scores, with the luck of the draws.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer as JSON.")] = False,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write the verdict as a test in JUnit's XML.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Write a summary for a pull request.")
    ] = None,
    seed: Annotated[str | None, typer.Option("--seed", help="What the cards are made of [default: fresh].")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the run, new or to go on with [runs/compare-001, ...].")
    ] = None,
    rules: Annotated[
        Path | None,
        typer.Option("--rules", metavar="FILE", help="A series file whose game, rules, clock and the like hold."),
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set a key of it: --set rules.gin_bonus=20.")
    ] = None,
    workers: Annotated[int | None, WORKERS] = None,
) -> None:
    """Tell whether a new version of a bot is worse, or better, than the old one.

    Both play mirrored deals against each other, and with --against the same deals against every bot of a pool, until
    the hands tell: as few as can carry a verdict. It exits 0 if the new version is as asked, 10 if it is rejected and
    20 if the most hands or the time were not enough. The run's folder has every hand, as that of any other run.

    \b
    Examples:
      arena compare git:main:bots/ginny bots/ginny
      arena compare old new --hypothesis better --worse 0 --better 0.5
      arena compare old new --max-time 10m --markdown s.md --junit verdict.xml
    """
    from arena.tournament.compare import Asked
    from arena.tournament.verdict_text import in_json, in_junit, in_markdown, in_text
    from arena.tournament.versions import pool_of, version

    for path in (junit, markdown):
        _check_writable(path)
    try:
        deadline = deadline_of(None, max_time)
        asked = Asked(
            old=version(old),
            new=version(new),
            pool=pool_of(against or ()),
            comparison=_comparison(hypothesis, worse, better),
            most_hands=max_hands,
            seed=seed,
            rules=rules,
            settings=settings or (),
            raw=raw,
        )
        report, code = _compared(asked, out, [junit, markdown], workers, deadline)
    except ArenaError as error:
        if junit is not None:
            _write(junit, in_junit(str(error)))
        raise
    print(in_json(report) if as_json else in_text(report))
    for path, text in ((junit, in_junit(report)), (markdown, in_markdown(report))):
        if path is not None:
            _write(path, text)
    if code:
        raise typer.Exit(code)


def _comparison(hypothesis: str, worse: str | None, better: str | None) -> "Comparison":
    """What is asked. Raises `InputError`."""
    from arena.tournament.comparison import USUAL, Comparison, bounds_of, parse_bound

    if hypothesis not in USUAL:
        raise InputError(f"--hypothesis: expected {' or '.join(USUAL)}, got {hypothesis!r}")
    low, high = [given or usual for given, usual in zip((worse, better), USUAL[hypothesis], strict=True)]
    for option, text in (("--worse", low), ("--better", high)):
        try:
            parse_bound(text)
        except ValueError as error:
            raise InputError(f"{option}: expected {error}, got {text!r}") from None
    try:
        bounds_of(low, high)
    except ValueError as error:
        raise InputError(f"--worse, --better: expected {error}") from None
    return Comparison.model_validate({"hypothesis": hypothesis, "worse": low, "better": high})


def _compared(
    asked: "Asked", out: Path | None, files: Sequence[Path | None], workers: int | None, deadline: float | None
) -> tuple["Report", ExitCode]:
    """Compare. Returns what there is to say, and how the command ends. files: that will be written."""
    from arena.records.database import FILE
    from arena.records.store import Run, check_new
    from arena.tournament.compare import check_unchanged, prepared, scored
    from arena.tournament.gate import Word
    from arena.tournament.running import begin, free_folder
    from arena.tournament.verdict_text import Report

    ready = prepared(asked, building)
    for line in ready.told:
        typer.echo(f"Note: {line}", err=True)
    if ready.same:
        why = "Both versions have the same content, so that there is nothing to play."
        report = Report(Word.SAME, why, asked.comparison, ready.bots, None, None)
        return report, _code(report)
    folder = out or free_folder("compare")
    for place in (folder, *files):
        if place is not None:
            _check_outside(place, ready.series.bots)
    if (folder / FILE).is_file():
        with Run.open(folder, write=True) as stopped:
            series = check_unchanged(stopped, ready)
            typer.echo(f"Going on with {folder}", err=True)
            return _play(stopped, series, ready.bots, "", workers, deadline)
    check_new(folder)
    series, scores = scored(ready.series, raw=asked.raw)
    if scores and not asked.raw:
        typer.echo(f"Note: {scores}", err=True)  # before hours of play: these take more hands
    tell_power(ready.asked, series, workers, deadline)
    folder = out or free_folder("compare")  # another comparison may have begun there meanwhile
    with begin(series, asked.base, folder) as run:
        typer.echo(f"Seed commitment {run.info.commitment}", err=True)  # before the first card
        return _play(run, series, ready.bots, scores, workers, deadline)


def _play(
    run: "Run",
    series: "Series",
    bots: list[tuple[str, str]],
    scores: str,
    workers: int | None,
    deadline: float | None,
) -> tuple["Report", ExitCode]:
    """Play until the groups tell, or to a stop."""
    from arena.tournament.results import write_results
    from arena.tournament.runner import RunEnd
    from arena.tournament.running import runner_of
    from arena.tournament.verdicts import Judge

    judge = Judge(run)
    isolation = isolation_told(series, run.folder)
    runner = runner_of(run, series, workers, isolation, lambda line: typer.echo(f"Note: {line}", err=True))
    with interruptible(runner), live(judge) as show:

        def late() -> bool:
            return deadline is not None and time.monotonic() >= deadline

        def look(progress: "Progress") -> None:
            judge.look(progress.settled)
            if judge.decided or late():  # slow bots' games may take minutes, and are played anew where it goes on
                runner.interrupt()
            show(progress)

        end = runner.play(deadline, look)
        if end is RunEnd.INTERRUPTED and late():
            end = RunEnd.OUT_OF_TIME
    warn_of_changes(series, run.folder)
    report, code = _ended(judge, run, bots, scores, end)
    if end is not RunEnd.INTERRUPTED or judge.decided:
        write_results(run)
    return report, code


def _ended(
    judge: "Judge", run: "Run", bots: list[tuple[str, str]], scores: str, end: "RunEnd"
) -> tuple["Report", ExitCode]:
    """What there is to say at the end of the play, and how the command ends."""
    from arena.tournament.gate import Word
    from arena.tournament.runner import RunEnd
    from arena.tournament.verdict_text import Report

    standing = judge.standing()
    go_on = f"to go on, give the same command and --out {run.folder}"
    if standing.word is None and end is RunEnd.VOID:
        last = [void.detail for _, void in run.voids()][-1:]
        raise HostError(f"games were broken off by this machine again and again ({''.join(last)}); {go_on}")
    word, why = standing.word or Word.UNDECIDED, standing.why
    if standing.word is None:
        why = f"{'Interrupted' if end is RunEnd.INTERRUPTED else 'The time is up'}; {go_on}."
    report = Report(word, why, judge.gate.comparison, bots, standing, run.folder, scores)
    return report, ExitCode.INTERRUPTED if standing.word is None and end is RunEnd.INTERRUPTED else _code(report)


def _code(report: "Report") -> ExitCode:
    return {True: ExitCode.FINE, False: ExitCode.REJECTED, None: ExitCode.UNDECIDED}[report.passed]


def _check_writable(path: Path | None) -> None:
    """Raise `InputError` for a file that cannot be written, while nothing has been played yet. Leaves none behind."""
    if path is None or (path.exists() and not path.is_file() and not path.is_dir()):  # such as a pipe
        return
    is_new = not path.exists()
    with _written(path):
        path.open("a").close()
        if is_new:
            path.unlink()


def _check_outside(place: Path, bots: "Sequence[BotSpec]") -> None:
    """Raise `InputError` for a place in a bot's own folder: what is there is a part of the bot, which reads it."""
    for bot in bots:
        if bot.folder is not None and place.resolve().is_relative_to(bot.folder.resolve()):
            raise InputError(
                f"{place} is in the folder of {bot.name}, {bot.folder}, and would become a part of this bot; give a "
                "place outside of it, with --out, --junit or --markdown"
            )


def _write(path: Path, text: str) -> None:
    with _written(path):
        path.write_text(text, encoding="utf-8", errors="backslashreplace")  # as of a folder that is no UTF-8


@contextmanager
def _written(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}, expected a file that can be written") from None
