"""What of a game's margin was luck: the cards drawn from the stock, weighed by a frozen value function.

For each draw, luck is what the state after it is worth less the mean of that over all cards that were left in the
stock. Whatever the value function, its mean is 0, so that what is left of a margin is as right as the margin, and
steadier. docs/luck.md says why, and what the value function is.

Only what weighs the draws needs NumPy; it is loaded when a judge is asked for.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Protocol

from arena.cards import mask_of
from arena.dealer.values import OWN_GROUPS, GameRecord, GameSpec, HandRecord
from arena.extras import remedy
from arena.rules.game import GameFormat
from arena.rules.options import OptionValue, Rules
from arena.rules.roles import Roles
from arena.rules.showdown import terms
from arena.standings.luck_draws import Draw, draws_of

FILE = Path(__file__).with_name("luck_value.json")
"""The value function that comes with this arena."""

HAND_OPTIONS = (
    "gin_bonus", "return_taken", "undercut_bonus", "undercut_on_tie", "defence", "wall_last_discard", "big_gin",
    "knock_limit",
)  # fmt: skip
"""The options that change what a hand is worth. `ace` does so by the knock limit, which is known of every hand, and
`spade_doubles` by a factor; all others are of the game."""

GAMES_AT_ONCE = 50
"""How many games are judged together: enough that a hand costs what its draws do."""


class Judged(Protocol):
    """What has to be known of a run: see `arena.records.info.RunInfo`."""

    @property
    def format(self) -> GameFormat:
        """What was played."""

    @property
    def luck(self) -> str | None:
        """The hash of the value function that the arena had when the run began."""


class Value(Protocol):
    """What weighs draws, in points to who draws."""

    def luck(self, draws: Sequence[Draw], rules: Rules) -> Sequence[float]:
        """For each draw, the worth of the state after it less the mean over all cards of the stock."""

    def mean(self, draws: Sequence[Draw], rules: Rules) -> Sequence[float]:
        """For each of some draws that were not made, the mean worth over all cards of the stock."""


class Luck:
    """Says of each game of a run how much of its margin was luck."""

    def __init__(self, rules: Rules, value: Value) -> None:
        self._rules = rules
        self._value = value

    def of_game(self, spec: GameSpec, record: GameRecord) -> tuple[float, ...]:
        """By seat, the points of the game's margin that were luck. They add up to 0.

        They are those of the draws and, in a game that is not mirrored, of the deal. The bonuses of a game are not
        looked at: what was luck in reaching them stays in the margin.
        """
        return self.of_games([(spec, record)])[0]

    def of_games(self, games: Sequence[tuple[GameSpec, GameRecord]]) -> list[tuple[float, ...]]:
        """The same of many games, which is several times as quick a hand."""
        of_draws = iter(self._of_draws([hand for _, record in games for hand in record.hands]))
        of_deals = iter(
            self._of_deals([hand for spec, record in games if spec.group >= OWN_GROUPS for hand in record.hands])
        )
        found = []
        for spec, record in games:
            lucky = [0.0] * len(spec.seats)
            for hand in record.hands:
                dealt = next(of_deals) if spec.group >= OWN_GROUPS else 0.0
                points = (next(of_draws) + dealt) * terms(self._rules, hand.deck[20])[1]
                for seat, share in _shares(hand.roles, self._rules):
                    lucky[seat] += share * points
            found.append(tuple(lucky))
        return found

    def _of_draws(self, hands: Sequence[HandRecord]) -> list[float]:
        """By hand, the luck of the non-dealer in the draws."""
        draws = [draws_of(hand, terms(self._rules, hand.deck[20])[0]) for hand in hands]
        points = iter(self._value.luck([draw for of_hand in draws for draw in of_hand], self._rules))
        return [sum([-next(points) if draw.position else next(points) for draw in of_hand]) for of_hand in draws]

    def _of_deals(self, hands: Sequence[HandRecord]) -> list[float]:
        """By hand, the luck of the non-dealer in the deal.

        That is half of what it would win by changing hands with the dealer, if it then drew from the stock: both ways
        to deal these cards are equally likely, so the mean is 0 for any value function, and nothing is estimated.
        """
        draws = []
        for hand in hands:
            limit, _ = terms(self._rules, hand.deck[20])
            own, other, stock = mask_of(hand.deck[:10]), mask_of(hand.deck[10:20]), mask_of(hand.deck[21:])
            draws += [Draw(0, *both, stock, hand.deck[21], limit) for both in ((own, other), (other, own))]
        worth = self._value.mean(draws, self._rules)
        return [(own - other) / 2 for own, other in zip(worth[::2], worth[1::2], strict=True)]


def judged(
    games: Iterable[tuple[GameSpec, GameRecord]], luck: Luck | None
) -> Iterator[tuple[GameSpec, GameRecord, tuple[float, ...]]]:
    """The games as they come, with what was luck in them by seat; without a judge that is 0."""
    coming = iter(games)
    while some := list(islice(coming, GAMES_AT_ONCE)):
        points = [(0.0,) * len(spec.seats) for spec, _ in some] if luck is None else luck.of_games(some)
        yield from [(spec, record, of_game) for (spec, record), of_game in zip(some, points, strict=True)]


def installed() -> str | None:
    """The hash of the value function that comes with this arena: what a run that begins now will be judged by."""
    return hashlib.sha256(FILE.read_bytes()).hexdigest() if FILE.exists() else None


def luck_of(run: Judged) -> Luck | str:
    """Who judges the luck in a run, or a sentence that says why nobody can."""
    if run.luck is None:
        return (
            "Luck is not judged: the run was played by an arena that could not judge luck yet, and what judges it has "
            "to be fixed before."
        )
    if run.luck != installed():
        return (
            f"Luck is not judged: the run began with another value function ({run.luck:.12}) than this arena has; "
            "use the Gin Arena that played it."
        )
    fitted = json.loads(FILE.read_text(encoding="utf-8"))["rules"]
    rules = run.format.rules
    if hand_options(rules) not in fitted.values():
        return f"Luck is not judged: no value function was fitted to these rules, only to those of {', '.join(fitted)}."
    if find_spec("numpy") is None:
        return f"Luck is not judged: NumPy is missing; {remedy('statistics')}."
    from arena.standings.luck_value import Networks  # noqa: PLC0415 - NumPy takes longer to load than all the rest

    return Luck(rules, Networks.read(FILE))


def hand_options(rules: Rules) -> dict[str, OptionValue]:
    """The options of a hand, see `HAND_OPTIONS`."""
    options = rules.as_dict()
    return {name: options[name] for name in HAND_OPTIONS}


def _shares(roles: Roles, rules: Rules) -> Iterator[tuple[int, float]]:
    """By seat, what a point to the non-dealer is in the margins.

    In three-hand a margin is own points less the mean of the others', and points are the winner's alone. What the
    captain and the box win of each other is 3/4 of it to one and off the other, and both give the third seat what is
    missing, whoever wins: that is no luck of this hand's draws. Where a captain wins for two it is 1/2, 1/2 and -1.
    """
    if roles.out is None:
        yield from ((roles.nondealer, 1.0), (roles.dealer, -1.0))
    elif rules.captain_points == "team":
        yield from ((roles.nondealer, 0.5), (roles.out, 0.5), (roles.dealer, -1.0))
    else:
        yield from ((roles.nondealer, 0.75), (roles.dealer, -0.75))
