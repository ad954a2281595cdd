"""What is done with files for a submission holds up nobody, and is done to its end."""

import asyncio
import io
import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from arena.errors import InputError
from arena.server.caller import ORGANISER
from arena.server.catalogue import Catalogue, Entry
from arena.server.desk import Desk
from arena.server.door import Door
from arena.server.held import Held
from arena.server.keeper import Keeper
from arena.server.logs import Log
from arena.server.reading import Proposal
from arena.server.stage import Plan
from arena.server.uploads import SubmittedSeries

PATIENCE = 60
"""Seconds: longer than anything takes that is not held up for ever."""


class FakeDesk(Desk):
    """Finds every series good, or none."""

    def __init__(self, *, good: bool = True) -> None:
        self._good = good

    async def proposal(self, base: Path, source: str, name: str, runs: Path) -> Proposal:
        if not self._good:
            raise InputError("it is none")
        return Proposal("cup", "cup", ("ada", "bob"), 2, (), 0.0, 0.0)


class SlowFiles:
    """Takes the place of a function, and waits for the loop, which it would wait for in vain if it held it up."""

    def __init__(self, real: Callable[..., object]) -> None:
        self._real = real
        self.begun, self.go_on = Event(), Event()

    def __call__(self, *arguments: object, **named: object) -> object:
        self.begun.set()
        assert self.go_on.wait(PATIENCE)
        return self._real(*arguments, **named)

    async def seen(self) -> None:
        """Wait until it has been called, and let it go on when the loop has had another turn."""
        assert await asyncio.to_thread(self.begun.wait, PATIENCE)
        await asyncio.sleep(0)


def keeper_of(catalogue: Catalogue, desk: Desk) -> Keeper:
    return Keeper(catalogue, desk, Log(io.StringIO()), Plan(at_once=0), Door(lambda _: ORGANISER))


def incoming(catalogue: Catalogue) -> SubmittedSeries:
    folder = catalogue.incoming()
    (folder / "series.yaml").write_text("{}")
    return SubmittedSeries("{}", "cup.yaml", folder)


async def cancelled(submission: "asyncio.Task[Held]", times: int) -> None:
    """Its client has gone; and then perhaps its time is over, or the server stops."""
    for _ in range(times):
        submission.cancel()
        for _ in range(3):  # until it waits again
            await asyncio.sleep(0)


@pytest.mark.parametrize("times", [1, 2])
def test_a_series_that_is_refused_is_removed_while_others_are_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    slow = SlowFiles(shutil.rmtree)
    monkeypatch.setattr(shutil, "rmtree", slow)

    async def script() -> None:
        catalogue = Catalogue(tmp_path / "data")
        with catalogue.held():
            submission = asyncio.create_task(keeper_of(catalogue, FakeDesk(good=False)).submit(incoming(catalogue)))
            await slow.seen()
            await cancelled(submission, times)
            slow.go_on.set()
            await asyncio.wait({submission})
            assert [*catalogue.uploads.iterdir()] == []

    asyncio.run(script())


@pytest.mark.parametrize("times", [1, 2])
def test_a_series_that_is_taken_in_is_there_though_its_client_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    async def script() -> None:
        catalogue = Catalogue(tmp_path / "data")
        slow = SlowFiles(catalogue.admit)
        monkeypatch.setattr(catalogue, "admit", slow)
        with catalogue.held():
            keeper = keeper_of(catalogue, FakeDesk())
            submission = asyncio.create_task(keeper.submit(incoming(catalogue)))
            await slow.seen()
            await cancelled(submission, times)
            slow.go_on.set()
            await asyncio.wait({submission})
            assert submission.cancelled()
            assert [held.entry.id for held in keeper.all()] == ["cup-001"]
            assert [path.name for path in catalogue.uploads.iterdir()] == ["cup-001"]

    asyncio.run(script())


def test_series_that_come_at_once_get_places_of_their_own(tmp_path: Path) -> None:
    async def script() -> None:
        catalogue = Catalogue(tmp_path / "data")
        with catalogue.held():
            keeper = keeper_of(catalogue, FakeDesk())
            held = await asyncio.gather(*[keeper.submit(incoming(catalogue)) for _ in range(20)])
            ids = [one.entry.id for one in held]
            assert sorted(ids) == [f"cup-{number:03}" for number in range(1, 21)]
            assert [one.entry.id for one in keeper.all()] == sorted(ids)
            kept: list[Entry] = [entry for entry, sound in Catalogue(tmp_path / "data").entries() if sound]
            assert [one.id for one in kept] == sorted(ids)

    asyncio.run(script())
