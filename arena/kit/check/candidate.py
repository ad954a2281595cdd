"""The bot under check: its processes, one for each conversation, and what it answers, judged by the rules."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.dealer.table import Table
from arena.errors import IllegalAction, MalformedDecision
from arena.isolation.values import NO_ISOLATION, Isolation
from arena.kit.check.report import Problem
from arena.kit.check.scenes import Setting, question
from arena.players.faults import Failure, Fault, fault_of, not_the_hosts
from arena.players.player import Exchange, Player
from arena.players.spec import BotSpec
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import Decision, PlayRequest
from arena.rules.actions import Action


@dataclass(frozen=True, slots=True)
class Clock:
    """The limits, in seconds: those of a series that says nothing else."""

    ready: float = 10.0
    decision: float = 0.1
    bank: float = 5.0
    goodbye: float = 2.0

    def limit(self, turns: int) -> float:
        """For a request with so many turns, as a series has it whose bank is full."""
        return max(turns, 1) * self.decision + self.bank


class StepFailedError(Exception):
    """A step cannot be passed: what was sent, what came, what was expected, what to do, and to which process."""

    def __init__(self, sent: str, came: str, expected: str, remedy: str, player: Player | None = None) -> None:
        super().__init__(came)
        self.player = player
        self.sent = sent
        self.came = came
        self.expected = expected
        self.remedy = remedy

    def problem(self) -> Problem:
        """The same for a report, with what the process has printed."""
        printed = self.player.printed().rstrip("\n") if self.player is not None else ""
        return Problem(self.sent, self.came, self.expected, self.remedy, printed)


REMEDY = {
    Fault.NEVER_READY: "Start the command of the bot.yaml by hand in its folder, with ARENA_LISTEN=tcp:127.0.0.1:0, "
    "and read what it says.",
    Fault.CRASH: "The process, or its stream, ended before the answer came. An exception in a handler has to end the "
    "process, and the last lines it printed say which.",
    Fault.TIMEOUT: "Answer every turn of a request, and write the response at once. A server that swallows an "
    "exception says nothing either.",
    Fault.PROTOCOL: "Answer each turn of a request once, with `turn_id` set to its `id`; and a request without turns "
    "not at all.",
    Fault.MALFORMED: "Set `action`, and `card` with a discard or a knock, also where the card is 0, the ace of clubs.",
    Fault.ILLEGAL: "Choose from `legal`, and the card from `discards` and `knocks`. Without hints a knock has to be "
    "worked out, by the turn's `limit`.",
}
"""What to do, by what is wrong."""


class Session:
    """One conversation: a process of the bot, and the setting that it is told with every request.

    head: what every request begins with. dropped: what is wrong with advice that a table would not take.
    """

    def __init__(self, player: Player, setting: Setting, clock: Clock) -> None:
        self.player = player
        self.setting = setting
        self.head = setting.request()
        self._clock = clock
        self.dropped: list[str] = []
        self._over: list[Table] = []

    async def start(self) -> None:
        """Start the process, and meet the bot. Raises `StepFailedError`."""
        self._refuse(await self.player.start())

    async def restart(self) -> None:
        """Go on in a new process."""
        self._refuse(await self.player.restart())

    def _refuse(self, failure: Failure | None) -> None:
        if failure is not None:
            not_the_hosts(failure)
            raise not_ready(self.player, failure, self._clock)

    async def exchange(self, request: PlayRequest, sent: str) -> Exchange:
        """Send a request and wait for its answers. Raises `StepFailedError` where they do not all come."""
        answer = await self.player.exchange(
            request, [turn.id for turn in request.turns], self._clock.limit(len(request.turns))
        )
        failure = not_the_hosts(answer.failure, Fault.CRASH)
        if failure is not None:
            wanted = "a decision for each turn" if len(request.turns) > 1 else "a decision"
            if not request.turns:
                wanted = "no answer, and the stream left open"
            expected = f"{wanted}, within {self._clock.limit(len(request.turns)):g} s"
            raise failed(self.player, failure, f"{self.setting}: {sent}", expected)
        return answer

    async def tell(self, finished: Table, told: str) -> None:
        """Send a request without turns: that the game of this table is over."""
        request = self._request()
        _add_over(request, finished)
        await self.exchange(request, told)

    async def ask(
        self, tables: Sequence[Table], change: Callable[[PlayRequest], None] | None = None, told: str = ""
    ) -> list[Action | None]:
        """Ask for the decisions of these tables in one request, and judge them; `None` is no advice.

        change: done to the request before it is sent. told: what was asked, where that is not plain from one turn.
        """
        request = self._request()
        for table in self._over:
            _add_over(request, table)
        self._over = []
        for table in tables:
            for notice in table.take_ended(table.seat):
                codec.add_hand_over(request, notice)
            assert table.asked is not None
            codec.add_turn(request, table.asked)
        if change is not None:
            change(request)
        told = told or (question(tables[0]) if len(tables) == 1 else f"a request with {len(tables)} turns")
        answer = await self.exchange(request, told)
        asked = zip(tables, request.turns, strict=True)
        return [self._judged(table, answer.decisions[turn.id]) for table, turn in asked]

    def note_over(self, table: Table) -> None:
        """Tell of this table's end with the next request."""
        self._over.append(table)

    def _judged(self, table: Table, decision: Decision) -> Action | None:
        turn = table.asked
        assert turn is not None
        if turn.advising and not decision.action:
            return None
        came = ""
        try:
            action = codec.read_decision(decision)
            came = str(action)
            if turn.view.hand:  # an adviser who is shown no cards may recommend what the captain cannot do
                table.hand.copy().apply(action)
        except (MalformedDecision, IllegalAction) as error:
            if turn.advising:
                self.dropped.append(str(error))
                return None
            sent = f"{self.setting}: {question(table)}"
            came = error.got if came in ("", error.got) else f"{came}: {error.got}"
            raise StepFailedError(sent, came, error.expected, REMEDY[fault_of(error)], self.player) from None
        return action

    def _request(self) -> PlayRequest:
        request = PlayRequest()
        request.CopyFrom(self.head)
        return request


class Candidate:
    """The bot under check. `close` ends what is left of it, and has to be called."""

    def __init__(self, spec: BotSpec, clock: Clock, logs: Path, isolation: Isolation = NO_ISOLATION) -> None:
        self.spec = spec
        self.isolation = isolation
        self.clock = clock
        self.logs = logs
        self._kept: dict[Setting, Session] = {}
        self._players: list[Player] = []

    def player(self) -> Player:
        """Another process, not started."""
        ready, goodbye = self.clock.ready, self.clock.goodbye
        player = Player(self.spec, ready=ready, goodbye=goodbye, logs=self.logs, isolation=self.isolation)
        self._players.append(player)
        return player

    def keep(self, session: Session) -> None:
        """Use this session, which has been started, for its setting."""
        self._kept[session.setting] = session

    async def session(self, setting: Setting) -> Session:
        """The conversation about this setting, begun where it was not yet."""
        if setting not in self._kept:
            session = Session(self.player(), setting, self.clock)
            await session.start()
            self.keep(session)
        return self._kept[setting]

    @asynccontextmanager
    async def fresh(
        self, setting: Setting, change: Callable[[PlayRequest], None] | None = None
    ) -> AsyncIterator[Session]:
        """A conversation of its own with a new process, which ends with it.

        change: done once to what every request begins with.
        """
        session = Session(self.player(), setting, self.clock)
        if change is not None:
            change(session.head)
        try:
            await session.start()
            yield session
        finally:
            self._players.remove(session.player)
            await session.player.stop(0.0)

    async def close(self) -> None:
        """End every process at once."""
        players, self._players = self._players, []
        self._kept = {}
        for player in players:
            await player.stop(0.0)


def _add_over(request: PlayRequest, table: Table) -> None:
    """Tell every seat of a table that its game is over."""
    for seat in range(len(table.ended)):
        for notice in table.take_ended(seat):
            codec.add_hand_over(request, notice)
        codec.add_game_over(request, table.game_over(seat))


def not_ready(player: Player, failure: Failure, clock: Clock) -> StepFailedError:
    """The error for what went wrong with the start of a process, or with its Hello."""
    if player.listened:
        sent = f"Hello, version {codec.PROTOCOL_VERSION} of the protocol"
        expected = f"an answer with protocol_version {codec.PROTOCOL_VERSION}, within {clock.ready:g} s"
    else:
        sent = f"the command {' '.join(player.spec.run)!r}, in the bot's folder"
        expected = f"a bot that listens where ARENA_LISTEN says, within {clock.ready:g} s"
    return failed(player, failure, sent, expected)


def failed(player: Player, failure: Failure, sent: str, expected: str) -> StepFailedError:
    """The error for what went wrong between the arena and a process."""
    return StepFailedError(sent, failure.detail, expected, REMEDY[failure.fault], player)
