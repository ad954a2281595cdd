"""Many tables at once: carries turns to the bots in batches, watches the clock, and finds out who pays.

Each seat of the tables is one bot, so each bot has one *lane*: the tables that wait for it. A lane sends
what has gathered while the bot was busy, up to the largest batch, and takes the answers back to the tables,
which puts them into another lane. With many tables in flight the batches grow by themselves.

A batch that fails (the bot died, stalled, or broke the conversation) is asked again one turn at a time by a
fresh process, a batch of one too: only the turn that fails alone pays, so neither the size of the batch nor what the
process had seen before changes a result. A turn that had been asked alone is given none of the time again that its
failure took. If none fails alone, the lowest in schedule order pays; but where the bot had just been told that games
are over, that is taken for the cause, and there is nothing left that it could cost.

Where the host is to blame nobody pays: the room breaks off, and its open games are void. They are to be played again
from their start by fresh processes, since a bot meets a deal group once.
"""

import asyncio
import sys
from bisect import insort
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from arena.dealer.lane import Lane
from arena.dealer.table import Table, TableRules
from arena.dealer.values import GameRecord, GameSpec, RoomRules, Void
from arena.errors import IllegalAction, MalformedDecision
from arena.players.faults import Culprit, Failure, Fault, blamed, fault_of
from arena.players.player import Exchange, Player
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import Decision, PlayRequest
from arena.rules.view import Advice

STOP_POLL_SECONDS = 0.1


class RoomResult(NamedTuple):
    """What came of a room.

    records: the games that were finished, in schedule order.
    voids: those that were broken off by the host or the operator, and have to be played again from their start.
    """

    records: list[GameRecord]
    voids: list[Void]


class _BrokenOffError(Exception):
    """The room cannot go on, and no bot is to blame."""

    def __init__(self, failure: Failure, bot: str) -> None:
        super().__init__(failure.detail)
        self.failure = failure
        self.bot = bot


class Room:
    """Plays games of one seating: seat `s` of every table is `players[s]`."""

    def __init__(
        self, players: Sequence[Player], shared: TableRules, rules: RoomRules, *, excused: Collection[str] = ()
    ) -> None:
        """Prepare to play; the players are started and ready.

        excused: bots that were killed before, so that to be killed is their own fault by now.
        """
        self._shared = shared
        self._rules = rules
        self._excused = excused
        setup = codec.setup_message(
            shared.format.game, shared.format.hollywood, shared.format.rules.as_text(), shared.hints
        )
        head = PlayRequest(setup=setup).SerializeToString()
        self._lanes = [Lane(player, rules, head) for player in players]
        self._advisers = tuple(player.advises for player in players)
        self._records: list[GameRecord] = []
        self._open: dict[int, Table] = {}  # by game
        self._last = sys.maxsize  # the game in which a bot used up its faults: later ones need not be played

    async def play(self, specs: Sequence[GameSpec], stop: Callable[[], bool]) -> RoomResult:
        """Play the games, in schedule order, until `stop` says that it is enough.

        In neither part of the result are games that were not begun, and games after a bot's last allowed fault.
        """
        self._specs: Iterator[GameSpec] = iter(specs)
        self._records = []
        for _ in range(self._rules.tables):
            if not self._open_table():
                break
        failure: Failure | None = None
        bot = ""
        try:
            await self._serve_all(stop)
        except _BrokenOffError as broken:
            failure, bot = broken.failure, broken.bot
        if failure is None and stop():
            failure = Failure(Fault.INTERRUPTED, "the run was stopped")
        if failure is None:
            await self._say_game_over()
        voids = [Void(index, failure.fault, failure.detail, bot) for index in sorted(self._open)] if failure else []
        return RoomResult(sorted(self._records, key=lambda record: record.index), voids)

    async def _serve_all(self, stop: Callable[[], bool]) -> None:
        """Ask the bots until no game is open any more, or the stop comes."""
        lanes = [asyncio.create_task(self._serve(lane)) for lane in self._lanes]
        watch = asyncio.create_task(stopped(stop))
        try:
            pending = {*lanes, watch}
            while not watch.done() and not all(task.done() for task in lanes):
                done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        finally:
            for task in (*lanes, watch):
                task.cancel()
            await asyncio.gather(*lanes, watch, return_exceptions=True)

    # Tables

    def _open_table(self) -> bool:
        for spec in self._specs:
            if not self._quarantined(spec.index):
                table = self._open[spec.index] = Table(spec, self._shared, self._advisers)
                self._route(table)
                return True
        return False

    def _route(self, table: Table) -> None:
        """Put a table where it has to go next: to the bot that is asked, or to the finished ones."""
        if table.asked is not None and not self._quarantined(table.spec.index):
            self._lanes[table.seat].put(table)
            return
        if table.asked is None:
            self._records.append(table.record())
        for seat, lane in enumerate(self._lanes):
            lane.games_over.append((table, seat))
        del self._open[table.spec.index]
        self._open_table()
        if not self._open:
            for lane in self._lanes:
                lane.wake.set()

    def _quarantined(self, index: int) -> bool:
        """Whether a bot has used up its faults in earlier games, so that this one need not be played."""
        return index > self._last

    def _fault(self, table: Table, failure: Failure) -> None:
        faulty, most = self._lanes[table.seat].faulty, self._rules.quarantine_after
        insort(faulty, table.spec.index)
        if len(faulty) >= most:
            self._last = min(self._last, faulty[most - 1])
        table.fault(failure)

    # Lanes

    async def _serve(self, lane: Lane) -> None:
        waiting = lane.waiting
        while True:
            while not waiting:
                if not self._open:
                    return
                lane.wake.clear()
                await lane.wake.wait()
            if lane.broken is not None:
                self._refuse(lane, waiting.popleft())
                continue
            batch = lane.take()
            answer = await self._ask(lane, batch)
            unanswered = self._settle(batch, answer)
            if answer.failure is None:
                lane.told = False
                continue
            alone = len(batch) == 1 and not lane.told  # else nobody knows who has taken the time
            for table in unanswered if alone else ():
                table.use_time(answer.elapsed, self._rules.decision)  # and it is not given again
            if alone and answer.failure.fault is Fault.TIMEOUT:
                lane.broken = await self._restart(lane)
                self._fail(batch[0], answer.failure)
            else:
                await self._recover(lane, unanswered, answer.failure)

    async def _ask(self, lane: Lane, batch: Sequence[Table], *, tell: bool = True) -> Exchange:
        """Ask a batch. A failure is the bot's."""
        answer = await lane.ask(batch, tell=tell)
        return answer if answer.failure is None else answer._replace(failure=self._the_bots(lane, answer.failure))

    def _the_bots(self, lane: Lane, failure: Failure, fault: Fault = Fault.CRASH) -> Failure:
        """What went wrong, if it is the bot's doing; else the room is broken off.

        fault: what it is to be killed when that is excused no more.
        """
        name = lane.player.spec.name
        if name in self._excused:
            failure = blamed(failure, fault)
        if failure.fault.culprit is not Culprit.BOT:
            raise _BrokenOffError(failure, name)
        return failure

    def _settle(self, batch: Sequence[Table], answer: Exchange) -> list[Table]:
        """Take the answers of a batch to their tables. Returns the tables that are still unanswered."""
        if answer.failure is not None and answer.failure.fault is Fault.PROTOCOL:
            return list(batch)
        unanswered = []
        for table in batch:
            decision = answer.decisions.get(table.asked.id) if table.asked is not None else None
            if decision is None:
                unanswered.append(table)
            else:
                table.ended[table.seat].clear()
                if answer.failure is None:  # else the time is that of another turn
                    table.use_time(answer.elapsed / len(batch), self._rules.decision)
                self._take(table, decision)
                self._route(table)
        return unanswered

    def _take(self, table: Table, decision: Decision) -> None:
        """Give a decision to its table. Advice that is none is dropped; anything else that is none is a fault."""
        turn = table.asked
        assert turn is not None
        try:
            action = codec.read_decision(decision)
            if turn.advising:
                table.advise(Advice(action, codec.read_text(decision)))
            else:
                table.decide(action)
        except (MalformedDecision, IllegalAction) as error:
            if turn.advising:
                table.advise(None)
                return
            told = f"{turn.view.kind.name.lower()} asked; {error}"
            self._fault(table, Failure(fault_of(error), told, self._lanes[table.seat].player.output.latest()))

    async def _recover(self, lane: Lane, tables: Sequence[Table], failure: Failure) -> None:
        """Start the bot afresh, find the turn that makes it fail, let that one pay, and take the other answers."""
        answers: list[tuple[Table, Exchange]] = []
        guilty, lane.told = lane.told, False
        lane.broken = await self._restart(lane)
        for table in sorted(tables, key=lambda table: table.spec.index):
            if lane.broken is not None or self._quarantined(table.spec.index):
                self._refuse(lane, table)
                guilty = True
                continue
            answer = await self._ask(lane, [table], tell=False)
            if answer.failure is None:
                answers.append((table, answer))
                continue
            table.use_time(answer.elapsed, self._rules.decision)
            self._fail(table, answer.failure)
            guilty = True
            lane.broken = await self._restart(lane)
        if answers and not guilty:  # without answers the bot failed when it had answered everything: nobody pays
            table, answer = answers.pop(0)
            table.use_time(answer.elapsed, self._rules.decision)
            self._fail(table, failure)
        for table, answer in answers:
            self._settle([table], answer)

    async def _restart(self, lane: Lane) -> Failure | None:
        failure = await lane.player.restart()
        return None if failure is None else self._the_bots(lane, failure, Fault.NEVER_READY)

    def _refuse(self, lane: Lane, table: Table) -> None:
        """Let a table go on whose bot is not there any more."""
        if lane.broken is not None and not self._quarantined(table.spec.index):
            self._fail(table, lane.broken)
        else:
            self._route(table)

    def _fail(self, table: Table, failure: Failure) -> None:
        table.ended[table.seat].clear()
        self._fault(table, failure)
        self._route(table)

    async def _say_game_over(self) -> None:
        """Tell each bot of the games that ended since it was last asked."""
        for lane in self._lanes:
            if lane.games_over and lane.broken is None:
                await lane.ask([])


async def stopped(stop: Callable[[], bool]) -> None:
    """Wait until `stop` says so."""
    while not stop():  # noqa: ASYNC110 - what stops it may be an event of another process
        await asyncio.sleep(STOP_POLL_SECONDS)
