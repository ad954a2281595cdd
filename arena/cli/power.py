"""What `arena compare` says before it plays, of how long it will take, and while it plays, of how it stands."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.standings.sequential import SequentialTest
    from arena.tournament.compare import Asked, Pace
    from arena.tournament.runner import Progress
    from arena.tournament.series import Series
    from arena.tournament.verdicts import Judge


def tell_power(asked: "Asked", series: "Series", workers: int | None, deadline: float | None) -> None:
    """Say how many hands it will take, before it begins, and how long that is on this machine."""
    from arena.standings.sequential import SequentialTest
    from arena.tournament.compare import measured
    from arena.tournament.gate import PRIOR_SD

    typer.echo("Measuring the pace of this machine", err=True)
    pace = measured(asked, workers, deadline)
    test = SequentialTest(asked.comparison.bounds, PRIOR_SD)
    most = series.config.groups * asked.hands_a_group
    sd = PRIOR_SD if pace is None else pace.sd
    typer.echo(_power(test, asked.hands_a_group, pace, sd), err=True)
    few = most < test.expected(sd).at_bounds * asked.hands_a_group
    typer.echo(f"At most {most:,} hands are played{', which may well not tell' if few else ''}.", err=True)


def _power(test: "SequentialTest", hands: int, pace: "Pace | None", sd: float) -> str:
    """How many hands a test takes. hands: in a deal group. sd: of a group's score."""
    expected = test.expected(sd)
    told = (
        f"To see {test.bounds.width:g} {test.bounds.of} with 95 % you need about {_about(expected.at_bounds * hands)}"
    )
    if pace is not None:
        told += f", about {_duration(expected.at_bounds * hands / pace.hands_a_second)} here"
    between = f"about {_about(expected.between * hands)} where the truth is between the bounds"
    return f"{told}; {between} (deal groups spread by {sd:.1f} points a hand)."


def _about(hands: float) -> str:
    """A number of hands, to two digits."""
    digits = max(len(str(round(hands))) - 2, 0)
    return f"{round(hands, -digits):,.0f} hands"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


@contextmanager
def live(judge: "Judge") -> Iterator[Callable[["Progress"], None]]:
    """A line on a terminal that says how it stands; elsewhere one at the end."""
    start = time.monotonic()
    hands = 0
    if sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status("Starting the bots") as status:

            def show(progress: "Progress") -> None:
                nonlocal hands
                hands = progress.hands
                status.update(_line(judge, hands, time.monotonic() - start))

            yield show
    else:

        def count(progress: "Progress") -> None:
            nonlocal hands
            hands = progress.hands

        yield count
    seconds = time.monotonic() - start
    typer.echo(f"{hands:,} hands in {seconds:.1f} s, {hands / seconds:.0f} hands/s", err=True)


def _line(judge: "Judge", hands: int, seconds: float) -> str:
    from arena.tournament.verdict_text import estimate_text

    now = judge.standing()
    needed = _about(judge.gate.test.expected(now.sd).at_bounds * judge.hands_a_group)
    return (
        f"{now.hands:,} hands: {estimate_text(now.judged)} points a hand, evidence {now.ratio:+.2f} of "
        f"{now.limit:.2f}; {hands / seconds:.0f} hands/s; in all about {needed}"
    )
