"""A bot to play with: started, greeted, asked in batches under a limit, and ended. A bot's faults are values here."""

import asyncio
import time
from collections.abc import Collection
from enum import Enum, auto
from pathlib import Path
from typing import NamedTuple

from arena.players.connection import BrokenError, Connection
from arena.players.faults import LAST_WORDS, Failure, Fault
from arena.players.manifest import BotSpec
from arena.players.process import BotProcess, Output, exit_text
from arena.protocol.v1.player_pb2 import Decision, HelloResponse, PlayRequest, TurnKind

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


class Exchange(NamedTuple):
    """What came of one request.

    decisions: by turn id; all that were asked for, or those that came before the failure.
    failure: what went wrong, or `None`.
    elapsed: seconds until the last decision or the failure.
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
    """

    def __init__(self, spec: BotSpec, *, ready: float, goodbye: float, logs: Path) -> None:
        """Prepare to play; nothing is started.

        ready: seconds a start may take, up to the answer to Hello.
        goodbye: seconds the bot may take to finish its stream, and again to end when it is told to.
        logs: folder for the folder of its logs.
        """
        self.spec = spec
        self.failure: Failure | None = None
        self.hello = HelloResponse()
        self.start_up = 0.0
        self._starts: list[float] = []
        self.listened = False
        self._ready = ready
        self._goodbye = goodbye
        self._output = Output(logs, spec.name)
        self._state = State.NEW
        self._process: BotProcess | None = None
        self._connection: Connection | None = None

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
        """The end of what it has printed last: of its error output, or else of its output."""
        return self._output.recent()

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
        self._starts.append(self.start_up)
        self._state = State.READY if self.failure is None else State.BROKEN
        return self.failure

    async def restart(self) -> Failure | None:
        """Start it afresh, in a new process with an empty scratch folder. Returns and raises as `start`."""
        self._enter(State.NEW, State.READY, State.BROKEN)
        await self._hang_up()
        return await self.start()

    def take_starts(self) -> list[float]:
        """Seconds that each start took, of those since this was asked last."""
        starts, self._starts = self._starts, []
        return starts

    async def exchange(self, request: PlayRequest, ids: Collection[int], limit: float) -> Exchange:
        """Send a request and wait for the decisions on its turns, `limit` seconds for all of it.

        ids: the turns' ids, none of them used before in this conversation; none for a request without turns, which is
            not answered. After a failure the player is broken. Raises HostError if this machine cannot go on.
        """
        self._enter(State.PLAYING, State.READY)
        assert self._connection is not None
        decisions: dict[int, Decision] = {}
        start = time.perf_counter()
        try:
            await self._connection.ask(request, ids, limit, decisions)
        except BrokenError as broken:
            elapsed = time.perf_counter() - start
            failure = await self._fail(broken, _asked(request))
            return Exchange(decisions, failure, elapsed)
        except BaseException:
            self._state = State.BROKEN
            raise
        elapsed = time.perf_counter() - start
        self._state = State.READY
        return Exchange(decisions, None, elapsed)

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
        if self.spec.address is None:
            started = await BotProcess.start(self.spec, self._output)
            if isinstance(started, Failure):
                return started
            self._process = started
        meeting = asyncio.create_task(self._meet())
        watched: list[asyncio.Future[None] | asyncio.Future[int]] = [meeting]
        if self._process is not None:
            watched.append(self._process.exited)
        try:
            await asyncio.wait(watched, timeout=self._ready, return_when=asyncio.FIRST_COMPLETED)
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
        place = self.spec.address or "the address in ARENA_LISTEN"
        deed = f"did not listen at {place}" if self._connection is None else "did not answer Hello"
        return await self._fail(BrokenError(Fault.NEVER_READY, f"{deed} within {self._ready:g} s"))

    async def _meet(self) -> None:
        """Wait until the bot listens, then dial and say hello. Without a connection if the process has exited."""
        target = self.spec.address
        if self._process is not None:
            await self._process.ready()
            target = self._process.target
        if target is not None:
            self.listened = True
            self._connection = Connection(target)
            self.hello = await self._connection.greet()

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
        private = "" if self._process is None else str(self._process.folder)
        await self._hang_up()
        if words := self._output.last_words():
            # The private folder has another name each time, and what is told is part of the record.
            told += LAST_WORDS + (words.replace(private, "...") if private else words)
        self.failure = Failure(fault, f"{asked}; {told}" if asked else told)
        return self.failure

    async def _hang_up(self, grace: float = 0.0) -> None:
        """Close the connection and end the process: at once, or with `grace` seconds to end by itself."""
        process, self._process = self._process, None
        connection, self._connection = self._connection, None
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


def _asked(request: PlayRequest) -> str:
    """What was asked."""
    turns = request.turns
    if not turns:
        return "told of what has ended"
    if len(turns) > 1:
        return "asked for several decisions at once"  # how many is chance, and what is told is part of the record
    kind = TurnKind.Name(turns[0].kind).removeprefix("TURN_KIND_").lower()
    return f"asked for {'advice at' if turns[0].advising else 'a decision at'} {kind}"
