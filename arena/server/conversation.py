"""What goes on between a worker and a bot that has dialled in: a Play stream married to a Join stream.

When the Join stream breaks, the conversation waits for the bot to come back. What it has not answered is then asked
again, by the same turns. Meanwhile the worker is told, so that its clock stands still.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable
from typing import Protocol

import grpc
from grpc.aio import ServicerContext

from arena.protocol.v1.player_pb2 import Link, PlayRequest, PlayResponse, Turn
from arena.server.caller import Caller
from arena.server.joined import JoinedStream, MisbehavedError

Context = ServicerContext[PlayRequest, PlayResponse]

GRACES = 10
"""How many times the grace a bot may be away in one conversation, all breaks together: nobody waits for ever for one
that comes back just in time, again and again.
"""
MOST_EMPTY = 1000
"""Messages without a decision that a bot may send to one request."""
MOST_BYTES = 4 << 20
"""Of all answers to one request: they are kept until the worker takes them."""

GONE = "dropped its connection, and did not come back in time"
OVER = "this conversation is over, or was never one of this bot; open a new one"
NEVER_CAME = "kept no stream waiting, and opened none in time"
"""What the bot did, as the rest of a sentence about it."""


class Waiting(Protocol):
    """Where streams of the bot wait."""

    def take_now(self) -> JoinedStream | None:
        """One that waits, `None` where there is none."""

    def take(self) -> Awaitable[JoinedStream]:
        """The next that waits, as soon as there is one."""

    def married(self, conversation: "Conversation") -> None:
        """It is known by the stream that it has now."""

    def parted(self, conversation: "Conversation") -> None:
        """It is known by that no more."""


class Conversation:
    """One conversation, from the worker's first word to its last.

    A stream is taken when something is first asked. Crews of several bots begin together, and would else wait for one
    another: a bot opens another stream when it is asked on its last.

    stream: the bot's, `None` while there is none. name: what a stream that goes on with it has to know, and caller: who
    has to open it. grace: seconds that it may be away.
    """

    def __init__(self, bot: Waiting, grace: float) -> None:
        """Prepare. bot: whose streams it may take."""
        self.stream: JoinedStream | None = None
        self.name = ""
        self.caller: Caller | None = None
        self.grace = grace
        self._bot = bot
        self._out: asyncio.Queue[PlayResponse | None] = asyncio.Queue()
        self._verdict: tuple[grpc.StatusCode, str] | None = None
        self._ended = False
        self._request = PlayRequest()
        self._unanswered: dict[int, Turn] = {}  # of the request, by id
        self._empty = self._bytes = 0  # of the answers to it
        self._away = 0.0  # seconds, of all breaks that are over
        self._broke = 0.0  # when the bot went
        self._told = Link()  # what the worker knows of it
        self._patience: asyncio.TimerHandle | None = None
        self._search: asyncio.Task[None] | None = None

    @property
    def quiet(self) -> bool:
        """Whether nothing is asked that is not answered."""
        return not self._unanswered

    async def serve(self, context: Context) -> AsyncGenerator[PlayResponse]:
        """Carry on until the worker or the bot ends it. Aborts the worker's call where the bot is to blame."""
        goodbye = False
        asking = asyncio.create_task(self._listen(context))
        try:
            await context.send_initial_metadata(())
            while (response := await self._out.get()) is not None:
                yield response
            goodbye = self._verdict is None
            if self._verdict is not None and self._verdict[0] is not grpc.StatusCode.OK:
                await context.abort(*self._verdict)
        finally:
            asking.cancel()
            self._end(goodbye=goodbye)
            await asyncio.gather(asking, return_exceptions=True)

    def taken(self, stream: JoinedStream) -> None:
        """The bot has a stream for it: the first, or one in place of one that broke, or that it knows to be broken."""
        if self._ended:
            stream.end(grpc.StatusCode.NOT_FOUND, OVER)
            return
        if self.stream is not None:
            self.stream.partner = None
            self.stream.end(grpc.StatusCode.ABORTED, "another stream goes on with this conversation")
        self._stop_waiting()
        if self._broke and self._unanswered:  # else it kept nobody waiting
            self._away += time.monotonic() - self._broke
        self._broke = 0.0
        self.stream, stream.partner = stream, self
        self.name, self.caller = stream.conversation, stream.caller
        self._bot.married(self)
        if self._unanswered:
            self._tell()
            whole = len(self._unanswered) == len(self._request.turns)
            setup, turns = self._request.setup, self._unanswered.values()
            stream.ask(self._request if whole else PlayRequest(setup=setup, turns=turns))

    def lost(self, stream: JoinedStream) -> None:
        """A stream has ended, and not by this."""
        if stream is not self.stream:
            return
        self.stream, stream.partner = None, None
        if stream.left:
            self._over(grpc.StatusCode.OK, "")
        elif stream.verdict is not None:
            self._over(*stream.verdict)
        else:
            self._broke = time.monotonic()
            if self._unanswered:
                self._tell()
            left = max(GRACES * self.grace - self._away, 0.0)
            self._patience = asyncio.get_running_loop().call_later(min(self.grace, left), self._gave_up)

    def heard(self, answer: PlayResponse) -> None:
        """The bot has answered. Whether each decision is one that was asked, the worker judges."""
        if not self._unanswered:
            raise MisbehavedError("decisions where nothing was asked, expected none")
        self._bytes += answer.ByteSize()
        if self._bytes > MOST_BYTES:
            raise MisbehavedError(f"answers of more than {MOST_BYTES >> 20} MiB to one request")
        if not answer.decisions:
            self._empty += 1
            if self._empty > MOST_EMPTY:
                raise MisbehavedError(f"more than {MOST_EMPTY} answers without a decision to one request")
            return
        answer.ClearField("link")  # that is for the door alone to say
        for decision in answer.decisions:
            self._unanswered.pop(decision.turn_id, None)
        self._out.put_nowait(answer)
        if not self._unanswered and self.stream is not None:
            self.stream.probe()

    async def _listen(self, context: Context) -> None:
        """Take what the worker says, until it says goodbye. To be cancelled where it gives up."""
        while isinstance(request := await context.read(), PlayRequest):
            self._ask(request)
        self._out.put_nowait(None)

    def _ask(self, request: PlayRequest) -> None:
        if request.turns:
            self._request = request
            self._unanswered = {turn.id: turn for turn in request.turns}
            self._empty = self._bytes = 0
        elif self.stream is None:  # nobody is there to be told, and whoever comes has not seen these games
            return
        if self.stream is not None:
            self._tell()
            self.stream.ask(request)
        elif self.name:
            self._tell()
        elif (stream := self._bot.take_now()) is not None:
            self.taken(stream)
        else:
            self._tell()
            self._wait_for_another()

    def _tell(self) -> None:
        """Tell the worker of the connection, where it does not know."""
        trip = None if self.stream is None else self.stream.round_trip
        known = self._told.round_trip_us
        link = Link(away=self.stream is None, round_trip_us=known if trip is None else max(round(trip * 1e6), 1))
        if link != self._told:
            self._told = link
            self._out.put_nowait(PlayResponse(link=link))

    def _gave_up(self) -> None:
        """The bot is not there in time. If nothing was asked that costs nothing: another stream will do."""
        reason = GONE if self.name else NEVER_CAME
        self._bot.parted(self)
        self.name = ""
        if self._unanswered:
            self._over(grpc.StatusCode.DEADLINE_EXCEEDED, reason)
        else:
            self._broke = 0.0

    def _wait_for_another(self) -> None:
        """Something is asked, and there is no stream yet, or it has long been lost: wait for any, for the same time."""
        self._broke = time.monotonic()
        self._search = asyncio.create_task(self._find())
        self._patience = asyncio.get_running_loop().call_later(self.grace, self._gave_up)

    async def _find(self) -> None:
        self.taken(await self._bot.take())

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        if self._search is not None and self._search is not asyncio.current_task():
            self._search.cancel()
        self._search = None

    def _over(self, code: grpc.StatusCode, reason: str) -> None:
        """It ends by the bot."""
        self._ended = True
        self._verdict = code, reason
        self._out.put_nowait(None)

    def _end(self, *, goodbye: bool) -> None:
        """Nothing more will be asked."""
        self._ended = True
        self._stop_waiting()
        self._bot.parted(self)
        stream, self.stream = self.stream, None
        if stream is not None:
            stream.partner = None
            if goodbye:
                stream.end()
            else:
                stream.end(grpc.StatusCode.ABORTED, "the arena has broken this conversation off")
