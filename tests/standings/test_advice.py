"""When a captain has followed advice, and what that was worth."""

from dataclasses import replace

import pytest
from made_games import DEALS_OF_THREE, Played, group_size, made

from arena.cards import mask_of, parse_card, parse_cards
from arena.dealer.values import AdviceRecord, HandRecord
from arena.rules.actions import PASS, PILE, STOCK, TAKE, Action, ActionKind, big_gin, defend, discard, knock
from arena.rules.result import HandResult, ResultKind
from arena.rules.roles import Roles
from arena.standings.advice import AdviceCount, times_followed
from arena.standings.tally import tally

KS, QS = parse_card("KS"), parse_card("QS")
SPADES, QUEENS, KINGS = (mask_of(parse_cards(text)) for text in ("4S 5S 6S", "QC QD QH", "KC KD KH"))
NONE = 255


def hand(move: Action, result: HandResult, *advice: Action) -> HandRecord:
    """A hand with one move of the captain, about which all this advice was given."""
    moves = bytes((move.kind, NONE if move.card is None else move.card))
    records = tuple(AdviceRecord(0, action, "") for action in advice)
    return HandRecord(1, Roles(1, 0, 2), bytes(range(52)), moves, records, result)


WALL = HandResult(ResultKind.WALL)
KNOCKED = HandResult(ResultKind.KNOCK, 0, 9, 0, 5, 14, melds=(SPADES, QUEENS))
DEFENDED = HandResult(
    ResultKind.KNOCK, 1, 9, 1, 5, 14, melds=(SPADES, QUEENS), defender_melds=(KINGS,), layoffs=1 << QS
)


@pytest.mark.parametrize(
    ("done", "result", "advice"),
    [
        (PASS, WALL, PASS),
        (TAKE, WALL, TAKE),
        (Action(ActionKind.STOCK, KS), WALL, STOCK),  # the record has the card that was drawn, advice cannot know it
        (Action(ActionKind.PILE, KS), WALL, PILE),
        (discard(KS), WALL, discard(KS)),
        (knock(KS), KNOCKED, knock(KS)),
        (knock(KS), KNOCKED, knock(KS, (QUEENS, SPADES))),
        (big_gin(), KNOCKED, big_gin()),
        (defend(), DEFENDED, defend()),
        (defend(), DEFENDED, defend((KINGS,))),
        (defend(), DEFENDED, defend((KINGS,), 1 << QS)),
        (defend(), DEFENDED, defend(None, 1 << QS)),
    ],
)
def test_advice_is_followed_by_doing_just_that(done: Action, result: HandResult, advice: Action) -> None:
    assert times_followed(hand(done, result, advice)) == 1


@pytest.mark.parametrize(
    ("done", "result", "advice"),
    [
        (PASS, WALL, TAKE),
        (Action(ActionKind.STOCK, KS), WALL, PILE),
        (discard(KS), WALL, discard(QS)),
        (discard(KS), WALL, knock(KS)),
        (knock(KS), KNOCKED, discard(KS)),
        (knock(KS), KNOCKED, knock(QS)),
        (knock(KS), KNOCKED, knock(KS, (SPADES,))),
        (knock(KS), KNOCKED, big_gin()),
        (defend(), DEFENDED, defend((SPADES, KINGS))),
        (defend(), DEFENDED, defend(())),
        (defend(), DEFENDED, defend((KINGS,), 0)),
        (defend(), DEFENDED, defend(None, 1 << KS)),
    ],
)
def test_advice_is_not_followed_by_doing_anything_else(done: Action, result: HandResult, advice: Action) -> None:
    assert times_followed(hand(done, result, advice)) == 0


def test_advice_to_a_captain_who_fails_is_not_followed() -> None:
    failed = replace(hand(PASS, HandResult(ResultKind.FORFEIT, 1, 60, 1, 0, 35), TAKE), moves=b"")
    assert times_followed(failed) == 0


def test_each_piece_of_advice_counts_by_itself() -> None:
    assert times_followed(hand(discard(KS), WALL, discard(KS), discard(QS), discard(KS))) == 2


def six_deals(text: str, followed: int, given: int) -> list[Played]:
    """A deal group: bob is captain and out is cid, who has advised bob so often and been followed so often."""
    spec, record = made(0, "ann bob cid", text, DEALS_OF_THREE)
    advice = [discard(KS)] * followed + [discard(QS)] * (given - followed)
    records = tuple(AdviceRecord(0, action, "") for action in advice)
    hands = (replace(record.hands[0], moves=bytes((ActionKind.DISCARD, KS)), advice=records),)
    return [(spec, replace(record, hands=hands))] * 6


def test_what_following_was_worth_is_a_mean_over_the_advice() -> None:
    """Followed 3 times of 4 in a hand of ten points, once of 2 in one of -20, all 5 times in one of 6."""
    games = [*six_deals("B10", 3, 4), *six_deals("A20", 1, 2), *six_deals("B6", 5, 5), *six_deals("-", 0, 0)]
    bots = tally(games, ["ann", "bob", "cid"], group_size).bots
    counted = AdviceCount(
        given=6 * 11,
        followed=6 * 9,
        points_followed=6 * (3 * 10 + 1 * -20 + 5 * 6),
        points_other=6 * (1 * 10 + 1 * -20),
    )
    assert bots["cid"].advice_given == counted
    assert bots["bob"].advice_got == counted
    assert bots["ann"].advice_given == bots["ann"].advice_got == bots["bob"].advice_given == AdviceCount()
