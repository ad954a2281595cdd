"""Tables are read once for all who ask, in a process of its own."""

import asyncio
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path

import pytest
from finished_runs import run_of

from arena.errors import HostError
from arena.protocol.v1 import arena_pb2 as pb
from arena.records.store import Run
from arena.server import desk as desk_module
from arena.server.caller import ORGANISER, Caller, Role
from arena.server.desk import Desk, Mark
from arena.server.reading import NotYetError, Wish
from arena.tournament.results import results_of


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk") / "run"
    with run_of("gin", folder):
        pass
    return folder


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.close()


def mark(games_done: int, *, live: bool = False) -> Mark:
    return Mark("cup-001", 1, games_done, 0, live)


def read_times(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    times: list[str] = []
    submit = desk._pool.submit

    def counted(read: object, *args: object) -> object:
        times.append(getattr(read, "__name__", ""))
        return submit(read, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(desk._pool, "submit", counted)
    return times


def test_all_who_ask_at_one_point_get_one_reading(run: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    times = read_times(desk, monkeypatch)

    async def script() -> None:
        answers = await asyncio.gather(*(desk.standings(run, mark(1)) for _ in range(5)))
        again = await desk.standings(run, mark(1))
        assert {*answers, again} == {again}
        assert pb.StandingsResponse.FromString(again).title
        await desk.standings(run, mark(2))

    asyncio.run(script())
    assert times == ["standings", "standings"]


def test_those_of_a_series_that_is_being_played_may_be_a_little_older(
    run: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = read_times(desk, monkeypatch)
    monkeypatch.setattr(desk_module, "LEAST_SECONDS", 3600.0)

    async def script() -> None:
        wish = Wish(crosstable=True)
        for games_done in range(5):
            await desk.standings(run, mark(games_done, live=True), wish)
        await desk.standings(run, mark(4), wish)  # over: now it has to be the last

    asyncio.run(script())
    assert times == ["standings", "standings"]


def test_too_many_readings_are_refused(run: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "MOST_WAITING", 2)

    async def script() -> list[object]:
        return await asyncio.gather(*(desk.games_done(run) for _ in range(5)), return_exceptions=True)

    answers = asyncio.run(script())
    assert sum(isinstance(answer, HostError) for answer in answers) == 3
    assert len({answer for answer in answers if isinstance(answer, int)}) == 1


def test_who_asks_too_much_is_refused_and_nobody_else(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "MOST_OF_ONE", 2)
    asks = ContextVar[str]("asks")
    desk = Desk(asks.get)

    async def asked(who: str) -> object:
        asks.set(who)
        return await desk.hand(run, 0, 1)

    async def script() -> list[object]:
        callers = ["eve"] * 5 + ["ada", "", "", ""]
        return await asyncio.gather(*map(asked, callers), return_exceptions=True)

    try:
        answers = asyncio.run(script())
    finally:
        desk.close()
    assert [isinstance(answer, HostError) for answer in answers] == [False] * 2 + [True] * 3 + [False] * 4


def test_a_reader_that_dies_is_replaced(run: Path, desk: Desk) -> None:
    async def script() -> int:
        await desk.games_done(run)
        desk._pool.kill()
        with pytest.raises(HostError, match="the process that reads was ended"):
            await desk.games_done(run)
        return await desk.games_done(run)

    assert asyncio.run(script()) > 0


def test_faults_are_told_as_the_caller_may_see_them(run: Path, desk: Desk) -> None:
    async def faults(caller: Caller) -> list[pb.FaultInfo]:
        return list(pb.FaultsResponse.FromString(await desk.faults(run, "", caller)).faults)

    async def script() -> tuple[list[pb.FaultInfo], ...]:
        return (
            await faults(ORGANISER),
            await faults(Caller(Role.ENTRANT, frozenset({"bob"}))),
            await faults(Caller(Role.SPECTATOR)),
        )

    whole, bobs, none = asyncio.run(script())
    assert [(one.bot, one.game, one.kind) for one in whole] == [(one.bot, one.game, one.kind) for one in none]
    assert all(one.told for one in whole)
    assert not any(one.told or one.output for one in none)
    # bob's, but not of the last group, on whose cards a game is yet to be played.
    assert {one.game for one in bobs if one.told} == {one.game for one in whole if one.bot == "bob" and one.game < 12}


def test_a_run_that_has_not_begun_is_for_later(desk: Desk, tmp_path: Path) -> None:
    async def script() -> None:
        assert await desk.games_done(tmp_path / "cup-001") == 0
        with pytest.raises(NotYetError, match="cup-001 has not begun"):
            await desk.standings(tmp_path / "cup-001", mark(0))

    asyncio.run(script())


def test_the_tables_are_those_of_the_run(run: Path, desk: Desk) -> None:
    message = pb.StandingsResponse.FromString(asyncio.run(desk.standings(run, mark(3))))
    with Run.open(run) as opened:
        assert message.title == results_of(opened).title
