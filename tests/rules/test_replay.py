"""A recorded hand is played again exactly, and a record that does not follow from its deck is refused."""

from dataclasses import replace
from random import Random

import pytest
from hands import deck, everything, finished, random_play, replay, started

from arena.cards import mask_of, parse_cards
from arena.errors import RecordError
from arena.rules.actions import ActionKind
from arena.rules.hand import Hand
from arena.rules.options import Rules
from arena.rules.replay import replay_steps
from arena.rules.result import HandResult, ResultKind

CARDS = {
    "nondealer": "4S 5S 6S QH QD QC 2D 3C 4H AC",
    "dealer": "KS KD KH 2H 2C 3S 6D 6C 3H TC",
    "upcard": "9D",
    "draws": "JH",
    "dealer_draws": "7S",
}
# Neither side lays down its best: the knocker could have added the 3S to the run, the defender have laid off the 7S.
TEXT = "pass; pass; discard JH; stock; discard 3S; pile; knock 4H: 4S 5S 6S, QH QD QC; defend: KS KD KH /"


def played() -> Hand:
    return started(text=TEXT, **CARDS)


def moves_with(changes: dict[int, bytes]) -> bytes:
    """The moves of `played`, with other bytes for some of them (numbered from 0); an empty one is left out."""
    moves = bytes(played().moves)
    return b"".join(changes.get(at // 2, moves[at : at + 2]) for at in range(0, len(moves), 2))


def test_a_replay_takes_the_melds_and_lay_offs_from_the_result() -> None:
    hand = played()
    assert everything(replay(Rules(), deck(**CARDS), bytes(hand.moves), finished(hand))) == everything(hand)


def test_the_steps_are_the_states_before_each_decision_and_the_end() -> None:
    hand = played()
    states = [
        (len(step.moves) // 2, step.to_act if step.result is None else None)
        for step in replay_steps(Rules(), deck(**CARDS), bytes(hand.moves), finished(hand))
    ]
    # The forced draw, move 2, is nobody's decision.
    assert states == [(0, 0), (1, 1), (3, 0), (4, 1), (5, 1), (6, 0), (7, 0), (8, 1), (9, None)]


def test_a_part_of_the_moves_gives_the_hand_at_that_point() -> None:
    hand = played()
    part = replay(Rules(), deck(**CARDS), bytes(hand.moves[:12]), finished(hand))
    assert (part.result, part.to_act, part.moves) == (None, 0, hand.moves[:12])


def test_a_big_gin_is_replayed() -> None:
    cards = {"nondealer": "4S 5S 6S 7S QH QD QC 2S 2H 2D", "draws": "2C"}
    hand = started(Rules(big_gin=31), "pass; pass; big_gin; defend", **cards)
    assert everything(replay(Rules(big_gin=31), deck(**cards), bytes(hand.moves), finished(hand))) == everything(hand)


def test_a_forfeit_comes_after_the_last_move() -> None:
    hand = started(text="pass; pass; knock JH", **CARDS)
    hand.forfeit(1)
    again = replay(Rules(), deck(**CARDS), bytes(hand.moves), finished(hand))
    assert everything(again) == everything(hand)


def test_a_forfeit_of_a_knocker_whose_melds_are_not_recorded_is_replayed() -> None:
    hand = started(text="pass; pass; knock JH", **CARDS)
    result = hand.forfeit(0)
    assert replay(Rules(), deck(**CARDS), bytes(hand.moves), result).result == result


STOCK, DISCARD, PASS, DEFEND = ActionKind.STOCK, ActionKind.DISCARD, ActionKind.PASS, ActionKind.DEFEND
JH, TC, KC = 36, 9, 12


@pytest.mark.parametrize(("changes", "message"), [
    ({0: bytes((16 | PASS, 255))}, "move 1: expected nondealer pass, got dealer pass"),
    ({0: bytes((PASS, 7))}, "move 1: expected nondealer pass, got nondealer pass 8C"),
    ({0: bytes((STOCK, JH))}, "move 1: expected pass or take, got stock"),
    ({0: bytes((15, 255))}, "move 1: 15 is not a valid ActionKind"),
    ({2: b""}, "move 3: expected nondealer stock JH, got nondealer discard JH"),
    ({2: bytes((STOCK, KC))}, "move 3: expected nondealer stock JH, got nondealer stock KC"),
    ({2: bytes((0xF0 | STOCK, JH))}, "move 3: expected nondealer stock JH, got the bytes f324"),
    ({3: bytes((DISCARD, KC))}, "move 4: expected discard of AC 3C QC 2D QD 4H JH QH 4S 5S 6S, got discard KC"),
    ({3: bytes((DISCARD, 255))}, "move 4: expected discard of .*, got discard card 255"),
    ({4: bytes((16 | STOCK, TC))}, "move 5: expected dealer stock 7S, got dealer stock TC"),
    ({6: bytes((ActionKind.PILE, JH))}, "move 7: expected nondealer pile 3S, got nondealer pile JH"),
    ({8: bytes((16 | DEFEND, 255, 16))}, "move 10: expected two bytes a move, got one"),
    ({8: bytes((16 | DEFEND, 255)) * 2}, "move 10: expected nothing more in a hand that is over, got defend"),
])  # fmt: skip
def test_moves_that_do_not_follow_from_deck_and_rules_are_refused(changes: dict[int, bytes], message: str) -> None:
    with pytest.raises(RecordError, match="^" + message):
        replay(Rules(), deck(**CARDS), moves_with(changes), finished(played()))


def test_moves_that_stop_before_a_forced_draw_are_refused() -> None:
    with pytest.raises(RecordError, match="move 3: expected nondealer stock JH, got no move"):
        replay(Rules(), deck(**CARDS), bytes(played().moves[:4]), finished(played()))


def test_no_change_of_a_player_or_of_a_card_taken_passes() -> None:
    for seed in range(10):
        dice = Random(seed)
        cards = bytes(dice.sample(range(52), 52))
        hand = Hand(Rules(), cards)
        for _ in random_play(hand, seed):
            pass
        for at in range(0, len(hand.moves), 2):
            changed = bytearray(hand.moves)
            if changed[at] & 15 in (ActionKind.TAKE, ActionKind.STOCK, ActionKind.PILE):
                changed[at + 1] = (changed[at + 1] + dice.randrange(1, 52)) % 52
            else:
                changed[at] ^= 16
            with pytest.raises(RecordError):
                replay(Rules(), cards, bytes(changed), finished(hand))


@pytest.mark.parametrize("changes", [
    {"kind": ResultKind.UNDERCUT},
    {"kind": ResultKind.FORFEIT},
    {"winner": 1},
    {"winner": None},
    {"points": 1},
    {"knocker": 1},
    {"knocker_deadwood": 6},
    {"defender_deadwood": 29},
    {"defender_melds": ()},
    {"layoffs": mask_of(parse_cards("7S"))},
])  # fmt: skip
def test_a_changed_result_is_not_what_the_replay_gives(changes: dict[str, object]) -> None:
    hand = played()
    recorded: HandResult = replace(finished(hand), **changes)  # type: ignore[arg-type]
    assert replay(Rules(), deck(**CARDS), bytes(hand.moves), recorded).result != recorded
