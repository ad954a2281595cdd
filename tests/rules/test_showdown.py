"""Showdowns: the worked examples of the rules by number, and what may not be declared."""

from dataclasses import dataclass

import pytest

from arena.cards import mask_of, mask_text, parse_card, parse_cards
from arena.errors import IllegalAction
from arena.rules.options import Rules
from arena.rules.result import HandResult, ResultKind
from arena.rules.showdown import declare, defend, showdown, terms

HOUSE = Rules()
KNOCKER, DEFENDER = 0, 1


def mask(text: str) -> int:
    return mask_of(parse_cards(text))


def masks(texts: str) -> tuple[int, ...]:
    """The melds of a text such as `4S 5S 6S / QH QD QC`; the empty text is no meld."""
    return tuple(mask(text) for text in texts.split("/") if text)


@dataclass(frozen=True)
class Show:
    """A showdown as the examples have it: hands, and what is declared (`None`: the arena chooses)."""

    knocker: str
    melds: str | None
    defender: str
    defender_melds: str | None = None
    layoffs: str | None = None

    def score(self, rules: Rules = HOUSE, upcard: str | None = None) -> HandResult:
        limit, multiplier = terms(rules, None if upcard is None else parse_card(upcard))
        return showdown(
            rules,
            limit,
            multiplier,
            KNOCKER,
            mask(self.knocker),
            None if self.melds is None else masks(self.melds),
            mask(self.defender),
            None if self.defender_melds is None else masks(self.defender_melds),
            None if self.layoffs is None else mask(self.layoffs),
        )


K1 = ("4S 5S 6S QH QD QC 2D 3C 4H AC", "4S 5S 6S/QH QD QC")
K5 = ("4S 5S 6S 7S QH QD QC 2H 2D 2C", "4S 5S 6S 7S/QH QD QC/2H 2D 2C")
D6 = "KS KD KH 8C 8D 8H 3S 3H 3D 3C"
K9 = "5S 5C 5D 6S 6C 6D 7S 7C 7D 4H"
D9 = "4S 4D 8S 8C TH TD TC 2H 3D AH"

G1 = Show(*K1, "KS KD KH 2H 2C 3S 6D 6C 3H TC")
G2 = Show(*K1, "KS KD KH 7S 8S QS 2H 3H 9D 9C")
G3 = Show(*K1, "KS KD KH 8D 8C 8H 7S QS 4D 6H")
G4 = Show(*K1, "KS KD KH 8D 8C 8H 7S QS 2H AH")
G5 = Show(*K5, "KS KD KH 8S 9S QS 2S 3H 3D JC")
G6 = Show(*K5, D6)
G6B = Show("4S 5S 6S 7S QH QD QC 2H 2D AC", "4S 5S 6S 7S/QH QD QC", D6)
G8 = Show("5D 6D 7D 5C 6C 7C KH KS KD TH", "5D 6D 7D/5C 6C 7C/KH KS KD", "8D 8C 8H 9D 9C 3H 3S 3C 3D AD")
G9A = Show(K9, "5S 5C 5D/6S 6C 6D/7S 7C 7D", D9)
G9B = Show(K9, "5S 6S 7S/5C 6C 7C/5D 6D 7D", D9)
G11 = Show("JS QS KS TH TD TC 2H 3D AC AD", "JS QS KS/TH TD TC", "TS 9S 4H 4D 4C 6H 6D 6C 2C AS")
G13 = Show("4S 5S 6S QH QD QC 2D 3C 4H 2C", "4S 5S 6S/QH QD QC", G1.defender)
G15 = Show("QS KS AS 2S 3S QH QD 4D 4C 4H", "AS 2S 3S/4D 4C 4H/QS QH QD", "KD KH KC 9S 9H 9D 5C 6H 7D 8C")
G16 = Show("4S 5S 6S 7S QH QD QC 2S 2H 2D 2C", None, "KS KD KH 8S 9S QS AS 3H 3D JC")
O1 = Show("4S 5S 6S QH QD QC 9H 9D 9C 5H", "4S 5S 6S/QH QD QC/9H 9D 9C", G1.defender)

OKLAHOMA = Rules(knock_limit="upcard")
DOUBLING = Rules(knock_limit="upcard", spade_doubles=True)


def check(result: HandResult, kind: ResultKind, points: int, deadwood: int, defender_deadwood: int) -> None:
    winner = {ResultKind.UNDERCUT: DEFENDER, ResultKind.TIE: None}.get(kind, KNOCKER)
    assert (result.kind, result.winner, result.points) == (kind, winner, points)
    assert (result.knocker, result.knocker_deadwood, result.defender_deadwood) == (KNOCKER, deadwood, defender_deadwood)


def test_g1_the_knocker_scores_the_difference_after_lay_offs() -> None:
    result = G1.score()
    check(result, ResultKind.KNOCK, 19, 10, 29)
    assert mask_text(result.layoffs) == "3S"
    assert result.melds == masks(K1[1])
    assert result.defender_melds == masks("KD KH KS")


def test_g2_a_chain_is_laid_off() -> None:
    result = G2.score()
    check(result, ResultKind.KNOCK, 13, 10, 23)
    assert mask_text(result.layoffs) == "7S 8S QS"


def test_g3_equal_counts_are_an_undercut_or_score_nothing() -> None:
    check(G3.score(), ResultKind.UNDERCUT, 10, 10, 10)
    check(G3.score(Rules(undercut_on_tie=False)), ResultKind.TIE, 0, 10, 10)


@pytest.mark.parametrize(("bonus", "points"), [(10, 17), (20, 27), (25, 32)])
def test_g4_an_undercut_scores_the_bonus_and_the_difference(bonus: int, points: int) -> None:
    check(G4.score(Rules(undercut_bonus=bonus)), ResultKind.UNDERCUT, points, 10, 3)


def test_g4_is_an_undercut_also_where_a_tie_is_none() -> None:
    check(G4.score(Rules(undercut_on_tie=False)), ResultKind.UNDERCUT, 17, 10, 3)


@pytest.mark.parametrize(("bonus", "points"), [(25, 70), (20, 65)])
def test_g5_gin_scores_the_bonus_and_all_deadwood_without_lay_offs(bonus: int, points: int) -> None:
    result = G5.score(Rules(gin_bonus=bonus))
    check(result, ResultKind.GIN, points, 0, 45)
    assert result.layoffs == 0


def test_g6_gin_beats_a_complete_hand() -> None:
    check(G6.score(), ResultKind.GIN, 25, 0, 0)


def test_g6b_a_complete_hand_undercuts_a_knock() -> None:
    check(G6B.score(), ResultKind.UNDERCUT, 15, 5, 0)


def test_g8_the_defender_breaks_a_set_to_lay_off_more() -> None:
    result = G8.score()
    check(result, ResultKind.UNDERCUT, 11, 10, 9)
    assert mask_text(result.layoffs) == "8C 8D 9C 9D"
    assert result.defender_melds == masks("3C 3D 3H 3S")


def test_g8_under_min_first_the_set_stays() -> None:
    check(G8.score(Rules(defence="min_first")), ResultKind.KNOCK, 9, 10, 19)


def test_g9a_and_g9b_the_knockers_arrangement_decides_what_fits() -> None:
    result = G9A.score()
    check(result, ResultKind.KNOCK, 26, 4, 30)
    assert result.layoffs == 0
    result = G9B.score()
    check(result, ResultKind.UNDERCUT, 11, 4, 3)
    assert mask_text(result.layoffs) == "3D 4D 4S 8C 8S"


def test_g9_the_arena_knocks_with_the_sets() -> None:
    assert Show(K9, None, D9).score() == Show(K9, "5C 5D 5S/6C 6D 6S/7C 7D 7S", D9).score()


def test_g11_a_card_for_set_and_run_goes_to_the_run() -> None:
    result = G11.score()
    check(result, ResultKind.UNDERCUT, 14, 7, 3)
    assert mask_text(result.layoffs) == "9S TS"


def test_g13_a_knock_above_the_limit_is_illegal() -> None:
    with pytest.raises(IllegalAction, match=r"^expected at most 10 unmatched to knock, got 11 \(2C 2D 3C 4H\)$"):
        G13.score()
    with pytest.raises(IllegalAction, match="got 11"):
        Show(G13.knocker, None, G13.defender).score()


def test_g15_the_ace_is_low_only() -> None:
    check(G15.score(), ResultKind.KNOCK, 16, 10, 26)


@pytest.mark.parametrize(("bonus", "points"), [(31, 75), (50, 94)])
def test_g16_big_gin_scores_its_bonus_and_all_deadwood(bonus: int, points: int) -> None:
    result = G16.score(Rules(big_gin=bonus))
    assert (result.kind, result.winner, result.points) == (ResultKind.BIG_GIN, KNOCKER, points)
    assert (result.knocker_deadwood, result.defender_deadwood, result.layoffs) == (0, 44, 0)


def test_g16_without_big_gin_a_card_must_be_discarded_and_it_is_gin() -> None:
    with pytest.raises(IllegalAction, match="expected a discard"):
        G16.score()
    check(Show("4S 5S 6S 7S QH QD QC 2S 2H 2D", None, G16.defender).score(), ResultKind.GIN, 69, 0, 44)


def test_a_big_gin_leaves_no_card_over() -> None:
    with pytest.raises(IllegalAction, match="expected all eleven cards in melds for a big gin, got AC unmatched"):
        Show("4S 5S 6S 7S QH QD QC 2S 2H 2D AC", None, D9).score(Rules(big_gin=31))
    with pytest.raises(IllegalAction, match="got 2C unmatched"):
        Show(G16.knocker, "4S 5S 6S 7S/QH QD QC/2S 2H 2D", G16.defender).score(Rules(big_gin=31))


def test_o1_and_o2_the_upcard_sets_the_limit() -> None:
    check(O1.score(OKLAHOMA, upcard="5D"), ResultKind.KNOCK, 24, 5, 29)
    with pytest.raises(IllegalAction, match="expected at most 5 unmatched to knock, got 10"):
        G1.score(OKLAHOMA, upcard="5D")


def test_o5_a_spade_doubles_the_difference() -> None:
    show = Show(O1.knocker, O1.melds, "KS KD KH AH 2C 3S 6D 6C 3H TC")
    check(show.score(DOUBLING, upcard="6S"), ResultKind.KNOCK, 46, 5, 28)
    check(show.score(DOUBLING, upcard="6H"), ResultKind.KNOCK, 23, 5, 28)


@pytest.mark.parametrize(
    ("show", "upcard", "kind", "points"),
    [(G2, "JS", ResultKind.KNOCK, 26), (G4, "TS", ResultKind.UNDERCUT, 34), (G5, "KS", ResultKind.GIN, 140)],
    ids=["O6", "O7", "O8"],
)
def test_o6_to_o8_a_spade_doubles_undercuts_and_gin_too(show: Show, upcard: str, kind: ResultKind, points: int) -> None:
    result = show.score(DOUBLING, upcard)
    assert (result.kind, result.points) == (kind, points)
    assert show.score(OKLAHOMA, upcard).points * 2 == points


@pytest.mark.parametrize(
    ("rules", "upcard", "limit", "multiplier"),
    [
        (HOUSE, None, 10, 1),
        (HOUSE, "AS", 10, 1),
        (Rules(knock_limit=0), "7S", 0, 1),
        (Rules(spade_doubles=True), "7S", 10, 2),
        (Rules(spade_doubles=True), "7C", 10, 1),
        (OKLAHOMA, "2C", 2, 1),
        (OKLAHOMA, "TH", 10, 1),
        (OKLAHOMA, "KD", 10, 1),
        (OKLAHOMA, "AS", 0, 1),
        (DOUBLING, "AS", 0, 2),
        (Rules(knock_limit="upcard", ace="one"), "AC", 1, 1),
    ],
)
def test_the_limit_and_the_multiplier_of_a_hand(rules: Rules, upcard: str | None, limit: int, multiplier: int) -> None:
    assert terms(rules, None if upcard is None else parse_card(upcard)) == (limit, multiplier)


@pytest.mark.parametrize("rules", [OKLAHOMA, Rules(spade_doubles=True)])
def test_where_the_upcard_counts_it_must_be_known(rules: Rules) -> None:
    with pytest.raises(IllegalAction, match="expected an upcard"):
        terms(rules, None)


def test_a_gin_is_what_is_declared_with_nothing_unmatched() -> None:
    result = Show(K5[0], "4S 5S 6S 7S/QH QD QC", G5.defender).score()
    check(result, ResultKind.KNOCK, 12, 6, 18)  # the twos are not laid down: a knock, and 8S 9S QS go on
    with pytest.raises(IllegalAction, match="expected at most 0 unmatched to knock, got 6"):
        declare(Rules(knock_limit=0), 0, mask(K5[0]), masks("4S 5S 6S 7S/QH QD QC"))


def test_melds_are_told_in_the_written_order() -> None:
    assert declare(HOUSE, 10, mask(K1[0]), masks("QH QD QC/4S 5S 6S")) == (masks("4S 5S 6S/QC QD QH"), 10)
    assert defend(HOUSE, masks("9S TS JS"), 5, mask(K1[0]), masks("QH QD QC/4S 5S 6S"), None)[0] == masks(K1[1])


@pytest.mark.parametrize(
    ("melds", "message"),
    [
        ("4S 5S 6S/QH QD", "expected a set or a run of three cards or more, got QD QH as a meld"),
        ("4S 5S 6S/QH QD KC", "expected a set or a run of three cards or more, got QD QH KC as a meld"),
        ("4S 5S 6S 7S/QH QD QC", "expected melds of cards held, got 7S in 4S 5S 6S 7S"),
        ("4S 5S 6S/4S 5S 6S/QH QD QC", "expected every card in one meld at most, got 4S 5S 6S in two"),
        ("QH QD QC", r"expected at most 10 unmatched to knock, got 25 \(AC 2D 3C 4H 4S 5S 6S\)"),
        ("", "expected at most 10 unmatched to knock, got 55"),
    ],
)
def test_melds_that_cannot_be_laid_down(melds: str, message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        Show(K1[0], melds, G1.defender).score()
    if "knock" not in message:
        with pytest.raises(IllegalAction, match=message):
            defend(HOUSE, masks("9S TS JS"), 5, mask(K1[0]), masks(melds), None)


def test_no_meld_is_empty() -> None:
    with pytest.raises(IllegalAction, match="got no card as a meld"):
        declare(HOUSE, 10, mask(K1[0]), (0,))


@pytest.mark.parametrize(
    ("show", "message"),
    [
        (Show(*K1, G2.defender, None, "TS"), "expected lay-offs of cards held, got TS"),
        (Show(*K1, G2.defender, None, "8S"), "expected lay-offs that fit the knocker's melds, got 8S"),
        (Show(*K1, G2.defender, None, "7S 8S 9C"), "expected lay-offs that fit the knocker's melds, got 9C"),
        (Show(*K1, "7S 8S 9S KS KD KH 2H 3H 9D 9C", "7S 8S 9S", "7S"), "not used in own melds, got 7S"),
        (Show(*K5, G5.defender, None, "8S"), "expected no lay-offs against a gin, got 8S"),
        (Show(*K5, G5.defender, "KS KD KH", "8S"), "expected no lay-offs against a gin, got 8S"),
    ],
)
def test_lay_offs_that_cannot_be_made(show: Show, message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        show.score()


def test_no_lay_offs_can_be_chosen_and_given_against_a_gin() -> None:
    check(Show(*K1, G2.defender, None, "").score(), ResultKind.KNOCK, 38, 10, 48)
    check(Show(*K5, G5.defender, None, "").score(), ResultKind.GIN, 70, 0, 45)


def test_fewer_lay_offs_than_fit_are_legal() -> None:
    result = Show(*K1, G2.defender, None, "7S").score()
    check(result, ResultKind.KNOCK, 31, 10, 41)
    assert mask_text(result.layoffs) == "7S"


def test_declared_melds_are_completed_by_the_best_lay_offs() -> None:
    check(Show(*K1, G2.defender, "").score(), ResultKind.KNOCK, 43, 10, 53)
    check(Show(G8.knocker, G8.melds, G8.defender, "3C 3D 3H 3S").score(), ResultKind.UNDERCUT, 11, 10, 9)


def test_declared_lay_offs_are_completed_by_the_best_melds() -> None:
    result = Show(G8.knocker, G8.melds, G8.defender, None, "8D 9D").score()
    check(result, ResultKind.KNOCK, 16, 10, 26)
    assert result.defender_melds == masks("3C 3D 3H 3S")


def test_min_first_holds_for_declared_arrangements_too() -> None:
    rules = Rules(defence="min_first")
    message = r"expected melds that leave the minimum of 19 \(defence: min_first\), got 43 \(AD 8C 8D 8H 9C 9D\)"
    with pytest.raises(IllegalAction, match=message):
        Show(G8.knocker, G8.melds, G8.defender, "3C 3D 3H 3S").score(rules)
    with pytest.raises(IllegalAction, match="expected melds that leave the minimum of 19"):
        Show(G8.knocker, G8.melds, G8.defender, None, "8D 9D").score(rules)
    check(Show(G8.knocker, G8.melds, G8.defender, "8C 8D 8H/3C 3D 3H 3S").score(rules), ResultKind.KNOCK, 9, 10, 19)


def test_min_first_lets_the_arena_choose_the_minimum_that_lays_off_best() -> None:
    rules = Rules(defence="min_first")
    jacks_or_clubs = "JC QC KC JD JH 2C 2H 4S 9S AD"
    result = Show(G8.knocker, G8.melds, jacks_or_clubs).score(rules)
    check(result, ResultKind.KNOCK, 18, 10, 28)
    assert (result.defender_melds, mask_text(result.layoffs)) == (masks("JC JD JH"), "KC")
    check(Show(G8.knocker, G8.melds, jacks_or_clubs, "JC QC KC").score(rules), ResultKind.KNOCK, 28, 10, 38)


def test_the_knocker_may_sit_in_either_position() -> None:
    for show, winner in ((G1, 1), (G4, 0), (G5, 1)):
        result = showdown(HOUSE, 10, 1, 1, mask(show.knocker), None, mask(show.defender))
        assert (result.knocker, result.winner) == (1, winner)
