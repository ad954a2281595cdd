"""The bots random and simple play every game legally, and simple plays as its README says."""

from dataclasses import replace

import pytest
from bots_at_table import bot_class, play
from played_turns import setup_message, turns_of_games

from arena.bot.games import Games
from arena.cards import parse_card, parse_cards, rank_of, suit_of
from arena.dealer.values import GameSpec
from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.actions import PASS, PILE, STOCK, TAKE, Action, ActionKind, discard, knock
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import GameKind, HandView, Turn, TurnKind

RANDOM = bot_class("random")
SIMPLE = bot_class("simple")

FORMATS = {
    "gin": GameFormat(GameKind.GIN, False, Play.GAMES, Rules()),
    "hollywood": GameFormat(GameKind.GIN, True, Play.GAMES, Rules()),
    "oklahoma": GameFormat(GameKind.OKLAHOMA, False, Play.GAMES, Rules(knock_limit="upcard", spade_doubles=True)),
    "three-hand": GameFormat(GameKind.THREE_HAND, False, Play.GAMES, Rules()),
    "last discard": GameFormat(GameKind.GIN, False, Play.GAMES, Rules(wall_last_discard="knock_only", big_gin=31)),
    "straight gin": GameFormat(GameKind.GIN, False, Play.GAMES, Rules(knock_limit=0, max_hands=20)),
}


@pytest.mark.parametrize("hints", [True, False])
@pytest.mark.parametrize("name", FORMATS)
def test_every_game_is_played_to_its_end_with_and_without_hints(name: str, hints: bool) -> None:
    seats = [SIMPLE, RANDOM, SIMPLE][: 3 if name == "three-hand" else 2]
    for group in range(3):
        record = play(GameSpec(group, group, 0, ("a", "b", "c")[: len(seats)]), FORMATS[name], seats, hints)
        assert record.hands
        assert not record.faults


@pytest.mark.parametrize("name", FORMATS)
def test_hints_change_nothing(name: str) -> None:
    seats = [RANDOM, SIMPLE, RANDOM][: 3 if name == "three-hand" else 2]
    spec = GameSpec(7, 7, 0, ("a", "b", "c")[: len(seats)])
    with_hints, without = (play(spec, FORMATS[name], seats, hints) for hints in (True, False))
    assert with_hints.hands == without.hands


def answers(bot: type, turns: list[Turn], hints: bool = True) -> list[Action]:
    request = pb.PlayRequest(setup=setup_message(hints))
    for turn in turns:
        codec.add_turn(request, turn)
    return [codec.read_decision(decision) for decision in Games(bot).answer(request).decisions]


def test_random_answers_a_turn_the_same_whenever_it_is_asked() -> None:
    turns = turns_of_games(20)
    first = answers(RANDOM, turns)
    assert answers(RANDOM, turns[::-1]) == first[::-1]
    other_seeds = [turn._replace(seed=turn.seed ^ 1) for turn in turns]
    assert answers(RANDOM, other_seeds) != first


def test_random_does_all_it_may() -> None:
    turns = turns_of_games(60)
    kinds: dict[TurnKind, set[ActionKind]] = {kind: set() for kind in TurnKind}
    for turn, action in zip(turns, answers(RANDOM, turns), strict=True):
        kinds[turn.view.kind].add(action.kind)
        if turn.view.knocks:
            assert action in [knock(card) for card in turn.view.knocks]
    assert kinds == {
        TurnKind.UPCARD: {ActionKind.PASS, ActionKind.TAKE},
        TurnKind.DRAW: {ActionKind.STOCK, ActionKind.PILE},
        TurnKind.DISCARD: {ActionKind.DISCARD, ActionKind.KNOCK},
        TurnKind.DEFEND: {ActionKind.DEFEND},
    }


def readme_takes(view: HandView) -> bool:
    """`Makes a meld`, from the words of the README."""
    card = view.discard_pile[-1]
    if sum(rank_of(other) == rank_of(card) for other in view.hand) >= 2:
        return True
    in_suit = {rank_of(other) for other in view.hand if suit_of(other) == suit_of(card)} | {rank_of(card)}
    runs = [set(range(low, low + 3)) for low in range(rank_of(card) - 2, rank_of(card) + 1)]
    return any(run <= in_suit for run in runs)


def readme_discard(view: HandView) -> Action:
    """`The discard`, from the words of the README."""
    choices = sorted(
        zip(view.deadwood, view.discards, strict=True),
        key=lambda choice: (choice[0], -rank_of(choice[1]), -suit_of(choice[1])),
    )
    card = choices[0][1]
    return knock(card) if card in view.knocks else discard(card)


@pytest.mark.parametrize("hints", [True, False])
def test_simple_plays_as_its_readme_says(hints: bool) -> None:
    hinted, asked = turns_of_games(60), turns_of_games(60, hints=hints)
    taken = 0
    for turn, action in zip(hinted, answers(SIMPLE, asked, hints), strict=True):
        view = turn.view
        if view.kind is TurnKind.UPCARD:
            assert action == (TAKE if readme_takes(view) else PASS)
        elif view.kind is TurnKind.DRAW:
            assert action == (PILE if readme_takes(view) else STOCK)
            taken += action == PILE
        elif view.kind is TurnKind.DISCARD:
            assert action == readme_discard(view)
        else:
            assert (action.melds, action.layoffs) == (None, None)
    assert taken > 20


def test_simple_breaks_ties_by_rank_then_suit() -> None:
    (turn,) = [turn for turn in turns_of_games(1) if turn.view.kind is TurnKind.DISCARD][:1]
    hand = parse_cards("AC 3C 5C TD QD KD 2H KH 7S 9S JS")
    view = turn.view._replace(hand=hand, discards=hand, deadwood=bytes((70, 68, 66, 61, 61, 61, 69, 61, 64, 62, 61)))
    assert answers(SIMPLE, [turn._replace(view=view._replace(knocks=b""))]) == [discard(parse_card("KH"))]
    without_it = view._replace(discards=hand.replace(parse_cards("KH"), b""), knocks=b"")
    without_it = without_it._replace(deadwood=bytes((70, 68, 66, 61, 61, 61, 69, 64, 62, 61)))
    assert answers(SIMPLE, [turn._replace(view=without_it)]) == [discard(parse_card("KD"))]


def test_simple_beats_random() -> None:
    points = {SIMPLE: 0.0, RANDOM: 0.0}
    deals = replace(FORMATS["gin"], play=Play.DEALS)
    for group in range(40):
        for seating, seats in enumerate(([SIMPLE, RANDOM], [RANDOM, SIMPLE])):
            record = play(GameSpec(2 * group + seating, group, seating, ("a", "b")), deals, seats)
            for bot, margin in zip(seats, record.outcome.margins, strict=True):
                points[bot] += margin
    assert points[SIMPLE] > points[RANDOM] + 40 * 20
