"""The arrangement of a knocker who declares none: RULES A6, each rule of its order."""

import naive_melds as naive
import pytest
from hypothesis import given
from rich_hands import fixed, hands

from arena.cards import mask_of, mask_text, parse_cards
from arena.melds import best_melds, written


def chosen(hand: str) -> list[str]:
    return [mask_text(meld) for meld in best_melds(mask_of(parse_cards(hand)))]


@pytest.mark.parametrize(
    ("hand", "melds"),
    [
        ("AC 2C 3C 9D KH", ["AC 2C 3C"]),  # minimum deadwood
        ("AC 3C 5C 7C 9C", []),
        ("5S 5C 5D 6S 6C 6D 7S 7C 7D 4H", ["5C 5D 5S", "6C 6D 6S", "7C 7D 7S"]),  # G9: sets invite fewer lay-offs
        ("AC AS 2C 2H 2S 3H 3S 4C 4D 4S", ["AS 2S 3S", "4C 4D 4S"]),  # a run that the hand's own 4S blocks
        ("9C 9S TC TD TH TS JC JS KH KS", ["9S TS JS", "TC TD TH"]),  # in clubs the king could follow, too
        ("9D 9S TD JH JS QH QS KC KD KS", ["KC KD KS"]),  # TS or KH could be laid off: one each, then the set
        ("4C 4S 5C 5D 5H 5S 6C 6D 6H 6S", ["4C 5C 6C", "5D 5H 5S", "6D 6H 6S"]),  # 4C comes before 4S
        ("9C 9D 9H 9S TC TD TH TS JC JH", ["9C 9D 9S", "9H TH JH", "TC TD TS"]),  # 9C 9D comes before 9C TC
        ("4S 5S 6S 7S QS QH QD 2C 2D 2H 2S", ["2C 2D 2H 2S", "4S 5S 6S 7S", "QD QH QS"]),  # eleven, a big gin
    ],
)
def test_the_knockers_arrangement(hand: str, melds: list[str]) -> None:
    assert chosen(hand) == melds


@given(hands(10) | hands(11))
@fixed
def test_the_knockers_arrangement_is_the_first_of_all_in_the_order_of_a6(drawn: list[frozenset[str]]) -> None:
    (hand,) = drawn
    wanted = sorted(sorted(meld, key=naive.written_order) for meld in naive.knockers_choice(hand))
    assert sorted(meld.split() for meld in chosen(" ".join(hand))) == wanted


def test_a_family_is_written_by_the_first_cards() -> None:
    melds = [mask_of(parse_cards(text)) for text in ("KC KD KH", "AS 2S 3S", "AC AD AH", "9D TD JD")]
    assert [mask_text(meld) for meld in written(melds)] == ["AC AD AH", "AS 2S 3S", "9D TD JD", "KC KD KH"]
