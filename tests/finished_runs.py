"""Runs whose games were written down by hand, and the files that the arena writes about them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from made_games import GIN, THREE, made
from playing import Players

from arena.cards import parse_card
from arena.dealer.values import AdviceRecord, GameRecord, GameSpec, HandRecord, TimeUse
from arena.records.store import Run
from arena.rules.actions import ActionKind, discard
from arena.rules.game import GameFormat
from arena.tournament.results import write_results

GAMES = {
    # Three pairings in two seatings, then the next group. bob ends up in quarantine; in the last group a game of ann
    # and cid is not finished.
    "gin": """
        A60 B12g - A40, A20 A25u A55b
        A99 B30u B75,   A40 A70g
        B100,           A35 B9 A80
        A15 A15f A15 A15 - A45, B55 B70
        B101,           B45 B60g
        B45f !A,        A90 - - B6u A19
        !B,             !A
        A105,           ...
        !A,             !B
    """,
    # Six seatings. Of the last game nothing was played, so the two others share it.
    "three-hand": """
        A19 C17u - B70g B26 C11u A49g B6
        B60 C50 A45 A60
        A100
        B100g
        A50f A50
        !C
    """,
}
"""What happened, as `made` reads it; `!` stands before the seat that has lost the game by its fault."""

FORMATS = {"gin": GIN, "three-hand": THREE}
STARTS = ({"ann": [0.21], "bob": [0.2]}, {"ann": [0.25], "cid": [1.5]})
FILES = (
    "standings.md",
    "standings.csv",
    "standings.json",
    "crosstable.md",
    "crosstable.csv",
    "timing.md",
    "timing.json",
)


def finished(name: str) -> tuple[list[GameSpec], list[GameRecord]]:
    """The schedule of a run, and what of it is finished."""
    texts = [text.strip() for line in GAMES[name].strip().splitlines() for text in line.split(",")]
    schedule = _players(name).schedule(3, groups(name))
    assert len(texts) == len(schedule)
    records = [_record(spec, text, FORMATS[name]) for spec, text in zip(schedule, texts, strict=True) if text != "..."]
    return schedule, records


def groups(name: str) -> int:
    """How many deal groups a run has."""
    return 3 if name == "gin" else 1


@contextmanager
def run_of(name: str, folder: Path, **info: object) -> Iterator[Run]:
    """The run in a folder, open for writing."""
    schedule, records = finished(name)
    about = replace(_players(name).info(3, groups(name)), **info)  # type: ignore[arg-type]
    with Run.create(folder, about, schedule) as run:
        for starts in STARTS:
            run.commit(records, starts)
        yield run


def result_files() -> dict[str, str]:
    """What the arena writes about each run, by `RUN/FILE`."""
    files: dict[str, str] = {}
    for name in GAMES:
        with TemporaryDirectory() as folder, run_of(name, Path(folder, "run")) as run:
            write_results(run)
            files |= {f"{name}/{file}": (run.folder / file).read_bytes().decode() for file in FILES}
    return files


def _players(name: str) -> Players:
    return Players(FORMATS[name])


def _record(spec: GameSpec, text: str, format_: GameFormat) -> GameRecord:
    hands, _, forfeited = text.partition("!")
    loser = spec.seats["ABC".index(forfeited)] if forfeited else ""
    _, record = made(spec.group, " ".join(spec.seats), hands, format_, forfeited=loser)
    times = tuple(
        TimeUse.of([(1 + seat) * hand.number / 1000 for hand in record.hands]) for seat in range(len(spec.seats))
    )
    if format_ is THREE:
        record = replace(record, hands=tuple(map(_advised, record.hands)))
    return replace(record, index=spec.index, times=times)


_KS, _QS = parse_card("KS"), parse_card("QS")


def _advised(hand: HandRecord) -> HandRecord:
    """The hand with advice of the one who sits out, once followed and in every second hand then not."""
    advice = (AdviceRecord(0, discard(_KS), "high"), AdviceRecord(0, discard(_QS), ""))[: 1 + hand.number % 2]
    return replace(hand, moves=bytes((ActionKind.DISCARD, _KS)), advice=advice)
