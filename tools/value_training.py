"""How a small network is trained, in NumPy alone, by Adam (Kingma and Ba, ICLR 2015). See `tools/fit_value.py`.

First to the outcome of the hand, then to what is to become small: the variance of the margins less luck.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import cos, pi

import numpy as np
from numpy.typing import NDArray

from tools.value_data import Floats, Rows

UNIT = 40.0
"""Points that are 1 to the network."""
OF_GROUPS = 0.7
"""How much the variance over groups counts, and the rest the variance over hands."""


class Net:
    """Layers with rectifiers between them."""

    def __init__(self, sizes: Sequence[int], dice: np.random.Generator) -> None:
        self.weights = [
            dice.normal(0, (2 / one) ** 0.5, (one, other)).astype(np.float32) for one, other in pairwise(sizes)
        ]
        self.biases = [np.zeros(size, dtype=np.float32) for size in sizes[1:]]

    def outputs(self, rows: Floats) -> list[Floats]:
        """What goes into each layer, and last what the network answers."""
        found = [rows]
        for weights, biases in zip(self.weights, self.biases, strict=True):
            inside = found[-1] if len(found) == 1 else np.maximum(found[-1], 0)
            found[-1] = inside
            found.append(inside @ weights + biases)
        return found

    def gradients(self, outputs: Sequence[Floats], slope: Floats) -> list[Floats]:
        """Of all weights, then of all biases. slope: of the loss, by the answer."""
        of_weights, of_biases = [], []
        for layer in reversed(range(len(self.weights))):
            of_weights.append(outputs[layer].T @ slope)
            of_biases.append(slope.sum(axis=0))
            if layer:
                slope = (slope @ self.weights[layer].T) * (outputs[layer] > 0)
        return [*of_weights[::-1], *of_biases[::-1]]


class Adam:
    """Steps down the gradients, shorter and shorter."""

    def __init__(self, net: Net, rate: float, steps: int) -> None:
        self._parameters = [*net.weights, *net.biases]
        self._means = [np.zeros_like(one) for one in self._parameters]
        self._squares = [np.zeros_like(one) for one in self._parameters]
        self._rate, self._steps, self._step = rate, steps, 0

    def step(self, gradients: Sequence[Floats]) -> None:
        """Move all parameters."""
        self._step += 1
        rate = self._rate * (1 + cos(pi * self._step / self._steps)) / 2
        late_mean, late_square = 1 - 0.9**self._step, 1 - 0.999**self._step
        for number, gradient in enumerate(gradients):
            mean, square = self._means[number], self._squares[number]
            mean *= 0.9
            mean += 0.1 * gradient
            square *= 0.999
            square += 0.001 * gradient * gradient
            self._parameters[number] -= rate * (mean / late_mean) / (np.sqrt(square / late_square) + 1e-8)


def to_outcome(net: Net, inputs: Floats, outcome: Floats, epochs: int, dice: np.random.Generator) -> None:
    """Fit the states after a draw to what came of the hand, least squares."""
    batches = max(len(inputs) // 1024, 1)
    adam = Adam(net, 3e-3, epochs * batches)
    for _ in range(epochs):
        for rows in np.array_split(dice.permutation(len(inputs)), batches):
            outputs = net.outputs(inputs[rows])
            slope = (outputs[-1] - outcome[rows, None]) / np.float32(len(rows))
            adam.step(net.gradients(outputs, slope))


def to_variance(
    net: Net, inputs: Callable[[NDArray[np.int64]], Floats], rows: Rows, epochs: int, dice: np.random.Generator
) -> None:
    """Make the variance of the margins less luck small. inputs: those of some rows."""
    groups = len(rows.margin) // 2
    batches = max(groups // 48, 1)
    starts = np.searchsorted(rows.hand, np.arange(0, len(rows.margin) + 1, 2))
    adam = Adam(net, 1e-3, epochs * batches)
    for _ in range(epochs):
        for some in np.array_split(dice.permutation(groups), batches):
            lengths = starts[some + 1] - starts[some]
            at = np.concatenate([np.arange(starts[group], starts[group + 1]) for group in some])
            hand = 2 * np.repeat(np.arange(len(some)), lengths) + rows.hand[at] % 2
            outputs = net.outputs(inputs(at))
            luck = np.bincount(hand, outputs[-1][:, 0] * rows.share[at], 2 * len(some))
            left = rows.margin[np.stack([2 * some, 2 * some + 1], axis=1)].ravel() / UNIT - luck
            of_group = np.repeat(left.reshape(-1, 2).sum(axis=1), 2)
            slope = -(OF_GROUPS * of_group + (1 - OF_GROUPS) * left)[hand] * rows.share[at] / len(some)
            adam.step(net.gradients(outputs, slope[:, None].astype(np.float32)))
