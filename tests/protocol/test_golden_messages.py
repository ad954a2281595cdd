"""One message of each kind, kept as text under golden/: a change on the wire cannot go unseen.

A golden file that is wanted but missing, or there but not wanted, fails; the message as it should stand in the file is
printed.
"""

from dataclasses import fields, replace
from pathlib import Path

import pytest
from google.protobuf import text_format
from google.protobuf.message import Message

from arena.bot import Turn as BotTurn
from arena.cards import mask_of, parse_card, parse_cards
from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.actions import (
    PASS,
    PILE,
    STOCK,
    TAKE,
    Action,
    ActionKind,
    big_gin,
    defend,
    discard,
    knock,
)  # fmt: skip
from arena.rules.notices import GameOver, HandOver, Setup
from arena.rules.result import ResultKind
from arena.rules.view import Advice, Frame, GameKind, HandView, Role, Scores, Turn, TurnKind

GOLDEN = Path(__file__).parent / "golden"

TEN = parse_cards("AC 2C 3C 9C 4D 5H 6H 7H KH KS")
ELEVEN = parse_cards("AC 2C 3C 9C 4D QD 5H 6H 7H KH KS")
HISTORY = bytes((0x01, 255, 0x12, parse_card("QD"), 0x15, parse_card("JD"), 0x03, 255, 0x05, parse_card("TS")))
KNOCKER_MELDS = (parse_cards("4S 5S 6S"), parse_cards("QC QD QH"))

UPCARD = HandView(
    kind=TurnKind.UPCARD,
    position=0,
    hand=TEN,
    drawn=None,
    discard_pile=parse_cards("QD"),
    opponent_known=b"",
    stock=31,
    history=b"",
    legal=(ActionKind.PASS, ActionKind.TAKE),
    deadwood=bytes((33,)),
)
DRAW = UPCARD._replace(
    kind=TurnKind.DRAW,
    position=1,
    discard_pile=parse_cards("JD TS"),
    stock=30,
    history=HISTORY,
    legal=(ActionKind.STOCK, ActionKind.PILE),
)
DISCARD = DRAW._replace(
    kind=TurnKind.DISCARD,
    hand=ELEVEN,
    drawn=parse_card("QD"),
    opponent_known=parse_cards("2S 3S"),
    legal=(ActionKind.DISCARD, ActionKind.KNOCK),
    discards=ELEVEN.replace(parse_cards("QD"), b""),
    deadwood=bytes((43, 43, 43, 34, 39, 43, 43, 43, 33, 33)),
    knocks=parse_cards("KH"),
)
DEFEND = DRAW._replace(
    kind=TurnKind.DEFEND,
    legal=(ActionKind.DEFEND,),
    knocker_melds=KNOCKER_MELDS,
    knocker_unmatched=parse_cards("AC 3C 2D"),
)
NONDEALER = Frame(
    game_id=0x112233445566,
    hand_number=3,
    role=Role.NONDEALER,
    scores=Scores(totals=(42, 17), hands_won=(2, 1)),
    limit=10,
    multiplier=1,
    upcard=parse_card("QD"),
)
THREE_HAND = replace(NONDEALER, role=Role.CAPTAIN, scores=Scores((42, 17, 0), (2, 1, 0)))
HOLLYWOOD = Scores((90, 112), (2, 1), ((60, 105), (30, 7), (0, 0)), (False, True, True))
GIN = Turn(id=0x1122334455667788, frame=NONDEALER, view=UPCARD, seed=0xFEDCBA9876543210)
DEALER = GIN._replace(frame=replace(NONDEALER, role=Role.DEALER))
CAPTAIN = GIN._replace(frame=THREE_HAND)
ADVISER = GIN._replace(frame=replace(THREE_HAND, role=Role.OUT), advising=True)

TURNS = {
    "turn_upcard": GIN,
    "turn_draw": DEALER._replace(view=DRAW),
    "turn_draw_last_discard": DEALER._replace(view=DRAW._replace(stock=2, legal=(ActionKind.PILE, ActionKind.PASS))),
    "turn_discard": DEALER._replace(view=DISCARD),
    "turn_discard_without_hints": DEALER._replace(view=DISCARD._replace(deadwood=b"", knocks=b"")),
    "turn_discard_big_gin": DEALER._replace(view=DISCARD._replace(legal=(*DISCARD.legal, ActionKind.BIG_GIN))),
    "turn_defend": DEALER._replace(view=DEFEND),
    "turn_oklahoma_gin_only": GIN._replace(frame=replace(NONDEALER, limit=0, multiplier=2, upcard=parse_card("AS"))),
    "turn_hollywood": GIN._replace(frame=replace(NONDEALER, scores=HOLLYWOOD)),
    "turn_timed": GIN._replace(frame=replace(NONDEALER, decision_ms=100)),
    "turn_captain": CAPTAIN._replace(advice=Advice(TAKE, "it makes a run")),
    "turn_captain_discard": CAPTAIN._replace(view=DISCARD._replace(position=0), advice=Advice(knock(parse_card("KH")))),
    "turn_box": GIN._replace(frame=replace(THREE_HAND, role=Role.BOX), view=DRAW),
    "turn_adviser": ADVISER,
    "turn_adviser_public": ADVISER._replace(view=DISCARD._replace(position=0, deadwood=b"", knocks=b"").public()),
}
BANKS_MS = {"turn_timed": 4700}

SHOWDOWN = HandOver(
    game_id=0x112233445566,
    hand_number=3,
    role=Role.DEALER,
    end=ResultKind.KNOCK,
    points=19,
    history=HISTORY,
    totals=(61, 17),
    knocked=True,
    knocker_melds=KNOCKER_MELDS,
    knocker_unmatched=parse_cards("AC 3C 2D 4H"),
    defender_melds=(parse_cards("KD KH KS"),),
    layoffs=parse_cards("7S"),
    defender_unmatched=parse_cards("2C 3C TC 6D 2H 6H"),
)
HANDS_OVER = {
    "hand_over_knock": SHOWDOWN,
    "hand_over_gin": SHOWDOWN._replace(end=ResultKind.GIN, knocker_unmatched=b"", layoffs=b""),
    "hand_over_big_gin": SHOWDOWN._replace(end=ResultKind.BIG_GIN, role=Role.BOX, knocker_unmatched=b"", layoffs=b""),
    "hand_over_undercut": SHOWDOWN._replace(end=ResultKind.UNDERCUT, points=-17, totals=(42, 34)),
    "hand_over_tie": SHOWDOWN._replace(end=ResultKind.TIE, points=0, totals=(42, 17)),
    "hand_over_wall": HandOver(0x112233445566, 3, Role.CAPTAIN, ResultKind.WALL, 0, HISTORY, (42, 17, 0)),
    "hand_over_forfeit": HandOver(0x112233445566, 3, Role.OUT, ResultKind.FORFEIT, -58, HISTORY, (0, 42, 75)),
}
GAME_OVER = GameOver(game_id=0x112233445566, totals=(304, -122))
SETUP = Setup(GameKind.OKLAHOMA, True, {"gin_bonus": "25", "undercut_on_tie": "true", "shutout": "none"}, True)

DECISIONS = {
    "decision_pass": (PASS, ""),
    "decision_take": (TAKE, ""),
    "decision_stock": (STOCK, ""),
    "decision_pile": (PILE, ""),
    "decision_discard": (discard(0), ""),
    "decision_knock": (knock(51), ""),
    "decision_knock_with_melds": (knock(51, tuple(mask_of(meld) for meld in KNOCKER_MELDS)), ""),
    "decision_big_gin": (big_gin(), ""),
    "decision_big_gin_with_melds": (big_gin((mask_of(KNOCKER_MELDS[1]),)), ""),
    "decision_defend": (defend(), ""),
    "decision_defend_with_all": (defend((mask_of(KNOCKER_MELDS[0]),), mask_of(parse_cards("7S 8S"))), ""),
    "decision_defend_with_nothing": (defend((), 0), ""),
    "decision_advice": (discard(51), "the king is safe"),
}


def turn_message(name: str) -> pb.PlayRequest:
    request = pb.PlayRequest()
    codec.add_turn(request, TURNS[name], BANKS_MS.get(name, 0))
    return request


def hand_over_message(notice: HandOver) -> pb.PlayRequest:
    request = pb.PlayRequest()
    codec.add_hand_over(request, notice)
    return request


def game_over_message() -> pb.PlayRequest:
    request = pb.PlayRequest()
    codec.add_game_over(request, GAME_OVER)
    return request


def decision_message(action: Action, text: str) -> pb.PlayResponse:
    response = pb.PlayResponse()
    codec.add_decision(response, 0x1122334455667788, action, text)
    return response


def no_advice_message() -> pb.PlayResponse:
    response = pb.PlayResponse()
    codec.add_no_advice(response, 0x1122334455667788)
    return response


MESSAGES: dict[str, Message] = (
    {name: turn_message(name) for name in TURNS}
    | {name: hand_over_message(notice) for name, notice in HANDS_OVER.items()}
    | {name: decision_message(*decision) for name, decision in DECISIONS.items()}
    | {
        "setup": codec.setup_message(*SETUP),
        "game_over": game_over_message(),
        "decision_no_advice": no_advice_message(),
    }
)


def golden(name: str) -> Message:
    return text_format.Parse((GOLDEN / f"{name}.txtpb").read_text(), type(MESSAGES[name])())


@pytest.mark.parametrize("name", MESSAGES)
def test_codec_writes_the_golden_message(name: str) -> None:
    message = MESSAGES[name]
    path = GOLDEN / f"{name}.txtpb"
    assert path.exists(), text_format.MessageToString(message)
    assert golden(name) == message, text_format.MessageToString(message)


def test_no_golden_message_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(MESSAGES)


def test_every_kind_has_a_golden_message() -> None:
    assert {turn.view.kind for turn in TURNS.values()} == set(TurnKind)
    assert {turn.frame.role for turn in TURNS.values()} == set(Role)
    assert {kind for turn in TURNS.values() for kind in turn.view.legal} == set(ActionKind)
    assert {notice.end for notice in HANDS_OVER.values()} == set(ResultKind)
    assert {notice.role for notice in HANDS_OVER.values()} == set(Role) - {Role.NONDEALER}
    assert {action.kind for action, _ in DECISIONS.values()} == set(ActionKind)


@pytest.mark.parametrize("name", DECISIONS)
def test_arena_reads_the_golden_decision(name: str) -> None:
    response = golden(name)
    assert isinstance(response, pb.PlayResponse)
    (decision,) = response.decisions
    assert (codec.read_decision(decision), codec.read_text(decision)) == DECISIONS[name]


@pytest.mark.parametrize("name", TURNS)
def test_bot_reads_the_golden_turn(name: str) -> None:
    request = golden(name)
    assert isinstance(request, pb.PlayRequest)
    turn, want = BotTurn(request.turns[0], SETUP), TURNS[name]
    for field in fields(Frame):
        assert getattr(turn, field.name) == getattr(want.frame, field.name), field
    assert (turn.id, turn.advising, turn.advice) == (want.id, want.advising, want.advice)
    assert turn.bank_ms == BANKS_MS.get(name, 0)
    for name_in_view in HandView._fields:
        assert getattr(turn, name_in_view) == getattr(want.view, name_in_view), name_in_view


@pytest.mark.parametrize("name", HANDS_OVER)
def test_bot_reads_the_golden_notice_of_a_hand(name: str) -> None:
    request = golden(name)
    assert isinstance(request, pb.PlayRequest)
    assert codec.read_hand_over(request.hands_over[0]) == HANDS_OVER[name]


def test_bot_reads_the_golden_notice_of_a_game() -> None:
    request = golden("game_over")
    assert isinstance(request, pb.PlayRequest)
    assert codec.read_game_over(request.games_over[0]) == GAME_OVER


def test_bot_reads_the_golden_setup() -> None:
    setup = golden("setup")
    assert isinstance(setup, pb.Setup)
    assert codec.read_setup(setup) == SETUP
