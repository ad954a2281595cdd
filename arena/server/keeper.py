"""Keeps the series of a server: takes them in, does with them what clients ask, and takes them up after a restart."""

import asyncio
import shutil
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from arena.errors import ArenaError, HostError, InputError, printable
from arena.protocol.v1.arena_pb2 import SERIES_STATE_WAITING
from arena.server.catalogue import Catalogue, End, Entry, Wanted
from arena.server.desk import Desk
from arena.server.door import Door
from arena.server.held import Held
from arena.server.logs import Log
from arena.server.playing import Pace
from arena.server.stage import Plan, Stage
from arena.server.unbroken import unbroken
from arena.server.uploads import SubmittedSeries


class UnknownSeriesError(InputError):
    """There is no such series."""


class WrongStateError(InputError):
    """A series cannot be asked that, as it stands."""


class Keeper:
    """The series of a server. It is to be used in the loop's thread alone."""

    def __init__(self, catalogue: Catalogue, desk: Desk, log: Log, plan: Plan, door: Door) -> None:
        self._catalogue = catalogue
        self._desk = desk
        self._log = log
        self._series: dict[str, Held] = {}
        self._admitting = asyncio.Lock()  # two at once would find the same place free
        self._stage = Stage(self._series, catalogue, log, plan, door)

    async def open(self) -> None:
        """Take up what the folder holds, and go on with what was wanted. The catalogue has to be held."""
        for entry, sound in self._catalogue.entries():
            held = self._series[entry.id] = Held(entry, sound=sound)
            if sound and entry.end is End.NONE:
                with suppress(ArenaError):  # its play will tell what is wrong
                    held.games_done = await self._desk.games_done(self._catalogue.run(entry.id))
        self._stage.open()

    async def close(self) -> None:
        """Stop what is played; it stays wanted, so that another server on this folder goes on with it."""
        await self._stage.close()

    def kill(self) -> None:
        """End what is still played at once; what was committed is kept."""
        self._stage.kill()

    # -- how things stand -------------------------------------------------------------------------------------------

    def held(self, id_: str) -> Held:
        """A series. Raises `UnknownSeriesError`."""
        held = self._series.get(id_)
        if held is None:
            raise UnknownSeriesError(f"there is no series {printable(id_)!r:.80} here; 'arena server list' names them")
        return held

    def all(self) -> list[Held]:
        """All series, the newest last."""
        return list(self._series.values())

    def run(self, held: Held) -> Path:
        """The folder of a series' run, which may not be there yet."""
        return self._catalogue.run(held.entry.id)

    @property
    def faults(self) -> int:
        """Faults counted since the server started."""
        return self._stage.faults

    @property
    def lag(self) -> float:
        """The part of the time in which workers could not run though they wanted to, from 0 to 1."""
        workers = sum(held.workers for held in self._series.values() if held.at_work)
        return min(1.0, self.pace.away / workers) if workers else 0.0

    @property
    def pace(self) -> Pace:
        """How fast all series together are played."""
        return sum([held.speed.pace for held in self._series.values() if held.at_work], Pace())

    # -- what clients ask -------------------------------------------------------------------------------------------

    async def submit(self, submitted: SubmittedSeries) -> Held:
        """Take a series in and queue it. It is all there afterwards, or nothing is. Raises `ArenaError`.

        submitted: in a folder of `Catalogue.incoming`.
        """
        incoming, name = submitted.folder, submitted.name
        try:
            proposal = await self._desk.proposal(incoming, submitted.text, name, self._catalogue.runs)
            entry = Entry(
                id="",
                name=name,
                submitted=datetime.now(UTC).isoformat(timespec="microseconds"),
                title=proposal.title,
                bots=proposal.bots,
                games=proposal.games,
                joining=proposal.joining,
                wait=proposal.wait,
                grace=proposal.grace,
            )
            return await unbroken(self._admit(incoming, entry, proposal.name))
        except OSError as error:
            raise HostError(f"the series cannot be kept: {error.strerror}") from error
        finally:  # it is elsewhere now, or not wanted
            await unbroken(asyncio.to_thread(shutil.rmtree, incoming, ignore_errors=True))

    async def _admit(self, incoming: Path, entry: Entry, name: str) -> Held:
        """Give a series its place, and queue it. Raises `OSError`."""
        async with self._admitting:
            held = Held(await asyncio.to_thread(self._catalogue.admit, incoming, entry, name))
            self._series[held.entry.id] = held
        self._log.say("submitted", series=held.entry.id, games=held.entry.games)
        self._stage.begin_some()
        return held

    def pause(self, id_: str) -> Held:
        """Stop playing a series until it is resumed. Raises `ArenaError`."""
        held = self._changeable(id_, "paused")
        self._change(held, replace(held.entry, wanted=Wanted.PAUSED))
        return held

    def resume(self, id_: str) -> Held:
        """Go on with a series that was paused, has failed, or waits for bots. Raises `ArenaError`."""
        held = self._changeable(id_, "resumed", also_failed=True)
        held.alone, held.due = held.state == SERIES_STATE_WAITING, None
        self._change(held, replace(held.entry, wanted=Wanted.RUNNING, end=End.NONE, told=""))
        return held

    def cancel(self, id_: str) -> Held:
        """Stop a series for good. Raises `ArenaError`."""
        held = self._changeable(id_, "cancelled", also_failed=True)
        self._change(held, replace(held.entry, wanted=Wanted.CANCELLED))
        return held

    def _changeable(self, id_: str, what: str, *, also_failed: bool = False) -> Held:
        """A series that is not over. also_failed: or has failed."""
        held = self.held(id_)
        if not held.sound:
            raise WrongStateError(f"{id_} cannot be {what}: {held.entry.told}")
        end = "cancelled" if held.entry.wanted is Wanted.CANCELLED else held.entry.end.value
        if end and not (end == End.FAILED and also_failed):
            told = "it has failed" if end == End.FAILED else f"it is {end}"
            raise WrongStateError(f"{id_} cannot be {what}: {told}")
        return held

    def _change(self, held: Held, entry: Entry) -> None:
        """Want something else of a series. Raises `HostError`, and nothing has changed."""
        self._catalogue.write(entry)
        held.entry = entry
        self._log.say("wanted", series=entry.id, state=entry.wanted.value)
        if entry.wanted is not Wanted.RUNNING:
            self._stage.stop(held)
            self._stage.send_home(held)
        held.changed()
        self._stage.begin_some()
