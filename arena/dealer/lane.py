"""What waits for one bot, and how it is asked: the tables of a room that stand at a question to it, in batches."""

import asyncio
from collections import deque
from collections.abc import Sequence

from arena.dealer.table import Table
from arena.dealer.values import RoomRules
from arena.players.faults import Failure, Fault, blamed
from arena.players.player import Exchange, Player
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import PlayRequest


class Lane:
    """One bot of a room and the tables that wait for it.

    player: the bot.
    broken: why it cannot be asked any more, `None` as long as it can.
    waiting: tables that stand at a question to it. wake: set when there are some, or when the room is done.
    games_over: games that ended, each with the bot's seat, of which it has not been told.
    told: whether it may have been told of games that ended since it last answered; at first by an earlier room.
    faulty: indices of games with a fault of this bot, one entry a fault, ascending.
    """

    def __init__(self, player: Player, rules: RoomRules, head: bytes) -> None:
        """Nothing waits. head: what every request begins with, serialized."""
        self.player = player
        self.broken: Failure | None = player.failure and blamed(player.failure, Fault.NEVER_READY)
        self.waiting: deque[Table] = deque()
        self.wake = asyncio.Event()
        self.games_over: list[tuple[Table, int]] = []
        self.told = True
        self.faulty: list[int] = []
        self._rules = rules
        self._head = head  # a map is quicker read than copied
        self._batch = min(rules.batch, player.max_batch) if player.max_batch else rules.batch

    def put(self, table: Table) -> None:
        """Let a table wait."""
        self.waiting.append(table)
        self.wake.set()

    def take(self) -> list[Table]:
        """The tables of the next batch."""
        waiting = self.waiting
        return [waiting.popleft() for _ in range(min(len(waiting), self._batch))]

    async def ask(self, batch: Sequence[Table], *, tell: bool = True) -> Exchange:
        """Ask a batch: the notices of each table, then its turn. tell: also of the games that ended since."""
        request = PlayRequest.FromString(self._head)
        if tell and self.games_over:
            self._tell_games_over(request)
        ids = set()
        rules = self._rules
        limit, bank = 0.0, rules.bank
        always = rules.timed or rules.hand is not None
        for table in batch:
            turn = table.asked
            assert turn is not None
            if table.ended[table.seat]:
                _add_hands_over(request, table, table.seat)
            free, beyond = rules.decision, rules.bank
            if always or table.clock.spent or table.clock.overtime:  # else a turn has all of its time
                free, beyond = table.time_left(rules)
                bank = min(bank, beyond)
            limit += free
            if rules.timed:
                codec.add_turn(request, turn, int(beyond * 1000), int(free * 1000))
            else:
                codec.add_turn(request, turn)
            ids.add(turn.id)
        limit = (limit if batch else rules.decision) + bank
        return await self.player.exchange(request, ids, limit)

    def _tell_games_over(self, request: PlayRequest) -> None:
        for table, seat in self.games_over:
            _add_hands_over(request, table, seat)
            codec.add_game_over(request, table.game_over(seat))
        self.games_over.clear()
        self.told = True


def _add_hands_over(request: PlayRequest, table: Table, seat: int) -> None:
    for end in table.ended[seat]:
        codec.add_hand_over(request, end)
