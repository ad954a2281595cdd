"""Decisions to ask a bot for: hands are dealt and played until one of the wanted kind comes up."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from itertools import count
from random import Random

from arena.cards import CARD_TEXT, cards_text, mask_of, mask_text
from arena.dealer.table import FaultCost, Table, TableRules
from arena.dealer.values import GameSpec
from arena.dealing import master_seed
from arena.melds import deadwood, deadwood_after
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import PlayRequest
from arena.rules.actions import PASS, PILE, STOCK, TAKE, Action, ActionKind, defend, discard, knock
from arena.rules.game import GameFormat, Play
from arena.rules.handstate import Phase
from arena.rules.options import Rules, rules_from
from arena.rules.result import Position
from arena.rules.view import GAME_NAMES, Advice, GameKind, TurnKind

DECISION_MS = 100
"""Time for a decision that turns tell: that of a series which says nothing else."""
NEAR = 6
"""Points by which a hand may miss a knock for a bot to be tempted."""
FULL = 110
"""Points that eleven cards may have."""
_RARE = 2000
"""Hands in which even the rarest of decisions comes up."""
_OPTIONS = {"big_gin": 31, "wall_last_discard": "knock_only"}
"""Over the house rules: what is needed for every kind of decision to come up."""


@dataclass(frozen=True)
class Setting:
    """What one conversation with a bot is about: a game, whether turns have hints, and options of the rules."""

    game: GameKind
    hints: bool = True
    adviser_view: str = "captain"
    target: int = 100

    def __str__(self) -> str:
        return f"{GAME_NAMES[self.game]}{'' if self.hints else ', without hints'}"

    @property
    def rules(self) -> Rules:
        """What is played by."""
        given = {**_OPTIONS, "adviser_view": self.adviser_view, "target": self.target}
        return rules_from(given, oklahoma=self.game is GameKind.OKLAHOMA)

    def request(self) -> PlayRequest:
        """A request without notices and turns."""
        return PlayRequest(setup=codec.setup_message(self.game, False, self.rules.as_text(), self.hints))


class Knocking(Enum):
    """When the hands that lead to a scene are knocked in."""

    NEVER = auto()
    WITH_GIN = auto()
    AT_ONCE = auto()


@dataclass(frozen=True)
class Scene:
    """A kind of decision: its name, how hands are played in which it comes up soon, and whether a table is at it."""

    name: str
    knocking: Knocking
    here: Callable[[Table], bool]


def _kind(kind: TurnKind) -> Callable[[Table], bool]:
    return lambda table: table.asked is not None and table.asked.view.kind is kind


def _discard(least: int, most: int) -> Callable[[Table], bool]:
    """At a discard that leaves at best so much more than the limit, without a big gin."""

    def here(table: Table) -> bool:
        hand = table.hand
        if hand.phase is not Phase.DISCARD or deadwood(hand.deal.masks[hand.to_act]) == 0:
            return False
        return least <= min(hand.view(hand.to_act, hints=True).deadwood) - hand.limit <= most

    return here


def _big_gin(table: Table) -> bool:
    hand = table.hand
    return hand.phase is Phase.DISCARD and deadwood(hand.deal.masks[hand.to_act]) == 0


def _defence(gin: bool) -> Callable[[Table], bool]:
    def here(table: Table) -> bool:
        hand = table.hand
        if hand.phase is not Phase.DEFEND:
            return False
        return gin == (hand.deal.masks[1 - hand.to_act] == sum(hand.melds))

    return here


UPCARD = Scene("upcard", Knocking.AT_ONCE, _kind(TurnKind.UPCARD))
DRAW = Scene("draw", Knocking.AT_ONCE, _kind(TurnKind.DRAW))
DISCARD = Scene("discard", Knocking.AT_ONCE, _discard(1, NEAR))
KNOCK = Scene("knock", Knocking.NEVER, _discard(-FULL, 0))
BIG_GIN = Scene("big gin", Knocking.NEVER, _big_gin)
DEFENCE = Scene("defence", Knocking.AT_ONCE, _defence(gin=False))
GIN_DEFENCE = Scene("defence against gin", Knocking.WITH_GIN, _defence(gin=True))
LAST_DISCARD = Scene("last discard", Knocking.NEVER, lambda table: table.hand.phase is Phase.LAST_DISCARD)
CAPTAIN = Scene("advice", Knocking.AT_ONCE, lambda table: table.asked is not None and table.asked.advice is not None)
ADVISING = Scene("advising", Knocking.AT_ONCE, lambda table: table.asked is not None and table.asked.advising)

EVERY_KIND = (UPCARD, DRAW, DISCARD, KNOCK, BIG_GIN, DEFENCE, GIN_DEFENCE, LAST_DISCARD)
"""Of two players."""
_OFTEN = (DRAW, DISCARD, CAPTAIN, ADVISING)
"""What comes up several times in a hand."""


class Dealer:
    """Deals tables, no two alike, all from one seed.

    random: of the step, for the choice of scenes.
    """

    def __init__(self, seed: str) -> None:
        self._text = seed
        self._seed = master_seed(f"check {seed}")
        self.begin(0)

    def begin(self, step: int) -> None:
        """Begin a step, with numbers and dice of its own: what it deals must not hang on how fast the last one went."""
        self._numbers = count(step << 32)
        self.random = Random(f"{self._text} {step}")  # noqa: S311 - to be repeated

    def shared(self, setting: Setting, play: Play) -> TableRules:
        """What the tables of a setting have in common."""
        form = GameFormat(setting.game, False, play, setting.rules)
        return TableRules(form, self._seed, setting.hints, FaultCost.GAME, DECISION_MS)

    def number(self) -> int:
        """A number that was not given before: of a game, or of a turn that has to be another."""
        return next(self._numbers)

    def spec(self, setting: Setting) -> GameSpec:
        """A game that was not played yet."""
        index = self.number()
        seats = 3 if setting.game is GameKind.THREE_HAND else 2
        return GameSpec(index, index, 0, tuple(f"seat {seat}" for seat in range(seats)))

    def table(self, setting: Setting, play: Play = Play.DEALS, *, advised: bool = False) -> Table:
        """A fresh table. advised: whether the player who sits out is asked for advice."""
        spec = self.spec(setting)
        return Table(spec, self.shared(setting, play), (advised,) * len(spec.seats))

    def at(self, setting: Setting, scene: Scene) -> Table:
        """A table at which a decision of this kind is asked."""
        wait = self.random.randrange(6) if scene in _OFTEN else 0
        for _ in range(_RARE):
            table = self.table(setting, advised=scene in (CAPTAIN, ADVISING))
            while table.asked is not None:
                if scene.here(table):
                    if not wait:
                        return table
                    wait -= 1
                play_on(table, scene.knocking)
        raise AssertionError(f"no {scene.name} in {_RARE} hands")

    def anywhere(self, setting: Setting) -> Table:
        """A table at which anything is asked."""
        while True:
            table = self.table(setting)
            for _ in range(self.random.randrange(24)):
                if table.asked is not None:
                    play_on(table, Knocking.AT_ONCE)
            if table.asked is not None:
                return table

    def finished(self, setting: Setting) -> Table:
        """A table whose game is over."""
        table = self.table(setting)
        while table.asked is not None:
            play_on(table, Knocking.AT_ONCE)
        return table


def play_on(table: Table, knocking: Knocking) -> None:
    """Take one decision at a table, sensibly. Who is asked for advice recommends that decision."""
    action = _sensible(table, knocking)
    if table.asked is not None and table.asked.advising:
        table.advise(Advice(action, "so would I"))
    else:
        table.decide(action)


def _sensible(table: Table, knocking: Knocking) -> Action:
    view = table.hand.view(table.hand.to_act, hints=True)
    if view.kind is TurnKind.DEFEND:
        return defend()
    if view.kind is TurnKind.DISCARD:
        left, card = min(zip(view.deadwood, view.discards, strict=True))
        may = card in view.knocks and (knocking is Knocking.AT_ONCE or (knocking is Knocking.WITH_GIN and not left))
        return knock(card) if may else discard(card)
    held = mask_of(view.hand)
    helps = min(deadwood_after(held | 1 << view.discard_pile[-1], view.hand)) < deadwood(held)
    if view.kind is TurnKind.UPCARD:
        return TAKE if helps else PASS
    if ActionKind.PASS in view.legal:
        return PASS
    return PILE if helps else STOCK


_PARTS = {
    (False, Position.NONDEALER): "non-dealer",
    (False, Position.DEALER): "dealer",
    (True, Position.NONDEALER): "captain",
    (True, Position.DEALER): "box",
}


def question(table: Table) -> str:
    """What a table asks, in words: `discard as dealer; hand 2C 3C ...; drawn KS; knocks with 9D TD; ...`."""
    turn, hand = table.asked, table.hand
    assert turn is not None
    view = turn.view
    part = _PARTS[table.roles.out is not None, Position(hand.to_act)]
    words = [f"{view.kind.name.lower()} as {f'adviser of the {part}' if turn.advising else part}"]
    if view.hand:
        words.append(f"hand {cards_text(view.hand)}")
    if view.drawn is not None:
        words.append(f"drawn {CARD_TEXT[view.drawn]}")
    if view.kind in (TurnKind.UPCARD, TurnKind.DRAW):
        words.append(f"{CARD_TEXT[view.discard_pile[-1]]} on the discard pile")
    if view.knocks:
        words.append(f"knocks with {cards_text(view.knocks)}")
    if view.kind is TurnKind.DEFEND:
        melds = " / ".join(mask_text(mask_of(meld)) for meld in view.knocker_melds)
        words.append(f"against {melds} and {cards_text(view.knocker_unmatched) or 'nothing unmatched'}")
    if turn.advice is not None:
        words.append(f"advice {turn.advice.action}")
    legal = ", ".join(kind.name.lower() for kind in view.legal)
    return "; ".join([*words, f"stock {view.stock}, limit {hand.limit}", f"legal {legal}"])
