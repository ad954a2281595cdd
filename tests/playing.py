"""Whole games played in this process, without bots: records of every kind of game, in milliseconds.

Every choice follows from the turn's seed and the player's name, so a record depends on its arguments alone.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from random import Random

from arena.dealer.table import FaultCost, Table, TableRules
from arena.dealer.values import GameRecord, GameSpec
from arena.dealing import commitment, master_seed
from arena.melds import best_defence, best_melds
from arena.players.faults import Failure, Fault
from arena.records.info import BotInfo, RunInfo
from arena.rules.actions import Action, ActionKind, big_gin, defend, discard, knock
from arena.rules.game import GameFormat, Play
from arena.rules.hand import Hand
from arena.rules.options import Rules
from arena.rules.view import Advice, GameKind, Turn, TurnKind

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

    faults: how often a turn is answered by a fault instead.
    """

    format: GameFormat = GIN
    faults: float = 0.0
    cost: FaultCost = FaultCost.HAND
    quarantine_after: int = 1000
    seed: bytes = SEED

    @property
    def shared(self) -> TableRules:
        return TableRules(self.format, self.seed, cost=self.cost)

    def game(self, spec: GameSpec) -> GameRecord:
        """Play one game to its end."""
        table = Table(spec, self.shared, advisers=(True,) * len(spec.seats))
        for _ in self.turns(table):
            pass
        return table.record()

    def turns(self, table: Table) -> Iterator[Turn]:
        """Play the game of a table to its end: each turn, before it is answered."""
        spec = table.spec
        while table.asked is not None:
            yield table.asked
            dice = Random(f"{table.asked.seed} {spec.seats[table.seat]}")
            if dice.random() < self.faults:
                fault = dice.choice((Fault.CRASH, Fault.TIMEOUT, Fault.ILLEGAL))
                table.fault(Failure(fault, f"it was to fail in game {spec.index}"))
            elif table.asked.advising:
                table.advise(Advice(choose(table.hand, dice), dice.choice(("", 'so "he" said\n'))))
            else:
                table.use_time(dice.random() / 1000, free=1.0)
                table.decide(choose(table.hand, dice))

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

    def info(self, bots: int, groups: int) -> RunInfo:
        """What a run of these games is."""
        return RunInfo(
            name="test-cup",
            arena_version="0.0.0",
            config=self._config(bots, groups),
            format=self.format,
            seed=self.seed.hex(),
            commitment=commitment(self.seed),
            bots=tuple(BotInfo(name, "1.0", name * 8) for name in bot_names(bots)),
        )

    def _config(self, bots: int, groups: int) -> str:
        format_ = self.format
        return json.dumps(
            {
                "name": "test-cup",
                "bots": [{"path": f"entries/{name}"} for name in bot_names(bots)],
                "game": format_.game.name.lower().replace("_", "-"),
                "scoring": "hollywood" if format_.hollywood else "single",
                "rules": format_.rules.as_dict(),
                "play": format_.play,
                "groups": groups,
                "faults": {"cost": self.cost, "quarantine_after": self.quarantine_after},
            }
        )


def bot_names(bots: int) -> list[str]:
    return ["ann", "bob", "cid", "dot"][:bots]


def choose(hand: Hand, dice: Random) -> Action:
    """A legal action: sensible discards, the stock more often than the pile, melds declared half the time."""
    view = hand.view(hand.to_act, hints=True)
    held = hand.deal.masks[hand.to_act]
    declares = dice.random() < 0.5
    if view.kind is TurnKind.DEFEND:
        if not declares or not view.knocker_unmatched:
            return defend(best_melds(held) if declares else None)
        return defend(*best_defence(held, hand.melds, min_first=hand.rules.defence == "min_first"))
    if view.kind is not TurnKind.DISCARD:
        return Action(view.legal[dice.random() < 0.3])
    if view.legal[-1] is ActionKind.BIG_GIN:
        return big_gin()
    if view.knocks and (view.legal[0] is ActionKind.KNOCK or dice.random() < 0.6):
        card = min(view.knocks, key=lambda card: view.deadwood[view.discards.index(card)])
        return knock(card, best_melds(held ^ 1 << card) if declares else None)
    best = view.discards[view.deadwood.index(min(view.deadwood))]
    return discard(best if dice.random() < 0.9 else dice.choice(view.discards))
