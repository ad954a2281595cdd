"""A recorded game in outline: a line a hand, and how it ended."""

from collections.abc import Iterator, Sequence

from arena.dealer.values import GameRecord, GameSpec, HandRecord
from arena.records.course import course
from arena.records.info import RunInfo
from arena.records.replay import ending_text, fault_text
from arena.rules.result import ResultKind
from arena.rules.scoreboard import HOLLYWOOD_COLUMNS
from arena.rules.view import GAME_NAMES
from arena.rules.words import Style, plain, width

_WON = {
    ResultKind.KNOCK: "knocks",
    ResultKind.GIN: "has gin",
    ResultKind.BIG_GIN: "has big gin",
    ResultKind.UNDERCUT: "undercuts",
    ResultKind.FORFEIT: "wins by forfeit",
}


def game_text(info: RunInfo, spec: GameSpec, record: GameRecord, style: Style = plain) -> str:
    """The outline of a finished game, without a line end."""
    return "\n".join(_lines(info, spec, record, style))


def _lines(info: RunInfo, spec: GameSpec, record: GameRecord, style: Style) -> Iterator[str]:
    game = GAME_NAMES[info.format.game]
    yield style("title", f"Game {spec.index}: {game}, deal group {spec.group}, seating {spec.seating}")
    games = [f"column {number}" for number in range(1, HOLLYWOOD_COLUMNS + 1)] if info.format.hollywood else []
    if games:
        yield style("", f"Points in the columns as {'-'.join(spec.seats)}, behind them the sums.")
    parts = ["captain", "box"] if len(spec.seats) == 3 else ["dealer"]
    rows = [["hand", *parts, "", *games, *spec.seats]]
    for hand, totals, columns in course(info, spec, record):
        players = [spec.seats[seat] for seat in (hand.roles.nondealer, hand.roles.dealer)][-len(parts) :]
        points = ["-".join(map(str, column)) for column in columns]
        rows.append([str(hand.number), *players, _end(spec, hand), *points, *map(str, totals)])
    yield from _table(rows, len(parts) + 1, len(spec.seats), style)
    yield from [style("", f"hand {fault.hand}: ") + fault_text(spec, fault, style) for fault in record.faults]
    yield ending_text(spec, record, style)


def _table(rows: Sequence[Sequence[str]], words: int, bots: int, style: Style) -> Iterator[str]:
    """Rows in line, a heading first: a number, some words, numbers, of which the last are those of the bots."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    gap = style("", "  ")
    for row in rows:
        fills = [" " * (widest - width(cell)) for cell, widest in zip(row, widths, strict=True)]
        cells = [
            cell + fill if 1 <= place <= words else fill + cell
            for place, (cell, fill) in enumerate(zip(row, fills, strict=True))
        ]
        kind = "name" if row is rows[0] else "score"
        yield gap.join([style(kind if place >= len(cells) - bots else "", cell) for place, cell in enumerate(cells)])


def _end(spec: GameSpec, hand: HandRecord) -> str:
    result = hand.result
    if result.winner is None:
        return result.kind.value
    return f"{spec.seats[hand.roles.seat(result.winner)]} {_WON[result.kind]} +{result.points}"
