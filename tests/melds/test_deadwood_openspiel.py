"""Deadwood of ten cards against OpenSpiel's, which shares no line with the arena's."""

import random

import pyspiel
from hypothesis import given
from rich_hands import fixed, hands

from arena.cards import CARD_TEXT, mask_of, parse_cards
from arena.melds import deadwood

UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)


def openspiel_deadwood(hand: list[str]) -> int:
    """OpenSpiel numbers the suits spades first and writes them small."""
    numbers = [UTILS.card_int(card[0] + card[1].lower()) for card in hand]
    assert all(UTILS.card_value(number) == min(number % 13 + 1, 10) for number in numbers)
    return int(UTILS.min_deadwood(numbers))


def test_deadwood_equals_openspiel_on_random_hands() -> None:
    dice = random.Random(20260)
    for _ in range(3000):
        hand = dice.sample(CARD_TEXT, 10)
        assert deadwood(mask_of(parse_cards(" ".join(hand)))) == openspiel_deadwood(hand), hand


@given(hands(10))
@fixed
def test_deadwood_equals_openspiel_on_hands_rich_in_melds(drawn: list[frozenset[str]]) -> None:
    hand = sorted(drawn[0])
    assert deadwood(mask_of(parse_cards(" ".join(hand)))) == openspiel_deadwood(hand)
