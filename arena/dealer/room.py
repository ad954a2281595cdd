"""Many tables at once: carries turns to the bots in batches, watches the clock, and finds out who pays.

Each seat of the tables is one bot, so each bot has one *lane*: the tables that wait for it. A lane sends
what has gathered while the bot was busy, up to the largest batch, and takes the answers back to the tables,
which puts them into another lane. With many tables in flight the batches grow by themselves.

A batch that fails (the bot died, stalled, or broke the conversation) is asked again one turn at a time by a
fresh process, a batch of one too: only the turn that fails alone pays, so neither the size of the batch nor what the
process had seen before changes a result. If none fails alone, the lowest in schedule order pays; but where the bot
had just been told that games are over, that is taken for the cause, and there is nothing left that it could cost.
"""

import asyncio
import sys
from bisect import insort
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from arena.dealer.table import Table, TableRules
from arena.dealer.values import GameRecord, GameSpec
from arena.errors import HostError, IllegalAction, MalformedDecision
from arena.players.faults import Culprit, Failure, Fault, fault_of
from arena.players.player import Exchange, Player
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import Decision, PlayRequest
from arena.rules.view import Advice

STOP_POLL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class RoomRules:
    """How a room is run.

    tables: games in flight at once.
    batch: most turns in one message; 1 in a timed series, where a bot has one turn in flight.
    timed: whether the time used so far is told in the turns.
    decision, bank: seconds for a decision, and seconds a game that may be drawn on beyond it.
    quarantine_after: after this many faults of a bot its later games are left unplayed.
    """

    tables: int
    batch: int
    timed: bool
    decision: float
    bank: float
    quarantine_after: int


class _Lane:
    """What waits for one bot.

    broken: why the bot cannot be asked any more, `None` as long as it can.
    games_over: games that ended, each with the bot's seat, of which it has not been told.
    told: whether it may have been told of games that ended since it last answered; at first by an earlier room.
    faulty: indices of games with a fault of this bot, one entry a fault, ascending.
    """

    def __init__(self, player: Player, batch: int) -> None:
        self.player = player
        self.broken = player.failure
        self.batch = min(batch, player.max_batch) if player.max_batch else batch
        self.waiting: deque[Table] = deque()
        self.wake = asyncio.Event()
        self.games_over: list[tuple[Table, int]] = []
        self.told = True
        self.faulty: list[int] = []

    def put(self, table: Table) -> None:
        self.waiting.append(table)
        self.wake.set()


class Room:
    """Plays games of one seating: seat `s` of every table is `players[s]`."""

    def __init__(self, players: Sequence[Player], shared: TableRules, rules: RoomRules) -> None:
        """Prepare to play; the players are started and ready."""
        self._shared = shared
        self._rules = rules
        self._lanes = [_Lane(player, rules.batch) for player in players]
        self._advisers = tuple(player.advises for player in players)
        setup = codec.setup_message(
            shared.format.game, shared.format.hollywood, shared.format.rules.as_text(), shared.hints
        )
        self._head = PlayRequest(setup=setup).SerializeToString()  # a map is quicker read than copied
        self._records: list[GameRecord] = []
        self._open = 0
        self._last = sys.maxsize  # the game in which a bot used up its faults: later ones need not be played

    async def play(self, specs: Sequence[GameSpec], stop: Callable[[], bool]) -> list[GameRecord]:
        """Play the games, in schedule order, and return those that were finished.

        Left out are games that `stop` cut short and games after a bot's last allowed fault.
        """
        self._specs: Iterator[GameSpec] = iter(specs)
        self._records = []
        for _ in range(self._rules.tables):
            if not self._open_table():
                break
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
        if not stop():
            await self._say_game_over()
        return sorted(self._records, key=lambda record: record.index)

    # Tables

    def _open_table(self) -> bool:
        for spec in self._specs:
            if not self._quarantined(spec.index):
                self._open += 1
                self._route(Table(spec, self._shared, self._advisers))
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
        self._open -= 1
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

    async def _serve(self, lane: _Lane) -> None:
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
            batch = [waiting.popleft() for _ in range(min(len(waiting), lane.batch))]
            answer = await self._exchange(lane, batch)
            unanswered = self._settle(batch, answer)
            if answer.failure is None:
                lane.told = False
                continue
            alone = len(batch) == 1 and not lane.told  # else something else may have taken the time
            if alone:
                batch[0].use_time(answer.elapsed, self._rules.decision)
            if alone and answer.failure.fault is Fault.TIMEOUT:
                lane.broken = await self._restart(lane)
                self._fail(batch[0], answer.failure)
            else:
                await self._recover(lane, unanswered, answer.failure)

    async def _exchange(self, lane: _Lane, batch: Sequence[Table], *, tell: bool = True) -> Exchange:
        """Ask a batch: the notices of each table, then its turn. tell: also of the games that ended since."""
        request = PlayRequest.FromString(self._head)
        if tell and lane.games_over:
            for table, seat in lane.games_over:
                _add_hands_over(request, table, seat)
                codec.add_game_over(request, table.game_over(seat))
            lane.games_over.clear()
            lane.told = True
        ids = set()
        timed, most = self._rules.timed, self._rules.bank
        for table in batch:
            turn = table.asked
            assert turn is not None
            if table.ended[table.seat]:
                _add_hands_over(request, table, table.seat)
            codec.add_turn(request, turn, int(max(most - table.overtime, 0.0) * 1000) if timed else 0)
            ids.add(turn.id)
        bank = most - max([table.overtime for table in batch], default=0.0)
        limit = max(len(batch), 1) * self._rules.decision + max(bank, 0.0)
        return await lane.player.exchange(request, ids, limit)

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
            self._fault(table, Failure(fault_of(error), f"{turn.view.kind.name.lower()} asked; {error}"))

    async def _recover(self, lane: _Lane, tables: Sequence[Table], failure: Failure) -> None:
        """Start the bot afresh, find the turn that makes it fail, let that one pay, and take the other answers."""
        answers: list[tuple[Table, Exchange]] = []
        guilty, lane.told = lane.told, False
        lane.broken = await self._restart(lane)
        for table in sorted(tables, key=lambda table: table.spec.index):
            if lane.broken is not None or self._quarantined(table.spec.index):
                self._refuse(lane, table)
                guilty = True
                continue
            answer = await self._exchange(lane, [table], tell=False)
            if answer.failure is None:
                answers.append((table, answer))
                continue
            table.use_time(answer.elapsed, self._rules.decision)
            self._fail(table, answer.failure)
            guilty = True
            lane.broken = await self._restart(lane)
        if answers and not guilty:  # without answers the bot failed when it had answered everything: nobody pays
            self._fail(answers.pop(0)[0], failure)
        for table, answer in answers:
            self._settle([table], answer)

    async def _restart(self, lane: _Lane) -> Failure | None:
        return not_the_hosts(await lane.player.restart())

    def _refuse(self, lane: _Lane, table: Table) -> None:
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
                await self._exchange(lane, [])


def _add_hands_over(request: PlayRequest, table: Table, seat: int) -> None:
    for end in table.ended[seat]:
        codec.add_hand_over(request, end)


def not_the_hosts(failure: Failure | None) -> Failure | None:
    """What went wrong with the start of a bot, if it is the bot's. Raises `HostError` if it is the machine's."""
    if failure is not None and failure.fault.culprit is Culprit.HOST:
        raise HostError(failure.detail)
    return failure


async def stopped(stop: Callable[[], bool]) -> None:
    """Wait until `stop` says so."""
    while not stop():  # noqa: ASYNC110 - what stops it may be an event of another process
        await asyncio.sleep(STOP_POLL_SECONDS)
