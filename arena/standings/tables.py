"""The result tables: everything counted of each bot, and each bot against each other.

One wide sheet has it all, for CSV and JSON; people are shown a few narrow ones, which are selected from it.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.players.faults import Culprit, Fault
from arena.rules.result import ResultKind
from arena.standings.advice import AdviceCount
from arena.standings.ranking import rank
from arena.standings.sheet import Cell, Column, Sheet
from arena.standings.statistics import Estimate
from arena.standings.tally import BotTally, Part, Sums, Tally


class Table(NamedTuple):
    """A sheet to be shown under a heading."""

    heading: str
    sheet: Sheet


Counted = tuple[Column, Callable[[BotTally], Cell]]
"""A column, and its cell in the row of a bot."""

_WON_PERCENT = Column("won_percent", "won %", 1, pm="won_percent_pm")
_MARGIN_A_GAME = Column("margin_a_game", "margin a game", 2, signed=True, pm="margin_a_game_pm")
_MARGIN_A_HAND = Column("margin_a_hand", "margin a hand", 2, signed=True, pm="margin_a_hand_pm")

_ADJUSTED_A_HAND = Column("adjusted_a_hand", "less luck", 2, signed=True, pm="adjusted_a_hand_pm")
"""Stands beside the margin a hand where luck was judged."""

_GAMES_AND_HANDS: tuple[Counted, ...] = (
    (Column("games", "games"), lambda bot: bot.sums.games),
    (Column("won", "won"), lambda bot: bot.won_alone),
    (Column("drawn", "drawn"), lambda bot: bot.drawn),
    (Column("lost", "lost"), lambda bot: bot.sums.games - bot.won_alone - bot.drawn),
    (_WON_PERCENT, lambda bot: _percent(bot.sums.won_share())),
    (_MARGIN_A_GAME, lambda bot: bot.sums.margin_a_game()),
    (Column("hands", "hands"), lambda bot: bot.sums.hands),
    (_MARGIN_A_HAND, lambda bot: bot.sums.margin_a_hand()),
    (Column("gins", "won by gin"), lambda bot: _gins(bot.made)),
    (Column("knocks", "won by knock"), lambda bot: bot.made[ResultKind.KNOCK]),
    (Column("undercuts", "won by undercut"), lambda bot: bot.made[ResultKind.UNDERCUT]),
    (Column("forfeits", "won by forfeit"), lambda bot: bot.made[ResultKind.FORFEIT]),
    (Column("gins_suffered", "lost to gin"), lambda bot: _gins(bot.suffered)),
    (Column("knocks_suffered", "lost to knock"), lambda bot: bot.suffered[ResultKind.KNOCK]),
    (Column("undercuts_suffered", "lost to undercut"), lambda bot: bot.suffered[ResultKind.UNDERCUT]),
    (Column("forfeits_suffered", "lost by forfeit"), lambda bot: bot.suffered[ResultKind.FORFEIT]),
    (Column("walls", "walls"), lambda bot: bot.walls),
    (Column("faults", "faults"), lambda bot: bot.faults.total() - bot.faults[Fault.QUARANTINED]),
)  # fmt: skip


def _fault_column(fault: Fault) -> Counted:
    return Column(f"faults_{fault}", fault.replace("_", " ")), lambda bot: bot.faults[fault]


def _role_columns(role: str, part: Callable[[BotTally], Part]) -> tuple[Counted, ...]:
    margin = Column(f"{role}_margin_a_hand", f"margin a hand as {role}", 2, signed=True)
    return (
        (Column(f"{role}_hands", f"hands as {role}"), lambda bot: part(bot).hands),
        (margin, lambda bot: _mean(part(bot).points, part(bot).hands)),
    )


def _advice_columns(key: str, count: Callable[[BotTally], AdviceCount]) -> tuple[Counted, ...]:
    def followed(bot: BotTally) -> float | None:
        return _mean(count(bot).points_followed, count(bot).followed)

    def otherwise(bot: BotTally) -> float | None:
        return _mean(count(bot).points_other, count(bot).given - count(bot).followed)

    return (
        (Column(key, "advice"), lambda bot: count(bot).given),
        (
            Column(f"{key}_followed_percent", "followed %", 1),
            lambda bot: _mean(100 * count(bot).followed, count(bot).given),
        ),
        (Column(f"{key}_margin_followed", "captain's margin if followed", 2, signed=True), followed),
        (Column(f"{key}_margin_otherwise", "captain's margin if not", 2, signed=True), otherwise),
    )


_ROLES = (
    *_role_columns("box", lambda bot: bot.box),
    *_role_columns("captain", lambda bot: bot.captain),
    (Column("out_hands", "hands sat out"), lambda bot: bot.out.hands),
)
_OUT_POINTS: Counted = (
    Column("out_points_a_hand", "points a hand sat out", 2),
    lambda bot: _mean(bot.out.points, bot.out.hands),
)
_ADVICE_GIVEN = _advice_columns("advice_given", lambda bot: bot.advice_given)
_ADVICE_GOT = _advice_columns("advice_got", lambda bot: bot.advice_got)
_FAULTS = tuple(_fault_column(fault) for fault in Fault if fault.culprit is Culprit.BOT)
_TWO_HANDED = (*_GAMES_AND_HANDS, *_FAULTS)
_THREE_HANDED = (*_TWO_HANDED, *_ROLES, _OUT_POINTS, *_ADVICE_GIVEN, *_ADVICE_GOT)


def standings(tally: Tally, rank_by: Sequence[str], *, three_hand: bool) -> Sheet:
    """One row a bot, best first, with all that was counted of it. Intervals are 95 %, over deal groups."""
    counted = list(_THREE_HANDED if three_hand else _TWO_HANDED)
    if tally.judged:
        counted.insert(
            _keys(counted).index("margin_a_hand") + 1, (_ADJUSTED_A_HAND, lambda bot: bot.sums.adjusted_a_hand())
        )
    columns = [Column("place", "#"), Column("bot", "bot", text=True), *[column for column, _ in counted]]
    rows = [[place, name, *[cell(tally.bots[name]) for _, cell in counted]] for place, name in rank(tally, rank_by)]
    return Sheet(columns, rows)


_GAMES = ("place", "bot", "games", "won", "drawn", "lost", "won_percent", "margin_a_game", "faults")
_HANDS = (
    "bot",
    "hands",
    "margin_a_hand",
    "adjusted_a_hand",
    "gins",
    "knocks",
    "undercuts",
    "undercuts_suffered",
    "walls",
)


def for_people(standings: Sheet, *, three_hand: bool) -> list[Table]:
    """The standings as narrow tables, the ranking first.

    Kinds of fault, and points of those who sit out, are shown only where there are any.
    """

    def said(*counted: Counted) -> list[str]:
        return [key for key in _keys(counted) if any(cell for (cell,) in standings.select(key).rows)]

    hands = [key for key in _HANDS if key in [column.key for column in standings.columns]]
    tables = [("Ranking", _GAMES), ("Hands", tuple(hands))]
    if three_hand:
        tables += [
            ("Roles", ("bot", *_keys(_ROLES), *said(_OUT_POINTS))),
            ("Advice given, from outside", ("bot", *_keys(_ADVICE_GIVEN))),
            ("Advice got, as captain", ("bot", *_keys(_ADVICE_GOT))),
        ]
    if kinds := said(*_FAULTS):
        tables.append(("Faults", ("bot", *kinds)))
    return [Table(heading, standings.select(*keys)) for heading, keys in tables]


def _keys(counted: Sequence[Counted]) -> list[str]:
    return [column.key for column, _ in counted]


def crosstable(tally: Tally, rank_by: Sequence[str], *, less_luck: bool = False) -> Sheet:
    """Margin a hand of the row against the column in the games that both played, with its interval.

    less_luck: without what was luck, each column's key says so.
    """
    names = [name for _, name in rank(tally, rank_by)]
    key = f"{{}} {_ADJUSTED_A_HAND.heading}" if less_luck else "{}"
    columns = [Column(key.format(name), name, 2, signed=True, pm=f"{key.format(name)} ±") for name in names]
    margin = Sums.adjusted_a_hand if less_luck else Sums.margin_a_hand
    rows = [[row, *[_against(tally, row, column, margin) for column in names]] for row in names]
    return Sheet([Column("bot", "bot", text=True), *columns], rows)


def _against(tally: Tally, row: str, column: str, margin: Callable[[Sums], Estimate | None]) -> Estimate | None:
    sums = tally.against.get((row, column))
    return None if sums is None else margin(sums)


_MEETING: tuple[tuple[Column, Callable[[Sums], Cell]], ...] = (
    (Column("games", "games"), lambda sums: sums.games),
    (_WON_PERCENT, lambda sums: _percent(sums.won_share())),
    (_MARGIN_A_GAME, lambda sums: sums.margin_a_game()),
    (Column("hands", "hands"), lambda sums: sums.hands),
    (_MARGIN_A_HAND, lambda sums: sums.margin_a_hand()),
)


def meetings(tally: Tally, rank_by: Sequence[str]) -> Sheet:
    """The crosstable as a list: a row for each bot against each other that it met, both ranked."""
    names = [name for _, name in rank(tally, rank_by)]
    counted = list(_MEETING)
    if tally.judged:
        counted.append((_ADJUSTED_A_HAND, Sums.adjusted_a_hand))
    columns = [
        Column("bot", "bot", text=True),
        Column("against", "against", text=True),
        *[column for column, _ in counted],
    ]
    pairs = [(one, other) for one in names for other in names if (one, other) in tally.against]
    return Sheet(columns, [[*pair, *[cell(tally.against[pair]) for _, cell in counted]] for pair in pairs])


def _gins(ended: Counter[ResultKind]) -> int:
    return ended[ResultKind.GIN] + ended[ResultKind.BIG_GIN]


def _percent(share: Estimate | None) -> Estimate | None:
    if share is None:
        return None
    return Estimate(100 * share.mean, None if share.half_width is None else 100 * share.half_width)


def _mean(total: float, count: int) -> float | None:
    return total / count if count else None
