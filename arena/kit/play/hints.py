"""Hints for a person: what a sample bot would do, which is asked itself."""

from pathlib import Path

from arena.kit.check.candidate import Clock
from arena.players.faults import not_the_hosts
from arena.players.player import Player
from arena.players.samples import sample
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import PlayRequest
from arena.rules.actions import Action
from arena.rules.view import Turn

NAME = "simple"
"""Who is asked."""


class Hinter:
    """A process of the sample bot, started when it is first asked. `close` ends it."""

    def __init__(self, head: PlayRequest, clock: Clock, logs: Path) -> None:
        """head: what a request begins with."""
        self._head = head
        self._clock = clock
        self._logs = logs
        self._player: Player | None = None
        self._asked: tuple[int, Action | None] = (0, None)

    async def hint(self, turn: Turn) -> Action | None:
        """What it would do at a turn; `None` where it cannot be asked."""
        if self._asked[0] != turn.id:  # a turn is asked once in a conversation
            self._asked = turn.id, await self._ask(turn._replace(advising=False, advice=None))
        return self._asked[1]

    async def close(self) -> None:
        """End its process."""
        if self._player is not None:
            await self._player.stop()

    async def _ask(self, turn: Turn) -> Action | None:
        if self._player is None:
            spec = sample(NAME)
            if spec is None:
                return None
            self._player = Player(spec, ready=self._clock.ready, goodbye=self._clock.goodbye, logs=self._logs)
            not_the_hosts(await self._player.start())
        if self._player.failure is not None:
            return None
        request = PlayRequest()
        request.CopyFrom(self._head)
        codec.add_turn(request, turn, int(self._clock.bank * 1000))
        answer = await self._player.exchange(request, [turn.id], self._clock.limit(1))
        return None if answer.failure is not None else codec.read_decision(answer.decisions[turn.id])
