"""A bot's faults are its own affair: what the others play is what they would play without it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from command import call_arena
from series_bench import BOTS, SAMPLES, games, play_series, records_of, results, write_series

from arena.dealer.table import TableRules, forfeited_game
from arena.dealer.values import GameRecord, GameSpec
from arena.players.faults import Fault
from arena.records.store import Run

SIMPLE, DICER = SAMPLES / "simple", BOTS / "dicer"


def rascal(way: str, every: int) -> dict[str, object]:
    return {"name": "rascal", "run": ["{python}", str(BOTS / "rascal" / "bot.py"), way, str(every)]}


def without_rascal(records: list[tuple[GameSpec, GameRecord]]) -> list[GameRecord]:
    return [record for spec, record in records if "rascal" not in spec.seats]


def test_who_ends_with_its_game_pays_nothing_but_its_starts_are_counted(tmp_path: Path) -> None:
    bots = [SIMPLE, BOTS / "leaver"]
    play_series(write_series(tmp_path, bots, play="deals", groups=3, tables=1), tmp_path / "run")
    assert not any(record.faults for _, record in records_of(tmp_path / "run"))
    simple, leaver = json.loads((tmp_path / "run" / "timing.json").read_text())
    assert simple["starts"] == 2, "one for each seating"
    assert leaver["starts"] == 6, "one for each game"


@pytest.mark.thorough
def test_the_games_of_others_are_the_same_without_the_culprit(tmp_path: Path) -> None:
    out, alone = tmp_path / "run", tmp_path / "alone"
    play_series(write_series(tmp_path, [SIMPLE, rascal("crash", 151), DICER], groups=3), out)
    play_series(write_series(tmp_path, [SIMPLE, DICER], groups=3), alone)
    crashes = [fault for _, record in records_of(out) for fault in record.faults]
    assert crashes
    assert games(without_rascal(records_of(out))) == games(record for _, record in records_of(alone))
    # And so are the tables, once the culprit is withdrawn from them.
    withdrawn = json.loads(call_arena("standings", out, "--without", "rascal", "--format", "json").stdout)
    of_two = json.loads((alone / "standings.json").read_text())
    assert withdrawn["standings"] == of_two["standings"]
    assert withdrawn["crosstable"] == of_two["crosstable"]
    assert len(of_two["standings"]) == 2
    # The tables show every fault, and charge it to its bot.
    standings = json.loads((out / "standings.json").read_text())["standings"]
    assert {row["bot"]: (row["faults"], row["faults_crash"]) for row in standings} == {
        "simple": (0, 0),
        "dicer": (0, 0),
        "rascal": (len(crashes), len(crashes)),
    }


@pytest.mark.thorough
def test_a_bot_with_too_many_faults_loses_its_later_games_unplayed(tmp_path: Path) -> None:
    most = 3
    series = write_series(
        tmp_path,
        [rascal("illegal", 67), SIMPLE, DICER],
        groups=4,
        format="gauntlet",
        faults={"cost": "forfeit_hand", "quarantine_after": most},
    )
    play_series(series, tmp_path / "one")
    play_series(series, tmp_path / "two", "workers=2", "tables=1")
    assert results(tmp_path / "one") == results(tmp_path / "two")
    with Run.open(tmp_path / "one") as run:
        rules = TableRules(run.info.format, bytes.fromhex(run.info.seed))
    faults = 0
    for spec, record in records_of(tmp_path / "one"):
        if "rascal" in spec.seats and faults >= most:
            assert replace(record, times=()) == replace(forfeited_game(spec, rules, ["rascal"]), times=())
        else:
            assert record.hands
            assert all(spec.seats[fault.seat] == "rascal" and fault.fault is Fault.ILLEGAL for fault in record.faults)
            faults += len(record.faults)
    assert faults >= most


def test_a_series_with_a_bot_that_is_never_ready_comes_to_its_end(tmp_path: Path) -> None:
    bots = [SIMPLE, BOTS / "absent", DICER]
    play_series(write_series(tmp_path, bots, groups=20, play="deals", faults={"quarantine_after": 2}), tmp_path / "run")
    records = records_of(tmp_path / "run")
    assert len(records) == 120
    of_absent = [record for spec, record in records if "absent" in spec.seats]
    kinds = [fault.fault for record in of_absent for fault in record.faults]
    assert kinds == [Fault.NEVER_READY] * 2 + [Fault.QUARANTINED] * 78
    # A start that fails costs little, but not nothing: there was one for each process that some game waited for.
    assert len(list((tmp_path / "run" / "logs").glob("absent*"))) <= 4
