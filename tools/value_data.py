"""The games that a value function is fitted on, as rows of features. See `tools/fit_value.py`."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.cards import cards_of
from arena.dealer.table import TableRules
from arena.dealing import master_seed
from arena.rules.game import GameFormat, Play
from arena.rules.options import PRESETS, Rules
from arena.rules.showdown import terms
from arena.rules.view import GameKind
from arena.standings.luck_draws import Draw, draws_of
from arena.standings.luck_features import rows_of
from benchmarks.styles import Player, Sample, Style, mirrored

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

SEED = "gin-arena luck: fit"
"""What the master seeds of these games are made of. Nothing else in this repository deals from them."""
PART = 1000
"""Deal groups a part: each part has a seed of its own."""
OTHERS = 5
"""Cards that might have come, looked at beside each that came: the mean over them stands for the mean over all."""
AT_ONCE = 500

_GIN = GameFormat(GameKind.GIN, False, Play.DEALS, Rules())
FORMATS = {
    "house": _GIN,
    "house, Oklahoma": replace(_GIN, game=GameKind.OKLAHOMA, rules=Rules(knock_limit="upcard")),
    **{name: replace(_GIN, rules=PRESETS[name]) for name in ("pagat", "modern", "gra", "eaai")},
}
_OFTEN = {"house": 16, "house, Oklahoma": 4}


def styles() -> Sequence[Player]:
    """The bots that play: different styles, among them those of the sample bots simple and greedy."""
    return (
        Style(), Style(), Style(ties="any"), Style(takes="never"), Style(lower=8), Style(knocks=6), Style(keeps=1.0),
        Style(knocks=4, keeps=2.0), Style(knocks=0, keeps=1.0), Style(lower=10, knocks=7, keeps=1.5, ties="any"),
        Style(keeps=1.0, random=0.03), Sample("greedy"),
    )  # fmt: skip


class Rows(NamedTuple):
    """Rows of features, and what they belong to.

    features: a row a card that came or might have come. came: whether it did. draw: the number of its draw.
    share: what a point to its worth is to the luck of the first player: 1 for a card that came, less the row's part in
    the mean, and with the other sign where the second drew. hand: the number of its hand; two make a group.
    margin: by hand, the points of the first player.
    """

    features: Floats
    came: NDArray[np.bool_]
    share: Floats
    hand: Ints
    margin: Floats


def rows_of_games(parts: int, workers: int) -> Rows:
    """Play so many parts, and look at every draw in them."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        played = list(pool.map(_part, range(parts)))
    hands = np.cumsum([0, *[len(rows.margin) for rows in played]])
    moved = [rows._replace(hand=rows.hand + first) for rows, first in zip(played, hands, strict=False)]
    return Rows(*[np.concatenate(column) for column in zip(*moved, strict=True)])


def _part(number: int) -> Rows:
    """Play a part. Rows come in the order of their hands."""
    dice = Random(f"{SEED} {number}")  # noqa: S311 - to be repeated
    bots, names = styles(), list(FORMATS)
    often = [_OFTEN.get(name, 1) for name in names]
    margins = list[float]()
    waiting = list[tuple[Rules, Draw, int, int]]()
    for group in range(PART):
        format_ = FORMATS[dice.choices(names, often)[0]]
        first, second = dice.choice(bots), dice.choice(bots)
        shared = TableRules(format_, master_seed(f"{SEED} {number}"))
        for spec, record in mirrored(group, shared, first, second):
            seat = spec.seats.index("first")
            for hand in record.hands:
                limit, _ = terms(format_.rules, hand.deck[20])
                waiting += [
                    (format_.rules, draw, len(margins), 1 if hand.roles.seat(draw.position) == seat else -1)
                    for draw in draws_of(hand, limit)
                ]
            margins.append(record.outcome.margins[seat])
    by_rules = [[one for one in waiting if one[0] == format_.rules] for format_ in FORMATS.values()]
    rows = [_looked_at(some[at : at + AT_ONCE], dice) for some in by_rules for at in range(0, len(some), AT_ONCE)]
    features, came, share, whose, _ = (np.concatenate(column) for column in zip(*rows, strict=True))
    order = np.argsort(whose, kind="stable")
    margin = np.array(margins, dtype=np.float32)
    return Rows(features[order], came[order], share[order], whose[order], margin)


def _looked_at(some: Sequence[tuple[Rules, Draw, int, int]], dice: Random) -> Rows:
    """The rows of draws by the same rules."""
    draws = [draw for _, draw, _, _ in some]
    rows = rows_of(draws, some[0][0], [_some_of(draw, dice) for draw in draws])
    hand, sign = (np.array([one[at] for one in some])[rows.draw] for at in (2, 3))
    came = rows.card == np.array([draw.card for draw in draws])[rows.draw]
    share = (came - 1 / np.bincount(rows.draw)[rows.draw]) * sign
    return Rows(rows.features.astype(np.float32), came, share.astype(np.float32), hand, np.zeros(0, dtype=np.float32))


def _some_of(draw: Draw, dice: Random) -> int:
    """The mask of the card that came and some others of the stock."""
    stock = cards_of(draw.stock)
    mask = 1 << draw.card
    for card in dice.sample(stock, min(OTHERS, len(stock))):
        mask |= 1 << card
    return mask
