"""How long the bots took. Times are never the same twice, so they stay out of every other table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from arena.dealer.values import HISTOGRAM_BASE, GameRecord, GameSpec
from arena.standings.sheet import Cell, Column, Sheet


@dataclass(slots=True)
class BotTiming:
    """Times of one bot in seconds: of its decisions, and of each start."""

    decisions: int = 0
    total: float = 0.0
    worst: float = 0.0
    histogram: Counter[int] = field(default_factory=Counter)
    starts: Sequence[float] = ()

    def quantile(self, share: float) -> float | None:
        """The time within which this share of the decisions was taken, good to a twentieth; `None` without any."""
        seen = 0
        for bucket in sorted(self.histogram):
            seen += self.histogram[bucket]
            if seen >= share * self.decisions:
                return min(HISTOGRAM_BASE**bucket / 1e6, self.worst)
        return None


def timing_of(starts: Mapping[str, Sequence[float]]) -> dict[str, BotTiming]:
    """The times of bots, by name, of which the starts are known and no decision yet."""
    return {name: BotTiming(starts=seconds) for name, seconds in starts.items()}


def noting_times(
    games: Iterable[tuple[GameSpec, GameRecord]], bots: Mapping[str, BotTiming]
) -> Iterator[tuple[GameSpec, GameRecord]]:
    """The games as they come, with their times added to those of the bots: a long run is read once for everything."""
    for spec, record in games:
        for name, time in zip(spec.seats, record.times, strict=True):
            bot = bots[name]
            bot.decisions += time.decisions
            bot.total += time.total
            bot.worst = max(bot.worst, time.worst)
            for bucket, decisions in time.histogram.items():
                bot.histogram[bucket] += decisions
        yield spec, record


_COLUMNS = (
    Column("bot", "bot", text=True),
    Column("decisions", "decisions"),
    Column("mean_ms", "mean ms", 3),
    Column("p99_ms", "p99 ms", 3),
    Column("worst_ms", "worst ms", 3),
    Column("starts", "starts"),
    Column("start_up_ms", "start-up ms", 0),
)


def timing_sheet(bots: Mapping[str, BotTiming]) -> Sheet:
    """One row a bot, in the order given, in milliseconds. The start-up is the mean over its starts."""
    rows: list[list[Cell]] = []
    for name, bot in bots.items():
        p99 = bot.quantile(0.99)
        rows.append([
            name,
            bot.decisions,
            bot.total / bot.decisions * 1e3 if bot.decisions else None,
            None if p99 is None else p99 * 1e3,
            bot.worst * 1e3 if bot.decisions else None,
            len(bot.starts),
            sum(bot.starts) / len(bot.starts) * 1e3 if bot.starts else None,
        ])  # fmt: skip
    return Sheet(_COLUMNS, rows)
