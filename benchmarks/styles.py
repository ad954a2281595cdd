"""Ways to play, in this process and from open hands: what a value function is fitted on and luck is measured with.

They are quick, and each differs from another in what its fields say. What a style decides follows from its own cards,
the pile and its dice alone.
"""

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Protocol

from arena import dealing
from arena.bot import Bot, makes_meld, rank_of, suit_of
from arena.cards import FULL_DECK, mask_of
from arena.dealer.table import TableRules, first_roles
from arena.dealer.values import GameRecord, GameSpec, HandRecord, TimeUse
from arena.melds import deadwood, deadwood_after
from arena.rules.actions import PASS, PILE, STOCK, TAKE, Action, big_gin, defend, discard, knock
from arena.rules.game import Game
from arena.rules.hand import Hand
from arena.rules.handstate import Phase

SAMPLE_BOTS = Path(__file__).parents[1] / "sample_bots"


class Player(Protocol):
    """Whoever plays a hand."""

    def decide(self, hand: Hand, dice: Random) -> Action:
        """What to do as the position to act."""


@dataclass(frozen=True, slots=True)
class Style:
    """A bot such as the sample bot `simple`, which is the style with all defaults.

    takes: a card of the pile if it makes a meld (`meld`), also if it lowers the deadwood by `lower` or more (0: never
        for that), or `never`.
    knocks: the most deadwood to knock with.
    keeps: what each pair of a held and a live card that would make a meld with a card is worth, in pips.
    ties: of equals the `high` card goes, the `low` one, or `any`.
    random: the share of turns that are decided by dice alone.
    """

    takes: str = "meld"
    lower: int = 0
    knocks: int = 10
    keeps: float = 0.0
    ties: str = "high"
    random: float = 0.0

    def decide(self, hand: Hand, dice: Random) -> Action:
        phase = hand.phase
        if phase is Phase.DEFEND:
            return defend()
        at_random = self.random > 0 and dice.random() < self.random
        if phase in (Phase.DISCARD, Phase.MUST_KNOCK):
            return self._discard(hand, dice, at_random)
        taking, leaving = (PILE, STOCK) if phase is Phase.DRAW else (TAKE, PASS)
        if phase is Phase.LAST_DISCARD:
            return PILE
        takes = dice.random() < 0.5 if at_random else self._takes(hand)
        return taking if takes else leaving

    def _takes(self, hand: Hand) -> bool:
        held, top = hand.deal.masks[hand.to_act], hand.deal.pile[-1]
        if self.takes == "never":
            return False
        if makes_meld(top, held):
            return True
        if not self.lower:
            return False
        return min(deadwood_after(held | 1 << top, hand.deal.hands[hand.to_act])) <= deadwood(held) - self.lower

    def _discard(self, hand: Hand, dice: Random, at_random: bool) -> Action:
        cards = hand.discards()
        held = hand.deal.masks[hand.to_act]
        left = deadwood_after(held, cards)
        least = min(left)
        if not deadwood(held) and hand.rules.big_gin != "none":
            return big_gin()
        if hand.phase is Phase.MUST_KNOCK or least <= min(self.knocks, hand.limit):
            return knock(max([card for card, count in zip(cards, left, strict=True) if count == least], key=_high))
        if at_random:
            return discard(dice.choice(cards))
        costs: Sequence[float] = left
        if self.keeps:
            live = FULL_DECK & ~held & ~mask_of(hand.deal.pile)
            costs = [count + self.keeps * promised(card, held, live) for card, count in zip(cards, left, strict=True)]
            least = min(costs)  # type: ignore[assignment]
        best = [card for card, cost in zip(cards, costs, strict=True) if cost == least]
        if self.ties == "any":
            return discard(dice.choice(best))
        return discard(max(best, key=_high) if self.ties == "high" else min(best, key=_high))


def _high(card: int) -> tuple[int, int]:
    return rank_of(card), suit_of(card)


def promised(card: int, held: int, live: int) -> int:
    """With how many pairs of a card held and a live one a card makes a meld. held, live: masks."""
    count = 0
    for one, other in _PAIRS[card]:
        count += (held >> one & live >> other | live >> one & held >> other) & 1
    return count


def _pairs(card: int) -> tuple[tuple[int, int], ...]:
    rank, first = rank_of(card), 13 * suit_of(card)
    others = [other for other in range(rank, 52, 13) if other != card]
    sets = [(one, other) for one in others for other in others if one < other]
    runs = [
        [first + at for at in range(low, low + 3) if at != rank] for low in range(max(rank - 2, 0), min(rank, 10) + 1)
    ]
    return (*sets, *[(one, other) for one, other in runs])


_PAIRS = tuple(_pairs(card) for card in range(52))


class Sample:
    """A bot of sample_bots, asked without a process or a message. It must have no memory."""

    def __init__(self, name: str) -> None:
        path = SAMPLE_BOTS / name / "bot.py"
        spec = importlib.util.spec_from_file_location(f"sample_{name}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Bot)]
        (only,) = [bot for bot in found if bot is not Bot]
        self._bot = only()

    def decide(self, hand: Hand, dice: Random) -> Action:
        view = hand.view(hand.to_act, hints=True)
        turn: Any = SimpleNamespace(
            **view._asdict(),
            top=view.discard_pile[-1] if view.discard_pile else None,
            upcard=hand.deal.upcard,
            limit=hand.limit,
            random=dice,
            setup=SimpleNamespace(rules=hand.rules.as_text()),
        )
        return self._bot.decide(turn)


def play(spec: GameSpec, shared: TableRules, players: Sequence[Player]) -> GameRecord:
    """Play a game of two. The dice of a hand belong to the seat, as in a series."""
    game = Game(shared.format, first_roles(shared, spec.group))
    rules = shared.format.rules
    hands: list[HandRecord] = []
    while game.roles is not None:
        roles, number = game.roles, len(hands) + 1
        deck = dealing.as_played(dealing.deck(shared.seed, spec.group, number), roles, rules.stock == "two_ended")
        dice = [Random(f"{shared.seed.hex()} {spec.group} {number} {seat}") for seat in range(2)]
        hand = Hand(rules, deck)
        while hand.result is None:
            seat = roles.seat(hand.to_act)
            hand.apply(players[seat].decide(hand, dice[seat]))
        hands.append(HandRecord(number, roles, deck, hand.moves, (), hand.result))
        game.record(hand.result)
    return GameRecord(spec.index, tuple(hands), game.outcome(), (), (TimeUse(), TimeUse()))


def mirrored(group: int, shared: TableRules, first: Player, second: Player) -> list[tuple[GameSpec, GameRecord]]:
    """Both games of a deal group of two players, who are called `first` and `second`."""
    games = []
    for seating, names in enumerate((("first", "second"), ("second", "first"))):
        spec = GameSpec(2 * group + seating, group, seating, names)
        games.append((spec, play(spec, shared, [first, second] if seating == 0 else [second, first])))
    return games
