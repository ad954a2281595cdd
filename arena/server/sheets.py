"""Tables on their way: sheets to messages and back, so that a client shows the very tables that a run's folder has."""

from collections.abc import Iterable

from arena.protocol.v1 import arena_pb2 as pb
from arena.standings.sheet import Cell, Column, Sheet
from arena.standings.statistics import Estimate
from arena.standings.tables import Table
from arena.tournament.results import Results, Shown


def standings_message(results: Results, *, crosstable: bool = False, told: str = "") -> pb.StandingsResponse:
    """The standings as they travel. crosstable: whether with it. told: why luck was not judged."""
    return pb.StandingsResponse(
        title=results.title,
        tables=[table_message(sheet, heading) for heading, sheet in results.tables],
        about=results.about,
        whole=table_message(results.standings),
        legend=results.legend,
        crosstable=crosstable_message(results) if crosstable else None,
        told=told,
    )


def crosstable_message(results: Results, *, told: str = "") -> pb.CrosstableResponse:
    """The crosstable as it travels. told: why luck was not judged."""
    less = results.less_luck
    return pb.CrosstableResponse(
        title=results.title,
        table=table_message(results.crosstable),
        meetings=table_message(results.meetings),
        less_luck=None if less is None else table_message(less),
        about=results.about,
        told=told,
    )


def shown(message: pb.StandingsResponse) -> Shown:
    """The tables of a message."""
    less = message.crosstable.less_luck if message.crosstable.HasField("less_luck") else None
    return Shown(
        title=message.title,
        about=tuple(message.about),
        legend=tuple(message.legend),
        standings=sheet(message.whole),
        tables=[Table(one.heading, sheet(one)) for one in message.tables],
        crosstable=sheet(message.crosstable.table),
        meetings=sheet(message.crosstable.meetings),
        less_luck=None if less is None else sheet(less),
    )


def table_message(sheet: Sheet, heading: str = "") -> pb.Table:
    """A sheet as it travels."""
    columns = [
        pb.TableColumn(
            key=column.key,
            heading=column.heading,
            decimals=column.decimals,
            signed=column.signed,
            text=column.text,
            half_width_key=column.pm or "",
        )
        for column in sheet.columns
    ]
    rows = [pb.Row(cells=map(_cell_message, row)) for row in sheet.rows]
    return pb.Table(heading=heading, columns=columns, rows=rows)


def sheet(message: pb.Table) -> Sheet:
    """The sheet of a message."""
    columns = [
        Column(one.key, one.heading, one.decimals, one.signed, one.text, one.half_width_key or None)
        for one in message.columns
    ]
    return Sheet(columns, [_cells(row.cells) for row in message.rows])


def _cell_message(cell: Cell) -> pb.Cell:
    if cell is None:
        return pb.Cell()
    if isinstance(cell, str):
        return pb.Cell(text=cell)
    if isinstance(cell, int):
        return pb.Cell(whole=cell)
    if isinstance(cell, Estimate):
        return pb.Cell(estimate=pb.TableEstimate(mean=cell.mean, half_width=cell.half_width))
    return pb.Cell(number=cell)


def _cells(messages: Iterable[pb.Cell]) -> list[Cell]:
    return [_cell(message) for message in messages]


def _cell(message: pb.Cell) -> Cell:
    match message.WhichOneof("value"):
        case "text":
            return message.text
        case "whole":
            return message.whole
        case "number":
            return message.number
        case "estimate":
            estimate = message.estimate
            return Estimate(estimate.mean, estimate.half_width if estimate.HasField("half_width") else None)
        case None:
            return None
