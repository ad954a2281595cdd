"""The sample bots: legal in every game and under every rule, always the same, and each better than the one below."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from bots_at_table import SAMPLE_BOTS, bot_class, play, play_by
from played_turns import setup_message
from playing import FORMATS
from series_bench import Crew, games
from thinning import thinned

from arena.bot import Bot
from arena.bot.games import Games
from arena.cards import parse_card, parse_cards
from arena.dealer.values import GameSpec
from arena.players.manifest import read_manifest
from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.actions import Action, ActionKind, discard, knock
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import Frame, GameKind, HandView, Role, Scores, Turn, TurnKind
from arena.standings.statistics import ratio_over_groups

NAMES = sorted(path.parent.name for path in SAMPLE_BOTS.glob("*/bot.py"))
SAMPLES = {name: bot_class(name) for name in NAMES}
SIMPLE, GREEDY, ADVISER = SAMPLES["simple"], SAMPLES["greedy"], SAMPLES["adviser"]
GIN_DEALS = GameFormat(GameKind.GIN, False, Play.DEALS, Rules())
THREE_HAND_DEALS = replace(GIN_DEALS, game=GameKind.THREE_HAND)

VARIATIONS = {
    "straight gin": Rules(knock_limit=0),
    "any knock": Rules(knock_limit=100),
    "the last discard to knock with": Rules(wall_last_discard="knock_only", knock_limit=3),
    "last discard, straight gin": Rules(wall_last_discard="knock_only", knock_limit=0, return_taken="allow"),
    "big gin": Rules(big_gin=31, knock_limit=0),
    "big gin below gin": Rules(big_gin=1, knock_limit=0),
    "own melds first": Rules(defence="min_first"),
    "returned cards": Rules(return_taken="allow"),
    "few picks": Rules(max_discard_picks=1),
    "one stock": Rules(stock="top"),
    "a little for gin": Rules(gin_bonus=1, undercut_bonus=50),
    "much for gin": Rules(gin_bonus=10_000, undercut_on_tie=False),
    "one from an ace": Rules(knock_limit="upcard", ace="one", spade_doubles=True),
    "a blind adviser": Rules(adviser_view="public"),
    "no adviser": Rules(adviser_view="none", captain_points="team"),
}


def spec(group: int, seats: int = 2, seating: int = 0) -> GameSpec:
    return GameSpec(group, group, seating, ("a", "b", "c")[:seats])


@pytest.mark.parametrize(("game", "name"), thinned(product(FORMATS, NAMES), 4))  # each game, and each bot
def test_every_game_is_played_alike_with_hints_without_and_again(game: str, name: str) -> None:
    seats = [SAMPLES[name], SIMPLE, ADVISER][: FORMATS[game].seats]
    seats = [*seats[1:], seats[0]]  # in three-hand it sits behind, beside or before the others, as the roles go round
    played = [play(spec(5, len(seats)), FORMATS[game], seats, hints).hands for hints in (True, False, True)]
    assert played[0]
    assert played[0] == played[1] == played[2]


@pytest.mark.parametrize(("rules", "name"), thinned(product(VARIATIONS, NAMES), 4))  # each rule, and each bot
def test_every_rule_is_kept_with_hints_and_without(rules: str, name: str) -> None:
    """A decision that is not legal would end the test."""
    played = replace(THREE_HAND_DEALS, rules=VARIATIONS[rules])
    bot = SAMPLES[name]
    for group in range(4):
        with_hints, without = (play(spec(group, 3), played, [bot, bot, ADVISER], hints) for hints in (True, False))
        assert with_hints.hands == without.hands


@pytest.mark.parametrize("seating", [("greedy", "adviser", "simple"), ("adviser", "adviser", "random")])
def test_as_processes_they_play_as_at_the_table(seating: tuple[str, ...], tmp_path: Path) -> None:
    manifests = [replace(read_manifest(SAMPLE_BOTS / name), name=f"{seat} {name}") for seat, name in enumerate(seating)]
    crew = Crew(tuple(manifests), tmp_path, replace(THREE_HAND_DEALS, play=Play.GAMES, rules=Rules(target=50)))
    played = crew.play(crew.specs(3))
    assert games(played) == games(
        [play_by(crew.shared, one, [SAMPLES[name] for name in seating]) for one in crew.specs(3)]
    )
    for hand in (hand for record in played for hand in record.hands):
        assert bool(hand.advice) == (hand.roles.out is not None and seating[hand.roles.out] == "adviser")


def test_only_the_adviser_wants_to_be_asked() -> None:
    assert [name for name, bot in SAMPLES.items() if bot.advise is not Bot.advise] == ["adviser"]


def surely(points: list[tuple[float, float]]) -> float:
    """The lower end of the interval of the mean: points and hands of each deal."""
    estimate = ratio_over_groups(points)
    assert estimate is not None
    assert estimate.low is not None
    return estimate.low


def margin(better: type[Bot], worse: type[Bot], deals: int) -> float:
    """The least that one bot wins of another a hand, over mirrored deals."""
    points = []
    for group in range(deals):
        first = play(spec(group), GIN_DEALS, [better, worse]).outcome.margins[0]
        second = play(spec(group, seating=1), GIN_DEALS, [worse, better]).outcome.margins[1]
        points.append((float(first + second), 2.0))
    return surely(points)


@pytest.mark.parametrize(
    ("better", "worse", "deals"), thinned([("simple", "random", 30), ("greedy", "simple", 300)], 2)
)
def test_each_is_better_than_the_one_below(better: str, worse: str, deals: int) -> None:
    assert margin(SAMPLES[better], SAMPLES[worse], deals) > 0.5


@pytest.mark.thorough
def test_advice_helps_the_captain() -> None:
    """The same deals with a captain who is advised and with one who is not."""
    gains = []
    for group in range(300):
        advised, alone = (
            play(spec(group, 3), THREE_HAND_DEALS, [ADVISER, SIMPLE, out]).hands[0].result for out in (ADVISER, SIMPLE)
        )
        captain = [result.points if result.winner == 0 else -result.points for result in (advised, alone)]
        gains.append((float(captain[0] - captain[1]), 1.0))
    assert surely(gains) > 0.5


# What greedy thinks of, one decision at a time.


def asked(hand: str, pile: str = "", known: str = "", turns: int = 0, stock: int = 20) -> Turn:
    """The non-dealer's discard with eleven cards. known: cards of the opponent, who has had this many turns."""
    held = bytes(sorted(parse_cards(hand)))
    view = HandView(
        kind=TurnKind.DISCARD,
        position=0,
        hand=held,
        drawn=held[0],
        discard_pile=parse_cards(pile),
        opponent_known=bytes(sorted(parse_cards(known))),
        stock=stock,
        history=bytes((1 << 4 | ActionKind.STOCK, 255)) * turns,
        legal=(ActionKind.DISCARD, ActionKind.KNOCK, ActionKind.BIG_GIN),
        discards=held,
    )
    scores = Scores((0, 0), (0, 0))
    frame = Frame(1, 1, Role.NONDEALER, scores, limit=10, multiplier=1, upcard=parse_card("KC"))
    return Turn(1, frame, view, seed=1)


def greedy(turn: Turn, gin_bonus: int = 25, big_gin: int = 31) -> Action:
    request = pb.PlayRequest(setup=setup_message(hints=False))
    request.setup.rules.update({"gin_bonus": str(gin_bonus), "big_gin": str(big_gin)})
    codec.add_turn(request, turn)
    (decision,) = Games(GREEDY).answer(request).decisions
    return codec.read_decision(decision)


THREE_MELDS = "4S 5S 6S 7H 7D 7C 9H 9D 9C 2C KS"
"""Two pips without the king, and 3S, 7S and 9S make gin."""
TWO_MELDS = "4S 5S 6S 7H 7D 7C KH KD JC TS AH"
KING, NO_KING = knock(parse_card("KS")), discard(parse_card("KS"))


def test_greedy_knocks_early_and_waits_for_gin_late() -> None:
    assert greedy(asked(THREE_MELDS, turns=0)) == KING
    assert greedy(asked(THREE_MELDS, turns=6)) == NO_KING


def test_greedy_does_not_wait_for_what_cannot_come_or_does_not_pay() -> None:
    assert greedy(asked(THREE_MELDS, turns=6, known="3S")) == KING
    assert greedy(asked(THREE_MELDS, turns=6, pile="9S")) == KING
    assert greedy(asked(THREE_MELDS, turns=6, stock=3)) == KING
    assert greedy(asked(THREE_MELDS, turns=6), gin_bonus=1) == KING


def test_greedy_declares_a_big_gin_unless_gin_earns_more() -> None:
    eleven = asked("4S 5S 6S 7S QH QD QC 2H 2D 2C 2S")
    assert greedy(eleven).kind is ActionKind.BIG_GIN
    assert greedy(eleven, big_gin=1).kind is ActionKind.KNOCK


def test_greedy_keeps_a_pair_only_while_its_third_card_may_come() -> None:
    kings = [discard(parse_card(card)) for card in ("KH", "KD")]
    assert greedy(asked(TWO_MELDS)) not in kings
    assert greedy(asked(TWO_MELDS, pile="KC KS")) in kings


def test_greedy_does_not_discard_what_the_opponent_collects() -> None:
    assert greedy(asked(TWO_MELDS)) == discard(parse_card("TS"))
    assert greedy(asked(TWO_MELDS, known="TH TD")) == discard(parse_card("JC"))
