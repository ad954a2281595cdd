"""`make soak`: a hundred thousand hands with a bot that misbehaves at random, and what the arena holds on the way."""

import argparse
import sys
import tempfile
from pathlib import Path

from series_bench import BOTS, SAMPLES
from soak.campaign import chaos, crowd, soak

WAYS = ("illegal", "malformed", "crash", "leave", "flood", "garbage", "stranger", "repetition", "huge")
OPPONENTS = (SAMPLES / "simple", BOTS / "dicer", BOTS / "learner")


def main() -> int:
    """Play, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--every", type=int, default=5000, help="about one turn in so many is misbehaviour")
    parser.add_argument("--bots", type=int, help="a class of so many bots instead, the first against all others")
    given = parser.parse_args()
    if given.bots:
        return of_a_class(given.bots)
    milestones = [given.hands // share for share in (100, 10, 2)]
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = Path(name)
        bots = [chaos(folder, given.every, WAYS * 4 + ("late",)), *OPPONENTS]
        groups = -(-given.hands // (2 * len(OPPONENTS)))
        clock = {"ready": "1m", "decision": "1s", "goodbye": "2s"}
        figures = soak(folder, bots, groups, milestones, told, workers=2, tables=64, batch=16, clock=clock)
    print("\n".join(figures.lines()), flush=True)
    sane = sum(number for kind, number in figures.faults.items() if not kind.startswith("chaos "))
    return 1 if figures.processes or figures.folders or sane else 0


def of_a_class(bots: int) -> int:
    """Play a few groups with very many bots, some of them broken, and print the figures."""
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = Path(name)
        clock = {"ready": "1m", "decision": "5s", "goodbye": "2s"}
        figures = soak(folder, crowd(folder, bots), 1, [], told, workers=2, clock=clock)
        print((folder / "run" / "standings.md").read_text())
    print("\n".join(figures.lines()), flush=True)
    return 1 if figures.processes or figures.folders else 0


def told(note: str) -> None:
    """Show how far it is."""
    print(note, file=sys.stderr, flush=True)


sys.exit(main())
