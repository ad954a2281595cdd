"""Every value of every option changes some result. An option without a case fails here."""

from collections.abc import Callable
from itertools import combinations

import pytest
from games import WALL, gin, record, three_hand, won
from hands import play, refusal, started

from arena.cards import CARD_TEXT
from arena.dealer.table import Table, TableRules
from arena.dealer.values import GameSpec
from arena.dealing import master_seed
from arena.errors import IllegalAction
from arena.rules.game import GameFormat, Play
from arena.rules.hand import Hand
from arena.rules.options import OPTIONS, PRESETS, Rules, rules_from
from arena.rules.result import Position
from arena.rules.view import GameKind

GIN = "4S 5S 6S 7S QH QD QC 2H 2D 2C"
JUNK = "AC 3D 5H 9C JD KH 2S 4C 6D 8H"
LEAVES_10 = "4S 5S 6S QH QD QC 2D 3C 4H AC"
THEIR_MELDS = ": 4S 5S 6S, QH QD QC"


def values_of(name: str) -> list[object]:
    """Every word and flag of an option; of its integers the least, the next, and those of the presets."""
    option = OPTIONS[name]
    values: list[object] = [False, True] if option.flag else list(option.words)
    if option.minimum is not None:
        of_presets = {value for rules in PRESETS.values() if isinstance(value := getattr(rules, name), int)}
        values += sorted({option.minimum, option.minimum + 1} | of_presets)
    return values


# What the cases are made of: a case plays by the rules it is given, and returns what came of it.


def drawn(hand: Hand) -> str:
    """The card that the player to act has just drawn."""
    card = hand.view(hand.to_act, hints=False).drawn
    assert card is not None
    return CARD_TEXT[card]


def scored(hand: Hand) -> tuple[object, ...]:
    result = hand.result
    assert result is not None
    return result.kind, result.winner, result.points


def knocked(rules: Rules, knocker: str, defender: str, melds: str = "", upcard: str = "") -> tuple[object, ...]:
    """The non-dealer throws away its first card and knocks; the arena defends."""
    hand = started(rules, "pass; pass", nondealer=knocker, dealer=defender, upcard=upcard)
    return scored(play(hand, f"knock {drawn(hand)}{melds}; defend"))


def legal_knocks(rules: Rules, upcard: str) -> list[str]:
    """Of the discards that leave 0 (AS), 1 (7S), 5 (2H) and 7 (3H) unmatched, those that knock."""
    legal = []
    for card in ("AS", "7S", "2H", "3H"):
        nondealer = "4S 5S 6S 7S 3H 3D 3C 2H 2D 2C"
        hand = started(rules, "pass; pass", nondealer=nondealer, upcard=upcard, draws="AS")
        try:
            play(hand, f"knock {card}")
        except IllegalAction:
            continue
        legal.append(card)
    return legal


# The cases.


def next_dealers(rules: Rules) -> object:
    game, seen = gin(rules), []
    for result in (won(Position.DEALER, 10), WALL, won(Position.NONDEALER, 10)):
        game.record(result)
        seen.append(game.roles)
    return seen


def a_gin(rules: Rules) -> object:
    return knocked(rules, GIN, "KS KD KH 8S 9S QS 2S 3H 3D JC")


def a_card_given_back(rules: Rules) -> object:
    hand = started(rules, "take", nondealer=JUNK, upcard="TS")
    try:
        play(hand, "discard TS")
    except IllegalAction:
        return False
    return True


def an_undercut(rules: Rules) -> object:
    return knocked(rules, LEAVES_10, "KS KD KH 8D 8C 8H 7S QS 2H AH", THEIR_MELDS)


def a_tie(rules: Rules) -> object:
    return knocked(rules, LEAVES_10, "KS KD KH 8D 8C 8H 7S QS 4D 6H", THEIR_MELDS)


def a_set_better_broken(rules: Rules) -> object:
    melds = ": 5D 6D 7D, 5C 6C 7C, KH KS KD"
    return knocked(rules, "5D 6D 7D 5C 6C 7C KH KS KD TH", "8D 8C 8H 9D 9C 3H 3S 3C 3D AD", melds)


def the_last_discard(rules: Rules) -> object:
    """All are drawn and thrown away; with the last discard the dealer could knock."""
    hand = started(rules, "pass; pass", nondealer=JUNK, dealer=GIN)
    for _ in range(28):
        play(hand, f"discard {drawn(hand)}; stock")
    play(hand, f"discard {drawn(hand)}")
    if hand.result is None:
        play(hand, "pile; knock 7S; defend")
    return scored(hand)


def wins_by_one_to_the_target(rules: Rules) -> object:
    game, hands = gin(rules), 0
    while game.roles is not None:
        record(game, "A1")
        hands += 1
    return hands


def the_totals_of_a_game(rules: Rules) -> object:
    return record(gin(rules), "A18 B12 A25 B30 A15 A22 B20 A24").outcome().totals


def the_totals_of_a_shutout(rules: Rules) -> object:
    return record(gin(rules), "A40 A35 A30").outcome().totals


def eleven_melded_cards(rules: Rules) -> object:
    hand = started(rules, "pass; pass", nondealer=GIN, draws="2S", dealer="KS KD KH 8S 9S QS AS 3H 3D JC")
    if rules.big_gin == "none":
        return refusal(hand, "big_gin")
    return scored(play(hand, "big_gin; defend"))


def knocks_after_a_five(rules: Rules) -> object:
    return legal_knocks(rules, upcard="5D")


def knocks_after_an_ace(rules: Rules) -> object:
    return legal_knocks(rules, upcard="AD")


def a_gin_after_a_spade(rules: Rules) -> object:
    return knocked(rules, GIN, "KS KD KH 8S 9S QS 2S 3H 3D JC", upcard="JS")


def discards_taken(rules: Rules) -> object:
    """Both take every discard, the upcard too, until the hand ends."""
    hand, taken = started(rules, "take", nondealer=JUNK, dealer="AD 3H 5S 9H JS KC 2D 4H 6S 8C", upcard="TS"), 1
    while True:
        play(hand, f"discard {CARD_TEXT[hand.view(hand.to_act, hints=False).discards[-1]]}")
        if hand.result is not None:
            return taken, scored(hand)
        play(hand, "pile")
        taken += 1


def walls_to_the_end(rules: Rules) -> object:
    game, hands = gin(rules), 0
    while game.roles is not None:
        game.record(WALL)
        hands += 1
    return hands


def the_dealers_first_card(rules: Rules) -> object:
    return drawn(play(started(rules, "pass; pass", nondealer=JUNK), "discard KH; stock"))


def what_the_adviser_sees(rules: Rules) -> object:
    format_ = GameFormat(GameKind.THREE_HAND, hollywood=False, play=Play.GAMES, rules=rules)
    table = Table(GameSpec(0, 0, 0, ("a", "b", "c")), TableRules(format_, master_seed("2026")), (True, True, True))
    assert table.asked is not None
    return table.asked.advising, table.asked.view.hand


def totals_after_a_captain_won(rules: Rules) -> object:
    game = three_hand(rules)
    game.record(won(Position.NONDEALER, 20))
    return game.totals


def columns_after_a_late_start(rules: Rules) -> object:
    return record(gin(rules, hollywood=True), "A40 A35 A30 B20").scores(0).columns


CASES: dict[str, Callable[[Rules], object]] = {
    "next_dealer": next_dealers,
    "gin_bonus": a_gin,
    "return_taken": a_card_given_back,
    "undercut_bonus": an_undercut,
    "undercut_on_tie": a_tie,
    "defence": a_set_better_broken,
    "wall_last_discard": the_last_discard,
    "target": wins_by_one_to_the_target,
    "game_bonus": the_totals_of_a_game,
    "box_bonus": the_totals_of_a_game,
    "shutout": the_totals_of_a_shutout,
    "big_gin": eleven_melded_cards,
    "knock_limit": knocks_after_a_five,
    "ace": knocks_after_an_ace,
    "spade_doubles": a_gin_after_a_spade,
    "max_discard_picks": discards_taken,
    "max_hands": walls_to_the_end,
    "stock": the_dealers_first_card,
    "adviser_view": what_the_adviser_sees,
    "captain_points": totals_after_a_captain_won,
    "late_start": columns_after_a_late_start,
}
BESIDE: dict[str, dict[str, object]] = {"shutout": {"game_bonus": 100}, "ace": {"knock_limit": "upcard"}}
"""What else a case needs."""


@pytest.mark.parametrize("name", OPTIONS)
def test_every_two_values_of_an_option_lead_to_different_results(name: str) -> None:
    came = [(value, CASES[name](rules_from({**BESIDE.get(name, {}), name: value}))) for value in values_of(name)]
    assert len(came) >= 2
    for (value, result), (other, other_result) in combinations(came, 2):
        assert result != other_result, f"{name}: {value} and {other} both lead to {result}"


def test_the_cases_are_those_of_the_options() -> None:
    assert list(CASES) == list(OPTIONS)
