"""Every turn of a run can be made again from its record, byte for byte as the bot was sent it."""

from collections import defaultdict
from collections.abc import Collection
from pathlib import Path
from unittest.mock import patch

import pytest
from series_bench import BOTS, SAMPLES, play_series, write_series

from arena.dealer.values import GameRecord, GameSpec
from arena.errors import InputError
from arena.players.faults import Fault
from arena.players.player import Exchange, Player
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import PlayRequest
from arena.records.store import Run
from arena.records.turns import AskedTurn, TurnName, asked_turn, asked_turns
from arena.tournament.running import table_rules

TIMES = ("decision_ms", "bank_ms")
"""What a turn tells of the time that is left."""
Sent = dict[tuple[str, int], set[bytes]]
"""Turns by bot and id, each in all the ways in which it was sent."""

CRASHING = """
import os
from arena.bot import Action, Advice, Bot, Turn, TurnKind, serve


class Crashing(Bot):
    def discard(self, turn: Turn) -> Action:
        if turn.random.random() < 0.06:
            raise IndexError("no such card")
        return super().discard(turn)

    def defend(self, turn: Turn) -> Action:
        if turn.random.random() < 0.3:
            os._exit(3)
        return super().defend(turn)


if __name__ == "__main__":
    serve(Crashing)
"""


def told(request: PlayRequest) -> list[tuple[int, bytes]]:
    """Its turns without what they tell of the time."""
    turns = []
    for turn in request.turns:
        copy = type(turn).FromString(turn.SerializeToString())
        for field in TIMES:
            copy.ClearField(field)  # type: ignore[arg-type]
        turns.append((copy.id, copy.SerializeToString(deterministic=True)))
    return turns


def played(series: Path, out: Path) -> Sent:
    """Play a series, and return what was sent."""
    sent: Sent = defaultdict(set)
    exchange = Player.exchange

    async def noted(player: Player, request: PlayRequest, ids: Collection[int], limit: float) -> Exchange:
        for turn_id, data in told(request):
            sent[player.spec.name, turn_id].add(data)
        return await exchange(player, request, ids, limit)

    with patch.object(Player, "exchange", noted):
        play_series(series, out)
    return sent


def made_again(turn: AskedTurn) -> tuple[int, bytes]:
    request = PlayRequest()
    assert turn.table.asked is not None
    codec.add_turn(request, turn.table.asked)
    return told(request)[0]


def crashing(folder: Path) -> dict[str, object]:
    (folder / "crashing.py").write_text(CRASHING)
    return {"name": "crashing", "run": ["{python}", "crashing.py"]}


def advising(way: str) -> dict[str, object]:
    return {"name": way, "run": ["{python}", str(BOTS / "adviser" / "bot.py"), way]}


MANY = {"quarantine_after": 999}

SERIES: dict[str, dict[str, object]] = {
    "gin": {"groups": 4, "faults": MANY},
    "gin, forfeiting games": {"groups": 3, "faults": {"cost": "forfeit_game", **MANY}, "timed": True},
    "oklahoma, Hollywood, without hints": {
        "game": "oklahoma",
        "scoring": "hollywood",
        "hints": False,
        "groups": 1,
        "faults": MANY,
    },
    "three-hand": {"game": "three-hand", "groups": 1, "faults": MANY},
    "three-hand, seeing little": {
        "game": "three-hand",
        "groups": 1,
        "rules": {"adviser_view": "public", "target": 40},
        "faults": MANY,
    },
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "gin" else pytest.mark.thorough) for name in SERIES]
)
def test_every_turn_is_the_one_that_was_sent(name: str, tmp_path: Path) -> None:
    bots: list[object] = [SAMPLES / "simple", crashing(tmp_path)]
    if name.startswith("three-hand"):
        other = SAMPLES / "greedy" if "little" in name else advising("crash")
        bots = [advising("unfit"), other, SAMPLES / "simple"]
    sent = played(write_series(tmp_path, bots, **SERIES[name]), tmp_path / "run")
    assert sent
    faults = 0
    with Run.open(tmp_path / "run") as run:
        shared = table_rules(run.info)
        for spec, record in run.records():
            faults += len(record.faults)
            left = {(fault.hand, fault.move, fault.seat) for fault in record.faults}
            for turn in asked_turns(shared, spec, record):
                turn_id, data = made_again(turn)
                assert sent.pop((spec.seats[turn.table.seat], turn_id)) == {data}, turn.name
                left.discard((turn.name.hand, turn.name.move, turn.table.seat))
            assert not left, "a fault without its turn"
    assert not sent
    assert faults or "little" in name


@pytest.mark.thorough
def test_an_adviser_that_was_late_is_asked_no_more(tmp_path: Path) -> None:
    bots = [advising("late"), SAMPLES / "simple", SAMPLES / "greedy"]
    series = write_series(
        tmp_path, bots, game="three-hand", groups=1, clock={"decision": "300ms", "bank": "0s", "ready": "1h"}
    )
    sent = played(series, tmp_path / "run")
    with Run.open(tmp_path / "run") as run:
        for spec, record in run.records():
            for turn in asked_turns(table_rules(run.info), spec, record):
                turn_id, data = made_again(turn)
                assert data in sent.pop((spec.seats[turn.table.seat], turn_id))
    assert not sent


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("again")
    played(write_series(folder, [SAMPLES / "simple", crashing(folder)], groups=2, faults=MANY), folder / "run")
    return folder / "run"


def test_a_turn_is_found_by_its_name_with_what_was_answered(run: Path) -> None:
    with Run.open(run) as open_run:
        shared = table_rules(open_run.info)
        for spec, fault, _ in open_run.faults():
            _, record = open_run.record(spec.index)
            assert record is not None
            turn = asked_turn(shared, spec, record, TurnName.of(f"{spec.index}.{fault.hand}.{fault.move}"))
            assert turn.table.seat == fault.seat
            assert turn.recorded.fault == fault
            assert fault.fault is Fault.CRASH
        first = asked_turn(shared, *_game(open_run, 0), name=TurnName(0, 1, 1))
        assert first.recorded.text in ("pass", "take")


def _game(run: Run, index: int) -> tuple[GameSpec, GameRecord]:
    spec, record = run.record(index)
    assert record is not None
    return spec, record


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("0.99.1", "there is no turn 0.99.1: of game 0 the hands 1 to "),
        ("0.1.999", "there is no turn 0.1.999: expected a move from 1 to "),
        ("0.1.1a", "there is no turn 0.1.1a: no advice was asked there; advice was asked at: none in this hand"),
    ],
)
def test_a_turn_that_was_not_asked_is_told(run: Path, name: str, told: str) -> None:
    with Run.open(run) as open_run, pytest.raises(InputError) as error:
        asked_turn(table_rules(open_run.info), *_game(open_run, 0), name=TurnName.of(name))
    assert str(error.value).startswith(told)


@pytest.mark.parametrize("text", ["", "17", "17.4", "17.4.9b", "a.b.c", "17.4.9.1", "-1.1.1", "1.1.1\n"])
def test_what_names_no_turn_is_told(text: str) -> None:
    with pytest.raises(InputError, match="names no turn, expected game, hand and move"):
        TurnName.of(text)
