"""Whole games played in this process, without bots: records of every kind of game, in milliseconds.

Every choice follows from the turn's seed, so a record depends on its arguments alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from random import Random

from hands import random_action

from arena.dealer.table import FaultCost, Table, TableRules
from arena.dealer.values import GameRecord, GameSpec
from arena.dealing import commitment, master_seed
from arena.melds import best_defence, best_melds
from arena.players.faults import Failure, Fault
from arena.records.info import BotInfo, RunInfo
from arena.rules.actions import Action, ActionKind
from arena.rules.game import GameFormat, Play
from arena.rules.hand import Hand
from arena.rules.options import Rules
from arena.rules.view import Advice, GameKind

SEED = master_seed("tests")

GIN = GameFormat(GameKind.GIN, False, Play.GAMES, Rules())
FORMATS = {
    "gin": GIN,
    "gin-deals": replace(GIN, play=Play.DEALS),
    "gin-hollywood": replace(GIN, hollywood=True),
    "three-hand": replace(GIN, game=GameKind.THREE_HAND),
    "three-hand-deals": replace(GIN, game=GameKind.THREE_HAND, play=Play.DEALS),
    "three-hand-hollywood": replace(GIN, game=GameKind.THREE_HAND, hollywood=True),
    "oklahoma": GameFormat(GameKind.OKLAHOMA, False, Play.GAMES, Rules(knock_limit="upcard", spade_doubles=True)),
    "oklahoma-hollywood": GameFormat(GameKind.OKLAHOMA, True, Play.GAMES, Rules(knock_limit="upcard")),
}
"""A format of every game, scoring and play."""


@dataclass(frozen=True)
class Players:
    """How the games of a test are played.

    caution: see `hands.random_action`; high values make hands that look like play.
    faults: how often a turn is answered by a fault instead.
    """

    format: GameFormat = GIN
    caution: float = 0.9
    faults: float = 0.0
    cost: FaultCost = FaultCost.HAND
    seed: bytes = field(default=SEED)

    @property
    def shared(self) -> TableRules:
        return TableRules(self.format, self.seed, cost=self.cost)

    def game(self, spec: GameSpec) -> GameRecord:
        """Play one game to its end."""
        table = Table(spec, self.shared, advisers=(True,) * len(spec.seats))
        while table.asked is not None:
            dice = Random(table.asked.seed)
            if dice.random() < self.faults:
                table.fault(Failure(dice.choice((Fault.CRASH, Fault.TIMEOUT, Fault.ILLEGAL)), "as the test asked"))
            elif table.asked.advising:
                table.advise(Advice(choose(table.hand, dice, self.caution), dice.choice(("", 'so "he" said\n'))))
            else:
                table.use_time(dice.random() / 1000, free=1.0)
                table.decide(choose(table.hand, dice, self.caution))
        return table.record()

    def games(self, specs: Iterable[GameSpec]) -> Iterator[GameRecord]:
        return map(self.game, specs)

    def schedule(self, bots: int, groups: int) -> list[GameSpec]:
        """All pairings of some bots, in all seatings, as a series would play them."""
        pairings = list(combinations(bot_names(bots), self.format.seats))
        seats = [
            (group, seating, seats)
            for group in range(groups)
            for pairing in pairings
            for seating, seats in enumerate(permutations(pairing))
        ]
        return [GameSpec(index, *game) for index, game in enumerate(seats)]

    def info(self, bots: int) -> RunInfo:
        """What a run of these games is."""
        return RunInfo(
            name="test-cup",
            arena_version="0.0.0",
            config='{"name": "test-cup"}',
            source="name: test-cup  # ♠\n",
            format=self.format,
            seed=self.seed.hex(),
            commitment=commitment(self.seed),
            bots=tuple(BotInfo(name, "1.0", name * 8, f"entries/{name}") for name in bot_names(bots)),
        )


def bot_names(bots: int) -> list[str]:
    return ["ann", "bob", "cid", "dot"][:bots]


def choose(hand: Hand, dice: Random, caution: float) -> Action:
    """A legal action, with melds and lay-offs declared half the time."""
    action = random_action(hand, dice, caution)
    if dice.random() < 0.5:
        return action
    held = hand.deal.masks[hand.to_act]
    if action.kind is ActionKind.KNOCK and action.card is not None:
        return replace(action, melds=best_melds(held ^ 1 << action.card))
    if action.kind is ActionKind.DEFEND and hand.rules.defence == "free":
        melds, layoffs = best_defence(held, hand.melds)
        gin = not hand.deal.masks[1 - hand.to_act] ^ sum(hand.melds)
        return replace(action, melds=best_melds(held) if gin else melds, layoffs=None if gin else layoffs)
    return action
