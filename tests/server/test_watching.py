"""Whoever reads slowly gets what is newest, and holds nobody up."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import HostError
from arena.protocol.v1 import arena_pb2 as pb
from arena.server import watching
from arena.server.caller import ORGANISER, Caller, Role
from arena.server.catalogue import End, Entry, Wanted
from arena.server.desk import Desk, Mark
from arena.server.held import MOST_WAITING, Held
from arena.server.watching import watch

ENTRANT = Caller(Role.ENTRANT, frozenset({"ada"}))
SPECTATOR = Caller(Role.SPECTATOR)


class FakeDesk(Desk):
    """Says how often it was asked, and at which mark. failures: so many times it cannot."""

    def __init__(self, failures: int = 0) -> None:
        self.marks: list[Mark] = []
        self._failures = failures

    async def next_standings(self, run: Path, mark: Mark) -> tuple[bytes, float]:
        if self._failures:
            self._failures -= 1
            raise HostError("not now")
        self.marks.append(mark)
        return pb.StandingsResponse(title=str(mark.games_done)).SerializeToString(), 0.0


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(watching, "RETRY_SECONDS", 0.0)


def playing() -> Held:
    held = Held(Entry("cup-001", "cup.yaml", "2026", games=10))
    held.at_work = True
    return held


def finish(held: Held) -> None:
    held.at_work = False
    held.entry = replace(held.entry, end=End.FINISHED)
    held.changed()


def fault(bot: str, *, seen: bool = False) -> dict[str, object]:
    return {"bot": bot, "game": 1, "hand": 2, "kind": "crash", "told": "it fell", "output": "ouch", "seen": seen}


async def all_of(held: Held, desk: Desk, caller: Caller = ORGANISER) -> list[pb.WatchResponse]:
    return [event async for event in watch(held, Path("run"), desk, caller)]


def kinds(events: Sequence[pb.WatchResponse]) -> list[str | None]:
    return [event.WhichOneof("event") for event in events]


def test_a_series_that_is_over_is_told_by_its_tables_and_its_end() -> None:
    held = Held(Entry("cup-001", "cup.yaml", "2026", games=10, games_done=10, end=End.FINISHED))
    events = asyncio.run(all_of(held, FakeDesk()))
    assert kinds(events) == ["standings", "progress"]
    assert events[-1].progress.series.state == pb.SERIES_STATE_FINISHED


@pytest.mark.parametrize("failures", [1, watching.MOST_FAILURES + 5])
def test_tables_that_cannot_be_had_are_asked_for_again_and_then_left_out(failures: int) -> None:
    held = Held(Entry("cup-001", "cup.yaml", "2026", games=10, games_done=10, end=End.FINISHED))
    events = asyncio.run(all_of(held, FakeDesk(failures)))
    assert kinds(events) == (["standings", "progress"] if failures == 1 else ["progress"])


def test_one_that_never_began_has_no_tables() -> None:
    held = Held(Entry("cup-001", "cup.yaml", "2026", wanted=Wanted.CANCELLED))
    assert kinds(asyncio.run(all_of(held, FakeDesk()))) == ["progress"]


def test_a_slow_reader_misses_steps_and_gets_the_last() -> None:
    async def script() -> None:
        held, desk = playing(), FakeDesk()
        events = watch(held, Path("run"), desk, ORGANISER)
        first = await anext(events)
        assert first.progress.series.games_done == 0
        for done in range(1, 11):  # while nobody reads
            held.games_done = done
            held.changed()
        finish(held)
        rest = [event async for event in events]
        assert kinds(rest) == ["standings", "progress"]
        assert rest[0].standings.title == "10"
        assert held.watchers == set()

    asyncio.run(script())


def test_faults_that_nobody_reads_are_counted() -> None:
    async def script() -> None:
        held = playing()
        events = watch(held, Path("run"), FakeDesk(), ORGANISER)
        await anext(events)
        (watcher,) = held.watchers
        for _ in range(MOST_WAITING):
            watcher.note([fault("ada"), fault("bob")], left_out=3)
        assert len(watcher.faults) == MOST_WAITING
        finish(held)
        rest = [event async for event in events]
        assert kinds(rest) == ["fault"] * MOST_WAITING + ["faults_left_out", "progress"]
        assert rest[-2].faults_left_out == 4 * MOST_WAITING

    asyncio.run(script())


@pytest.mark.parametrize(
    ("caller", "bot", "seen", "told"),
    [
        (ORGANISER, "ada", False, True),
        (ENTRANT, "ada", True, True),
        (ENTRANT, "ada", False, False),  # others are yet to play on those cards
        (ENTRANT, "bob", True, False),
        (SPECTATOR, "ada", True, False),
    ],
)
def test_what_happened_is_told_to_those_whom_it_concerns(caller: Caller, bot: str, seen: bool, told: bool) -> None:
    async def script() -> None:
        held = playing()
        events = watch(held, Path("run"), FakeDesk(), caller)
        await anext(events)
        (watcher,) = held.watchers
        watcher.note([fault(bot, seen=seen)], 0)
        event = await anext(events)
        assert (event.fault.bot, event.fault.kind, event.fault.game, event.fault.hand) == (bot, "crash", 1, 2)
        assert (event.fault.told, event.fault.output) == (("it fell", "ouch") if told else ("", ""))
        await events.aclose()

    asyncio.run(script())
