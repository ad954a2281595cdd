"""Plays the series of a server, so many at a time, each by a process of its own."""

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, replace

from arena.errors import HostError
from arena.server.catalogue import PLAY_LOG, Catalogue, End, Wanted
from arena.server.child import Orders
from arena.server.door import Door
from arena.server.held import OVER, Held
from arena.server.logs import Log
from arena.server.playing import Event, Playing, Speedometer
from arena.server.uploads import SERIES
from arena.tournament.runner import RunEnd

LOOK_SECONDS = 0.5
"""How often bots that have not dialled in are looked for."""
KILL_SECONDS = 60.0
"""What a process gets that was told to stop: it needs a few seconds, and a build or large tables some more."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How series are played. at_once: so many. workers, cluster: of each, instead of what it says itself."""

    at_once: int = 1
    workers: int | None = None
    cluster: str | None = None


class Stage:
    """Where the series are played that are wanted. Whoever changes what is wanted calls `begin_some`.

    faults: counted since the server started.
    """

    def __init__(self, series: Mapping[str, Held], catalogue: Catalogue, log: Log, plan: Plan, door: Door) -> None:
        """series: all of the server, in the order in which they are to be played."""
        self._series = series
        self._catalogue = catalogue
        self._log = log
        self._plan = plan
        self._door = door
        self._tasks: set[asyncio.Task[None]] = set()
        self._look: asyncio.Task[None] | None = None
        self._closing = False
        self.faults = 0

    def open(self) -> None:
        """Begin what is wanted, and what will be."""
        self._look = asyncio.create_task(self._look_for_bots())
        self.begin_some()

    async def close(self) -> None:
        """Stop what is played; it stays wanted."""
        self._closing = True
        if self._look is not None:
            self._look.cancel()
        for held in self._series.values():
            self.stop(held)
        while self._tasks:  # what ends lets its bots go
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def kill(self) -> None:
        """End what is still played at once; what was committed is kept."""
        for held in self._series.values():
            if held.playing is not None:
                held.playing.kill()

    def begin_some(self) -> None:
        """Begin as many series as may be played at once."""
        if self._closing:
            return
        running = sum(held.at_work for held in self._series.values())
        for held in self._series.values():
            if held.at_work or held.entry.wanted is not Wanted.RUNNING or held.entry.end is not End.NONE:
                continue
            self._note_missing(held)
            if not held.missing and running < self._plan.at_once:
                held.at_work, held.stopping, held.speed = True, False, Speedometer()
                held.begun += 1
                running += 1
                held.changed()
                self._start(self._play(held))

    def stop(self, held: Held) -> None:
        """Have the play of a series stop, if it is played."""
        if held.at_work and not held.stopping:
            held.stopping = True
            self._interrupt(held)
            held.changed()

    def send_home(self, held: Held) -> None:
        """Let the bots go that have dialled in for a series, if it is over."""
        if held.addresses is not None and held.state in OVER:
            held.addresses = None
            self._start(self._door.release(held.entry.id))

    # -- bots that dial in ------------------------------------------------------------------------------------------

    def _note_missing(self, held: Held) -> None:
        """Which bots a series waits for: those that have not dialled in, as long as it is to wait."""
        missing: tuple[str, ...] = ()
        if held.entry.joining and held.addresses is None:
            missing = held.entry.joining
            if not held.letting_in:
                held.letting_in = True
                self._start(self._let_in(held))
        elif not held.alone:
            missing = tuple([name for name in held.entry.joining if not self._door.present(name)])
            now = asyncio.get_running_loop().time()
            if missing and held.due is None:
                held.due = now + held.entry.wait
            if held.due is not None and now >= held.due:
                missing = ()
        if missing != held.missing:
            held.missing = missing
            held.changed()

    async def _let_in(self, held: Held) -> None:
        """Have the door let in the bots that a series waits for."""
        try:
            held.addresses = await self._door.addresses(held.entry.id, held.entry.joining, held.entry.grace)
        except HostError as error:
            self._note_end(held, _failed(str(error)))
        except Exception as error:  # noqa: BLE001 - the others are to go on
            self._log.bug(error, series=held.entry.id)
            self._note_end(held, _failed("its bots could not be let in: see the log"))
        finally:
            held.letting_in = False
        self.send_home(held)  # it may have been cancelled meanwhile
        self.begin_some()

    async def _look_for_bots(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                self.begin_some()
            except Exception as error:  # noqa: BLE001 - it is looked at again
                self._log.bug(error)

    # -- the play ---------------------------------------------------------------------------------------------------

    async def _play(self, held: Held) -> None:
        """Play a series until its process ends, and keep what came of it."""
        try:
            end = await self._followed(held)
        except HostError as error:
            end = _failed(str(error))
        except Exception as error:  # noqa: BLE001 - the others are to go on
            self._log.bug(error, series=held.entry.id)
            end = _failed("the server could not follow its play: see the log")
        if held.playing is not None:
            held.playing.kill()  # it has ended, unless it could not be followed
        held.playing = None
        self._note_end(held, end)

    async def _followed(self, held: Held) -> Event:
        """Start the process and hear what it says. Returns its end. Raises `HostError`."""
        id_ = held.entry.id
        end: Event | None = None
        held.playing = await Playing.begun(self._orders(held), self._catalogue.upload(id_) / PLAY_LOG)
        self._log.say("playing", series=id_)
        if held.stopping:
            self._interrupt(held)
        async for event in held.playing.events():
            if event["event"] == "end":
                end = event
            self._hear(held, event)
        code = await held.playing.ended()
        return end or _failed(f"the process that played it has ended with code {code}, see its play.log")

    def _orders(self, held: Held) -> Orders:
        entry = held.entry
        return Orders(
            folder=str(self._catalogue.run(entry.id)),
            source=str(self._catalogue.upload(entry.id) / SERIES),
            name=entry.name,
            secret_runs=str(self._catalogue.runs),
            addresses=held.addresses or {},
            workers=self._plan.workers,
            cluster=None if held.addresses else self._plan.cluster,  # where it could not reach their door
        )

    def _hear(self, held: Held, event: Event) -> None:
        """What the process says. Raises `HostError`."""
        id_ = held.entry.id
        match event["event"]:
            case "begun":
                held.note = ""
                held.entry = replace(held.entry, commitment=event["commitment"], games=event["games"])
                self._catalogue.write(held.entry)
                self._log.say("begun", series=id_, commitment=event["commitment"])
            case "progress":
                held.games_done, held.settled = event["games_done"], event["settled"]
                held.workers = event["workers"]
                held.speed.note(event)
            case "faults":
                faults = event["faults"]
                self.faults += len(faults) + event["left_out"]
                for watcher in held.watchers:
                    watcher.note(faults, event["left_out"])
                for fault in faults:
                    self._log.say("fault", series=id_, **{key: fault[key] for key in ("bot", "game", "kind")})
            case "note":
                held.note = event["line"]
            case "told":
                self._log.say("told", series=id_, line=event["line"])
        held.changed()

    def _note_end(self, held: Held, end: Event) -> None:
        """The play of a series has ended."""
        end_of, told = End.NONE, self._without_folders(end["told"], held)
        match end["how"]:
            case RunEnd.COMPLETE.value:
                end_of = End.FINISHED
            case RunEnd.VOID.value:
                end_of = End.FAILED
                told = f"games are void that this machine broke off again and again; resume tries them again: {told}"
            case _ if not held.stopping:
                end_of, told = End.FAILED, told or "its play was interrupted"
        held.at_work, held.stopping, held.note = False, False, ""
        held.entry = replace(held.entry, end=end_of, told=told, games_done=held.games_done)
        try:
            self._catalogue.write(held.entry)
        except HostError as error:
            self._log.say("trouble", series=held.entry.id, why=str(error))
        self.send_home(held)
        self._log.say("ended", series=held.entry.id, how=end["how"], games=held.games_done, why=told or None)
        held.changed()
        self.begin_some()

    def _interrupt(self, held: Held) -> None:
        """Tell the process of a series to stop, and kill it if it does not."""
        playing = held.playing
        if playing is not None:
            playing.interrupt()
            asyncio.get_running_loop().call_later(KILL_SECONDS, self._kill_if_there, held, playing)

    def _kill_if_there(self, held: Held, playing: Playing) -> None:
        if held.playing is playing:
            playing.kill()

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _without_folders(self, text: str, held: Held) -> str:
        """A text for everybody: of the server's folders it tells only the ids."""
        id_ = held.entry.id
        for folder in (self._catalogue.run(id_), self._catalogue.upload(id_)):
            text = text.replace(f"arena resume {folder}", f"arena server resume {id_}").replace(str(folder), id_)
        return text.replace(str(self._catalogue.data), "(data)").replace("\n", "; ")


def _failed(told: str) -> Event:
    return {"event": "end", "how": "failed", "told": told}
