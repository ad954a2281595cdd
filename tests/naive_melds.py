"""Melds, slowly and plainly: sets of card texts, every family, every lay-off tried. An oracle for the solver.

It shares with the product nothing but the notation of cards.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations

Hand = frozenset[str]
Family = frozenset[Hand]

RANKS = "A23456789TJQK"
SUITS = "CDHS"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]


def hand_of(text: str) -> Hand:
    return frozenset(text.split())


def rank(card: str) -> int:
    return RANKS.index(card[0])


def written_order(card: str) -> tuple[int, int]:
    return rank(card), SUITS.index(card[1])


def count(cards: Iterable[str]) -> int:
    return sum(min(rank(card) + 1, 10) for card in cards)


@lru_cache(maxsize=100_000)
def is_meld(cards: Hand) -> bool:
    if len(cards) < 3:
        return False
    ranks = sorted(rank(card) for card in cards)
    is_set = ranks[0] == ranks[-1]
    is_run = len({card[1] for card in cards}) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return is_set or is_run


def families(hand: Hand) -> Iterator[Family]:
    """Every family of disjoint melds, the empty one included."""
    if not hand:
        yield frozenset()
        return
    first = min(hand)
    others = hand - {first}
    yield from families(others)
    for same in (0, 1):  # of the same rank, of the same suit
        kin = sorted(card for card in others if card[same] == first[same])
        for size in range(2, len(kin) + 1):
            for company in combinations(kin, size):
                meld = frozenset((first, *company))
                if is_meld(meld):
                    for family in families(hand - meld):
                        yield family | {meld}


def unmatched(hand: Hand, family: Family) -> Hand:
    return hand.difference(*family)


def least(hand: Hand) -> int:
    """The deadwood of a hand."""
    return min(count(unmatched(hand, family)) for family in families(hand))


def best_layoff(loose: Hand, melds: Family) -> Hand:
    """What stays of `loose` after the best of all lay-offs, each card tried on each meld in every order."""

    @lru_cache(maxsize=100_000)
    def best(loose: Hand, melds: Family) -> Hand:
        left = [loose]
        for card in loose:
            for meld in melds:
                grown = meld | {card}
                if is_meld(grown):
                    left.append(best(loose - {card}, melds - {meld} | {grown}))
        return min(left, key=count)

    return best(loose, melds)


def closure_size(melds: Family, loose: Hand) -> int:
    """How many cards of `loose` fit the melds as they grow: one after another, until none does."""
    growing, loose_left = set(melds), set(loose)
    grew = True
    while grew:
        grew = False
        # Runs first: there a card may open the way for the next.
        for meld in sorted(growing, key=lambda meld: len({card[0] for card in meld}), reverse=True):
            card = next((card for card in loose_left if is_meld(meld | {card})), None)
            if card:
                growing = growing - {meld} | {meld | {card}}
                loose_left.remove(card)
                grew = True
                break
    return len(loose) - len(loose_left)


def knockers_choice(hand: Hand) -> Family:
    """RULES A6: minimum deadwood, then the fewest of the other cards fit, then most sets, then first as written."""
    minimum = least(hand)
    others = frozenset(CARDS) - hand

    def order(family: Family) -> tuple[int, int, list[list[tuple[int, int]]]]:
        sets = sum(len({card[0] for card in meld}) == 1 for meld in family)
        listed = sorted(sorted(written_order(card) for card in meld) for meld in family)
        return closure_size(family, others), -sets, listed

    return min((family for family in families(hand) if count(unmatched(hand, family)) == minimum), key=order)
