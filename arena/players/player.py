"""A bot to play with: started, greeted, asked in batches under a limit, and ended. A bot's faults are values here."""

import asyncio
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import NamedTuple

from arena.isolation.values import NO_ISOLATION, Isolation, Layer
from arena.players.causes import asked_for, cause
from arena.players.clock import NO_PROCESSOR, Measure, Stopwatch
from arena.players.connection import BrokenError, Connection, Remote
from arena.players.faults import Failure, Fault
from arena.players.process import BotProcess, Output, exit_text
from arena.players.processor import Processor
from arena.players.spec import BotSpec
from arena.protocol.v1.player_pb2 import Decision, HelloResponse, PlayRequest

EXIT_SECONDS = 0.2
"""Between the end of the process and that of the conversation: how long one is waited for after the other."""
LOST_SECONDS = 2.0
"""The same where the connection was lost, which nearly always means that the process is ending."""


class State(Enum):
    """What a player is up to."""

    NEW = auto()
    """Not started, or being started."""
    READY = auto()
    """Can be asked."""
    PLAYING = auto()
    """Is being asked."""
    BROKEN = auto()
    """Has failed; its process is gone. Can be restarted."""
    ENDED = auto()
    """Stopped for good."""


@dataclass(slots=True)
class Notes:
    """What there is to be told of a player that is no part of its games.

    starts: seconds that each start took. requests, decisions: how many were sent, and were asked in them.
    round_trips: of the network, in seconds, for a bot that dialled in.
    """

    starts: list[float] = field(default_factory=list)
    requests: int = 0
    decisions: int = 0
    round_trips: list[float] = field(default_factory=list)


class Exchange(NamedTuple):
    """What came of one request.

    decisions: by turn id; all that were asked for, or those that came before the failure.
    failure: what went wrong, or `None`.
    elapsed: seconds that the bot is charged with, until the last decision or the failure.
    """

    decisions: dict[int, Decision]
    failure: Failure | None
    elapsed: float


class Player:
    """One bot. NEW -> READY <-> PLAYING; a failure makes it BROKEN, `restart` READY again, `stop` ENDED.

    failure: the last failure, `None` while there is nothing wrong.
    hello: how the bot introduced itself.
    start_up: seconds the last start took.
    listened: whether the last start came so far that the bot listened.
    output: what it prints.
    """

    def __init__(
        self,
        spec: BotSpec,
        *,
        ready: float,
        goodbye: float,
        logs: Path,
        isolation: Isolation = NO_ISOLATION,
        measure: Measure = Measure.WALL,
        output: Output | None = None,
        remote: Remote = Remote(),  # noqa: B008 - it is frozen
    ) -> None:
        """Prepare to play; nothing is started.

        ready: seconds a start may take, up to the answer to Hello.
        goodbye: seconds the bot may take to finish its stream, and again to end when it is told to.
        logs: folder for the folder of its logs. isolation: what keeps it from the rest of the machine.
        measure: of the time for its answers. output: logs to go on with, of a player of the same bot that has ended.
        remote: what holds if it dials in.
        """
        self.spec = spec
        self.output = output or Output(logs, spec.name)
        self.failure: Failure | None = None
        self.hello = HelloResponse()
        self.start_up = 0.0
        self._notes = Notes()
        self.listened = False
        self._ready = ready
        self._goodbye = goodbye
        self._isolation = isolation
        self._measure = measure
        self._remote = remote if spec.joins else None
        self._state = State.NEW
        self._process: BotProcess | None = None
        self._connection: Connection | None = None
        self._watch: Stopwatch | None = None

    @property
    def max_batch(self) -> int:
        """The most turns the bot wants in one request; 0 leaves it to the arena."""
        return self.hello.max_batch

    @property
    def advises(self) -> bool:
        """Whether it wants to be asked for advice when it sits out."""
        return self.hello.advises

    @property
    def folder(self) -> Path | None:
        """The private folder of its process, which stands in the environment of all that the bot has started."""
        return None if self._process is None else self._process.folder

    def printed(self) -> str:
        """The end of what it has printed last: of its error output, or else of its output; or of what went wrong."""
        return (self.failure and self.failure.output) or self.output.recent()

    async def start(self) -> Failure | None:
        """Start it and wait until it has said hello. Returns what went wrong; then it is broken.

        Raises HostError if this machine cannot go on.
        """
        self._enter(State.NEW, State.NEW)
        self.hello = HelloResponse()
        self.listened = False
        start = time.perf_counter()
        try:
            self.failure = await self._begin()
        except BaseException:
            self._state = State.BROKEN
            await self._hang_up()
            raise
        self.start_up = time.perf_counter() - start
        self._notes.starts.append(self.start_up)
        self._state = State.READY if self.failure is None else State.BROKEN
        return self.failure

    async def restart(self) -> Failure | None:
        """Start it afresh, in a new process with an empty scratch folder. Returns and raises as `start`."""
        self._enter(State.NEW, State.READY, State.BROKEN)
        await self._hang_up()
        return await self.start()

    def take_notes(self) -> Notes:
        """What has been noted since this was asked last."""
        notes, self._notes = self._notes, Notes()
        if self._connection is not None:
            notes.round_trips += self._connection.round_trips
            self._connection.round_trips.clear()
        return notes

    async def exchange(self, request: PlayRequest, ids: Collection[int], limit: float) -> Exchange:
        """Send a request and wait for the decisions on its turns, `limit` seconds of the bot's for all of it.

        ids: the turns' ids, none of them used before in this conversation; none for a request without turns, which is
            not answered. After a failure the player is broken. Raises HostError if this machine cannot go on.
        """
        self._enter(State.PLAYING, State.READY)
        assert self._connection is not None
        assert self._watch is not None
        decisions: dict[int, Decision] = {}
        self._notes.requests += 1
        self._notes.decisions += len(ids)
        try:
            await self._connection.ask(request, ids, limit, decisions)
        except BrokenError as broken:
            self._watch.left(limit)
            elapsed = self._watch.spent
            failure = await self._fail(broken, asked_for(request))
            return Exchange(decisions, failure, elapsed)
        except BaseException:
            self._state = State.BROKEN
            raise
        self._state = State.READY
        return Exchange(decisions, None, self._watch.spent)

    async def stop(self, patience: float | None = None) -> None:
        """End it for good: with a goodbye if all is well, else at once. Raises HostError if it cannot be ended.

        patience: seconds to use instead of those for the goodbye.
        """
        well = self._state is State.READY
        seconds = self._goodbye if patience is None else patience
        self._state = State.ENDED
        if well and self._connection is not None:
            await self._connection.say_goodbye(seconds)
        await self._hang_up(seconds if well else 0.0)

    async def part(self, limit: float) -> int | None:
        """Say goodbye, and let the process end by itself. `stop` clears up afterwards.

        limit: seconds to close the stream and to end. Returns the exit code (negative: the signal that ended it),
        `None` where it has not ended.
        """
        self._enter(State.BROKEN, State.READY)
        assert self._connection is not None
        assert self._process is not None
        exited, end = self._process.exited, time.perf_counter() + limit
        await self._connection.say_goodbye(limit)
        await asyncio.wait({exited}, timeout=max(end - time.perf_counter(), 0.0))
        return exited.result() if exited.done() else None

    def kill(self) -> None:
        """Kill its process and all that it has started, and wait for nothing: the arena's own process is ending."""
        if self._process is not None:
            self._process.kill()

    async def _begin(self) -> Failure | None:
        """Start the process and meet the bot."""
        assert self.spec.address is not None or not self.spec.joins
        if self.spec.address is None:
            started = await BotProcess.start(self.spec, self.output, self._isolation)
            if isinstance(started, Failure):
                return started
            self._process = started
        meeting = asyncio.create_task(self._meet())
        watched: list[asyncio.Future[None] | asyncio.Future[int]] = [meeting]
        if self._process is not None:
            watched.append(self._process.exited)
        watch = Stopwatch(processor=self._processor())
        try:
            while not any(one.done() for one in watched) and (pause := watch.pause(self._ready)) > 0:
                await asyncio.wait(watched, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
        finally:
            meeting.cancel()
            await asyncio.wait({meeting})
        broken = None if meeting.cancelled() else meeting.exception()
        if isinstance(broken, BrokenError):
            return await self._fail(broken)
        if broken is not None:
            raise broken
        if not meeting.cancelled() and self._connection is not None:
            self._watch_exit(self._connection)
            return None
        place = "its address" if self.spec.address else "the address in ARENA_LISTEN"
        deed = f"did not listen at {place}" if self._connection is None else "did not answer Hello"
        late = f"{'did not dial in' if self.spec.joins else deed} within {self._ready:g} s"
        if watch.starved(self._ready):
            return await self._fail(BrokenError(Fault.STARVED, f"{late}, {NO_PROCESSOR}"))
        return await self._fail(BrokenError(Fault.NEVER_READY, late))

    async def _meet(self) -> None:
        """Wait until the bot listens, then dial and say hello. Without a connection if the process has exited."""
        target = self.spec.address
        if self._process is not None:
            await self._process.ready()
            target = self._process.target
        if target is not None:
            self.listened = True
            self._watch = Stopwatch(self._measure, self._processor())
            self._connection = Connection(target, self._watch, self._remote)
            self.hello = await self._connection.greet()

    def _processor(self) -> Processor | None:
        process = self._process
        if process is None:
            return None
        return Processor(process.bot_pid or process.pid, process.pid, process.cpu_seconds)

    def _watch_exit(self, connection: Connection) -> None:
        """When the process ends, end the conversation, once what it said last has had the time to arrive."""

        def notice(_: asyncio.Future[int]) -> None:
            loop.call_later(EXIT_SECONDS, connection.cut)

        loop = asyncio.get_running_loop()
        if self._process is not None:
            self._process.exited.add_done_callback(notice)

    async def _fail(self, broken: BrokenError, asked: str = "") -> Failure:
        """End what is left of the bot, and tell its author what happened."""
        self._state = State.BROKEN
        fault, told = broken.fault, f"the bot {broken.deed}"
        if self._process is not None and fault is not Fault.PROTOCOL:
            if fault is Fault.CRASH:
                patience = LOST_SECONDS if broken.lost else EXIT_SECONDS
                await asyncio.wait({self._process.exited}, timeout=patience)
            if self._process.exited.done():
                fault = Fault.CRASH
                told = f"the process {exit_text(self._process.exited.result())}"
        if not asked and fault is Fault.CRASH:
            fault, told = Fault.NEVER_READY, f"{told} before it was ready"
        if self._process is not None and fault is not Fault.PROTOCOL:
            limited = self._isolation.has(Layer.LIMITS)
            fault, told = cause(self._process, (fault, told), self.output.latest(), limited=limited)
        await self._hang_up()
        output = "\n".join(filter(None, (self.output.latest().rstrip("\n"), broken.said)))
        self.failure = Failure(fault, f"{asked}; {told}" if asked else told, output)
        return self.failure

    async def _hang_up(self, grace: float = 0.0) -> None:
        """Close the connection and end the process: at once, or with `grace` seconds to end by itself."""
        process, self._process = self._process, None
        connection, self._connection = self._connection, None
        self._notes.round_trips += connection.round_trips if connection is not None else []
        try:
            if connection is not None:
                await connection.close()
        finally:
            if process is not None:
                await process.end(grace)

    def _enter(self, state: State, *allowed: State) -> None:
        if self._state not in allowed:
            expected = " or ".join(one.name for one in allowed)
            raise AssertionError(f"to be {state.name} a player has to be {expected}, this is {self._state.name}")
        self._state = state
