"""The decision points D1 to D8 of a hand, in play, and the worked examples that need more than a showdown."""

from collections.abc import Iterable

import pytest
from hands import DULL, deck, finished, play, refusal, started

from arena.cards import cards_text, mask_of, parse_card, parse_cards
from arena.errors import CardError, IllegalAction
from arena.rules.actions import Action, ActionKind
from arena.rules.hand import Hand
from arena.rules.options import Rules
from arena.rules.result import HandResult, ResultKind
from arena.rules.view import HIDDEN, TurnKind

# The hands of G1 and G13: a knocker's that leave ten and eleven, a defender's; and those of a gin.
LEAVES_10 = "4S 5S 6S QH QD QC 2D 3C 4H AC"
LEAVES_11 = "4S 5S 6S QH QD QC 2D 3C 4H 2C"
DEFENDER = "KS KD KH 2H 2C 3S 6D 6C 3H TC"
GIN = "4S 5S 6S 7S QH QD QC 2S 2H 2D"

PASS, TAKE, STOCK, PILE = ActionKind.PASS, ActionKind.TAKE, ActionKind.STOCK, ActionKind.PILE
DISCARD, KNOCK, BIG_GIN, DEFEND = ActionKind.DISCARD, ActionKind.KNOCK, ActionKind.BIG_GIN, ActionKind.DEFEND


def asked(hand: Hand) -> tuple[int, TurnKind, tuple[ActionKind, ...]]:
    view = hand.view(hand.to_act, hints=False)
    return view.position, view.kind, view.legal


def pile(hand: Hand) -> str:
    return cards_text(hand.view(hand.to_act, hints=False).discard_pile)


# D1, D2: the opening.


def test_d1_the_nondealer_is_asked_first_whether_it_takes_the_upcard() -> None:
    assert asked(started()) == (0, TurnKind.UPCARD, (PASS, TAKE))


@pytest.mark.parametrize("text", ["stock", "pile", "discard KS", "knock KS", "big_gin", "defend"])
def test_d1_nothing_but_pass_or_take_opens_a_hand(text: str) -> None:
    assert refusal(started(), text) == f"expected pass or take, got {text}"


def test_d2_the_dealer_is_asked_after_the_nondealer_has_passed() -> None:
    hand = started(text="pass")
    assert asked(hand) == (1, TurnKind.UPCARD, (PASS, TAKE))
    assert refusal(hand, "pile") == "expected pass or take, got pile"


def test_1_1_1_a_turn_that_takes_the_upcard_is_a_complete_turn() -> None:
    hand = started(text="take", nondealer=DULL, upcard="9D")
    assert asked(hand) == (0, TurnKind.DISCARD, (DISCARD, KNOCK))
    assert asked(play(hand, "discard KH")) == (1, TurnKind.DRAW, (STOCK, PILE))


def test_1_1_2_after_the_dealer_took_the_upcard_the_nondealer_has_a_normal_turn() -> None:
    hand = started(text="pass; take", dealer=DULL, upcard="9D")
    assert asked(hand) == (1, TurnKind.DISCARD, (DISCARD, KNOCK))
    assert asked(play(hand, "discard KH")) == (0, TurnKind.DRAW, (STOCK, PILE))


def test_1_1_3_two_passes_force_the_nondealer_to_draw_and_leave_the_upcard_in_the_pile() -> None:
    hand = started(text="pass; pass", nondealer=DULL, upcard="9D", draws="TS")
    view = hand.view(0, hints=False)
    assert (view.kind, view.drawn, view.stock) == (TurnKind.DISCARD, parse_card("TS"), 30)
    assert pile(play(hand, "discard KH")) == "9D KH"


# D3: the draw.


def test_d3_the_stock_gives_its_next_card() -> None:
    hand = started(text="pass; pass; discard KH; stock", nondealer=DULL, upcard="9D", dealer_draws="8H")
    view = hand.view(1, hints=False)
    assert (view.drawn, view.stock, pile(hand)) == (parse_card("8H"), 29, "9D KH")


def test_d3_the_pile_gives_its_top() -> None:
    hand = started(text="pass; pass; discard KH; pile", nondealer=DULL, upcard="9D", dealer_draws="8H")
    view = hand.view(1, hints=False)
    assert (view.drawn, view.stock, pile(hand)) == (parse_card("KH"), 30, "9D")


@pytest.mark.parametrize("text", ["pass", "take", "discard AC", "knock AC", "big_gin", "defend"])
def test_d3_nothing_but_stock_or_pile_is_a_draw(text: str) -> None:
    hand = started(text="pass; pass; discard KH", nondealer=DULL)
    assert refusal(hand, text) == f"expected stock or pile, got {text}"


# D4: the discard.


@pytest.mark.parametrize("text", ["pass", "take", "stock", "pile", "defend"])
def test_d4_a_draw_is_followed_by_nothing_but_a_discard_or_a_knock(text: str) -> None:
    assert refusal(started(text="take"), text) == f"expected discard or knock, got {text}"


@pytest.mark.parametrize("kind", [DISCARD, KNOCK])
@pytest.mark.parametrize("card", [None, -1, 52, 255, 300, parse_card("QS")])
def test_d4_a_card_that_is_not_held_cannot_be_discarded(kind: ActionKind, card: int | None) -> None:
    hand = started(text="take", nondealer=DULL, upcard="9D")
    held = "AC 4C 9C 3D 6D JD 5H KH 2S 7S, but not 9D"
    with pytest.raises(IllegalAction, match=f"expected {kind.name.lower()} of {held}, just taken from the pile, got"):
        hand.apply(Action(kind, card))
    assert asked(hand) == (0, TurnKind.DISCARD, (DISCARD, KNOCK))


def test_1_1_5_a_card_drawn_from_the_stock_may_be_discarded_at_once() -> None:
    hand = started(text="pass; pass; discard TS", nondealer=DULL, upcard="9D", draws="TS")
    assert pile(hand) == "9D TS"


# D5, D6: the knock and its melds.


def test_g13_a_knock_that_leaves_eleven_is_refused() -> None:
    hand = started(text="pass; pass", nondealer=LEAVES_11, draws="KS")
    assert refusal(hand, "knock KS") == "expected at most 10 unmatched to knock, got 11 (2C 2D 3C 4H)"


def test_d5_a_knock_that_leaves_ten_is_legal_on_the_first_turn_already() -> None:
    hand = started(text="pass; pass; knock JH", nondealer=LEAVES_10, draws="JH")
    assert asked(hand) == (1, TurnKind.DEFEND, (DEFEND,))


def test_1_1_5_a_dealt_gin_cannot_be_declared_before_drawing() -> None:
    hand = started(Rules(big_gin=31), nondealer=GIN)
    assert refusal(hand, "knock 4S") == "expected pass or take, got knock 4S"
    assert refusal(hand, "big_gin") == "expected pass or take, got big_gin"


def test_d6_declared_melds_need_not_be_the_best_but_must_leave_no_more_than_the_limit() -> None:
    nondealer = "4S 5S 6S 7S QH QD QC AC 2D 2H"
    hand = started(text="pass; pass", nondealer=nondealer, draws="JH")
    assert refusal(hand, "knock JH: 4S 5S 6S") == (
        "expected at most 10 unmatched to knock, got 42 (AC 2D 2H 7S QC QD QH)"
    )
    assert refusal(hand, "knock JH: 4S 5S 6S 7S, 4S 5S 6S").endswith("4S 5S 6S in two")
    assert refusal(hand, "knock 2H: 4S 5S 6S, QH QD QC").startswith("expected at most 10 unmatched to knock, got 20")
    play(hand, "knock JH: QH QD QC, 4S 5S 6S 7S")
    assert hand.melds == (mask_of(parse_cards("4S 5S 6S 7S")), mask_of(parse_cards("QH QD QC")))


def test_a15_the_knocker_lays_down_before_the_defender_answers() -> None:
    hand = started(text="pass; pass; knock JH", nondealer=LEAVES_10, dealer=DEFENDER, draws="JH")
    view = hand.view(1, hints=False)
    assert [cards_text(meld) for meld in view.knocker_melds] == ["4S 5S 6S", "QC QD QH"]
    assert cards_text(view.knocker_unmatched) == "AC 3C 2D 4H"
    assert view.hand == bytes(sorted(parse_cards(DEFENDER)))
    assert view.discard_pile[-1] == parse_card("JH")


# D7, D8: the defence.


def test_d7_d8_what_the_defender_leaves_out_is_chosen_best() -> None:
    hand = started(text="pass; pass; knock JH; defend", nondealer=LEAVES_10, dealer=DEFENDER, draws="JH")
    # G1: the kings laid down, the three of spades laid off, 2H 2C 3H 6C 6D TC left.
    assert hand.result == HandResult(
        ResultKind.KNOCK,
        winner=0,
        points=19,
        knocker=0,
        knocker_deadwood=10,
        defender_deadwood=29,
        melds=hand.melds,
        defender_melds=(mask_of(parse_cards("KD KH KS")),),
        layoffs=mask_of(parse_cards("3S")),
    )


def test_d7_d8_what_the_defender_declares_counts() -> None:
    cards = {"nondealer": LEAVES_10, "dealer": DEFENDER, "draws": "JH"}
    hand = started(text="pass; pass; knock JH; defend: KS KD KH /", **cards)
    assert finished(hand).layoffs == 0
    assert finished(hand).points == 22
    hand = started(text="pass; pass; knock JH; defend: / 3S", **cards)
    assert finished(hand).defender_melds == ()
    assert finished(hand).points == 49


@pytest.mark.parametrize(
    "text", ["defend: KS KD QH", "defend: KS KD KH, KS KD KH", "defend: / 6D", "defend: KS KD KH / KS", "defend: / JC"]
)
def test_d7_d8_an_illegal_defence_is_refused_and_asked_again(text: str) -> None:
    hand = started(text="pass; pass; knock JH", nondealer=LEAVES_10, dealer=DEFENDER, draws="JH")
    assert refusal(hand, text).startswith("expected ")
    assert finished(play(hand, "defend")).points == 19


@pytest.mark.parametrize("text", ["pass", "take", "stock", "pile", "discard KS", "knock KS", "big_gin"])
def test_d7_a_knock_is_answered_by_nothing_but_a_defence(text: str) -> None:
    hand = started(text="pass; pass; knock JH", nondealer=LEAVES_10, dealer=DEFENDER, draws="JH")
    assert refusal(hand, text) == f"expected defend, got {text}"


def test_a7_a_gin_too_is_answered_by_a_defence_but_without_lay_offs() -> None:
    hand = started(text="pass; pass; knock JH", nondealer=GIN, dealer="KS KD KH 8S 9S QS 3S 3H 3D JC", draws="JH")
    assert asked(hand) == (1, TurnKind.DEFEND, (DEFEND,))
    assert refusal(hand, "defend: / 8S") == "expected no lay-offs against a gin, got 8S"
    play(hand, "defend")
    assert (finished(hand).kind, finished(hand).points) == (ResultKind.GIN, 25 + 37)


def test_the_dealer_can_knock_and_be_undercut() -> None:
    hand = started(
        text="take; discard TH; stock; knock JH; defend",
        nondealer="KS KD KC 8D 8C 8H 7S QS 2H TH",
        upcard="AH",
        dealer=LEAVES_10,
        dealer_draws="JH",
    )
    result = finished(hand)
    assert (result.kind, result.winner, result.knocker, result.points) == (ResultKind.UNDERCUT, 0, 1, 17)


# The end, and what a hand is made of.


@pytest.mark.parametrize("text", ["pass", "take", "stock", "pile", "discard KS", "knock KS", "big_gin", "defend"])
def test_nothing_more_can_be_done_in_a_hand_that_is_over(text: str) -> None:
    hand = started(text="pass; pass; knock JH; defend", nondealer=LEAVES_10, draws="JH")
    before = hand.result, bytes(hand.moves)
    with pytest.raises(IllegalAction, match=f"expected nothing more in a hand that is over, got {text}"):
        play(hand, text)
    assert (hand.result, bytes(hand.moves)) == before
    with pytest.raises(ValueError, match="the dealer has nothing to decide"):
        hand.view(1, hints=False)


def test_only_the_position_to_act_has_a_view() -> None:
    with pytest.raises(ValueError, match="the dealer has nothing to decide"):
        started().view(1, hints=False)


@pytest.mark.parametrize("wrong", [range(51), range(53), [0, *range(51)], [*range(51), 52], [*range(51), -1]])
def test_a_deck_that_is_not_the_52_cards_is_refused(wrong: Iterable[int]) -> None:
    with pytest.raises(CardError, match="expected a deck of 52 different cards"):
        Hand(Rules(), list(wrong))


def test_the_history_shows_what_both_saw_and_the_moves_show_all() -> None:
    hand = started(
        text="pass; pass; discard TS; pile; discard AC; stock; discard 8H",
        nondealer=DULL.replace("AC", "TC"),
        dealer="AC 2C 5C 8C JC 3S 6S 9S QS KD",
        upcard="9D",
        draws="TS 8H",
    )
    words = "n:pass d:pass n+TS n-TS d<TS d-AC n+8H n-8H"
    kinds = {":pass": PASS, "+": STOCK, "-": DISCARD, "<": PILE}
    moves = bytearray()
    for word in words.split():
        sign = next(sign for sign in kinds if word[1:].startswith(sign))
        card = word[1 + len(sign) :]
        moves += bytes(("nd".index(word[0]) << 4 | kinds[sign], parse_card(card) if card else HIDDEN))
    assert hand.moves == moves
    shown = bytearray(moves)
    shown[5] = shown[13] = HIDDEN
    assert hand.view(1, hints=False).history == shown


def test_a_view_tells_which_cards_the_opponent_is_known_to_hold() -> None:
    hand = started(text="take; discard KH", nondealer=DULL, upcard="9D", dealer_draws="TS")
    assert cards_text(hand.view(1, hints=False).opponent_known) == "9D"
    play(hand, "pile; discard 2C")
    assert cards_text(hand.view(0, hints=False).opponent_known) == "KH"
    play(hand, "stock; discard 9D")
    assert hand.view(1, hints=False).opponent_known == b""


def test_hints_tell_what_each_discard_leaves_and_which_of_them_knock() -> None:
    hand = started(text="take", nondealer=LEAVES_11, upcard="AC")
    view = hand.view(0, hints=True)
    assert cards_text(view.discards) == "2C 3C QC 2D QD 4H QH 4S 5S 6S"
    # AC 2C 3C, 4S 5S 6S and the queens are melds; 2D and 4H are left.
    assert view.deadwood == bytes((10, 9, 26, 4, 26, 2, 26, 17, 16, 15))
    assert cards_text(view.knocks) == "2C 3C 2D 4H"
    assert view.legal == (DISCARD, KNOCK)


def test_hints_leave_out_the_knock_where_none_is_possible() -> None:
    view = started(text="take", nondealer=DULL, upcard="9D").view(0, hints=True)
    assert (view.knocks, view.legal) == (b"", (DISCARD,))


def test_hints_tell_the_deadwood_held_at_every_other_decision() -> None:
    hand = started(nondealer=LEAVES_10, dealer=DEFENDER, upcard="9D", draws="JH")
    assert hand.view(0, hints=True).deadwood == bytes((10,))
    assert play(hand, "pass").view(1, hints=True).deadwood == bytes((32,))
    assert play(hand, "pass; knock JH").view(1, hints=True).deadwood == bytes((32,))
    drawing = started(text="take; discard KH", nondealer=DULL, dealer=LEAVES_11, upcard="9D")
    assert drawing.view(1, hints=True).deadwood == bytes((11,))


def test_the_deck_is_dealt_to_places() -> None:
    cards = bytes(range(51, -1, -1))
    hand = Hand(Rules(), cards)
    view = hand.view(0, hints=False)
    assert view.hand == bytes(range(42, 52))
    assert (hand.deal.upcard, view.discard_pile, view.stock) == (cards[20], cards[20:21], 31)
    assert deck() == bytes(range(52))
