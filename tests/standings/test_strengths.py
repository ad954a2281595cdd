"""Strengths fitted to orders: against published and hand-made examples, and against the library choix."""

from itertools import combinations, permutations
from math import log

import numpy as np
import pytest

from arena.standings.strengths import Choices, Floats, Order, orders_of_places

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
BASEBALL = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
"""Games won in the American League East of 1987: A. Agresti, Categorical Data Analysis, 2nd ed. (2002), page 438."""
PUBLISHED = (1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0)
"""What the manual of the R package BradleyTerry2 prints of them, Baltimore at 0."""


def counted(choices: Choices, orders: dict[Order, float]) -> Floats:
    return np.array([sum(times * choices.count(order) for order, times in orders.items())])


def test_strengths_of_two_players_are_those_of_a_published_example() -> None:
    bots = range(len(TEAMS))
    choices = Choices(len(TEAMS), [*combinations(bots, 2)])
    won: dict[Order, float] = {(one, other): float(BASEBALL[one][other]) for one, other in permutations(bots, 2)}
    (strengths,) = choices.fit(counted(choices, won))
    assert strengths - strengths[-1] == pytest.approx(PUBLISHED, abs=5e-5)


def test_strengths_of_three_players_are_those_that_the_orders_were_made_with() -> None:
    """Strengths 3, 2 and 1: the first comes first in 3/6, and the second before the third then in 2/3; and so on."""
    choices = Choices(3, [(0, 1, 2)])
    orders: dict[Order, float] = {(0, 1, 2): 20, (0, 2, 1): 10, (1, 0, 2): 15, (1, 2, 0): 5, (2, 0, 1): 6, (2, 1, 0): 4}
    (strengths,) = choices.fit(counted(choices, orders))
    assert strengths - strengths[-1] == pytest.approx([log(3), log(2), 0])


@pytest.mark.parametrize("seats", [2, 3])
def test_strengths_are_those_of_the_library_choix(seats: int) -> None:
    import choix  # noqa: PLC0415 - loads for a second

    random = np.random.default_rng(5)
    truth = np.array([0.8, 0.3, 0.0, -0.4, -0.9])
    pairings = [*combinations(range(5), seats)]
    orders: list[Order] = []
    for pairing in pairings * 30:
        scores = truth[list(pairing)] + random.gumbel(size=seats)
        orders.append(tuple(pairing[place] for place in np.argsort(-scores)))
    choices = Choices(5, pairings)
    (strengths,) = choices.fit(np.array([sum(choices.count(order) for order in orders)]))
    assert strengths == pytest.approx(choix.ilsr_rankings(5, orders), abs=1e-6)


def test_rows_are_fitted_each_by_itself() -> None:
    choices = Choices(3, [(0, 1), (1, 2)])
    rows = [
        counted(choices, {(0, 1): won, (1, 0): 1.0, (1, 2): 2.0, (2, 1): lost})[0]
        for won, lost in ((1.0, 1.0), (9.0, 0.5), (0.25, 100.0))
    ]
    together = choices.fit(np.array(rows))
    assert together == pytest.approx(np.array([choices.fit(row[None])[0] for row in rows]))
    assert together[1] - together[1][1] == pytest.approx([log(9), 0, log(0.25)])


@pytest.mark.parametrize("lost", [1e-7, 1e-4, 1.0, 1e4])
def test_one_bot_hardly_ever_loses(lost: float) -> None:
    choices = Choices(2, [(0, 1)])
    (strengths,) = choices.fit(counted(choices, {(0, 1): 2000.0, (1, 0): lost}))
    assert strengths[0] - strengths[1] == pytest.approx(log(2000 / lost), abs=0.01)


def test_those_who_share_a_place_stand_in_every_order() -> None:
    assert orders_of_places((4, 7), (1, 2)) == [(4, 7)]
    assert orders_of_places((4, 7), (2, 1)) == [(7, 4)]
    assert orders_of_places((4, 7), (1, 1)) == [(4, 7), (7, 4)]
    assert orders_of_places((4, 7, 9), (2, 1, 2)) == [(7, 4, 9), (7, 9, 4)]
    assert orders_of_places((4, 7, 9), (1, 3, 1)) == [(4, 9, 7), (9, 4, 7)]
    assert len(orders_of_places((4, 7, 9), (1, 1, 1))) == 6
