"""What holds in every hand, whatever the deck, the rules and the play."""

from copy import deepcopy
from random import Random

import pytest
from hands import everything, finished, random_play, replay
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cards import mask_of
from arena.errors import IllegalAction
from arena.rules.actions import Action, ActionKind
from arena.rules.hand import Hand
from arena.rules.handstate import Phase
from arena.rules.options import Rules
from arena.rules.result import ResultKind
from arena.rules.view import HIDDEN, HandView, TurnKind

SEEDS = st.integers(0, 2**32 - 1)
DECKS = SEEDS.map(lambda seed: bytes(Random(seed).sample(range(52), 52)))
RULES = st.builds(
    Rules,
    return_taken=st.sampled_from(["forbid", "allow"]),
    undercut_on_tie=st.booleans(),
    defence=st.sampled_from(["free", "min_first"]),
    wall_last_discard=st.sampled_from(["none", "knock_only"]),
    big_gin=st.sampled_from(["none", 31]),
    knock_limit=st.sampled_from([0, 10, 40, "upcard"]),
    ace=st.sampled_from(["gin_only", "one"]),
    spade_doubles=st.booleans(),
    max_discard_picks=st.sampled_from([1, 5, 50]),
    stock=st.sampled_from(["two_ended", "top"]),
)

every_hand = given(rules=RULES, deck=DECKS, seed=SEEDS)


def few(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, derandomize=True)


def stock_of(hand: Hand) -> bytes:
    """The cards left in the stock, worked out from the deck and the moves."""
    drawn = {hand.moves[at + 1] for at in range(0, len(hand.moves), 2) if hand.moves[at] & 15 == ActionKind.STOCK}
    return bytes(card for card in hand.deal._deck[21:] if card not in drawn)


@every_hand
@few(60)
def test_every_card_is_in_one_place_at_every_state(rules: Rules, deck: bytes, seed: int) -> None:
    hand = Hand(rules, deck)

    def check() -> None:
        hands = hand.deal.hands
        assert sorted([*hands[0], *hands[1], *hand.deal.pile, *stock_of(hand)]) == list(range(52))
        assert len(stock_of(hand)) == hand.deal.stock >= 2
        for position in (0, 1):
            eleven = position == hand.to_act and hand.phase in (Phase.DISCARD, Phase.MUST_KNOCK)
            big_gin = bytes((position << 4 | ActionKind.BIG_GIN, HIDDEN)) in (hand.moves[-2:], hand.moves[-4:-2])
            assert len(hands[position]) == (11 if eleven or big_gin else 10)
            assert hands[position] == bytes(sorted(hands[position]))
            assert hand.deal.masks[position] == mask_of(hands[position])
            assert set(hand.deal.known[position]) <= set(hands[position])

    check()
    for _ in random_play(hand, seed):
        check()
    check()


@every_hand
@few(60)
def test_every_hand_ends_and_one_side_scores_or_none(rules: Rules, deck: bytes, seed: int) -> None:
    hand = Hand(rules, deck)
    decisions = sum(1 for _ in random_play(hand, seed))
    # Two in the opening, two a turn, of which there is one for every card drawn or picked, and the defence.
    assert decisions <= 2 + 2 * (29 + rules.max_discard_picks + 1) + 1
    result = finished(hand)
    assert (result.winner is None) == (result.points == 0) == (result.kind in (ResultKind.WALL, ResultKind.TIE))
    assert result.points >= 0
    assert result.points % hand.multiplier == 0
    if result.winner is not None:
        assert (result.winner == result.knocker) == (result.kind is not ResultKind.UNDERCUT)
    assert (hand.phase is Phase.WALL) == (result.kind is ResultKind.WALL)


@every_hand
@few(60)
def test_a_replay_equals_the_original(rules: Rules, deck: bytes, seed: int) -> None:
    dice = Random(seed)
    hand = Hand(rules, deck)
    for _ in random_play(hand, seed):
        if dice.random() < 0.03:
            break
    if hand.result is None:
        hand.forfeit(dice.randrange(2))
    again = replay(rules, deck, bytes(hand.moves), finished(hand))
    assert everything(again) == everything(hand)


@every_hand
@few(40)
def test_an_action_is_taken_exactly_if_the_hints_allow_it_and_else_changes_nothing(
    rules: Rules, deck: bytes, seed: int
) -> None:
    dice = Random(seed)
    hand = Hand(rules, deck)
    for _ in random_play(hand, seed):
        if dice.random() < 0.7:
            continue
        view = hand.view(hand.to_act, hints=True)
        before = everything(hand)
        for kind in ActionKind:
            with_card = kind in (ActionKind.DISCARD, ActionKind.KNOCK)
            for card in (dice.choice(view.hand), dice.choice(view.hand), dice.randrange(52)) if with_card else (None,):
                action = Action(kind, card)
                if allows(view, action):
                    deepcopy(hand).apply(action)
                else:
                    with pytest.raises(IllegalAction):
                        hand.apply(action)
                    assert everything(hand) == before, action


def allows(view: HandView, action: Action) -> bool:
    """Whether a view with hints shows an action to be legal."""
    cards = {ActionKind.DISCARD: view.discards, ActionKind.KNOCK: view.knocks}.get(action.kind)
    return action.kind in view.legal and (cards is None or (action.card is not None and action.card in cards))


@every_hand
@few(40)
def test_no_view_depends_on_a_card_that_its_player_has_not_seen(rules: Rules, deck: bytes, seed: int) -> None:
    dice = Random(seed)
    hand = Hand(rules, deck)
    actions: list[Action] = []
    views: tuple[list[HandView], list[HandView]] = ([], [])
    for action in random_play(hand, seed):
        position = hand.to_act
        views[position].append(hand.view(position, hints=True))
        if dice.random() < 0.15:
            other = Hand(rules, permuted(hand, position, dice))
            assert views_of(other, position, actions) == views[position]
        actions.append(action)


def permuted(hand: Hand, position: int, dice: Random) -> bytes:
    """The deck with the cards shuffled that `position` has not seen, in the places where they were dealt."""
    unseen = set(stock_of(hand))
    if hand.phase is not Phase.DEFEND:
        unseen |= set(hand.deal.hands[1 - position]) - set(hand.deal.known[1 - position])
    deck = bytearray(hand.deal._deck)
    places = [place for place in range(52) if deck[place] in unseen]
    cards = [deck[place] for place in places]
    dice.shuffle(cards)
    for place, card in zip(places, cards, strict=True):
        deck[place] = card
    return bytes(deck)


def views_of(hand: Hand, position: int, actions: list[Action]) -> list[HandView]:
    """What `position` sees at each of its decisions while these actions are played, and at the one after them."""
    seen = []
    for action in actions:
        if hand.to_act == position:
            seen.append(hand.view(position, hints=True))
        hand.apply(action)
    return [*seen, hand.view(position, hints=True)]


@every_hand
@few(60)
def test_without_hints_a_view_tells_nothing_about_a_knock(rules: Rules, deck: bytes, seed: int) -> None:
    hand = Hand(rules, deck)
    discarding = (ActionKind.DISCARD, ActionKind.KNOCK, ActionKind.BIG_GIN)[: 2 if rules.big_gin == "none" else 3]
    for _ in random_play(hand, seed):
        view, hinted = (hand.view(hand.to_act, hints) for hints in (False, True))
        assert view == hinted._replace(deadwood=b"", knocks=b"", legal=view.legal)
        assert set(hinted.legal) <= set(view.legal)
        if view.kind is TurnKind.DISCARD:
            assert view.legal == (discarding if hand.phase is Phase.DISCARD else discarding[1:])


@every_hand
@few(40)
def test_a_forfeit_earns_the_opponent_no_less_than_any_answer(rules: Rules, deck: bytes, seed: int) -> None:
    hand = Hand(rules, deck)
    for _ in random_play(hand, seed):
        if hand.phase is Phase.DEFEND:
            knocker = 1 - hand.to_act
            forfeit = deepcopy(hand).forfeit(hand.to_act)
            hand.apply(Action(ActionKind.DEFEND))
            result = finished(hand)
            assert forfeit.winner == knocker
            assert forfeit.points >= (result.points if result.winner == knocker else 0)
            return


def test_the_random_play_reaches_every_phase_and_every_end() -> None:
    phases, ends = set(), set()
    dice = Random(7)
    rules = [
        Rules(knock_limit=40, big_gin=31, wall_last_discard="knock_only", undercut_on_tie=False),
        Rules(wall_last_discard="knock_only", undercut_on_tie=False, big_gin=31, return_taken="allow"),
    ]
    for number in range(200):
        hand = Hand(rules[number % 2], dice.sample(range(52), 52))
        for _ in random_play(hand, number):
            phases.add(hand.phase)
        phases.add(hand.phase)
        ends.add(finished(hand).kind)
    assert phases == set(Phase)
    assert ends >= set(ResultKind) - {ResultKind.FORFEIT, ResultKind.BIG_GIN}
