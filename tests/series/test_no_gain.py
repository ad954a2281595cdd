"""No bot gains by crashing: deal by deal and in games to the target it does no worse than its twin that crashes."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pytest
from bots_at_table import bot_class, play_by
from series_bench import BOTS, GIN

from arena.cards import PIPS, cards_of, mask_of
from arena.dealer.table import FaultCost, TableRules
from arena.dealer.values import GameRecord, GameSpec
from arena.dealing import master_seed
from arena.melds import best_defence
from arena.players.faults import Failure, Fault
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import Turn, TurnKind

HONEST = bot_class("rascal", BOTS)
CRASH = Failure(Fault.CRASH, "on purpose")
DEALS = replace(GIN, play=Play.DEALS)
TO_100 = replace(GIN, rules=Rules())

Crashes = Callable[[Turn], bool]
"""Whether the twin crashes at a turn."""


def at_a_defence(turn: Turn) -> bool:
    return turn.view.kind is TurnKind.DEFEND


def at_a_defence_that_loses(turn: Turn) -> bool:
    if not at_a_defence(turn) or not turn.view.knocker_unmatched:
        return at_a_defence(turn)
    held = mask_of(turn.view.hand)
    melds, layoffs = best_defence(held, tuple(mask_of(meld) for meld in turn.view.knocker_melds))
    return pips(cards_of(held & ~sum(melds) & ~layoffs)) > pips(turn.view.knocker_unmatched)


def with_a_bad_hand(turn: Turn) -> bool:
    return turn.view.kind is TurnKind.DRAW and turn.view.stock < 22 and turn.view.deadwood[0] > 25


def behind_in_the_game(turn: Turn) -> bool:
    own, other = turn.frame.scores.totals
    return at_a_defence(turn) and other > own + 30


def pips(cards: bytes) -> int:
    return sum(PIPS[card] for card in cards)


@cache
def game(
    game_format: GameFormat, index: int, crashes: Crashes | None = None, cost: FaultCost = FaultCost.HAND
) -> GameRecord:
    """A game of the honest bot against itself; or of its twin, who sits in the seat `index % 2`."""

    def fate(turn: Turn, seat: int) -> Failure | None:
        return CRASH if crashes is not None and seat == index % 2 and crashes(turn) else None

    rules = TableRules(game_format, master_seed("twins"), cost=cost)
    return play_by(rules, GameSpec(index, index, 0, ("a", "b")), (HONEST, HONEST), fate)


def twins(
    game_format: GameFormat, cost: FaultCost, crashes: Crashes, games: int
) -> Iterator[tuple[GameRecord, GameRecord, int]]:
    """Each game with the honest bot in one seat and then with its twin there, and that seat."""
    for index in range(games):
        yield game(game_format, index), game(game_format, index, crashes, cost), index % 2


@pytest.mark.parametrize("cost", FaultCost)
@pytest.mark.parametrize("crashes", [at_a_defence, at_a_defence_that_loses])
def test_a_crash_at_a_defence_never_costs_less_than_the_defence(crashes: Crashes, cost: FaultCost) -> None:
    crashed = 0
    for honest, twin, seat in twins(DEALS, cost, crashes, 100):
        crashed += len(twin.faults)
        assert twin.outcome.margins[seat] <= honest.outcome.margins[seat]
    assert crashed > 30


@pytest.mark.parametrize("cost", FaultCost)
@pytest.mark.parametrize("crashes", [at_a_defence, with_a_bad_hand, behind_in_the_game])
def test_a_twin_that_crashes_wins_less_over_all(crashes: Crashes, cost: FaultCost) -> None:
    won, margin = [0, 0], [0.0, 0.0]
    for honest, twin, seat in twins(TO_100, cost, crashes, 24):
        for player, record in enumerate((honest, twin)):
            won[player] += record.outcome.places[seat] == 1
            margin[player] += record.outcome.margins[seat]
    assert won[1] <= won[0]
    assert margin[1] < margin[0]
