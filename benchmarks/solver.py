"""The meld solver: ten-card deadwood and all eleven discards of eleven cards, beside OpenSpiel's C++ where it is there.

Each gets its hands in the form it likes best, made beforehand: the arena masks, OpenSpiel lists of numbers. The two
agree on every hand, whatever they call the suits.
"""

import math
import random
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

from arena import dealing
from arena.cards import mask_of
from arena.melds import deadwood, deadwood_after
from arena.rules.actions import STOCK, Action, discard
from arena.rules.hand import Hand
from arena.rules.options import Rules
from arena.rules.view import TurnKind
from benchmarks.measure import Figures, Size

Solver = Callable[[list[int]], int]

DEALT, PLAYED, ELEVEN = "us, ten cards dealt", "us, ten cards from play", "us, all discards of eleven"


def measure(size: Size) -> Figures:
    """Microseconds a call, the best of some passes over all hands: what disturbs a pass only adds to it."""
    dice = random.Random(10)
    dealt = [bytes(sorted(dice.sample(range(52), 10))) for _ in range(size.hands)]
    eleven = _from_play(size.hands)
    played = [hand.replace(hand[dice.randrange(11)].to_bytes(), b"") for hand in eleven]
    passes: dict[str, Callable[[], object]] = {
        DEALT: partial(_ours, [mask_of(hand) for hand in dealt]),
        PLAYED: partial(_ours, [mask_of(hand) for hand in played]),
        ELEVEN: partial(_our_discards, [(mask_of(hand), hand) for hand in eleven]),
    }
    if find_spec("pyspiel"):
        import pyspiel  # noqa: PLC0415 - may be missing

        theirs: Solver = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10).min_deadwood
        assert [theirs(list(hand)) for hand in played] == [deadwood(mask_of(hand)) for hand in played]
        passes |= {
            f"{DEALT}, OpenSpiel": partial(_theirs, theirs, [list(hand) for hand in dealt]),
            f"{PLAYED}, OpenSpiel": partial(_theirs, theirs, [list(hand) for hand in played]),
            f"{ELEVEN}, OpenSpiel": partial(_their_discards, theirs, [_without_each(hand) for hand in eleven]),
        }
    best = dict.fromkeys(passes, math.inf)
    for _ in range(5):
        for what, solve in passes.items():
            start = time.perf_counter()
            solve()
            best[what] = min(best[what], time.perf_counter() - start)
    return {what: seconds / size.hands * 1e6 for what, seconds in best.items()}


def _ours(hands: list[int]) -> None:
    for hand in hands:
        deadwood(hand)


def _our_discards(hands: list[tuple[int, bytes]]) -> None:
    for hand, cards in hands:
        deadwood_after(hand, cards)


def _theirs(solver: Solver, hands: list[list[int]]) -> None:
    for hand in hands:
        solver(hand)


def _their_discards(solver: Solver, hands: list[list[list[int]]]) -> None:
    for tens in hands:
        for ten in tens:
            solver(ten)


def _from_play(number: int) -> list[bytes]:
    """Hands of eleven cards of players who draw from the stock and keep what leaves the least deadwood."""
    hands: list[bytes] = []
    seed = dealing.master_seed("solver")
    for group in range(number):
        hand = Hand(Rules(), dealing.deck(seed, group, 1))
        while hand.result is None and len(hands) < number:
            view = hand.view(hand.to_act, hints=True)
            if view.kind is TurnKind.DISCARD:
                hands.append(view.hand)
                hand.apply(discard(min(zip(view.deadwood, view.discards, strict=True))[1]))
            else:
                hand.apply(STOCK if view.kind is TurnKind.DRAW else Action(view.legal[0]))
    return hands


def _without_each(hand: bytes) -> list[list[int]]:
    return [[card for card in hand if card != gone] for gone in hand]
