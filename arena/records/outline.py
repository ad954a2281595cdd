"""A recorded game in outline: a line a hand, and how it ended."""

from collections.abc import Iterator

from arena.dealer.values import GameRecord, GameSpec, HandRecord
from arena.players.manifest import GAME_NAMES
from arena.records.course import course
from arena.records.info import RunInfo
from arena.records.replay import Style, ending_text, fault_text, plain
from arena.rules.result import ResultKind

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
    width = max(map(len, (*spec.seats, "dealer")))
    ends = width + len(" wins by forfeit +999")
    heads = [style("name", f"{name:>{width}}") for name in spec.seats]
    yield style("", f"hand  {'dealer':{width}}  {'':{ends}}  ") + style("", "  ").join(heads)
    for hand, totals, _ in course(info, spec, record):
        head = f"{hand.number:4}  {spec.seats[hand.roles.dealer]:{width}}  {_end(spec, hand):{ends}}  "
        yield style("", head) + style("", "  ").join([style("score", f"{total:>{width}}") for total in totals])
    yield from [style("", f"hand {fault.hand}: ") + fault_text(spec, fault, style) for fault in record.faults]
    yield ending_text(spec, record, style)


def _end(spec: GameSpec, hand: HandRecord) -> str:
    result = hand.result
    if result.winner is None:
        return result.kind.value
    return f"{spec.seats[hand.roles.seat(result.winner)]} {_WON[result.kind]} +{result.points}"
