"""A bot that plays with a person: asked for one decision at a time, and started again when it fails."""

from pathlib import Path

from arena.errors import BadDecision, MalformedDecision
from arena.kit.check.candidate import Clock, not_ready
from arena.kit.check.report import PRINTED_LINES
from arena.players.faults import Failure, Fault, not_the_hosts
from arena.players.place import last_lines
from arena.players.player import Player
from arena.players.spec import BotSpec
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import Decision, PlayRequest
from arena.rules.view import Turn


class Opponent:
    """A bot at the table of a person.

    name: what the person is told. spec: of the bot.
    """

    def __init__(self, name: str, spec: BotSpec, clock: Clock, logs: Path) -> None:
        self.name = name
        self._clock = clock
        self._player = Player(spec, ready=clock.ready, goodbye=clock.goodbye, logs=logs)

    @property
    def advises(self) -> bool:
        """Whether it wants to be asked for advice."""
        return self._player.advises

    async def start(self) -> None:
        """Start its process. Raises `StepFailedError`."""
        failure = not_the_hosts(await self._player.start())
        if failure is not None:
            raise not_ready(self._player, failure, self._clock)

    async def ask(self, request: PlayRequest, turn: Turn) -> Decision | Failure:
        """Its decision on a turn, which is put into a request that has the notices before it."""
        if self._player.failure is not None:
            return self._player.failure
        codec.add_turn(request, turn, int(self._clock.bank * 1000))
        answer = await self._player.exchange(request, [turn.id], self._clock.limit(1))
        return answer.failure or answer.decisions[turn.id]

    async def tell(self, request: PlayRequest) -> None:
        """Send notices alone."""
        if self._player.failure is None:
            await self._player.exchange(request, [], self._clock.limit(0))

    def printed(self) -> list[str]:
        """The last lines that its process has printed, fit to be shown."""
        return last_lines(self._player.printed(), PRINTED_LINES)

    async def recover(self) -> None:
        """Start it again, if it has to be. Where that fails every later question is answered by the failure."""
        if self._player.failure is not None and self._player.failure.fault is not Fault.NEVER_READY:
            not_the_hosts(await self._player.restart())

    async def close(self) -> None:
        """End its process."""
        await self._player.stop()


def refusal(turn: Turn, decision: Decision, error: BadDecision, *, in_full: bool) -> Failure:
    """The fault of a decision that the table does not take.

    in_full: say what would have been legal, which tells of the bot's cards.
    """
    asked = f"{turn.view.kind.name.lower()} asked"
    if isinstance(error, MalformedDecision):
        return Failure(Fault.MALFORMED, f"{asked}; {error}")
    return Failure(Fault.ILLEGAL, f"{asked}; {error if in_full else f'it said {codec.read_decision(decision)}'}")
