"""Fuzzed: what a bot answers, from the bytes of a message to a hand that moves or does not."""

from functools import cache
from random import Random

from fuzz.target import Target, check_message
from hands import everything, random_play

from arena.dealer.values import AdviceRecord, HandRecord
from arena.errors import IllegalAction, MalformedDecision
from arena.players.connection import BrokenError, _response, _take
from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.records import notation
from arena.rules.actions import ActionKind
from arena.rules.game import Roles
from arena.rules.hand import Hand
from arena.rules.options import Rules
from arena.rules.result import HandResult, ResultKind
from arena.rules.view import HandView


def decision_target() -> Target:
    """Answers to turns at all sorts of moments."""
    return Target(_check_decision, _decisions(), ())


_PLAYED_BY = (
    Rules(),
    Rules(knock_limit=40, big_gin=31, wall_last_discard="knock_only", undercut_on_tie=False),
    Rules(defence="min_first", return_taken="allow", knock_limit=40, stock="top"),
)


@cache
def _states() -> tuple[Hand, ...]:
    """Hands at all sorts of moments; the turn of each has its place here as its id."""
    states = []
    for number in range(24):
        hand = Hand(_PLAYED_BY[number % 3], Random(number).sample(range(52), 52))
        seen = set()
        for _ in random_play(hand, number):
            if hand.phase not in seen or Random(len(hand.moves)).random() < 0.1:
                states.append(hand.copy())
            seen.add(hand.phase)
    return tuple(states)


@cache
def _decisions() -> tuple[bytes, ...]:
    """What bots answer: a decision on each of the turns, alone and by the dozen."""
    answers = []
    for number, state in enumerate(_states()):
        for declared in (False, True):
            response = pb.PlayResponse()
            response.decisions.append(_decision(number, state.view(state.to_act, hints=True), declared=declared))
            answers.append(response.SerializeToString())
    dozens = [b"".join(answers[start : start + 24 : 2]) for start in range(0, len(answers), 24)]
    return (*answers, *dozens)


def _decision(number: int, view: HandView, *, declared: bool) -> pb.Decision:
    kind = view.legal[-1]
    decision = pb.Decision(turn_id=number, action=pb.Action.Value(f"ACTION_{kind.name}"), text="hi \u2660")
    if kind in (ActionKind.DISCARD, ActionKind.KNOCK):
        decision.card = (view.knocks or view.discards)[-1]
    if declared and kind in (ActionKind.KNOCK, ActionKind.BIG_GIN, ActionKind.DEFEND):
        decision.melds.CopyFrom(pb.Melds(melds=[view.hand[:3], view.hand[3:7]]))
    if declared and kind is ActionKind.DEFEND:
        decision.layoffs = view.hand[7:]
    return decision


def _check_decision(data: bytes) -> None:
    """What comes of an answer: nothing of it is taken or all of it, and a hand moves as the rules say or not at all."""
    pending = set(range(len(_states())))
    decisions: dict[int, pb.Decision] = {}
    try:
        _take(_response(data), pending, decisions)
    except BrokenError as broken:
        check_message(f"expected decisions, but it {broken.deed}", longest=120)
        assert len(pending) == len(_states())
        assert not decisions
        return
    assert pending.isdisjoint(decisions)
    assert len(pending) + len(decisions) == len(_states())
    for number, decision in decisions.items():
        _check_action(_states()[number], decision)


def _check_action(state: Hand, decision: pb.Decision) -> None:
    try:
        action = codec.read_decision(decision)
    except MalformedDecision as error:
        check_message(str(error))
        return
    given, kept = str(action), pb.Decision.FromString(decision.SerializeToString())
    decision.melds.melds[:] = [bytes(range(9))] * 9
    decision.layoffs, decision.card = bytes(range(52)), 51
    assert str(action) == given, "what is read hangs on the message"
    decision = kept
    again = pb.PlayResponse()
    text = codec.read_text(decision)
    codec.add_decision(again, decision.turn_id, action, text)
    (read,) = pb.PlayResponse.FromString(again.SerializeToString()).decisions
    assert (codec.read_decision(read), codec.read_text(read)) == (action, text)
    check_message(f"expected {action}")
    hand, twin = state.copy(), state.copy()
    try:
        hand.apply(action)
    except IllegalAction as error:
        check_message(str(error))
        assert everything(hand) == everything(state)
        return
    twin.apply(action)
    assert everything(hand) == everything(twin) != everything(state)
    deck = hand.deal._deck
    advice = (AdviceRecord(len(state.moves) // 2, action, text),)
    record = HandRecord(1, Roles(0, 1, 2), bytes(deck), bytes(hand.moves), advice, hand.result or _WALL)
    assert notation.decode(notation.encode(record)) == record


_WALL = HandResult(ResultKind.WALL)
