"""How long the bots took. Times are never the same twice, so they stay out of every other table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from arena.dealer.values import HISTOGRAM_BASE, GameRecord, GameSpec
from arena.players.faults import Fault
from arena.standings.sheet import Cell, Column, Sheet


@dataclass(slots=True)
class BotTiming:
    """Times of one bot in seconds: of its decisions, drawn from its banks, and of each start; and its time-outs.

    trips: round trips of the network, where the bot has dialled in; the other times are without them.
    """

    decisions: int = 0
    total: float = 0.0
    worst: float = 0.0
    histogram: Counter[int] = field(default_factory=Counter)
    overtime: float = 0.0
    timeouts: int = 0
    starts: Sequence[float] = ()
    trips: Sequence[float] = ()

    def quantile(self, share: float) -> float | None:
        """The time within which this share of the decisions was taken, good to a twentieth; `None` without any."""
        seen = 0
        for bucket in sorted(self.histogram):
            seen += self.histogram[bucket]
            if seen >= share * self.decisions:
                return min(HISTOGRAM_BASE**bucket / 1e6, self.worst)
        return None


def timing_of(
    starts: Mapping[str, Sequence[float]], trips: Mapping[str, Sequence[float]] | None = None
) -> dict[str, BotTiming]:
    """The times of bots, by name, of which the starts and the network's trips are known and no decision yet."""
    return {name: BotTiming(starts=seconds, trips=(trips or {}).get(name, ())) for name, seconds in starts.items()}


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
            bot.overtime += time.overtime
            for bucket, decisions in time.histogram.items():
                bot.histogram[bucket] += decisions
        for fault in record.faults:
            bots[spec.seats[fault.seat]].timeouts += fault.fault is Fault.TIMEOUT
        yield spec, record


_COLUMNS = (
    Column("bot", "bot", text=True),
    Column("decisions", "decisions"),
    Column("mean_ms", "mean ms", 3),
    Column("p99_ms", "p99 ms", 3),
    Column("worst_ms", "worst ms", 3),
    Column("overtime_ms", "overtime ms", 0),
    Column("timeouts", "time-outs"),
    Column("starts", "starts"),
    Column("start_up_ms", "start-up ms", 0),
)
_NETWORK = Column("network_ms", "network ms", 3)


def timing_sheet(bots: Mapping[str, BotTiming]) -> Sheet:
    """One row a bot, in the order given, in milliseconds. The start-up is the mean over its starts.

    The network is the median of its round trips, a column only where a bot has dialled in.
    """
    rows: list[list[Cell]] = []
    dialled = any(bot.trips for bot in bots.values())
    for name, bot in bots.items():
        p99 = bot.quantile(0.99)
        rows.append([
            name,
            bot.decisions,
            bot.total / bot.decisions * 1e3 if bot.decisions else None,
            None if p99 is None else p99 * 1e3,
            bot.worst * 1e3 if bot.decisions else None,
            bot.overtime * 1e3,
            bot.timeouts,
            len(bot.starts),
            sum(bot.starts) / len(bot.starts) * 1e3 if bot.starts else None,
            *([median(bot.trips) * 1e3 if bot.trips else None] if dialled else []),
        ])  # fmt: skip
    return Sheet((*_COLUMNS, *([_NETWORK] if dialled else [])), rows)
