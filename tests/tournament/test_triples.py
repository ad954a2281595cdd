from collections import Counter
from itertools import combinations
from math import comb

import pytest

from arena.tournament.triples import PAIR_WEIGHT, balanced_triples, least_cost

Triples = tuple[tuple[int, ...], ...]


def meetings(bots: int, triples: Triples) -> list[int]:
    """How often each two bots meet."""
    met = Counter(pair for triple in triples for pair in combinations(triple, 2))
    return [met[pair] for pair in combinations(range(bots), 2)]


def played(bots: int, triples: Triples) -> list[int]:
    """How many triples each bot has."""
    count = Counter(bot for triple in triples for bot in triple)
    return [count[bot] for bot in range(bots)]


def cost(bots: int, triples: Triples) -> int:
    return PAIR_WEIGHT * sum(met**2 for met in meetings(bots, triples)) + sum(n**2 for n in played(bots, triples))


@pytest.mark.parametrize(("bots", "triples"), [(bots, n) for bots in (3, 4, 5) for n in range(1, comb(bots, 3) + 1)])
def test_for_few_bots_no_other_triples_are_more_even(bots: int, triples: int) -> None:
    best = min(cost(bots, chosen) for chosen in combinations(combinations(range(bots), 3), triples))
    assert cost(bots, balanced_triples(bots, triples, b"")) == best


@pytest.mark.parametrize(("bots", "triples"), [(6, 10), (7, 7), (9, 12), (10, 120), (12, 220)])
def test_where_all_can_meet_equally_often_they_do(bots: int, triples: int) -> None:
    chosen = balanced_triples(bots, triples, b"seed")
    assert len(set(meetings(bots, chosen))) == len(set(played(bots, chosen))) == 1
    assert cost(bots, chosen) == least_cost(bots, triples)


@pytest.mark.parametrize(("bots", "triples"), [(40, 100), (40, 400), (20, 100)])
def test_with_many_bots_meetings_differ_by_one_at_most(bots: int, triples: int) -> None:
    met = meetings(bots, balanced_triples(bots, triples, b"seed"))
    assert max(met) - min(met) <= 1


@pytest.mark.parametrize(("bots", "triples"), [(3, 1), (5, 4), (6, 7), (8, 5), (30, 20)])
def test_triples_are_different_ascending_and_the_same_for_the_same_seed(bots: int, triples: int) -> None:
    chosen = balanced_triples(bots, triples, b"seed")
    assert len(set(chosen)) == len(chosen) == triples
    assert all(0 <= one < two < three < bots for one, two, three in chosen)
    assert balanced_triples(bots, triples, b"seed") == chosen


def test_the_seed_says_which_bots_meet() -> None:
    assert balanced_triples(9, 3, b"one") == ((3, 6, 8), (1, 2, 7), (0, 4, 5))
    assert balanced_triples(9, 3, b"two") != balanced_triples(9, 3, b"one")


@pytest.mark.parametrize("triples", [0, 5])
def test_more_triples_than_there_are_is_an_error(triples: int) -> None:
    with pytest.raises(ValueError, match="expected 1 to 4 triples of 4 bots"):
        balanced_triples(4, triples, b"")
