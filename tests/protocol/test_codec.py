"""The codec loses nothing of what it writes, and lets nothing pass that is no action."""

from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bot import Turn as BotTurn
from arena.cards import FULL_DECK, cards_of
from arena.errors import MalformedDecision
from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.actions import PASS, Action, ActionKind, defend, discard, knock
from arena.rules.notices import GameOver, HandOver, Setup, position_of
from arena.rules.result import ResultKind
from arena.rules.view import Advice, Frame, GameKind, HandView, Role, Scores, Turn, TurnKind

MAX_CARD = 51
card = st.integers(0, MAX_CARD)
hand = st.integers(0, FULL_DECK).map(lambda mask: cards_of(mask)[:11])
uint32 = st.integers(0, 2**32 - 1)
fixed64 = st.integers(0, 2**64 - 1)
points = st.tuples(st.integers(0, 400), st.integers(0, 400))
view = st.builds(
    HandView,
    kind=st.sampled_from(TurnKind),
    position=st.just(0),
    hand=hand,
    drawn=st.none() | card,
    discard_pile=hand,
    opponent_known=hand,
    stock=st.integers(2, 31),
    history=st.binary(max_size=80),
    legal=st.lists(st.sampled_from(ActionKind), max_size=3).map(tuple),
    discards=st.integers(1, FULL_DECK).map(cards_of),
    deadwood=hand,
    knocks=hand,
    knocker_melds=st.lists(hand, max_size=3).map(tuple),
    knocker_unmatched=hand,
)
scores = st.builds(Scores, points, points, st.just(()), st.just(())) | st.builds(
    Scores, points, points, st.tuples(points, points, points), st.tuples(st.booleans(), st.booleans(), st.booleans())
)
advice = st.builds(
    Advice, st.builds(Action, st.sampled_from(ActionKind), st.none() | card), st.text(max_size=codec.MAX_TEXT)
)
frame = st.builds(
    Frame,
    game_id=st.integers(1, 2),  # few, so that frames which differ in little else meet
    hand_number=st.integers(1, 2),
    role=st.sampled_from(Role),
    scores=scores,
    limit=st.integers(0, 10),
    multiplier=st.integers(1, 2),
    upcard=card,
    decision_ms=st.sampled_from((0, 100)),
)
turns = st.builds(
    Turn,
    id=fixed64,
    frame=frame,
    view=view,
    seed=fixed64,
    advising=st.booleans(),
    advice=st.none() | advice,
)
setup = Setup(GameKind.GIN, False, {}, True)
mask = st.sets(card, max_size=5).map(lambda cards: sum(1 << card for card in cards))


@settings(max_examples=50)
@given(st.lists(st.tuples(turns, uint32), max_size=3))
def test_a_bot_reads_each_turn_of_a_request_as_the_arena_wrote_it(written: list[tuple[Turn, int]]) -> None:
    request = pb.PlayRequest()
    for turn, bank_ms in written:
        codec.add_turn(request, turn, bank_ms)
    messages = pb.PlayRequest.FromString(request.SerializeToString()).turns
    assert len(messages) == len(written)
    for message, (turn, bank_ms) in zip(messages, written, strict=True):
        read = BotTurn(message, setup)
        for field in HandView._fields[2:]:
            assert getattr(read, field) == getattr(turn.view, field), field
        for shared in fields(Frame):
            assert getattr(read, shared.name) == getattr(turn.frame, shared.name), shared
        assert (read.id, read.advising, read.advice, read.bank_ms) == (turn.id, turn.advising, turn.advice, bank_ms)
        assert (read.kind, read.position) == (turn.view.kind, position_of(turn.frame.role))
        assert message.seed == turn.seed


@st.composite
def actions(draw: st.DrawFn) -> Action:
    """Any action whose parts belong to its kind, its melds disjoint."""
    kind = draw(st.sampled_from(ActionKind))
    melds: list[int] | None = None
    if draw(st.booleans()) and kind in (ActionKind.KNOCK, ActionKind.BIG_GIN, ActionKind.DEFEND):
        melds = []
        for _ in range(draw(st.integers(0, codec.MAX_MELDS))):
            melds.append(draw(mask) & ~sum(melds))
    return Action(
        kind,
        draw(card) if kind in (ActionKind.DISCARD, ActionKind.KNOCK) else None,
        None if melds is None else tuple(melds),
        draw(st.none() | mask) if kind is ActionKind.DEFEND else None,
    )


@given(st.lists(st.tuples(fixed64, actions(), st.text(max_size=codec.MAX_TEXT)), max_size=4))
def test_the_arena_reads_each_decision_as_a_bot_wrote_it(written: list[tuple[int, Action, str]]) -> None:
    response = pb.PlayResponse()
    for turn_id, action, text in written:
        codec.add_decision(response, turn_id, action, text)
    read = pb.PlayResponse.FromString(response.SerializeToString()).decisions
    assert [(d.turn_id, codec.read_decision(d), codec.read_text(d)) for d in read] == written


notices = st.builds(
    HandOver,
    game_id=fixed64,
    hand_number=uint32,
    role=st.sampled_from(Role),
    end=st.sampled_from(ResultKind),
    points=st.integers(-400, 400),
    history=st.binary(max_size=80),
    totals=points,
    knocked=st.booleans(),
    knocker_melds=st.lists(hand, max_size=3).map(tuple),
    knocker_unmatched=hand,
    defender_melds=st.lists(hand, max_size=3).map(tuple),
    layoffs=hand,
    defender_unmatched=hand,
)


@given(notices, st.tuples(st.integers(-1000, 1000), st.integers(0, 1000)))
def test_a_bot_reads_notices_as_the_arena_wrote_them(notice: HandOver, totals: tuple[int, ...]) -> None:
    request = pb.PlayRequest()
    codec.add_hand_over(request, notice)
    codec.add_game_over(request, GameOver(notice.game_id, totals))
    read = pb.PlayRequest.FromString(request.SerializeToString())
    assert codec.read_hand_over(read.hands_over[0]) == notice
    assert codec.read_game_over(read.games_over[0]) == GameOver(notice.game_id, totals)


MALFORMED = {
    "no action": (pb.Decision(turn_id=1), "expected an action from 1 to 8, got 0"),
    "unknown action": (pb.Decision.FromString(b"\x10\x63"), "expected an action from 1 to 8, got 99"),
    "negative action": (
        pb.Decision.FromString(b"\x10" + b"\xff" * 9 + b"\x01"),
        "expected an action from 1 to 8, got -1",
    ),
    "discard of nothing": (pb.Decision(action=pb.ACTION_DISCARD), "expected a card with the action, got none"),
    "knock with nothing": (pb.Decision(action=pb.ACTION_KNOCK), "expected a card with the action, got none"),
    "card 52": (pb.Decision(action=pb.ACTION_DISCARD, card=52), "expected a card from 0 to 51, got 52"),
    "knock card 2^32-1": (pb.Decision(action=pb.ACTION_KNOCK, card=2**32 - 1), "a card from 0 to 51, got 4294967295"),
    "meld of card 52": (
        pb.Decision(action=pb.ACTION_KNOCK, card=1, melds=pb.Melds(melds=[b"\x02\x03\x34"])),
        "expected cards in melds from 0 to 51, each once, got 3C 4C 52",
    ),
    "card twice in a meld": (
        pb.Decision(action=pb.ACTION_BIG_GIN, melds=pb.Melds(melds=[b"\x02\x02\x03"])),
        "each once, got 3C 3C 4C",
    ),
    "card in two melds": (
        pb.Decision(action=pb.ACTION_DEFEND, melds=pb.Melds(melds=[b"\x00\x01\x02", b"\x02\x0f\x1c"])),
        "each once, got AC 2C 3C 3C 3D 3H",
    ),
    "six melds": (
        pb.Decision(action=pb.ACTION_DEFEND, melds=pb.Melds(melds=[b""] * 6)),
        "expected at most 5 melds, got 6",
    ),
    "huge meld": (
        pb.Decision(action=pb.ACTION_DEFEND, melds=pb.Melds(melds=[b"\x01" * 100_000])),
        "expected at most 52 cards in melds, got 100000",
    ),
    "layoff twice": (
        pb.Decision(action=pb.ACTION_DEFEND, layoffs=b"\x01\x01"),
        "expected cards to lay off from 0 to 51, each once, got 2C 2C",
    ),
    "layoff of card 255": (pb.Decision(action=pb.ACTION_DEFEND, layoffs=b"\xff"), "each once, got 255"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_what_is_no_action_is_refused_with_what_was_expected(case: str) -> None:
    decision, message = MALFORMED[case]
    with pytest.raises(MalformedDecision) as error:
        codec.read_decision(decision)
    assert message in str(error.value)
    assert str(error.value) == f"expected {error.value.expected}, got {error.value.got}"


decisions = st.builds(
    pb.Decision,
    action=st.integers(0, 8),
    card=st.none() | st.integers(0, 60) | uint32,
    melds=st.none() | st.builds(pb.Melds, melds=st.lists(st.binary(max_size=6), max_size=7)),
    layoffs=st.none() | st.binary(max_size=60),
)


@given(decisions)
def test_any_message_is_an_action_or_malformed(decision: pb.Decision) -> None:
    try:
        action = codec.read_decision(decision)
    except MalformedDecision:
        return
    assert int(action.kind) == decision.action
    assert action.card is None or action.card <= MAX_CARD
    melds = action.melds or ()
    assert sum(melds) | (action.layoffs or 0) <= FULL_DECK
    assert len(melds) <= codec.MAX_MELDS
    assert len(b"".join(cards_of(meld) for meld in melds)) == sum(melds).bit_count()


def test_fields_that_do_not_belong_to_the_action_are_ignored() -> None:
    stray = pb.Melds(melds=[b"\xff"])
    assert codec.read_decision(pb.Decision(action=pb.ACTION_PASS, card=99, melds=stray, layoffs=b"\xff")) is PASS
    assert codec.read_decision(pb.Decision(action=pb.ACTION_DISCARD, card=7, melds=stray)) == discard(7)
    assert codec.read_decision(pb.Decision(action=pb.ACTION_KNOCK, card=7, layoffs=b"\xff")) == knock(7)
    assert codec.read_decision(pb.Decision(action=pb.ACTION_DEFEND, card=99)) == defend()


def test_the_first_card_is_told_from_no_card() -> None:
    assert codec.read_decision(pb.Decision(action=pb.ACTION_DISCARD, card=0)) == discard(0)


def test_text_is_cut() -> None:
    assert codec.read_text(pb.Decision(text="é" * 300)) == "é" * codec.MAX_TEXT


@pytest.mark.parametrize("kind", [pb.ACTION_KNOCK, pb.ACTION_BIG_GIN, pb.ACTION_DEFEND])
def test_an_action_is_a_copy_that_no_later_change_of_the_message_reaches(kind: pb.Action.ValueType) -> None:
    melds = [bytes([0, 1, 2]), bytes([13, 14, 15])]
    decision = pb.Decision(turn_id=1, action=kind, card=50, melds=pb.Melds(melds=melds), layoffs=bytes([3, 16]))
    action = codec.read_decision(decision)
    assert action.melds == (0b111, 0b111 << 13)
    before, told = hash(action), str(action)
    melds[0] = bytes([9, 10, 11])
    decision.melds.melds[0] = bytes([9, 10, 11])
    del decision.melds.melds[1]
    decision.card, decision.layoffs = 7, bytes([40])
    assert (hash(action), str(action)) == (before, told)
    decision.Clear()
    assert (hash(action), str(action)) == (before, told)
    with pytest.raises(AttributeError):
        action.melds = ()  # type: ignore[misc]
