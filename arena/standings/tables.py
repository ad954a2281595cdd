"""The result tables: standings, crosstable, roles and advice, faults."""

from collections.abc import Sequence

from arena.rules.result import ResultKind
from arena.standings.ranking import rank
from arena.standings.sheet import Cell, Column, Sheet
from arena.standings.statistics import Estimate
from arena.standings.tally import SUFFERED, BotTally, Part, Tally

_STANDINGS = (
    Column("place", "#"),
    Column("bot", "bot", text=True),
    Column("games", "games"),
    Column("won", "won"),
    Column("drawn", "drawn"),
    Column("lost", "lost"),
    Column("won_percent", "won %", 1),
    Column("won_percent_pm", "±", 1),
    Column("margin_a_hand", "points a hand", 3, signed=True),
    Column("margin_a_hand_pm", "±", 3),
    Column("hands", "hands"),
    Column("gins", "gins"),
    Column("knocks", "knocks"),
    Column("undercuts", "undercuts"),
    Column("undercuts_suffered", "undercut"),
    Column("walls", "walls"),
    Column("faults", "faults", text=True),
)


def standings(tally: Tally, rank_by: Sequence[str]) -> Sheet:
    """One row a bot, best first. Intervals are 95 %, over deal groups."""
    return Sheet(_STANDINGS, [_row(place, name, tally.bots[name]) for place, name in rank(tally, rank_by)])


def _row(place: int, name: str, bot: BotTally) -> list[Cell]:
    sums, ended = bot.sums, bot.hands
    share, margin = sums.won_share(), sums.margin_a_hand()
    return [
        place,
        name,
        sums.games,
        bot.won_alone,
        bot.drawn,
        sums.games - bot.won_alone - bot.drawn,
        share.mean * 100 if sums.games else None,
        None if share.half_width is None else share.half_width * 100,
        margin.mean if sums.hands else None,
        margin.half_width,
        sums.hands,
        ended[ResultKind.GIN] + ended[ResultKind.BIG_GIN],
        ended[ResultKind.KNOCK],
        ended[ResultKind.UNDERCUT],
        ended[ResultKind.UNDERCUT + SUFFERED],
        ended[ResultKind.WALL] + ended[ResultKind.TIE],
        ", ".join(f"{kind} {count}" for kind, count in sorted(bot.faults.items())) or "-",
    ]


def crosstable(tally: Tally, rank_by: Sequence[str]) -> Sheet:
    """Mean points a hand of the row against the column, with the 95 % interval over deal groups."""
    names = [name for _, name in rank(tally, rank_by)]
    columns = [Column("bot", "bot", text=True), *(Column(name, name, text=True) for name in names)]
    rows = [[row, *(_meeting(tally, row, column) for column in names)] for row in names]
    return Sheet(columns, rows)


def _meeting(tally: Tally, row: str, column: str) -> str | None:
    sums = tally.against.get((row, column))
    return None if sums is None or not sums.hands else interval_text(sums.margin_a_hand())


def interval_text(estimate: Estimate, decimals: int = 3) -> str:
    """`+0.312 ± 0.120`, or without the interval where there is none."""
    mean = f"{round(estimate.mean, decimals) + 0.0:+.{decimals}f}"
    return mean if estimate.half_width is None else f"{mean} ± {estimate.half_width:.{decimals}f}"


_ROLES = (
    Column("bot", "bot", text=True),
    Column("box_hands", "hands as box"),
    Column("box_points_a_hand", "points a hand", 3, signed=True),
    Column("captain_hands", "hands as captain"),
    Column("captain_points_a_hand", "points a hand", 3, signed=True),
    Column("out_hands", "hands out"),
    Column("advice_given", "advice given"),
    Column("advice_followed_percent", "followed %", 1),
    Column("captain_points_followed", "captain's points a hand, followed", 3, signed=True),
    Column("captain_points_otherwise", "otherwise", 3, signed=True),
)


def roles(tally: Tally, rank_by: Sequence[str]) -> Sheet:
    """Three-hand: hands and points in each role, how often a bot's advice was followed, and what then came of it."""
    rows: list[list[Cell]] = []
    for _, name in rank(tally, rank_by):
        bot = tally.bots[name]
        box, captain, out = (bot.roles.get(role, Part()) for role in ("box", "captain", "out"))
        advice = bot.advice
        rows.append([
            name,
            box.hands,
            _mean(box.points, box.hands),
            captain.hands,
            _mean(captain.points, captain.hands),
            out.hands,
            advice.given,
            _mean(100 * advice.followed, advice.given),
            _mean(advice.points_followed, advice.hands_followed),
            _mean(advice.points_other, advice.hands_other),
        ])  # fmt: skip
    return Sheet(_ROLES, rows)


def _mean(total: float, count: int) -> float | None:
    return total / count if count else None
