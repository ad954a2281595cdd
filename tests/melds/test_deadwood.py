"""Deadwood and families: what melds a hand holds, against a plain search of all subsets."""

import naive_melds as naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich_hands import fixed, hands

from arena.cards import cards_of, mask_of, parse_cards
from arena.melds import arrangements, deadwood, deadwood_after, is_meld


def mask(text: str) -> int:
    return mask_of(parse_cards(text))


def mask_of_texts(cards: frozenset[str]) -> int:
    return mask(" ".join(cards))


@pytest.mark.parametrize(
    "meld",
    ["7C 7D 7H", "KC KD KH KS", "AS 2S 3S", "JD QD KD", "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", "AC AD AS"],
)
def test_sets_and_runs_are_melds(meld: str) -> None:
    assert is_meld(mask(meld))


@pytest.mark.parametrize(
    "cards",
    [
        "",
        "7C",
        "7C 7D",
        "7C 8C",
        "7C 8C TC",
        "7C 8D 9C",
        "7C 7D 8C",
        "7C 7D 7H 8H",
        "QC KC AC",  # the ace is low only
        "KC AC 2C",
        "QC KC AD",  # neighbours in the mask, of two suits
        "KC AD 2D",
        "JH QH KH AS",
    ],
)
def test_other_cards_are_no_meld(cards: str) -> None:
    assert not is_meld(mask(cards))


@given(st.sets(st.sampled_from(naive.CARDS), max_size=5) | hands(3).map(lambda drawn: set(drawn[0])))
@fixed
def test_is_meld_agrees_with_the_definition(cards: set[str]) -> None:
    assert is_meld(mask(" ".join(cards))) == naive.is_meld(frozenset(cards))


@pytest.mark.parametrize(
    ("hand", "least"),
    [
        ("", 0),
        ("KS", 10),
        ("4S 5S 6S QH QD QC 2D 3C 4H AC", 10),
        ("4S 5S 6S 7S QH QD QC 2H 2D 2C", 0),
        ("4S 5S 6S QH QD QC 2D 3C 4H 2C", 11),
        ("QS KS AS 2S 3S QH QD 4D 4C 4H", 10),
        ("8D 8C 8H 9D 9C 3H 3S 3C 3D AD", 19),
        ("4S 5S 6S 7S QS QH QD 2C 2D 2H 2S", 0),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC", 0),
        ("KC AD 2D 3H", 16),
    ],
)
def test_deadwood_of_known_hands(hand: str, least: int) -> None:
    assert deadwood(mask(hand)) == least


@given(st.integers(0, 11).flatmap(hands))
@fixed
def test_deadwood_is_the_least_of_all_families(drawn: list[frozenset[str]]) -> None:
    (hand,) = drawn
    assert deadwood(mask_of_texts(hand)) == naive.least(hand)


@given(hands(11) | hands(10) | hands(3))
@fixed
def test_deadwood_after_is_the_deadwood_without_each_card(drawn: list[frozenset[str]]) -> None:
    hand = mask_of_texts(drawn[0])
    cards = cards_of(hand)
    assert list(deadwood_after(hand, cards)) == [deadwood(hand ^ 1 << card) for card in cards]


def test_deadwood_after_answers_in_the_order_of_the_cards_asked() -> None:
    hand = mask("4S 5S 6S QH QD QC 2D 3C 4H AC KS")
    assert list(deadwood_after(hand, parse_cards("KS AC 4S"))) == [10, 19, 31]


@given(hands(10))
@fixed
def test_arrangements_are_all_families_each_once(drawn: list[frozenset[str]]) -> None:
    (hand,) = drawn
    found = arrangements(mask_of_texts(hand))
    assert found[0] == ()
    assert sorted(tuple(sorted(family)) for family in found) == sorted(
        tuple(sorted(mask_of_texts(meld) for meld in family)) for family in naive.families(hand)
    )


def test_the_richest_hands_have_few_families() -> None:
    assert len(arrangements(mask("AC 2C 3C 4C 5C 6C 7C 8C 9C TC"))) == 114
    assert len(arrangements(mask("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC"))) == 200
