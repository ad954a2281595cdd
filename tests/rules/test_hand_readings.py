"""The readings A3 to A17 and Oklahoma in play, the worked examples G16 to G18 and O1 to O7, and forfeits."""

import pytest
from hands import DULL, deck, finished, play, refusal, stall, started

from arena.cards import cards_text, mask_of, parse_card, parse_cards
from arena.errors import IllegalAction
from arena.rules.actions import ActionKind
from arena.rules.hand import Hand
from arena.rules.handstate import Phase
from arena.rules.options import Rules
from arena.rules.result import HandResult, ResultKind
from arena.rules.view import TurnKind

# The hands of G1.
LEAVES_10, G1_DEFENDER = "4S 5S 6S QH QD QC 2D 3C 4H AC", "KS KD KH 2H 2C 3S 6D 6C 3H TC"

PILE, PASS, KNOCK, BIG_GIN = ActionKind.PILE, ActionKind.PASS, ActionKind.KNOCK, ActionKind.BIG_GIN
WALL = HandResult(ResultKind.WALL)


def drawn(hand: Hand) -> str:
    """The card that the position to act has just taken."""
    card = hand.view(hand.to_act, hints=False).drawn
    assert card is not None
    return cards_text([card])


def pile(hand: Hand) -> str:
    return cards_text(hand.view(hand.to_act, hints=False).discard_pile)


# A3: the card just taken from the pile.


def test_g17_a3_the_card_taken_from_the_pile_may_not_be_discarded() -> None:
    hand = started(text="pass; pass; discard 9D; pile", draws="9D", upcard="KD", dealer=LEAVES_10)
    held = "AC 3C QC 2D QD 4H QH 4S 5S 6S"
    message = f"expected discard of {held}, but not 9D, just taken from the pile, got discard 9D"
    assert refusal(hand, "discard 9D") == message
    assert refusal(hand, "knock 9D") == message.replace("discard", "knock")
    view = hand.view(1, hints=True)
    assert cards_text(view.discards) == held
    assert parse_card("9D") not in view.knocks


def test_a3_the_upcard_taken_in_the_opening_may_not_be_discarded() -> None:
    assert "but not 9D" in refusal(started(text="take", nondealer=DULL, upcard="9D"), "discard 9D")


def test_a3_a_card_taken_in_an_earlier_turn_may_be_discarded() -> None:
    hand = started(text="take; discard KH; stock", nondealer=DULL, upcard="9D", dealer_draws="TS")
    assert pile(play(hand, "discard TS; stock; discard 9D")) == "KH TS 9D"


def test_a3_with_return_taken_allow_the_card_may_go_back() -> None:
    hand = started(Rules(return_taken="allow"), "take", nondealer=DULL, upcard="9D")
    assert parse_card("9D") in hand.view(0, hints=False).discards
    assert pile(play(hand, "discard 9D")) == "9D"


# G18, 1.1.4, A8: two cards left in the stock.


def test_g18_a_discard_without_a_knock_that_leaves_two_stock_cards_is_the_wall() -> None:
    hand = stall(started(text="take; discard KH", nondealer=DULL, upcard="9D"), 3)
    play(hand, f"discard {drawn(hand)}; stock")
    assert hand.view(1, hints=False).stock == 2
    play(hand, f"discard {drawn(hand)}")
    assert (hand.result, hand.phase) == (WALL, Phase.WALL)


def test_g18_a_knock_after_the_last_draw_scores_normally() -> None:
    hand = stall(started(text="take; discard KS", nondealer=G1_DEFENDER, upcard="9D", dealer=LEAVES_10), 2)
    play(hand, f"knock {drawn(hand)}; defend")
    assert (finished(hand).winner, finished(hand).kind) == (1, ResultKind.KNOCK)


def test_1_1_4_twenty_nine_cards_are_drawn_before_the_wall() -> None:
    hand = stall(started(text="take; discard KH", nondealer=DULL, upcard="9D"), 2)
    play(hand, f"discard {drawn(hand)}")
    assert [head & 15 for head in hand.moves[::2]].count(ActionKind.STOCK) == 29


TWO_KINGS = "4S 5S 6S QH QD QC 2D AC KD KH"  # 23 unmatched; 1 with a third king and without the 2D


def at_the_last_discard(rules: Rules, dealer: str, last: str) -> Hand:
    """A hand in which the non-dealer has discarded `last`, and two stock cards are left."""
    hand = started(rules, "pass; pass", nondealer=f"{last} 5H 7S 9C 2S 4C 7D TC 8C 5D", dealer=dealer, upcard="JS")
    stall(play(hand, f"discard {drawn(hand)}"), 2)
    return play(hand, f"discard {last}")


def test_a8_by_default_nobody_may_take_the_last_discard() -> None:
    assert at_the_last_discard(Rules(), TWO_KINGS, "KS").result == WALL


def test_a8_with_knock_only_the_last_discard_may_be_taken_to_knock_with_it() -> None:
    hand = at_the_last_discard(Rules(wall_last_discard="knock_only"), TWO_KINGS, "KS")
    for hints in (False, True):
        view = hand.view(1, hints)
        assert (view.kind, view.legal) == (TurnKind.DRAW, (PILE, PASS))
    assert refusal(hand, "stock") == "expected pile or pass, got stock"
    play(hand, "pile")
    for hints in (False, True):
        view = hand.view(1, hints)
        assert (view.kind, view.legal) == (TurnKind.DISCARD, (KNOCK,))
        assert len(view.discards) == 10
    assert cards_text(hand.view(1, hints=True).knocks) == "AC 2D"
    assert refusal(hand, "discard 2D") == "expected knock, got discard 2D"
    assert refusal(hand, "knock KD").startswith("expected at most 10 unmatched to knock, got 23")
    assert refusal(hand, "knock KS").startswith("expected knock of")
    play(hand, "knock 2D; defend")
    assert (finished(hand).winner, finished(hand).knocker_deadwood) == (1, 1)


def test_a8_leaving_the_last_discard_is_the_wall() -> None:
    hand = play(at_the_last_discard(Rules(wall_last_discard="knock_only"), TWO_KINGS, "KS"), "pass")
    assert (hand.result, hand.phase) == (WALL, Phase.WALL)
    assert hand.moves[-2:] == bytes((1 << 4 | PASS, 255))


@pytest.mark.parametrize(("last", "limit"), [("TH", 10), ("KS", 0)])
def test_a8_the_last_discard_is_offered_only_to_a_player_who_can_knock_with_it(last: str, limit: int) -> None:
    rules = Rules(wall_last_discard="knock_only", knock_limit=limit)
    assert at_the_last_discard(rules, TWO_KINGS, last).result == WALL


def test_a8_a3_a_player_who_could_knock_without_it_may_take_it_only_where_it_may_go_back() -> None:
    rules = Rules(wall_last_discard="knock_only")
    assert at_the_last_discard(rules, LEAVES_10, "KS").result == WALL
    rules = Rules(wall_last_discard="knock_only", return_taken="allow")
    hand = play(at_the_last_discard(rules, LEAVES_10, "KS"), "pile; knock KS; defend")
    assert finished(hand).knocker_deadwood == 10


def test_a8_a10_the_last_discard_may_also_complete_a_big_gin() -> None:
    rules = Rules(wall_last_discard="knock_only", big_gin=31)
    hand = play(at_the_last_discard(rules, "3S 4S 5S 6S QH QD QC KD KH KC", "KS"), "pile")
    for hints in (False, True):
        assert hand.view(1, hints).legal == (KNOCK, BIG_GIN)
    assert finished(play(hand, "big_gin; defend")).kind is ResultKind.BIG_GIN


# A10: eleven melded cards.

G16 = {
    "nondealer": "4S 5S 6S 7S QH QD QC 2S 2H 2D",
    "draws": "2C",
    "dealer": "KS KD KH 8S 9S QS AS 3H 3D JC",
    "upcard": "TH",
}


def test_g16_without_big_gin_a_card_must_be_discarded() -> None:
    hand = started(text="pass; pass", **G16)
    assert hand.view(0, hints=True).legal == (ActionKind.DISCARD, KNOCK)
    assert refusal(hand, "big_gin").startswith("expected a discard")
    play(hand, "knock 2C; defend")
    assert (finished(hand).kind, finished(hand).points) == (ResultKind.GIN, 69)


@pytest.mark.parametrize(("bonus", "points"), [(31, 75), (50, 94)])
def test_g16_a10_big_gin_is_declared_instead_of_a_discard(bonus: int, points: int) -> None:
    hand = started(Rules(big_gin=bonus), "pass; pass", **G16)
    for hints in (False, True):
        assert hand.view(0, hints).legal == (ActionKind.DISCARD, KNOCK, BIG_GIN)
    play(hand, "big_gin")
    view = hand.view(1, hints=False)
    assert [cards_text(meld) for meld in view.knocker_melds] == ["2C 2D 2H 2S", "4S 5S 6S 7S", "QC QD QH"]
    assert (view.knocker_unmatched, cards_text(view.discard_pile)) == (b"", "TH")
    assert view.history[-2:] == bytes((BIG_GIN, 255))
    assert refusal(hand, "defend: / 8S").startswith("expected no lay-offs")
    play(hand, "defend")
    assert (finished(hand).kind, finished(hand).points) == (ResultKind.BIG_GIN, points)


def test_a10_big_gin_needs_all_eleven_cards_melded() -> None:
    hand = started(Rules(big_gin=31), "pass; pass", nondealer=LEAVES_10, draws="JH")
    assert BIG_GIN in hand.view(0, hints=False).legal
    assert BIG_GIN not in hand.view(0, hints=True).legal
    assert refusal(hand, "big_gin").startswith("expected all eleven cards in melds for a big gin, got")


# A13: taking and discarding without end.

NEEDS_A_KING = "4S 5S 6S QH QD QC 2D 3C KD KC"


def test_a13_the_discard_after_the_last_allowed_pick_is_the_wall() -> None:
    text = "take; discard KH; pile; discard 2D"
    cards = {"nondealer": DULL, "upcard": "9D", "dealer": NEEDS_A_KING}
    assert started(Rules(max_discard_picks=3), text, **cards).result is None
    assert started(Rules(max_discard_picks=2), text, **cards).result == WALL
    assert started(Rules(max_discard_picks=1), "take; discard KH", **cards).result == WALL


def test_a13_a_knock_after_the_last_allowed_pick_scores() -> None:
    text = "take; discard KH; pile; knock 3C; defend"
    hand = started(Rules(max_discard_picks=2), text, nondealer=DULL, upcard="9D", dealer=NEEDS_A_KING)
    assert finished(hand).knocker_deadwood == 2


def test_a13_ends_an_exchange_of_two_cards_that_may_go_back() -> None:
    hand = started(Rules(return_taken="allow"), "take; discard 9D", nondealer=DULL, upcard="9D")
    picks = 1
    while hand.result is None:
        play(hand, "pile; discard 9D")
        picks += 1
    assert (picks, hand.result) == (50, WALL)


# A17: the ends of the stock.


@pytest.mark.parametrize(("stock", "second"), [("two_ended", 51), ("top", 22)])
def test_a17_the_dealer_draws_from_the_back_or_both_from_the_front(stock: str, second: int) -> None:
    cards = deck()
    hand = Hand(Rules(stock=stock), cards)
    assert parse_card(drawn(play(hand, "pass; pass"))) == cards[21]
    assert parse_card(drawn(play(hand, f"discard {drawn(hand)}; stock"))) == cards[second]


# A4: a tie.


def test_g3_a4_a_tie_scores_nothing_where_it_is_no_undercut() -> None:
    cards = {"nondealer": LEAVES_10, "dealer": "KS KD KH 8D 8C 8H 7S QS 4D 6H", "draws": "JH"}
    hand = started(Rules(undercut_on_tie=False), "pass; pass; knock JH; defend", **cards)
    assert (finished(hand).kind, finished(hand).winner, finished(hand).points) == (ResultKind.TIE, None, 0)
    assert finished(started(text="pass; pass; knock JH; defend", **cards)).points == 10


# Oklahoma.

UPCARD_LIMIT = Rules(knock_limit="upcard", spade_doubles=True)


def test_o1_a_count_at_the_upcards_value_may_knock() -> None:
    cards = {"nondealer": "4S 5S 6S QH QD QC 9H 9D 9C 5H", "dealer": G1_DEFENDER, "upcard": "5D", "draws": "JH"}
    hand = started(UPCARD_LIMIT, "pass; pass; knock JH; defend", **cards)
    assert (finished(hand).winner, finished(hand).points) == (0, 24)


def test_o2_a_count_above_the_upcards_value_may_not_knock() -> None:
    hand = started(UPCARD_LIMIT, "pass; pass", nondealer=LEAVES_10, dealer=G1_DEFENDER, upcard="5D", draws="JH")
    assert refusal(hand, "knock JH").startswith("expected at most 5 unmatched to knock, got 10")
    assert hand.view(0, hints=True).knocks == b""


@pytest.mark.parametrize(("upcard", "nondealer", "dealer", "points"), [
    pytest.param("6S", "QH QD QC JH JD JC 7C 7D 7H 5C", "KS KD KH 2H 2C 3S 5D 6C 9S AH", 46, id="O5"),
    pytest.param("JS", LEAVES_10, "KS KD KH 7S 8S QS 2H 3H 9D 9C", 26, id="O6"),
    pytest.param("TS", LEAVES_10, "KS KD KH 8D 8C 8H 7S QS 2H AH", 34, id="O7"),
])  # fmt: skip
def test_a_spade_upcard_doubles_the_hand(upcard: str, nondealer: str, dealer: str, points: int) -> None:
    cards = {"nondealer": nondealer, "dealer": dealer, "upcard": upcard, "draws": "TH"}
    hand = started(UPCARD_LIMIT, "pass; pass; knock TH", **cards)
    assert hand.multiplier == 2
    assert finished(play(hand, "defend")).points == points


@pytest.mark.parametrize(("upcard", "limit"), [("2D", 2), ("TC", 10), ("JC", 10), ("KH", 10), ("AD", 0)])
def test_the_upcard_sets_the_limit_for_both_players_whoever_takes_it(upcard: str, limit: int) -> None:
    hand = started(UPCARD_LIMIT, upcard=upcard)
    assert (hand.limit, hand.multiplier, hand.deal.upcard) == (limit, 1, parse_card(upcard))
    play(hand, "pass; take")
    assert hand.limit == limit


def test_an_ace_as_upcard_is_gin_only_or_one() -> None:
    gin, one, two = ({"nondealer": f"4S 5S 6S QH QD QC 9H 9D 9C {last}", "draws": "JH"} for last in ("9S", "AH", "2H"))
    assert play(started(UPCARD_LIMIT, "pass; pass", upcard="AD", **gin), "knock JH").phase is Phase.DEFEND
    assert "at most 0" in refusal(started(UPCARD_LIMIT, "pass; pass", upcard="AD", **one), "knock JH")
    rules = Rules(knock_limit="upcard", ace="one")
    assert play(started(rules, "pass; pass", upcard="AD", **one), "knock JH").phase is Phase.DEFEND
    assert "at most 1" in refusal(started(rules, "pass; pass", upcard="AD", **two), "knock JH")


# A forfeit: the opponent scores as if gone gin. DULL leaves 57.


def forfeited(winner: int, points: int, deadwood: int, melds: tuple[int, ...] = ()) -> HandResult:
    return HandResult(ResultKind.FORFEIT, winner, points, winner, 0, deadwood, melds)


@pytest.mark.parametrize("text", ["", "pass", "take; discard KS; stock", "take; discard KS; stock; discard KD"])
def test_a_forfeit_gives_the_gin_bonus_and_the_deadwood_of_all_cards_held(text: str) -> None:
    cards = {"nondealer": "KS 2C 3C 5D 8D 9H QH QS 6S 7C", "dealer": DULL, "upcard": "TC", "dealer_draws": "KD"}
    hand = started(text=text, **cards)
    held = 67 if text.endswith("stock") else 57
    assert hand.forfeit(1) == forfeited(0, 25 + held, held)
    assert (hand.result, hand.phase) == (forfeited(0, 25 + held, held), Phase.SCORED)


def test_a_forfeit_of_the_player_not_to_act_counts_as_well() -> None:
    assert started(Rules(gin_bonus=20), nondealer=DULL, text="pass").forfeit(0) == forfeited(1, 77, 57)


def test_a_forfeit_is_doubled_where_the_hand_is() -> None:
    assert started(Rules(spade_doubles=True), nondealer=DULL, upcard="TS").forfeit(0) == forfeited(1, 164, 57)


def test_a_forfeit_against_a_knock_keeps_what_was_laid_down() -> None:
    melds = (mask_of(parse_cards("4S 5S 6S")), mask_of(parse_cards("QC QD QH")))
    cards = {"nondealer": LEAVES_10, "dealer": G1_DEFENDER, "draws": "JH"}
    assert started(text="pass; pass; knock JH", **cards).forfeit(1) == forfeited(0, 25 + 32, 32, melds)
    assert started(text="pass; pass; knock JH", **cards).forfeit(0) == forfeited(1, 25 + 10, 10)


def test_a_forfeit_against_a_big_gin_is_no_cheaper_than_an_answer() -> None:
    for bonus in (1, 31):
        hand = started(Rules(big_gin=bonus), "pass; pass; big_gin", **G16)
        assert hand.forfeit(1).points == max(bonus, 25) + 44


def test_a_hand_that_is_over_cannot_be_forfeited() -> None:
    hand = started(text="pass; pass; knock JH; defend", nondealer=LEAVES_10, draws="JH")
    result = hand.result
    with pytest.raises(IllegalAction, match="nothing more in a hand that is over, got a forfeit of the dealer"):
        hand.forfeit(1)
    assert hand.result is result
