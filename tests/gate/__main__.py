"""`make test-gate`: play real deal groups, draw series from them, and print how often the gate errs."""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import fmean, stdev
from typing import Literal

from gate.campaign import Case, Outcome, tried
from gate.recording import SIMPLE, played, scored, version
from playing import FORMATS
from tabulate import tabulate

from arena.standings.luck import installed, luck_of
from arena.tournament.compare import Planned
from arena.tournament.comparison import Comparison
from arena.tournament.gate import GroupScore, Word

PASSED = frozenset({Word.NOT_WORSE, Word.BETTER})
REJECTED = frozenset({Word.WORSE, Word.NOT_BETTER})
BOTS = ("copy", "shuffles_suits", "keeps_high", "blunders")


def recorded(name: str, groups: int, adjusted: bool) -> list[GroupScore]:
    """The scores of a bot of this folder, or of a copy of `simple`, against `simple`."""
    luck = luck_of(Planned(FORMATS["gin-deals"], installed())) if adjusted else None
    if isinstance(luck, str):
        sys.exit(luck)
    return scored(played(SIMPLE if name == "copy" else version(name), groups), luck)


def cases(recorded: Mapping[str, Sequence[GroupScore]], scores: Literal["raw", "adjusted"]) -> Iterator[Case]:
    """What is tried: a copy, dice that hardly matter, and two flaws, as they are and at the edges of the hypotheses."""
    not_worse = Comparison(scores=scores)
    better = Comparison(hypothesis="better", worse="0", better="0.3", scores=scores)
    yield Case("a copy", recorded["copy"], not_worse, None, frozenset(Word) - {Word.ALIKE})
    for name, told in (("shuffles_suits", "other suit"), ("keeps_high", "keeps high cards"), ("blunders", "blunders")):
        groups = recorded[name]
        yield Case(f"{told}, as good", groups, not_worse, 0.0, REJECTED)
        yield Case(f"{told}, as good, asked for better", groups, better, 0.0, PASSED)
        yield Case(f"{told}, 0.3 worse", groups, not_worse, -0.3, PASSED)
        yield Case(f"{told}, 0.3 better, asked for better", groups, better, 0.3, REJECTED)
    for name, told in (("keeps_high", "keeps high cards"), ("blunders", "blunders")):
        yield Case(f"{told}, as it is", recorded[name], not_worse, None, PASSED)


def table(outcomes: Sequence[Outcome]) -> str:
    """The report: a row a case."""
    rows = []
    for one in outcomes:
        low, high = one.interval(one.errors)
        apart, most = one.interval(one.outside)
        words = ", ".join([f"{word} {count}" for word, count in one.words.most_common()])
        rows.append(
            [
                one.case.name, words, f"{one.errors / one.series:.1%}", f"{low:.1%} - {high:.1%}",
                f"{one.outside / one.series:.1%}", f"{apart:.1%} - {most:.1%}", f"{2 * one.groups / one.series:,.0f}",
                "" if one.is_sound else "TOO OFTEN",
            ]
        )  # fmt: skip
    heads = ["the truth", "said", "wrong", "95 % interval", "interval left", "95 % interval", "hands", ""]
    return tabulate(rows, heads, tablefmt="pipe", disable_numparse=True)


def main() -> int:
    """Play, draw, and print. Exits 1 where an error is certainly made too often."""
    parser = argparse.ArgumentParser(prog="make test-gate")
    parser.add_argument("--series", type=int, default=400, help="series drawn for each case")
    parser.add_argument("--groups", type=int, default=2000, help="deal groups played with each bot")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--adjusted", action="store_true", help="judge the scores without the luck of the draws")
    given = parser.parse_args()
    scores: Literal["raw", "adjusted"] = "adjusted" if given.adjusted else "raw"
    with ProcessPoolExecutor(given.workers) as pool:
        groups = dict(
            zip(BOTS, pool.map(partial(recorded, groups=given.groups, adjusted=given.adjusted), BOTS), strict=True)
        )
        for name, each in groups.items():
            judged = [group.adjusted for group in each]
            differing = sum([group.differing for group in each]) / (2 * len(each))
            told = f"{fmean(judged):+.2f} points a hand, standard deviation of a group {stdev(judged):.1f}"
            print(f"{name}: {len(judged):,} groups, {told}, differs in {differing:.0%} of the hands", flush=True)
        outcomes = [*pool.map(partial(tried, series=given.series), cases(groups, scores))]
    print(f"\n{given.series} series of each case:\n\n{table(outcomes)}")
    return 0 if all(one.is_sound for one in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
