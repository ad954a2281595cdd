"""`make kill-test`: a series killed a hundred times at random points, and the figures."""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from kills.campaign import Campaign, Victim


def main() -> int:
    """Run the campaign and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the order of the kills and their times")
    parser.add_argument("--kills", type=int, default=100, help="half of them of the coordinator")
    parser.add_argument("--groups", type=int, default=60, help="deal groups of the series")
    given = parser.parse_args()
    share = given.kills // 10
    kills = Counter({Victim.COORDINATOR: 4 * share, Victim.GROUP: share, Victim.WORKER: 2 * share})
    kills[Victim.BOT] = given.kills - sum(kills.values())
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        figures = Campaign(Path(folder), given.seed, kills, given.groups, told).run()
    print("\n".join(figures.lines()), flush=True)
    return 0 if figures.fine else 1


def told(note: str) -> None:
    """Show how far it is."""
    print(note, file=sys.stderr, flush=True)


sys.exit(main())
