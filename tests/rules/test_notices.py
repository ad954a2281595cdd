"""What a player is told of a finished hand."""

import pytest

from arena.cards import mask_of, parse_cards
from arena.rules.notices import HandOver, hand_over
from arena.rules.options import Rules
from arena.rules.result import HandResult, ResultKind
from arena.rules.showdown import showdown
from arena.rules.view import Role

KNOCKER = mask_of(parse_cards("4S 5S 6S QH QD QC 2D 3C 4H AC"))
DEFENDER = mask_of(parse_cards("KS KD KH 7S 8S QS 2H 3H 9D 9C"))
HISTORY = bytes((1, 255))


def told(role: Role, result: HandResult, knocker: int = 0) -> HandOver:
    hands = (KNOCKER, DEFENDER) if knocker == 0 else (DEFENDER, KNOCKER)
    return hand_over(7, 3, role, result, hands, HISTORY, (13, 0))


@pytest.mark.parametrize("knocker", [0, 1])
def test_the_showdown_is_told_to_both_and_points_from_each_side(knocker: int) -> None:
    result = showdown(Rules(), 10, 1, knocker, KNOCKER, None, DEFENDER)  # G2 of the rules
    winner = told((Role.NONDEALER, Role.DEALER)[knocker], result, knocker)
    loser = told((Role.NONDEALER, Role.DEALER)[1 - knocker], result, knocker)
    assert (winner.points, winner.knocked) == (13, True)
    assert (loser.points, loser.knocked) == (-13, False)
    assert winner._replace(role=loser.role, points=-13, knocked=False) == loser
    assert winner.end is ResultKind.KNOCK
    assert sorted(winner.knocker_melds) == sorted((parse_cards("4S 5S 6S"), parse_cards("QC QD QH")))
    assert winner.knocker_unmatched == parse_cards("AC 3C 2D 4H")
    assert winner.defender_melds == (parse_cards("KD KH KS"),)
    assert winner.layoffs == parse_cards("7S 8S QS")
    assert winner.defender_unmatched == parse_cards("9C 9D 2H 3H")
    assert (winner.game_id, winner.hand_number, winner.history, winner.totals) == (7, 3, HISTORY, (13, 0))


def test_one_who_sat_out_sees_it_with_the_captain() -> None:
    result = showdown(Rules(), 10, 1, 0, KNOCKER, None, DEFENDER)
    assert told(Role.OUT, result) == told(Role.CAPTAIN, result)._replace(role=Role.OUT)
    assert told(Role.BOX, result).points == -13


@pytest.mark.parametrize(
    "result",
    [
        HandResult(ResultKind.WALL),
        HandResult(ResultKind.FORFEIT, winner=0, points=58, knocker=0, knocker_deadwood=0, defender_deadwood=33),
        HandResult(ResultKind.FORFEIT, winner=0, points=58, knocker=0, melds=(mask_of(parse_cards("4S 5S 6S")),)),
    ],
)
@pytest.mark.parametrize("role", Role)
def test_cards_that_were_not_laid_down_stay_hidden(result: HandResult, role: Role) -> None:
    points = {Role.DEALER: -result.points, Role.BOX: -result.points}.get(role, result.points)
    assert told(role, result) == HandOver(7, 3, role, result.kind, points, HISTORY, (13, 0))
