"""`make bench`: how fast the arena is, beside what the machine could carry, in one table.

Everything is measured in one run, each measurement in a process of its own, and all of them in turn (A B C A B C ...),
so that what slows the machine down slows all of them down. What counts are the ratios: each is taken within a round,
and the table has the medians over the rounds. "us of the arena" and "us of the bots" are CPU time a decision:
all threads of the process that asks, and both bots together.
"""

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from multiprocessing import get_context

from arena.players.spec import Transport
from benchmarks import commits, floor, languages, peers, remote, rooms, series, solver, startup
from benchmarks.measure import EMPTY, FULL, QUICK, SIMPLE, Figures, Size
from benchmarks.report import Key, Ratio, Round, as_table, rows_of

Measurement = Callable[[Size], Figures]

KINDS = {
    "empty bots, no hints": (EMPTY, False, False),
    "empty bots, no hints, timed": (EMPTY, False, True),
    "simple, hints": (SIMPLE, True, False),
}
_UNIX = "bots by unix sockets"
_ISOLATED = "start of empty, isolated"
MEASUREMENTS: dict[str, Measurement] = {
    **{f"floor, batch {batch}": partial(floor.measure, batch) for batch in (1, 16, 64, 128)},
    **{f"room: {kind}": partial(rooms.measure, *how) for kind, how in KINDS.items()},
    **{
        f"series, {workers}: {kind}": partial(series.measure, *how, number)
        for kind, how in KINDS.items()
        for number, workers in ((1, "1 worker"), (2, "2 workers"))
    },
    _UNIX: partial(remote.measure_listening, SIMPLE, Transport.UNIX),
    "bots by TCP": partial(remote.measure_listening, SIMPLE, Transport.TCP),
    "bots that dial in": partial(remote.measure_joined, SIMPLE, False),
    "bots that dial in, TLS": partial(remote.measure_joined, SIMPLE, True),
    "melds": solver.measure,
    **{f"commits: {play}": partial(commits.measure, play) for play in commits.GAMES},
    "start of empty": partial(startup.measure, EMPTY),
    "start of simple": partial(startup.measure, SIMPLE),
    _ISOLATED: partial(startup.measure_isolated, EMPTY),
}
_MEMORY = "memory: simple, hints"
PEERS: dict[str, Measurement] = {"OpenSpiel, bot against bot": peers.measure}
MEMORY: dict[str, Measurement] = {_MEMORY: partial(series.measure_memory, SIMPLE)}

_FULL_FLOOR, _TIMED_FLOOR = ("floor, batch 128", "decisions/s"), ("floor, batch 1", "decisions/s")
_TARGETS = dict(zip(KINDS, (Ratio(_FULL_FLOOR, 0.6), Ratio(_TIMED_FLOOR, 0.8), Ratio(_FULL_FLOOR, 0.37)), strict=True))
RATIOS: dict[Key, Ratio] = {
    **{
        (f"{where}: {kind}", "decisions/s"): target
        for kind, target in _TARGETS.items()
        for where in ("room", "series, 1 worker", "series, 2 workers")
    },
    **{
        ("melds", unit): Ratio(("melds", f"{unit}, OpenSpiel"), at_most=at_most)
        for unit, at_most in ((solver.DEALT, 1.0), (solver.PLAYED, 1.0), (solver.ELEVEN, None))
    },
    **{
        (_MEMORY, f"MB, {who} after 100000 hands"): Ratio((_MEMORY, f"MB, {who} after 1000 hands"), at_most=1.1)
        for who in ("worker", "coordinator")
    },
    **{
        (way, "hands/s"): Ratio((_UNIX, "hands/s"))
        for way in ("bots by TCP", "bots that dial in", "bots that dial in, TLS")
    },
    (_ISOLATED, startup.ISOLATED): Ratio((_ISOLATED, "ms")),
    ("OpenSpiel, bot against bot", "hands/s"): Ratio(("series, 1 worker: simple, hints", "hands/s")),
}


def main() -> None:
    """Measure what is asked for, and print it."""
    options = _options()
    measurements = MEMORY if options.memory else MEASUREMENTS | (PEERS if options.peers else {})
    if not options.memory:
        measurements |= {
            languages.name_of(bot, batch): partial(languages.measure, bot, batch)
            for bot in languages.built(options.only)
            for batch in languages.BATCHES
        }
    chosen = {name: measure for name, measure in measurements.items() if options.only in name}
    if not chosen:
        sys.exit(f"--only {options.only}: expected a part of one of these: {'; '.join(measurements)}")
    number = 1 if options.memory else options.rounds
    size = QUICK if options.quick else FULL
    rounds = [_round(chosen, size, f"round {count} of {number}") for count in range(1, number + 1)]
    rows = rows_of(rounds, RATIOS)
    if options.json:
        print(json.dumps({"machine": _machine(), "rounds": number, "rows": [asdict(row) for row in rows]}, indent=2))
    else:
        print(f"{_machine()}; {number} rounds\n\n{as_table(rows)}")
        if find_spec("pyspiel") is None:
            print("\nOpenSpiel is not installed here: `make bench-peers` measures beside it.")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is measured [default: 5]")
    parser.add_argument("--only", default="", metavar="TEXT", help="only what has this in its name")
    parser.add_argument("--quick", action="store_true", help="see whether it works: the numbers mean nothing")
    parser.add_argument("--peers", action="store_true", help="measure OpenSpiel's bots too (make bench-peers)")
    parser.add_argument("--memory", action="store_true", help="measure memory over 100,000 hands instead")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser.parse_args()


def _round(measurements: Mapping[str, Measurement], size: Size, title: str) -> Round:
    figures: dict[Key, float] = {}
    for name, measure in measurements.items():
        print(f"{title}: {name}", file=sys.stderr)
        with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
            figures |= {(name, unit): value for unit, value in fresh.submit(measure, size).result().items()}
    return figures


def _machine() -> str:
    parts = [f"{os.cpu_count()} cores", f"{platform.system()} {platform.machine()}"]
    parts += [f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in ("grpcio", "protobuf"))]
    return ", ".join(parts)
