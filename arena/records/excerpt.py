"""A part of a run as a run of its own, made of copied rows: what is digested stays as it was."""

from collections.abc import Callable, Collection
from pathlib import Path

from arena.records import database
from arena.records.info import NOWHERE, Premises
from arena.records.store import PREMISES, Run

_OF_GAMES = ("results", "hands", "times")
_SEAT, _OUTPUT = 2, 7
"""Columns of `faults`."""
_FIRST_SEAT = 3
"""Column of `games`."""


def complete_games(run: Run, done: Collection[int]) -> set[int]:
    """The finished games of those deal groups in which every game is finished.

    The same decks are in all games of a group: of another group nobody may see a hand. done: the finished games.
    """
    open_groups = {spec.group for spec in run.games() if spec.index not in done}
    return {spec.index for spec in run.games() if spec.group not in open_groups}


def excerpt(
    run: Run,
    folder: Path,
    games: Collection[int],
    *,
    bot: int | None = None,
    premises: Premises = NOWHERE,
    cleared: Callable[[str], str] = str,
) -> None:
    """Write the games of these numbers into a new folder, with the whole schedule: equal ones make equal files.

    What bots have printed is left out, but for that of one bot, by its number, as `cleared` leaves it. Attempts that
    were broken off are left out, and the starts and the network of bots that are not wanted.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with database.explained(folder, new=True), database.created(folder) as copy:
        ((info, digest, _),) = run.table("run")
        copy.execute("INSERT INTO run VALUES (?, ?, ?)", (info, digest, PREMISES.text(premises)))
        schedule = list(run.table("games"))
        copy.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", schedule)
        for name in _OF_GAMES:
            for row in run.table(name, games):
                copy.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
        seats = {row[0]: row[_FIRST_SEAT:] for row in schedule if row[0] in games} if bot is not None else {}
        for row in run.table("faults", games):
            own = bot is not None and seats[row[0]][row[_SEAT]] == bot
            copy.execute(
                f"INSERT INTO faults VALUES ({', '.join('?' * len(row))})",
                (*row[:_OUTPUT], cleared(row[_OUTPUT]) if own else ""),
            )
        tables = ["starts"]
        if run.networks():
            copy.execute(database.NETWORKS)
            tables.append("networks")
        for name in tables:
            rows = [row for row in run.table(name) if bot in (None, row[0])]
            copy.executemany(f"INSERT INTO {name} VALUES (?, ?)", rows)
