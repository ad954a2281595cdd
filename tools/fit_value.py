"""Fit the value function that weighs draws, and write it where the arena reads it: `python -m tools.fit_value`.

It plays groups of mirrored deals between bots of different styles, on seeds that nothing else deals from, looks at
every draw from the stock, and trains a few small networks on them, whose mean is the value function. The same arguments
lead to the same file on the same machine with the same NumPy.

A new value function is for new runs: one that began with another is judged by that one alone.
"""

import argparse
import json
import os
import re
from pathlib import Path

import numpy as np

from arena.standings.luck import FILE, hand_options
from arena.standings.luck_features import FEATURES
from tools.value_data import FORMATS, PART, SEED, Floats, Rows, rows_of_games
from tools.value_training import UNIT, Net, to_outcome, to_variance

SIZES = (len(FEATURES), 48, 24, 1)
INPUT, INSIDE = 32, 256
"""What 1 is in whole numbers: a standard deviation of a feature, and a weight or what goes from layer to layer."""
MOST = 16 * INPUT


def main() -> None:
    """Play, train and write."""
    options = _options()
    rows = rows_of_games(options.parts, options.workers)
    print(f"{len(rows.margin):,} hands, {len(rows.hand):,} rows")
    options.out.write_text(fitted(rows, options.epochs, options.networks), encoding="utf-8")
    print(f"{options.out}: {options.out.stat().st_size / 1000:.0f} kB")


def fitted(rows: Rows, epochs: int, networks: int) -> str:
    """The file of a value function that is fitted to these games."""
    centre, spread = rows.features[rows.came].mean(axis=0), rows.features[rows.came].std(axis=0) + 1e-6
    told = {
        "about": "The value function by which Gin Arena judges luck: see docs/luck.md. Made by tools/fit_value.py.",
        "rules": {name: hand_options(format_.rules) for name, format_ in FORMATS.items()},
        "fitted": {"seed": SEED, "groups": len(rows.margin) // 2, "hands": len(rows.margin), "epochs": epochs},
        "features": list(FEATURES),
        "centre": [round(float(value), 4) for value in centre],
        "scale": [round(INPUT / float(value), 4) for value in spread],
        "most": MOST,
        "networks": [_whole(_trained(rows, centre, spread, epochs, number)) for number in range(networks)],
    }
    return _text(told)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.fit_value", description=__doc__)
    parser.add_argument("--parts", type=int, default=40, help=f"{PART} deal groups each [default: 40]")
    parser.add_argument("--epochs", type=int, default=5, help="how often all groups are gone through [default: 5]")
    parser.add_argument("--networks", type=int, default=3, help="how many are trained [default: 3]")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes that play")
    parser.add_argument(
        "--out", type=Path, default=FILE, help="where it is written [default: where the arena reads it]"
    )
    return parser.parse_args()


def _trained(rows: Rows, centre: Floats, spread: Floats, epochs: int, number: int) -> Net:
    dice = np.random.default_rng(number)
    net = Net(SIZES, dice)
    came = np.nonzero(rows.came)[0]
    outcome = rows.margin[rows.hand[came]] * np.sign(rows.share[came]) / UNIT
    to_outcome(net, (rows.features[came] - centre) / spread, outcome, epochs, dice)
    to_variance(net, lambda at: (rows.features[at] - centre) / spread, rows, epochs, dice)
    print(f"network {number + 1} is trained", flush=True)
    return net


def _whole(net: Net) -> list[dict[str, object]]:
    """The layers of a network in whole numbers, see `arena.standings.luck_value`."""
    ones = [INPUT, INSIDE, INSIDE]
    layers = list[dict[str, object]]()
    for number, (weights, biases) in enumerate(zip(net.weights, net.biases, strict=True)):
        last = number == len(net.weights) - 1
        factor = INSIDE * (UNIT if last else 1)
        layers.append(
            {
                "weights": np.rint(weights.astype(np.float64) * factor).astype(int).tolist(),
                "bias": np.rint(biases.astype(np.float64) * factor * ones[number]).astype(int).tolist(),
                "divisor": ones[number] * (INSIDE if last else 1),
            }
        )
    return layers


def _text(told: dict[str, object]) -> str:
    """JSON with a line for each row of numbers."""
    numbers = re.compile(r"\[\s+(-?[\d.]+(?:,\s+-?[\d.]+)*)\s+\]")
    return numbers.sub(lambda found: f"[{' '.join(found[1].split())}]", json.dumps(told, indent=1)) + "\n"


if __name__ == "__main__":
    main()
