"""What cards are worth together, for bots: bytes and masks alike."""

from itertools import combinations
from random import Random

import pytest

from arena.bot import best_melds, deadwood, deadwood_after, makes_meld, unmatched
from arena.cards import mask_of, parse_card, parse_cards
from arena.melds import is_meld

HAND = parse_cards("4S 5S 6S QH QD QC 2D 3C 4H AC")


def test_cards_are_bytes_or_a_mask() -> None:
    assert deadwood(HAND) == deadwood(mask_of(HAND)) == 10
    assert best_melds(HAND) == best_melds(mask_of(HAND)) == (parse_cards("4S 5S 6S"), parse_cards("QC QD QH"))
    assert unmatched(HAND) == unmatched(mask_of(HAND)) == parse_cards("AC 3C 2D 4H")
    eleven = HAND + parse_cards("KD")
    assert deadwood_after(eleven, parse_cards("KD AC")) == bytes((10, 19))


@pytest.mark.parametrize(
    ("card", "hand", "makes"),
    [
        ("4C", "4S 4H KD", True),
        ("4C", "4S KD", False),
        ("4C", "2C 3C", True),
        ("4C", "3C 5C", True),
        ("4C", "5C 6C", True),
        ("4C", "2C 5C", False),
        ("4C", "2C 6C", False),
        ("AC", "QC KC", False),
        ("AC", "2C 3C", True),
        ("KC", "QC JC", True),
        ("KC", "AD 2D", False),
        ("AD", "QC KC", False),
        ("AD", "KC 2D", False),
        ("4C", "4C 4S", False),
    ],
)
def test_makes_meld(card: str, hand: str, makes: bool) -> None:
    assert makes_meld(parse_card(card), parse_cards(hand)) is makes


def test_makes_meld_is_a_meld_of_three_with_the_card() -> None:
    dice = Random(1)
    for _ in range(300):
        card, *hand = dice.sample(range(52), 11)
        want = any(is_meld(mask_of((card, *pair))) for pair in combinations(hand, 2))
        assert makes_meld(card, bytes(hand)) is want
