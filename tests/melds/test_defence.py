"""Lay-offs and the best defence, against a search that tries every card on every meld in every order."""

import naive_melds as naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich_hands import fixed, hands

from arena.cards import mask_of, mask_text, parse_cards, pips
from arena.melds import best_defence, closure, deadwood, fits


def mask(text: str) -> int:
    return mask_of(parse_cards(text))


def masks(*texts: str) -> tuple[int, ...]:
    return tuple(mask(text) for text in texts)


def family_masks(family: naive.Family) -> tuple[int, ...]:
    return tuple(mask(" ".join(meld)) for meld in family)


@pytest.mark.parametrize(
    ("melds", "loose", "laid"),
    [
        (["4S 5S 6S"], "3S 7S 9S 4H", "3S 7S"),
        (["4S 5S 6S"], "AS 2S 3S 7S 8S TS", "AS 2S 3S 7S 8S"),
        (["QH QD QC"], "QS KS", "QS"),
        (["QH QD QC QS"], "KS JS", ""),
        (["JS QS KS"], "AS AC AH", ""),  # no way round the corner
        (["JC QC KC"], "AD 2D TC", "TC"),
        (["AD 2D 3D"], "KC QC 4D", "4D"),
        (["JS QS KS", "TH TD TC"], "TS 9S", "9S TS"),  # G11: on the run the ten opens the way for the nine
        (["4S 5S 6S", "8S 9S TS"], "7S JS", "7S JS"),
        (["5S 6S 7S", "8H 8D 8C"], "9S", ""),
        ([], "AS", ""),
    ],
)
def test_what_can_be_laid_off(melds: list[str], loose: str, laid: str) -> None:
    assert mask_text(closure(masks(*melds), mask(loose))) == laid


def test_lay_offs_fit_only_with_all_between() -> None:
    run = masks("4S 5S 6S")
    assert fits(run, 0)
    assert fits(run, mask("7S 8S"))
    assert not fits(run, mask("8S"))
    assert not fits(run, mask("7S 9S"))


@st.composite
def knocks(draw: st.DrawFn, defender_cards: int) -> tuple[naive.Family, frozenset[str]]:
    """A knocker's melds (some family of ten cards that has any) and the hand of a defender."""
    knocker, defender = draw(hands(10, defender_cards).filter(lambda drawn: any(naive.families(drawn[0]))))
    family = draw(st.sampled_from(sorted(filter(None, naive.families(knocker)), key=str)))
    return family, defender


@given(knocks(7))
@fixed
def test_the_closure_lays_off_as_many_pips_as_any_order_and_placement(
    knock: tuple[naive.Family, frozenset[str]],
) -> None:
    family, loose = knock
    laid = closure(family_masks(family), mask(" ".join(loose)))
    assert pips(mask(" ".join(loose)) ^ laid) == naive.count(naive.best_layoff(loose, family))


@given(knocks(7) | knocks(10))
@fixed
def test_the_best_defence_equals_an_exhaustive_search(knock: tuple[naive.Family, frozenset[str]]) -> None:
    family, hand = knock
    own, laid = best_defence(mask(" ".join(hand)), family_masks(family))
    least = min(naive.count(naive.best_layoff(naive.unmatched(hand, melds), family)) for melds in naive.families(hand))
    assert pips(mask(" ".join(hand)) ^ sum(own) ^ laid) == least
    assert fits(family_masks(family), laid)


@given(knocks(7))
@fixed
def test_min_first_is_the_best_among_arrangements_of_minimum_deadwood(
    knock: tuple[naive.Family, frozenset[str]],
) -> None:
    family, hand = knock
    hand_mask = mask(" ".join(hand))
    own, laid = best_defence(hand_mask, family_masks(family), min_first=True)
    minimum = naive.least(hand)
    assert pips(hand_mask ^ sum(own)) == minimum == deadwood(hand_mask)
    assert pips(hand_mask ^ sum(own) ^ laid) == min(
        naive.count(naive.best_layoff(loose, family))
        for loose in (naive.unmatched(hand, melds) for melds in naive.families(hand))
        if naive.count(loose) == minimum
    )


def test_among_equal_defences_own_melds_come_before_lay_offs() -> None:
    assert best_defence(mask("7S 8S 9S KH"), masks("4S 5S 6S")) == (masks("7S 8S 9S"), 0)


def test_among_equal_defences_sets_come_first_and_then_the_cards_as_written() -> None:
    assert best_defence(mask("5C 6C 7C 5D 5H 6D 6H 7D 7H"), masks("KC KD KH")) == (
        masks("5C 5D 5H", "6C 6D 6H", "7C 7D 7H"),
        0,
    )
    assert best_defence(mask("2C 3C 4C 5C 6C 7C"), masks("KC KD KH")) == (masks("2C 3C 4C", "5C 6C 7C"), 0)
    clubs = masks("4C 5C 6C", "5D 5H 5S", "6D 6H 6S")
    assert best_defence(mask("4C 4S 5C 5D 5H 5S 6C 6D 6H 6S"), masks("KC KD KH")) == (clubs, 0)
    hearts = masks("9C 9D 9S", "9H TH JH", "TC TD TS")
    assert best_defence(mask("9C 9D 9H 9S TC TD TH TS JC JH"), masks("KC KD KH")) == (hearts, 0)
