"""Pages of runs that were played in this process."""

import json
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from playing import FORMATS, Players

from arena.dealer.values import GameRecord, GameSpec, TimeUse
from arena.records.info import BotInfo, Premises
from arena.records.store import Run
from arena.rules.game import GameFormat

NAMES = ("ann", "bob", "cid")
Changed = Callable[[GameRecord], GameRecord]


def played_run(
    folder: Path,
    *,
    names: Sequence[str] = NAMES,
    format_: GameFormat = FORMATS["gin"],
    groups: int = 3,
    faults: float = 0.0,
    missing: Collection[int] = (),
    changed: Changed = lambda record: record,
) -> Path:
    """A run in a folder, of which the games in `missing` are not finished. changed: done to each record."""
    players = Players(format_, faults=faults)
    seatings = [
        (group, seating, seats)
        for group in range(groups)
        for pairing in combinations(names, format_.seats)
        for seating, seats in enumerate(permutations(pairing))
    ]
    schedule = [GameSpec(index, *game) for index, game in enumerate(seatings)]
    info = replace(players.info(len(names), groups), bots=tuple(BotInfo(name, "1.0", name * 8) for name in names))
    with Run.create(folder, info, schedule, Premises(config="{}")) as run:  # one in play
        for spec in schedule:
            if spec.index not in missing:
                times = tuple(TimeUse.of([0.001]) for _ in spec.seats)
                run.commit([changed(replace(players.game(spec), times=times))], {names[0]: [0.2]})
    return folder


def data_of(page: str) -> dict[str, Any]:
    """What the script of a page reads."""
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert match
    data: dict[str, Any] = json.loads(match[1])
    return data


def keys_of(page: str) -> list[tuple[int, int]]:
    """The hands on a page, by the numbers of their games and their own."""
    return [(hand["game"], hand["hand"]) for hand in data_of(page)["hands"]]
