"""Real deal groups of two versions of a bot, played at tables in this process, as a comparison scores them."""

from pathlib import Path

from bots_at_table import bot_class, play_by
from playing import FORMATS

from arena.bot import Bot
from arena.dealer.table import TableRules
from arena.dealer.values import GameSpec
from arena.dealing import master_seed
from arena.standings.luck import Luck
from arena.tournament.comparison import NEW, OLD
from arena.tournament.gate import GroupScore
from arena.tournament.pairs import Game, pairs_of, score_of

BOTS = Path(__file__).parent / "bots"
SIMPLE = bot_class("simple")


def version(name: str) -> type[Bot]:
    """One of the bots here."""
    return bot_class(name, BOTS)


def played(new: type[Bot], groups: int, seed: str = "gate") -> list[list[Game]]:
    """The games of some deal groups, the sample bot `simple` being the old version."""
    shared = TableRules(FORMATS["gin-deals"], master_seed(seed))
    bots = {OLD: SIMPLE, NEW: new}
    specs = [
        GameSpec(2 * group + seating, group, seating, seats)
        for group in range(groups)
        for seating, seats in enumerate(((OLD, NEW), (NEW, OLD)))
    ]
    games = [(spec, play_by(shared, spec, [bots[name] for name in spec.seats])) for spec in specs]
    return [[*pair] for pair in zip(games[::2], games[1::2], strict=True)]


def scored(groups: list[list[Game]], luck: Luck | None = None) -> list[GroupScore]:
    """Their scores. luck: who judges it, if anybody."""
    scores = []
    for games in groups:
        (pair,) = pairs_of(games)
        alike = pair.is_alike
        scores.append(score_of(games, (OLD, NEW), luck, 0 if alike else pair.hands, alike=alike))
    return scores
