"""The value function that weighs draws: the mean of a few small frozen networks, read from a file.

It answers what a hand is worth, in points, to the player who has just drawn a card from the stock. Every number in it
is a whole one, and so is every sum on the way (far below 2 ** 53, where floating point is exact): on any machine, in
any order, alone or with others, a state has one worth to the last bit.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from arena.rules.options import Rules
from arena.standings.luck_draws import Draw
from arena.standings.luck_features import FEATURES, MOST_DRAWS, Rows, rows_of

Floats = NDArray[np.float64]


class Layer(NamedTuple):
    """Sums of what comes in times `weights`, and `bias`, divided by `divisor`."""

    weights: Floats
    bias: Floats
    divisor: int


@dataclass(frozen=True, slots=True)
class Networks:
    """Some networks, whose mean is the value function.

    centre, scale: of the features: `rint((feature - centre) * scale)` goes in, cut off at `most`. Between two layers
    what is below 0 becomes 0, and the rest is rounded down.
    """

    centre: Floats
    scale: Floats
    most: int
    networks: tuple[tuple[Layer, ...], ...]

    @classmethod
    def read(cls, path: Path) -> Self:
        """The value function of a file."""
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["features"] != list(FEATURES):
            msg = f"{path}: expected a value function of the features {', '.join(FEATURES)}"
            raise ValueError(msg)
        networks = [
            tuple([Layer(_floats(one["weights"]), _floats(one["bias"]), int(one["divisor"])) for one in layers])
            for layers in told["networks"]
        ]
        return cls(_floats(told["centre"]), _floats(told["scale"]), int(told["most"]), tuple(networks))

    def worth(self, features: Floats) -> Floats:
        """What rows are worth to who has drawn, in points."""
        given = np.clip(np.rint((features - self.centre) * self.scale), -self.most, self.most)
        total = np.zeros(len(features))
        for network in self.networks:
            inside = given
            for weights, bias, divisor in network[:-1]:
                inside = np.maximum(np.floor((inside @ weights + bias) / divisor), 0.0)
            total += (inside @ network[-1].weights + network[-1].bias)[:, 0]
        return np.asarray(total / (self.networks[0][-1].divisor * len(self.networks)))

    def luck(self, draws: Sequence[Draw], rules: Rules) -> list[float]:
        """For each draw, the worth of the state after it to who drew, less the mean over all cards of the stock."""
        return [luck for part in _parts(draws) for luck in self._luck(part, rules)]

    def mean(self, draws: Sequence[Draw], rules: Rules) -> list[float]:
        """For each of some draws that were not made, the mean worth over all cards of the stock."""
        return [mean for part in _parts(draws) for mean in self._means(rows_of(part, rules))[1].tolist()]

    def _luck(self, draws: Sequence[Draw], rules: Rules) -> list[float]:
        rows = rows_of(draws, rules)
        worth, means = self._means(rows)
        came = rows.card == np.array([draw.card for draw in draws])[rows.draw]
        return [float(luck) for luck in worth[came] - means]

    def _means(self, rows: Rows) -> tuple[Floats, Floats]:
        """What each row is worth, and the mean for each draw."""
        worth = self.worth(rows.features)
        return worth, np.asarray(np.bincount(rows.draw, worth) / np.bincount(rows.draw))


def _parts(draws: Sequence[Draw]) -> list[Sequence[Draw]]:
    return [draws[start : start + MOST_DRAWS] for start in range(0, len(draws), MOST_DRAWS)]


def _floats(numbers: object) -> Floats:
    return np.array(numbers, dtype=np.float64)
