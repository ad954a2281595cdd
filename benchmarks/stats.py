"""`make bench-stats`: how many independent hands a mirrored one is worth, and what judging luck adds to that.

Fixed pairs of styles, in which one rule of play is another or all are, play groups of deals in this process. For each
pair and each way to score it, the table has

    Var(independent hand) / (2 Var(mean of a group of two hands))

the number of hands on decks of their own that tell as much as one hand of a mirrored group does. Intervals are of
95 %, from a bootstrap over groups. The seeds are of this benchmark alone: no value function was fitted on them.
"""

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray
from tabulate import tabulate

from arena.dealer.table import TableRules
from arena.dealer.values import GameRecord, GameSpec
from arena.dealing import master_seed
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import GameKind
from arena.standings.luck import FILE, Luck
from arena.standings.luck_value import Networks
from benchmarks.styles import Player, Sample, Style, mirrored

Floats = NDArray[np.float64]

TWO_ENDS = GameFormat(GameKind.GIN, False, Play.DEALS, Rules())
ONE_END = replace(TWO_ENDS, rules=Rules(stock="top"))
PAIRS: Mapping[str, Style | str] = {
    "tie-break: the lowest of equals goes": Style(ties="low"),
    "draw rule: takes what lowers deadwood by 6": Style(lower=6),
    "knock rule: waits for 5 or less": Style(knocks=5),
    "discard rule: keeps pairs": Style(keeps=1.5),
    "another style: greedy": "greedy",
}
"""Who plays against the style `simple`: a style, or the name of a sample bot."""
WAYS = ("duplicate", "two-ended", "+ luck")
TARGET = 1.7
RESAMPLES = 1000
GROUPS_AT_ONCE = 50


@dataclass(frozen=True)
class Figure:
    """A number and the ends of its interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f}-{self.high:.2f})"


def main() -> None:
    options = _options()
    starts = range(0, options.groups, GROUPS_AT_ONCE)
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        waiting = {
            name: pool.map(partial(_played, name), starts, [min(options.groups - at, GROUPS_AT_ONCE) for at in starts])
            for name in PAIRS
        }
        found = {name: np.concatenate(list(parts), axis=1) for name, parts in waiting.items()}
    dice = np.random.default_rng(1)
    worths = {name: _resampled(scores, dice) for name, scores in found.items()}
    ratios = {name: worth[:, 2] / worth[:, 1] for name, worth in worths.items()}
    median = _figure(np.median(list(ratios.values()), axis=0))
    rows = {
        name: {way: _figure(worths[name][:, at]) for at, way in enumerate(WAYS)} | {"luck adds": _figure(ratios[name])}
        for name in PAIRS
    }
    if options.json:
        told = {name: {way: asdict(figure) for way, figure in row.items()} for name, row in rows.items()}
        print(json.dumps({"groups": options.groups, "pairs": told, "median": asdict(median)}, indent=2))
        return
    print(_table(rows))
    print(f"\nWhat judging luck multiplies duplicate + two-ended by, in the median pair: {median}; at least {TARGET}: ")
    print(f"{'reached' if median.value >= TARGET else 'NOT reached'}. {options.groups:,} groups a pair and stock.")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stats", description=__doc__)
    parser.add_argument("--groups", type=int, default=1500, help="deal groups a pair [default: 1500]")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes [default: one a core]")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser.parse_args()


def _table(rows: Mapping[str, Mapping[str, Figure]]) -> str:
    lines = [(name, "1", *map(str, row.values())) for name, row in rows.items()]
    heads = ("simple against itself with another", "independent", *WAYS, "luck adds")
    return tabulate(lines, heads, disable_numparse=True, colalign=("left", *["right"] * (len(heads) - 1)))


def _played(name: str, first: int, groups: int) -> Floats:
    """The margins of the second player by way, group and hand, each in points: in one order, two-ended, less luck."""
    other = PAIRS[name]
    player: Player = Sample(other) if isinstance(other, str) else other
    ends = [_games(name, format_, player, first, groups) for format_ in (ONE_END, TWO_ENDS)]
    luck = Luck(TWO_ENDS.rules, Networks.read(FILE)).of_games(ends[1])
    margins = [[record.outcome.margins[spec.seats.index("second")] for spec, record in games] for games in ends]
    lucky = [points[spec.seats.index("second")] for (spec, _), points in zip(ends[1], luck, strict=True)]
    adjusted = [margin - points for margin, points in zip(margins[1], lucky, strict=True)]
    return np.array([*margins, adjusted]).reshape(len(WAYS), groups, 2)


def _games(
    name: str, format_: GameFormat, player: Player, first: int, groups: int
) -> list[tuple[GameSpec, GameRecord]]:
    shared = TableRules(format_, master_seed(f"gin-arena luck: bench {name}"))
    return [game for group in range(first, first + groups) for game in mirrored(group, shared, Style(), player)]


def _resampled(scores: Floats, dice: np.random.Generator) -> Floats:
    """What a mirrored hand is worth in each way: first by all groups, then by each resample of them."""
    groups = scores.shape[1]
    picks = np.concatenate([np.arange(groups)[None], dice.integers(groups, size=(RESAMPLES, groups))])
    return np.array([_worth(scores[:, pick]) for pick in picks])


def _worth(scores: Floats) -> Floats:
    hands = scores[:2].reshape(2, -1).var(axis=1)[[0, 1, 1]]  # of a hand as it was scored
    return np.asarray(hands / (2 * scores.mean(axis=2).var(axis=1)))


def _figure(values: Sequence[float] | Floats) -> Figure:
    low, high = np.quantile(values[1:], (0.025, 0.975))
    return Figure(float(values[0]), float(low), float(high))


if __name__ == "__main__":
    main()
