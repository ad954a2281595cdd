"""That what is called luck is luck: its mean is nothing whoever plays, and a false way to reckon it is found out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import sqrt
from statistics import mean, stdev
from typing import NamedTuple

import numpy as np
import pytest

from arena.cards import PIPS, cards_of, iter_mask
from arena.dealer.table import TableRules
from arena.dealer.values import OWN_GROUPS, GameRecord, GameSpec
from arena.dealing import master_seed
from arena.melds import deadwood, deadwood_after
from arena.rules.game import GameFormat, Play, Roles
from arena.rules.options import PRESETS, Rules
from arena.rules.showdown import showdown
from arena.rules.view import GameKind
from arena.standings import luck
from arena.standings.luck import FILE, Luck, hand_options, installed, luck_of
from arena.standings.luck_draws import Draw, draws_of
from arena.standings.luck_features import FEATURES, rows_of
from arena.standings.luck_value import Networks
from arena.standings.tally import tally
from benchmarks.styles import Player, Sample, Style, mirrored, play

DEALS = GameFormat(GameKind.GIN, False, Play.DEALS, Rules())
GAMES = replace(DEALS, play=Play.GAMES)
ONE_END = replace(DEALS, rules=Rules(stock="top"))
OKLAHOMA = GameFormat(GameKind.OKLAHOMA, False, Play.DEALS, Rules(knock_limit="upcard", spade_doubles=True))
SIMPLE, PAIRS, DICE = Style(), Style(keeps=1.5), Style(random=1.0)

Played = tuple[GameSpec, GameRecord]


@cache
def value() -> Networks:
    return Networks.read(FILE)


def groups(first: Player, second: Player, count: int, format_: GameFormat = DEALS) -> list[list[Played]]:
    shared = TableRules(format_, master_seed("tests of luck"))
    return [mirrored(group, shared, first, second) for group in range(count)]


def of_first(judge: Luck, played: Sequence[Sequence[Played]]) -> list[float]:
    """By group, the luck of the player called first, a mean over its games."""
    games = [game for group in played for game in group]
    points = iter(judge.of_games(games))
    return [mean(next(points)[spec.seats.index("first")] for spec, _ in group) for group in played]


class Mean(NamedTuple):
    value: float
    error: float

    @property
    def far_from_nothing(self) -> bool:
        return abs(self.value) > 3.5 * self.error


def mean_of(numbers: Sequence[float]) -> Mean:
    return Mean(mean(numbers), stdev(numbers) / sqrt(len(numbers)))


@pytest.mark.parametrize(
    ("first", "second", "format_"),
    [
        (DICE, PAIRS, DEALS),
        (SIMPLE, Style(takes="never", knocks=0), ONE_END),
        (SIMPLE, Style(random=0.5), OKLAHOMA),
    ],
    ids=["dice against a good player", "very different knocks, one stock order", "Oklahoma, spades double"],
)
def test_the_luck_of_the_draws_comes_to_nothing(first: Player, second: Player, format_: GameFormat) -> None:
    found = mean_of(of_first(Luck(format_.rules, value()), groups(first, second, 70, format_)))
    assert found.error < 3
    assert not found.far_from_nothing


@dataclass(frozen=True, slots=True)
class Pips:
    """A value function of paper: the pips of the card that came, and nothing else.

    planted: over which cards the mean is taken instead of all cards of the stock, and is false.
    """

    planted: str = ""

    def luck(self, draws: Sequence[Draw], rules: Rules) -> list[float]:
        return [PIPS[draw.card] - mean(self._all(draw)) for draw in draws]

    def mean(self, draws: Sequence[Draw], rules: Rules) -> list[float]:
        return [mean(self._all(draw)) - deadwood(draw.mover) for draw in draws]

    def _all(self, draw: Draw) -> list[int]:
        if self.planted == "the cards that the mover has not seen":
            return [PIPS[card] for card in iter_mask(draw.stock | draw.opponent)]
        worth = sorted([PIPS[card] for card in iter_mask(draw.stock)])
        return worth[:-2] if self.planted == "all but two" else worth


def test_the_same_test_finds_a_mean_over_the_wrong_cards() -> None:
    drawn = [
        [draw for _, record in group for hand in record.hands for draw in draws_of(hand, 10)]
        for group in groups(SIMPLE, PAIRS, 600)
    ]
    for planted in ("", "the cards that the mover has not seen", "all but two"):
        # Added up over both players: a mean that is false for either in the same way shows at once.
        found = mean_of([sum(Pips(planted).luck(draws, DEALS.rules)) for draws in drawn])
        assert found.far_from_nothing == bool(planted), (planted, found)


def test_a_bot_against_its_copy_is_exactly_even() -> None:
    for player in (PAIRS, DICE):
        for format_ in (DEALS, GAMES):
            assert set(of_first(Luck(format_.rules, value()), groups(player, player, 2, format_))) == {0.0}


def test_margins_less_luck_agree_with_the_margins_and_vary_less() -> None:
    played = groups(SIMPLE, PAIRS, 120)
    counted = tally(
        [game for group in played for game in group], ["first", "second"], lambda _: 2, luck=Luck(DEALS.rules, value())
    )
    sums = counted.bots["first"].sums
    raw, adjusted = sums.margin_a_hand(), sums.adjusted_a_hand()
    assert raw is not None
    assert adjusted is not None
    assert raw.half_width is not None
    assert adjusted.half_width is not None
    assert abs(raw.mean - adjusted.mean) < raw.half_width + adjusted.half_width
    assert adjusted.half_width < raw.half_width
    against = counted.against["first", "second"].adjusted_a_hand()
    assert against is not None
    assert against == pytest.approx(adjusted)


def test_the_luck_of_a_game_is_shared_out_to_nothing() -> None:
    judge = Luck(GAMES.rules, value())
    for group in groups(SIMPLE, DICE, 3, GAMES):
        for spec, record in group:
            one, other = judge.of_game(spec, record)
            assert one == -other
            assert len(record.hands) > 1
            assert judge.of_games([(spec, record)] * 3) == [(one, other)] * 3


def test_a_deal_that_is_not_mirrored_is_weighed_against_the_same_with_hands_changed() -> None:
    judge = Luck(DEALS.rules, Pips())
    shared = TableRules(DEALS, master_seed("tests of luck"))
    found = []
    for group in range(OWN_GROUPS, OWN_GROUPS + 150):
        spec = GameSpec(0, group, 0, ("first", "second"))
        record = play(spec, shared, [SIMPLE, SIMPLE])
        with_deal, without = judge.of_game(spec, record)[0], judge.of_game(replace(spec, group=0), record)[0]
        deck, (hand,) = record.hands[0].deck, record.hands
        changed = replace(hand, deck=deck[10:20] + deck[:10] + deck[20:], moves=b"")
        mirror = judge.of_game(spec, replace(record, hands=(changed,)))[0]
        assert with_deal - without == pytest.approx(-mirror)
        found.append(with_deal - without)
    assert not mean_of(found).far_from_nothing
    assert max(found) > 2


def test_in_three_hand_the_margins_of_who_plays_take_the_luck() -> None:
    (spec, record) = groups(SIMPLE, DICE, 1)[0][0]
    three = replace(record, hands=(replace(record.hands[0], roles=Roles(2, 0, 1)),))
    points = Luck(DEALS.rules, value()).of_game(spec, record)[0]
    spec = replace(spec, seats=("a", "b", "c"))
    assert Luck(DEALS.rules, value()).of_game(spec, three) == (-0.75 * points, 0.0, 0.75 * points)
    team = Rules(captain_points="team")
    assert Luck(team, value()).of_game(spec, three) == (-points, points / 2, points / 2)


def slow_luck(draw: Draw, judge: Networks, rules: Rules) -> float:
    """By the definition, a card at a time: the worth of the state after the draw less the mean over the stock."""

    def worth(card: int) -> float:
        return float(judge.worth(rows_of([draw], rules, [1 << card]).features)[0])

    return worth(draw.card) - sum(worth(card) for card in iter_mask(draw.stock)) / draw.stock.bit_count()


def test_the_luck_of_a_hand_is_that_of_its_draws_one_by_one() -> None:
    for spec, record in groups(SIMPLE, PAIRS, 2, OKLAHOMA)[1][:1]:
        (hand,) = record.hands
        limit = 0 if hand.deck[20] % 13 == 0 else min(hand.deck[20] % 13 + 1, 10)
        doubles = 2 if hand.deck[20] // 13 == 3 else 1
        draws = draws_of(hand, limit)
        assert [draw.card for draw in draws] == [
            hand.moves[at + 1] for at in range(0, len(hand.moves), 2) if hand.moves[at] & 15 == 3
        ]
        assert [draw.stock.bit_count() for draw in draws] == list(range(31, 31 - len(draws), -1))
        points = sum((-1) ** draw.position * slow_luck(draw, value(), OKLAHOMA.rules) for draw in draws)
        assert Luck(OKLAHOMA.rules, value()).of_game(spec, record)[hand.roles.nondealer] == pytest.approx(
            doubles * points
        )


def test_features_are_what_they_are_called() -> None:
    draws = [
        draw for group in groups(SIMPLE, PAIRS, 3) for _, r in group for hand in r.hands for draw in draws_of(hand, 10)
    ]
    rows = rows_of(draws, DEALS.rules)
    for at in range(0, len(rows.draw), 29):
        draw, card = draws[rows.draw[at]], int(rows.card[at])
        seen = dict(zip(FEATURES, rows.features[at].tolist(), strict=True))
        eleven = draw.mover | 1 << card
        own = min(deadwood_after(eleven, cards_of(eleven)))
        left = [other for other in iter_mask(draw.stock) if other != card]
        his = [min(deadwood_after(draw.opponent | 1 << one, cards_of(draw.opponent | 1 << one))) for one in left]
        assert (seen["own"], seen["other"], seen["stock"]) == (own, deadwood(draw.opponent), len(left))
        assert seen["other_next"] == pytest.approx(mean(his))
        assert seen["other_next_knocks"] == pytest.approx(mean(count <= 10 for count in his))
        if own <= 10:
            scores = set()
            for thrown in cards_of(eleven):
                if deadwood(eleven ^ 1 << thrown) == own:
                    result = showdown(DEALS.rules, 10, 1, 0, eleven ^ 1 << thrown, None, draw.opponent)
                    scores.add(result.points if result.winner == 0 else -result.points)
            assert seen["own_scores"] in scores


def test_no_order_of_the_stock_changes_what_a_draw_is_worth() -> None:
    (spec, record) = groups(SIMPLE, PAIRS, 1)[0][0]
    (hand,) = record.hands
    drawn = {hand.moves[at + 1] for at in range(0, len(hand.moves), 2) if hand.moves[at] & 15 == 3}
    rest = [card for card in hand.deck[21:] if card not in drawn]
    moved = iter(reversed(rest))
    deck = hand.deck[:21] + bytes([card if card in drawn else next(moved) for card in hand.deck[21:]])
    other = replace(record, hands=(replace(hand, deck=deck),))
    judge = Luck(DEALS.rules, value())
    assert judge.of_game(spec, other) == judge.of_game(spec, record)


def test_a_state_is_worth_the_same_alone_and_among_others() -> None:
    draws = [draw for _, r in groups(SIMPLE, PAIRS, 1)[0] for hand in r.hands for draw in draws_of(hand, 10)]
    together = value().luck(draws, DEALS.rules)
    assert together == [luck for draw in draws for luck in value().luck([draw], DEALS.rules)]
    rows = rows_of(draws, DEALS.rules).features
    assert np.array_equal(value().worth(rows), value().worth(rows[::-1])[::-1])


@dataclass(frozen=True)
class Run:
    format: GameFormat = DEALS
    luck: str | None = installed()


def test_a_run_has_a_judge_where_its_value_function_is_the_one_installed() -> None:
    assert isinstance(luck_of(Run()), Luck)
    assert isinstance(luck_of(Run(replace(DEALS, game=GameKind.THREE_HAND))), Luck)
    for name, rules in PRESETS.items():
        assert isinstance(luck_of(Run(replace(DEALS, rules=rules))), Luck), name


@pytest.mark.parametrize(
    ("run", "sentence"),
    [
        (Run(luck=None), "the run was played by an arena that could not judge luck yet"),
        (Run(luck="0" * 64), "the run began with another value function (000000000000) than this arena has"),
        (
            Run(replace(DEALS, rules=Rules(gin_bonus=31))),
            "no value function was fitted to these rules, only to those of",
        ),
    ],
)
def test_else_a_sentence_says_why_there_is_none(run: Run, sentence: str) -> None:
    told = luck_of(run)
    assert isinstance(told, str)
    assert sentence in told


def test_numpy_is_told_of_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck, "find_spec", lambda name: None)
    told = luck_of(Run())
    assert isinstance(told, str)
    assert "pip install 'gin-arena[statistics]'" in told


def test_options_of_the_game_are_no_options_of_the_hand() -> None:
    assert hand_options(Rules(target=500, stock="top", game_bonus=100)) == hand_options(Rules())
    assert luck.FILE.stat().st_size < 200_000


def test_the_greedy_bot_plays_here_as_it_does_in_a_series() -> None:
    shared = TableRules(DEALS, master_seed("tests of luck"))
    simple = Sample("simple")
    assert mirrored(0, shared, SIMPLE, SIMPLE) == mirrored(0, shared, simple, simple)
