"""One conversation of a bot that dials in, over as many streams as it takes.

It has two threads: one reads, and echoes probes at once, while the other thinks.
"""

import threading
import time
import traceback
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from random import uniform
from typing import NamedTuple, Protocol

import grpc

from arena.bot.line import BREAKS, Line, Stream, code_of
from arena.bot.server import Answer, leave
from arena.errors import ArenaError, HostError, InputError, printable
from arena.protocol.codec import PROTOCOL_VERSION
from arena.protocol.dialling import told
from arena.protocol.v1 import join_pb2 as pb
from arena.protocol.v1.player_pb2 import Decision, PlayRequest, PlayResponse

FIRST_PAUSE, PLAYING_PAUSE, WAITING_PAUSE = 0.1, 2.0, 5.0
"""Seconds before a broken stream is dialled again: at first, and at most while it plays, or waits."""
STEADY_SECONDS = 5.0
"""A stream that has held for so long is dialled again as quickly as at first."""
GOODBYE_SECONDS = 3.0
"""For the arena to end a stream on which this side has said its last. If near and not busy, it does so at once."""

_REFUSALS = (
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.UNIMPLEMENTED,
)
"""To be tried again in vain."""
_LATER = (grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.DEADLINE_EXCEEDED)
"""Of a stream that was not welcomed: too many come back at once, or the introduction was too slow."""


class GaveUpError(Exception):
    """A partner cannot go on with its conversation; says why, to the bot's author."""


class Partner(NamedTuple):
    """What answers one conversation.

    answer: takes a request and gives the decisions on all its turns. Any error of it ends the conversation.
    end: called once when the conversation is over, from another thread than `answer` and perhaps meanwhile.
    """

    answer: Answer
    end: Callable[[], None] = lambda: None


class Owner(Protocol):
    """Whose conversations they are."""

    def converse(self) -> Partner:
        """What is to answer another conversation. Raises `GaveUpError` where it cannot be had now."""

    def asked(self) -> None:
        """The conversation that waited is asked something."""

    def answered(self, turns: int) -> None:
        """So many turns have been answered."""

    def refused(self, refusal: ArenaError) -> None:
        """The arena does not want this bot, or it cannot go on."""

    def closed(self, conversation: "Conversation") -> None:
        """It is over."""


class Conversation(threading.Thread):
    """One conversation. `start` begins it.

    playing: whether something was asked in it.
    """

    def __init__(self, line: Line, owner: Owner) -> None:
        super().__init__(daemon=True)
        self.playing = False
        self._line = line
        self._owner = owner
        self._conversation = ""  # as the arena calls it
        self._grace = 0.0
        self._broken = 0.0  # when the last stream broke; 0 from the welcome of the next
        self._asked: SimpleQueue[tuple[Stream, PlayRequest] | None] = SimpleQueue()
        self._latest: dict[int, Decision] = {}
        self._stream: Stream | None = None
        self._over = threading.Event()  # for this side

    def run(self) -> None:
        """Hold it from its beginning to its end."""
        try:
            partner = self._partner()
            if partner is not None:
                self._held_with(partner)
        except ArenaError as refusal:
            self._owner.refused(refusal)
        except Exception as error:  # noqa: BLE001 - else it would seem to be there, and wait for nothing
            traceback.print_exc()
            self._owner.refused(HostError(f"a conversation cannot be held: {error}"))
        finally:
            self._owner.closed(self)

    def say_last(self) -> None:
        """Say that nothing more will come from this side."""
        self._over.set()
        stream = self._stream
        if stream is not None:
            stream.close()
            timer = threading.Timer(GOODBYE_SECONDS, stream.cancel)
            timer.daemon = True
            timer.start()

    def _partner(self) -> Partner | None:
        """What answers, `None` if the bot leaves. Where it cannot be had, there is a pause before the next is tried."""
        pauses = _pauses(WAITING_PAUSE)
        while not self._over.is_set():
            try:
                return self._owner.converse()
            except GaveUpError as error:
                if not self._over.is_set():
                    self._line.tell(str(error))
                self._line.pause(next(pauses))
        return None

    def _held_with(self, partner: Partner) -> None:
        """Hold it with what answers. Raises `ArenaError` for a refusal."""
        try:
            threading.Thread(target=self._think, args=(partner.answer,), daemon=True).start()
            self._hold()
        finally:
            self._asked.put(None)
            partner.end()

    def _hold(self) -> None:
        """Read one stream after the other. Raises `ArenaError` for a refusal."""
        pauses = _pauses(WAITING_PAUSE)
        while not self._over.is_set():
            begun = time.monotonic()
            self._stream = stream = self._line.dial(self._conversation)
            try:
                for response in stream:
                    self._take(stream, response)
            except grpc.RpcError as error:
                if self._over.is_set() or self._ended_by(error):
                    return
                if self._conversation and code_of(error) is grpc.StatusCode.NOT_FOUND:  # nobody had begun it yet
                    self._conversation = ""
                    continue
                self._line.broke(error)
            else:
                if self.playing:
                    return
            now = time.monotonic()
            if now - begun > STEADY_SECONDS:
                pauses = _pauses(PLAYING_PAUSE if self.playing else WAITING_PAUSE)
            self._broken = self._broken or now
            if self.playing and now - self._broken > self._grace:
                self._line.tell(f"a conversation is lost: it was broken for more than {self._grace:g} s")
                return
            self._line.pause(next(pauses))

    def _ended_by(self, error: grpc.RpcError) -> bool:
        """Whether the conversation is over by a status that a stream ended with. Raises `ArenaError` for a refusal."""
        code = code_of(error)
        meaning = told(error, self._line.server)
        wrong = code is grpc.StatusCode.UNAVAILABLE and isinstance(meaning, InputError)  # no such host, or no such TLS
        if (code in _REFUSALS and not self.playing) or (wrong and not self._line.met):
            raise meaning
        if not self.playing or code in BREAKS or (self._broken and code in _LATER):
            return False
        self._line.tell(f"the arena has ended a conversation: {printable(str(meaning))}")
        return True

    def _take(self, stream: Stream, response: pb.JoinResponse) -> None:
        """Take what the arena says."""
        said = response.WhichOneof("said")
        if said == "probe":
            stream.say(pb.JoinRequest(echo=pb.Echo(id=response.probe.id)))
        elif said == "welcome":
            welcome = response.welcome
            if welcome.protocol_version != PROTOCOL_VERSION:
                spoken = f"version {welcome.protocol_version} of the protocol, expected {PROTOCOL_VERSION}"
                raise InputError(f"the arena at {self._line.server.address} speaks {spoken}")
            self._conversation, self._grace = welcome.conversation, welcome.grace_ms / 1000
            self._broken = 0.0
            self._line.welcomed()
        elif said == "play":
            if not self.playing:
                self.playing = True
                self._owner.asked()
            self._asked.put((stream, response.play))

    def _think(self, answer: Answer) -> None:
        """Answer what is asked, until the conversation is over."""
        while (asked := self._asked.get()) is not None:
            stream, request = asked
            try:
                response = self._answered(answer, request)
            except SystemExit as leaving:
                code = leaving.code
                leave(*((code or 0,) if code is None or isinstance(code, int) else (1, str(code))))
            except BaseException as error:  # noqa: BLE001 - whatever it is, the conversation ends by it
                if isinstance(error, GaveUpError):
                    self._line.tell(str(error))
                else:
                    traceback.print_exc()
                self.say_last()
                return
            if response.decisions:
                stream.say(pb.JoinRequest(play=response))
                self._owner.answered(len(response.decisions))

    def _answered(self, answer: Answer, request: PlayRequest) -> PlayResponse:
        """Answer a request. What is asked again, after a stream has broken, has the answer that it had."""
        ids = [turn.id for turn in request.turns]
        if ids and self._latest.keys() >= set(ids):
            return PlayResponse(decisions=[self._latest[one] for one in ids])
        response = answer(request)
        if ids:
            self._latest = {decision.turn_id: decision for decision in response.decisions}
        return response


def _pauses(longest: float) -> Iterator[float]:
    """Seconds between tries: longer and longer, and never the same for two."""
    pause = FIRST_PAUSE
    while True:
        yield pause * uniform(0.7, 1.0)  # noqa: S311 - no secret
        pause = min(pause * 2, longest)
