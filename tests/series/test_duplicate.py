"""Mirrored games are worth having: who wins with some cards tends to lose against them.

Decks are keyed to players and not to the dealer's role, see docs/dealing.md: keyed to roles the mirrored games of a
series to a target drift apart after the first hand.
"""

from collections.abc import Callable
from statistics import correlation

import pytest

from arena.bot import makes_meld
from arena.dealer.table import Table, TableRules
from arena.dealer.values import GameSpec
from arena.dealing import master_seed
from arena.rules.actions import PASS, PILE, STOCK, TAKE, Action, defend, discard, knock
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import GameKind, HandView, TurnKind

pytestmark = pytest.mark.thorough

GROUPS = 150

Strategy = Callable[[HandView], Action]


def simple(view: HandView) -> Action:
    """Take what makes a meld, shed deadwood, knock at once."""
    if view.kind is TurnKind.UPCARD:
        return TAKE if makes_meld(view.discard_pile[-1], view.hand) else PASS
    if view.kind is TurnKind.DRAW:
        return PILE if makes_meld(view.discard_pile[-1], view.hand) else STOCK
    if view.kind is TurnKind.DISCARD:
        _, card = min(zip(view.deadwood, view.discards, strict=True))
        return knock(card) if card in view.knocks else discard(card)
    return defend()


def patient(view: HandView) -> Action:
    """As simple, but knock late with more than five."""
    action = simple(view)
    if view.kind is TurnKind.DISCARD and min(view.deadwood) > 5 and view.stock > 16:
        _, card = min(zip(view.deadwood, view.discards, strict=True))
        return discard(card)
    return action


def first_wins(rules: TableRules, group: int, seats: tuple[Strategy, Strategy]) -> bool:
    table = Table(GameSpec(group, group, 0, ("a", "b")), rules, (False, False))
    while table.asked is not None:
        table.decide(seats[table.seat](table.asked.view))
    return table.game.outcome().places == (1, 2)


def test_the_wins_of_mirrored_games_correlate_negatively() -> None:
    rules = TableRules(GameFormat(GameKind.GIN, False, Play.GAMES, Rules()), master_seed("mirrored"))
    wins = [
        (first_wins(rules, group, (simple, patient)), not first_wins(rules, group, (patient, simple)))
        for group in range(GROUPS)
    ]
    of_one, of_other = zip(*wins, strict=True)
    assert correlation(of_one, of_other) < -0.3
