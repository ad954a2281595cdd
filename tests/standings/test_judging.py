"""The decision audit of single hands: each kind on a hand whose points are worked out in the test."""

from dataclasses import replace
from random import Random

import pytest
from games import preset
from hands import deck, play, random_action
from playing import FORMATS, Players

from arena.cards import pips
from arena.dealer.values import HandRecord
from arena.melds import arrangements, closure, deadwood
from arena.rules.actions import Action, ActionKind, defend, discard
from arena.rules.game import GameFormat, Play, Roles
from arena.rules.hand import Hand
from arena.rules.handstate import Phase
from arena.rules.options import Rules
from arena.rules.result import ResultKind
from arena.rules.showdown import showdown
from arena.standings.judging import findings
from arena.standings.kinds import Finding, Kind

# The hands of the rules' worked examples.
K = "4S 5S 6S QH QD QC 2D 3C 4H AC"  # 10 unmatched
GIN_BUT_ONE = "4S 5S 6S 7S QH QD QC 2H 2D KC"  # gin with 2C
G1 = "KS KD KH 2H 2C 3S 6D 6C 3H TC"
G4 = "KS KD KH 8D 8C 8H 7S QS 2H AH"
G5 = "KS KD KH 8S 9S QS 2S 3H 3D JC"

Told = tuple[Kind, int, int, int]


def judged(hand: Hand, **cards: str) -> list[Finding]:
    assert hand.result is not None
    return [*findings(hand.rules, HandRecord(1, Roles(0, 1), deck(**cards), hand.moves, (), hand.result))]


def found(text: str, rules: Rules | None = None, /, **cards: str) -> list[Told]:
    """Kind, move, position and points of all that is found in a hand that is played as the text says."""
    hand = play(Hand(rules or Rules(), deck(**cards)), text)
    return [(one.kind, one.move, one.position, one.points) for one in judged(hand, **cards)]


def test_gin_that_was_held_and_not_declared() -> None:
    # Gin at once: 25 + 45 = 70. After the dealer has 3C for JC its hand is 8 + 9 + 10 + 2 = 29: 54.
    cards = {"nondealer": GIN_BUT_ONE, "dealer": G5, "upcard": "2C", "draws": "AC", "dealer_draws": "3C"}
    text = "take; discard KC; stock; discard JC; stock; knock AC; defend"
    assert found(text, **cards) == [(Kind.MISSED_GIN, 2, 0, 70 - 54)]


def test_gin_that_lay_in_the_pile() -> None:
    # It drew AC instead and knocked with 2 + 2 + 1; of G5, 8S 9S QS are laid off, and 2 + 3 + 3 + 10 = 18 are left.
    cards = {"nondealer": GIN_BUT_ONE, "dealer": G5, "upcard": "2C", "draws": "AC"}
    assert found("pass; pass; knock KC; defend", **cards) == [(Kind.MISSED_GIN, 1, 0, 70 - 13)]


def test_a_player_who_leaves_a_gin_in_the_pile_and_draws_another_has_missed_nothing() -> None:
    cards = {"nondealer": GIN_BUT_ONE, "dealer": "KS KD KH 8S 9S QS JC TC 6D 3D", "upcard": "AS", "draws": "3H 2S"}
    # The dealer's first discard is no gin; its second, 2C, is left, and the 2S of the stock is gin.
    told = found("pass; pass; discard 3H; stock; discard 2C; stock; knock KC; defend", dealer_draws="2C", **cards)
    assert [kind for kind, *_ in told] == [Kind.PAID_WAIT]


def test_gin_where_big_gin_was_there() -> None:
    # As in G16, 31 and not 25 besides 44.
    cards = {"nondealer": "4S 5S 6S 7S QH QD QC 2H 2D 2C", "dealer": "KS KD KH 8S 9S QS AS 3H 3D JC", "draws": "2S"}
    told = found("pass; pass; knock 2S; defend", preset("house", big_gin=31), upcard="TD", **cards)
    assert told == [(Kind.MISSED_GIN, 4, 0, 75 - 69)]
    assert found("pass; pass; knock 2S; defend", upcard="TD", **cards) == []


def test_a_knock_with_another_discard_could_have_been_lower() -> None:
    # Without 3C 2 + 4 + 1 + 2 = 9 are left, without 4H 8. The dealer lays off 3S and has 29 in both cases.
    told = found("pass; pass; knock 3C; defend", nondealer=K, dealer=G1, upcard="9H", draws="2S")
    assert told == [(Kind.HIGH_KNOCK, 4, 0, 21 - 20)]


def test_a_knock_with_other_melds_could_have_been_lower() -> None:
    # The three aces are no meld as declared: 7 instead of 4, the dealer has 29.
    cards = {"nondealer": "4S 5S 6S QH QD QC AD AC AH 4H", "dealer": G1, "upcard": "9H", "draws": "9S"}
    assert found("pass; pass; knock 9S: 4S 5S 6S, QH QD QC; defend", **cards) == [(Kind.HIGH_KNOCK, 4, 0, 3)]


def test_lay_offs_that_were_left() -> None:
    # G2: 7S 8S QS fit, and leave 23. With 7S alone 41 are left.
    cards = {"nondealer": K, "dealer": "KS KD KH 7S 8S QS 2H 3H 9D 9C", "upcard": "9H", "draws": "JC"}
    told = found("pass; pass; knock JC; defend: KS KD KH / 7S", **cards)
    assert told == [(Kind.LAYOFFS_LEFT, 5, 1, 31 - 13)]
    assert found("pass; pass; knock JC; defend: KS KD KH", **cards) == []


def test_a_defence_that_was_not_the_best() -> None:
    # G8: to break the eights leaves 9 and undercuts for 11; to keep them leaves 19, and the knocker scores 9.
    knocker, defender = "5D 6D 7D 5C 6C 7C KH KS KD TH", "8D 8C 8H 9D 9C 3H 3S 3C 3D AD"
    cards = {"nondealer": knocker, "dealer": defender, "upcard": "JC", "draws": "JS"}
    text = "pass; pass; knock JS; defend: 8D 8C 8H, 3H 3S 3C 3D"
    assert found(text, **cards) == [(Kind.POOR_DEFENCE, 5, 1, 20)]
    # By these rules it was the best.
    assert found(text, preset("house", defence="min_first"), **cards) == []


def test_both_parts_of_a_poor_defence_add_up_to_the_whole() -> None:
    # Of G2 nothing declared at all: 30 + 7 + 8 + 10 + 2 + 3 + 18 = 78. All lay-offs leave 53, the melds then 23.
    cards = {"nondealer": K, "dealer": "KS KD KH 7S 8S QS 2H 3H 9D 9C", "upcard": "9H", "draws": "JC"}
    hand = play(Hand(Rules(), deck(**cards)), "pass; pass; knock JC")
    hand.apply(defend((), 0))
    told = [(one.kind, one.points) for one in judged(hand, **cards)]
    assert told == [(Kind.LAYOFFS_LEFT, 25), (Kind.POOR_DEFENCE, 30)]


def test_knocks_into_an_undercut_and_doubled() -> None:
    cards = {"nondealer": K, "dealer": G4, "draws": "JC"}
    text = "pass; pass; knock JC; defend"
    assert found(text, upcard="9H", **cards) == [(Kind.UNDERCUT, 4, 0, 17)]
    oklahoma = preset("house", knock_limit="upcard", spade_doubles=True)
    assert found(text, oklahoma, upcard="TS", **cards) == [(Kind.UNDERCUT, 4, 0, 34)]


def test_melds_that_would_have_scored_more_against_these_cards() -> None:
    # G9: three runs are undercut by 11, three sets score 26.
    knocker, defender = "5S 5C 5D 6S 6C 6D 7S 7C 7D 4H", "4S 4D 8S 8C TH TD TC 2H 3D AH"
    text = "pass; pass; knock JC: 5S 6S 7S, 5C 6C 7C, 5D 6D 7D; defend"
    told = found(text, nondealer=knocker, dealer=defender, upcard="9H", draws="JC")
    assert told == [(Kind.OTHER_MELDS, 4, 0, 37), (Kind.UNDERCUT, 4, 0, 11)]


WAITING = {"nondealer": K, "dealer": "KS KD KH 8D 8C 8H 9S 3S 2H AH", "upcard": "TS"}
# A knock with 10 leaves the dealer, who lays off 3S, 9 + 2 + 1 = 12: worth 2.


def test_a_knock_that_was_passed_up_before_the_hand_was_lost() -> None:
    # The dealer gets AD for 9S and knocks with 3 + 2 + 1 + 1 = 7 against 10.
    told = found("pass; pass; discard 9C; stock; knock 9S; defend", draws="9C", dealer_draws="AD", **WAITING)
    assert told == [(Kind.MISSED_KNOCK, 4, 0, 2 - -3)]


def test_a_wait_that_paid() -> None:
    # With AD for 4H it has 7 in its next turn, and the dealer still 12.
    text = "pass; pass; discard 9C; stock; discard TD; stock; knock 4H; defend"
    told = found(text, draws="9C AD", dealer_draws="TD", **WAITING)
    assert told == [(Kind.PAID_WAIT, 4, 0, 2 - 5)]


def test_a_knock_that_was_passed_up_at_the_last_discard() -> None:
    rules = preset("house", wall_last_discard="knock_only")
    cards = {"nondealer": G1, "dealer": K, "upcard": "9H", "dealer_draws": "9C"}
    cards["draws"] = "7C 8C 9D JC JD JH JS 7D 8D 9S TD TH TS 8H AD"  # with the last K can knock
    hand = to_the_end(play(Hand(rules, deck(**cards)), "pass; pass"))
    # Its first chance was with the card that it drew first, and the wall brought nothing. A knock with 10 was worth 19.
    (told,) = judged(play(hand, "pass"), **cards)
    assert told[:4] == (Kind.MISSED_KNOCK, 6, 1, 19)


def test_cards_given_to_an_opponent_who_was_seen_to_wait_for_them() -> None:
    cards = {
        "nondealer": "8D 8S QC TH 4H 6H 2C QS TC KC",
        "dealer": "AC 3D 5H 7S 9C JD KH 2S 4C 6D",
        "upcard": "8H",
    }
    hand = Hand(Rules(), deck(**cards))
    play(hand, "pass; take; discard KH; stock; discard 8D; pile; discard JD; stock; discard 8S; pile; discard 9C")
    to_the_end(hand)
    told = [(one.kind, one.move, one.position, one.points) for one in judged(hand, **cards)]
    # Two eights that meld with nothing, then 8S, by which 8 + 8 are no longer unmatched.
    assert told == [(Kind.IDLE_TAKE, 2, 1, 0), (Kind.IDLE_TAKE, 6, 1, 0), (Kind.FED_KNOWN, 9, 0, 16)]


def test_a_card_given_to_an_opponent_who_took_it_into_a_meld() -> None:
    cards = {"nondealer": "8D QC TH 4H 6H 2C QS TC KC AH", "dealer": "AC 3D 5H 7S 8C 8H KH 2S 4C 6S", "upcard": "JD"}
    hand = play(Hand(Rules(), deck(**cards)), "pass; pass; discard 8D; pile; discard KH; stock")
    to_the_end(hand)
    told = [(one.kind, one.move, one.position, one.points) for one in judged(hand, **cards)]
    assert told[:1] == [(Kind.FED_UNKNOWN, 4, 0, 16)]


def test_a_forfeited_hand_is_not_judged() -> None:
    cards = {"nondealer": GIN_BUT_ONE, "dealer": G5, "upcard": "2C"}
    hand = play(Hand(Rules(), deck(**cards)), "take; discard KC")
    hand.forfeit(1)
    assert judged(hand, **cards) == []


OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"big_gin": 31, "wall_last_discard": "knock_only"},
    {"return_taken": "allow", "undercut_on_tie": False},
)
DEFENCE = (Kind.LAYOFFS_LEFT, Kind.POOR_DEFENCE)
LOSES = (Kind.LAYOFFS_LEFT, Kind.POOR_DEFENCE, Kind.MISSED_KNOCK, Kind.UNDERCUT, Kind.OTHER_MELDS)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_hands_of_every_game_are_judged(options: dict[str, object]) -> None:
    seen: set[Kind] = set()
    for name in ("gin-deals", "three-hand-deals", "oklahoma"):
        format_ = replace(FORMATS[name], play=Play.DEALS)
        rules = preset("house", **options, knock_limit=format_.rules.knock_limit, spade_doubles=True)
        players = Players(GameFormat(format_.game, False, format_.play, rules))
        for spec in players.schedule(format_.seats, 10)[:20]:
            for hand in players.game(spec).hands:
                for one in findings(rules, hand):
                    seen.add(one.kind)
                    assert one.points > 0 or one.kind not in LOSES
                    assert one.points < 0 or one.kind is not Kind.PAID_WAIT
    assert len(seen) > 5


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_defences_and_knocks_at_random_lose_what_the_best_are_worth_more(options: dict[str, object]) -> None:
    rules, seen = preset("house", **options), set[Kind]()
    for seed in range(80):
        dice = Random(seed)
        dealt = bytes(dice.sample(range(52), 52))
        hand = Hand(rules, dealt)
        while hand.result is None:
            if hand.phase is Phase.DEFEND:
                hand.apply(random_defence(hand, dice))
            else:
                hand.apply(with_random_melds(hand, random_action(hand, dice, 0.9), dice))
        result = hand.result
        told = {
            one.kind: one.points for one in findings(rules, HandRecord(1, Roles(0, 1), dealt, hand.moves, (), result))
        }
        if result.knocker is None:
            assert not set(DEFENCE) & set(told)
            continue
        # The two parts of a defence add up to what exhaustive search finds; the knocker's count is the least or told.
        down, own = hand.deal.masks[result.knocker], hand.deal.masks[1 - result.knocker]
        best = showdown(rules, hand.limit, hand.multiplier, result.knocker, down, result.melds, own)
        came, better = [one.points * (1 if one.winner == result.knocker else -1) for one in (result, best)]
        assert sum(told.get(kind, 0) for kind in DEFENCE) == came - better
        least = result.kind is ResultKind.BIG_GIN or result.knocker_deadwood == deadwood(down)
        assert least or {Kind.HIGH_KNOCK, Kind.MISSED_GIN} & set(told)
        seen |= set(told)
    assert seen >= {*DEFENCE, Kind.HIGH_KNOCK}


def test_all_points_of_a_doubled_hand_are_doubled() -> None:
    seen: set[Kind] = set()
    for seed in range(60):
        dice = Random(seed)
        dealt = dice.sample(range(52), 52)
        spade = next(place for place in range(20, 52) if dealt[place] >= 39)
        dealt[20], dealt[spade] = dealt[spade], dealt[20]
        told = []
        for doubled in (False, True):
            hand, dice = Hand(preset("house", spade_doubles=doubled), dealt), Random(seed)
            while hand.result is None:
                hand.apply(random_defence(hand, dice) if hand.phase is Phase.DEFEND else random_action(hand, dice, 0.5))
            record = HandRecord(1, Roles(0, 1), bytes(dealt), hand.moves, (), hand.result)
            told.append([(one.kind, one.move, one.position, one.points) for one in findings(hand.rules, record)])
        once, twice = told
        assert twice == [(*found, 2 * points) for *found, points in once]
        seen |= {kind for kind, *_ in once}
    assert seen >= {*DEFENCE, Kind.FED_UNKNOWN, Kind.MISSED_KNOCK, Kind.PAID_WAIT}


def random_defence(hand: Hand, dice: Random) -> Action:
    own = hand.deal.masks[hand.to_act]
    melds = dice.choice(arrangements(own))
    fitting = closure(hand.melds, own ^ sum(melds)) if sum(hand.melds) != hand.deal.masks[1 - hand.to_act] else 0
    return defend(melds, fitting if dice.random() < 0.5 else 0)


def with_random_melds(hand: Hand, action: Action, dice: Random) -> Action:
    if action.kind is not ActionKind.KNOCK or action.card is None:
        return action
    kept = hand.deal.masks[hand.to_act] ^ 1 << action.card
    melds = [family for family in arrangements(kept) if pips(kept ^ sum(family)) <= hand.limit]
    return replace(action, melds=dice.choice(melds))


def to_the_end(hand: Hand) -> Hand:
    """Let both discard what they draw from the stock, to the end of the stock."""
    while hand.phase in (Phase.DRAW, Phase.DISCARD):
        play(hand, "stock") if hand.phase is Phase.DRAW else hand.apply(discard(hand.drawn or 0))
    return hand
