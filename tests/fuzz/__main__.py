"""`make fuzz`: every reader of strangers' input, and spoilt input by the hundred thousand."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from fuzz.campaign import hunt
from fuzz.targets import keep, targets


def main() -> int:
    """Hunt, print what was tried and found, and keep what was found in the corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for each target")
    parser.add_argument("--seed", default=str(int(time.time())), help="the same seed tries the same cases")
    parser.add_argument("--target", action="append", help="only this one")
    parser.add_argument("--cases", type=int, default=sys.maxsize, help="no more than so many of each target")
    given = parser.parse_args()
    failures = 0
    print(f"seed {given.seed}, {given.seconds:g} s a target")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        for name, target in targets(Path(folder)).items():
            if given.target and name not in given.target:
                continue
            found = hunt(name, target, given.cases, given.seed, time.monotonic() + given.seconds)
            failures += len(found.failures)
            tried = f"{name:10} {found.cases:9,} cases, slowest {found.slowest * 1000:6.0f} ms"
            print(f"{tried}, {len(found.failures)} failures", flush=True)
            for data, told in found.failures.values():
                print(f"  kept as {keep(name, data)}\n    " + told.strip().replace("\n", "\n    "))
    return min(failures, 1)


sys.exit(main())
