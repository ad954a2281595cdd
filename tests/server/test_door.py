"""The door: a bot that has dialled in plays as one at an address, and what happens when its connection breaks."""

import asyncio
from pathlib import Path
from unittest.mock import patch

import grpc
import pytest
from door_bench import GRACE, PATIENCE, Behave, Deed, DoorBench
from series_bench import SAMPLES, InThisProcess, records_of, write_series

from arena.dealer.values import GameRecord, GameSpec
from arena.errors import HostError
from arena.players.faults import Fault
from arena.protocol.v1.player_pb2 import PlayRequest
from arena.records.store import Run
from arena.server.caller import ORGANISER
from arena.server.door import Door, JoinedBot
from arena.server.gate import ExpectedBot, Gate
from arena.tournament import local
from arena.tournament.pool import WorkerPool
from arena.tournament.results import write_results
from arena.tournament.runner import RunEnd
from arena.tournament.running import begin, runner_of
from arena.tournament.series import load_series

JOINED = {"name": "ada", "join": True}
SHORT = 2.0
"""Seconds of grace for a bot that does not come back."""


def play(
    bench: DoorBench, folder: Path, bots: list[object], *, pool: type = InThisProcess, **keys: object
) -> list[tuple[GameSpec, GameRecord]]:
    """Play a series whose bots are there already."""
    folder.mkdir(exist_ok=True)
    path = write_series(folder, bots, **({"groups": 2, "bot_memory": "trusted"} | keys))
    series = load_series(path)
    addresses = bench.expect(*series.joining, grace=series.config.remote.grace.total_seconds())
    with begin(series, folder, folder / "run") as run, patch.object(local, "WorkerPool", pool):
        assert runner_of(run, series.reached(addresses)).play(None, lambda _: None) is RunEnd.COMPLETE
        write_results(run)
    return records_of(folder / "run")


def without_times(records: list[tuple[GameSpec, GameRecord]]) -> list[object]:
    return [(spec, record.hands, record.outcome, record.faults) for spec, record in records]


def at(*numbers: int, deed: Deed = Deed.DROP) -> Behave:
    """The requests with these numbers, from 1, bring the deed about."""
    count = 0

    def behave(request: PlayRequest) -> Deed:
        nonlocal count
        count += bool(request.turns)
        return deed if request.turns and count in numbers else Deed.ANSWER

    return behave


def test_bots_that_have_dialled_in_play_a_series(tmp_path: Path) -> None:
    with DoorBench() as bench:
        bench.expect("ada", "bob")
        ada, bob = bench.bot("ada"), bench.bot("bob")
        records = play(bench, tmp_path, [SAMPLES / "simple", JOINED, {"name": "bob", "join": True}])
        here = {one.name: one for one in bench.run(joined(bench))}
    assert len(records) == 2 * 3 * 2
    assert not any(record.faults for _, record in records)
    assert ada.requests > 10
    assert bob.requests > 10
    assert here["ada"].waiting >= 1
    with Run.open(tmp_path / "run") as run:
        networks = run.networks()
    assert set(networks) == {"ada", "bob"}
    assert all(0 < trip < 5 for trips in networks.values() for trip in trips)
    assert "network ms" in (tmp_path / "run" / "timing.md").read_text()


def test_crews_of_bots_that_dial_in_do_not_wait_for_one_another(tmp_path: Path) -> None:
    """Each bot has one stream that waits, and opens another when it is asked: no crew may keep one without asking."""
    bots = [{"name": name, "join": True} for name in ("ada", "bob", "cid")]
    with DoorBench() as bench:
        bench.expect("ada", "bob", "cid")
        for bot in bots:
            bench.bot(str(bot["name"]))
        records = play(bench, tmp_path, [*bots], pool=WorkerPool, workers=3)
    assert len(records) == 2 * 3 * 2
    assert not any(record.faults for _, record in records)


async def joined(bench: DoorBench) -> list[JoinedBot]:
    return bench.door.joined()


def test_a_bot_that_drops_and_returns_plays_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    records = []
    for name, behave in {"steady": at(), "flighty": at(2, 5, 9, 10, 40)}.items():
        with DoorBench() as bench:
            bench.expect("ada")
            ada = bench.bot("ada", behave)
            records.append(play(bench, tmp_path / name, [SAMPLES / "simple", JOINED], batch=4, tables=8))
            assert ada.breaks == (5 if name == "flighty" else 0)
    assert without_times(records[0]) == without_times(records[1])
    assert not any(record.faults for _, record in records[1])


def test_a_bot_that_drops_and_never_returns_pays_and_nobody_else(tmp_path: Path) -> None:
    with DoorBench() as bench:
        bench.expect("ada", grace=SHORT)
        bench.bot("ada", at(3, deed=Deed.VANISH))
        records = play(
            bench,
            tmp_path,
            [SAMPLES / "simple", SAMPLES / "random", JOINED],
            remote={"grace": "2s"},
            clock={"ready": "6s", "decision": "1h", "goodbye": "1h"},
            faults={"quarantine_after": 2},
        )
    faults = [(spec.seats[fault.seat], fault) for spec, record in records for fault in record.faults]
    assert {name for name, _ in faults} == {"ada"}
    details = {fault.fault: fault.detail for _, fault in faults}
    assert set(details) == {Fault.CRASH, Fault.NEVER_READY, Fault.QUARANTINED}
    assert details[Fault.CRASH].endswith("; the bot dropped its connection, and did not come back in time")
    assert details[Fault.NEVER_READY] == "the bot did not dial in within 6 s"
    others = [(spec, record) for spec, record in records if "ada" not in spec.seats]
    with DoorBench() as bench:
        alone = play(bench, tmp_path / "others", [SAMPLES / "simple", SAMPLES / "random"])
    hands = {(spec.group, spec.seats): record.hands for spec, record in alone}
    assert len(others) == 4
    assert {(spec.group, spec.seats): record.hands for spec, record in others} == hands


def test_what_is_left_of_a_bots_streams_is_known(tmp_path: Path) -> None:
    with DoorBench() as bench:
        bench.expect("ada", "bob")
        assert not bench.run(present(bench, "ada"))
        ada = bench.bot("ada")
        assert bench.run(present(bench, "ada"))
        assert not bench.run(present(bench, "bob"))
        assert not bench.run(present(bench, "cid"))
        bench.run(bench.door.release("cup"))
        assert not bench.run(present(bench, "ada"))
        assert bench.run(joined(bench)) == []
    assert ada.endings == [(grpc.StatusCode.OK, "")]


async def present(bench: DoorBench, name: str) -> bool:
    return bench.door.present(name)


def test_a_bot_is_let_in_for_every_series_that_waits_for_it(tmp_path: Path) -> None:
    with DoorBench() as bench:
        first = bench.expect("ada", series="cup")
        second = bench.expect("ada", series="league")
        assert first["ada"] != second["ada"]
        assert bench.expect("ada", series="cup") == first
        ada = bench.bot("ada")
        bench.run(bench.door.release("cup"))
        bench.run(bench.door.release("cup"))
        assert bench.run(present(bench, "ada"))
        assert ada.endings == []


def test_a_socket_that_cannot_be_had_is_the_machines_failure(tmp_path: Path) -> None:
    async def script() -> None:
        with pytest.raises(HostError, match="no socket can be had for ada"):
            await Gate.opened(ExpectedBot("ada"), GRACE, f"unix:{tmp_path}/missing/1")

    asyncio.run(script())


def test_a_series_for_which_a_socket_cannot_be_had_lets_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Gate.opened

    async def all_but_the_second(bot: ExpectedBot, grace: float, address: str) -> Gate:
        return await opened(bot, grace, address if bot.name != "bob" else f"{address}/none")

    with DoorBench() as bench:
        bench.expect("ada", series="league")
        bench.bot("ada")
        monkeypatch.setattr(Gate, "opened", all_but_the_second)
        with pytest.raises(HostError, match="no socket can be had for bob"):
            bench.expect("ada", "bob", "eve")
        assert bench.run(present(bench, "ada"))
        bench.run(bench.door.release("league"))
        assert not bench.run(present(bench, "ada"))
        assert bench.door._bots == {}


def test_a_series_may_be_released_twice_at_once_and_begun_again_meanwhile() -> None:
    async def script() -> None:
        door = Door(lambda _: ORGANISER)
        names = ["ada", "bob", "eve"]
        await door.addresses("cup", names, GRACE)
        releases = [asyncio.create_task(door.release("cup")) for _ in range(2)]
        await asyncio.sleep(0)  # they have begun
        addresses = await door.addresses("cup", names, GRACE)
        await asyncio.gather(*releases)
        assert await door.addresses("cup", names, GRACE) == addresses
        async with grpc.aio.insecure_channel(addresses["bob"]) as channel:
            await asyncio.wait_for(channel.channel_ready(), PATIENCE)
        await door.close()

    asyncio.run(script())
