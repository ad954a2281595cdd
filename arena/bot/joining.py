"""A bot that cannot be reached dials in: it opens `Door.Join` streams to an arena and answers what comes over them.

Each stream is one conversation. One that nothing was asked on yet is waiting; as soon as something is, another is
opened, so that the next conversation finds one. A stream that breaks is dialled again, with its conversation and all
that the bot remembers of its games.
"""

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, NoReturn

from arena.bot.conversation import GOODBYE_SECONDS, Conversation, Partner
from arena.bot.line import Line, Tell, say
from arena.bot.server import leave, the_end
from arena.errors import ArenaError, HostError
from arena.protocol.dialling import Server
from arena.protocol.v1.player_pb2 import HelloResponse

TOKEN, CA, TLS, PLAINTEXT = "ARENA_TOKEN", "ARENA_CA", "ARENA_TLS", "ARENA_PLAINTEXT"
MAX_CONVERSATIONS = 100
"""At once, the waiting one included: each has its threads. An arena has one for each of its workers, or a few."""


class Counts(NamedTuple):
    """How a bot is doing.

    connected: whether the arena is there. waiting, playing: conversations. turns: answered so far.
    """

    connected: bool
    waiting: int
    playing: int
    turns: int


class Joining:
    """A bot that dials in. `run` does it. Its other methods are for its conversations (`Owner`)."""

    def __init__(
        self,
        server: Server,
        bot: str,
        hello: HelloResponse,
        converse: Callable[[], Partner],
        *,
        most: int = MAX_CONVERSATIONS,
        tell: Tell = say,
    ) -> None:
        """Prepare to dial in. Raises `InputError` for a server that cannot be dialled.

        bot: its name in the series. hello: how it introduces itself. converse: called for each conversation, for what
        answers it; may raise `GaveUpError`. most: conversations at once. tell: says what happens.
        """
        self.converse = converse
        self._line = Line(server, bot, hello, tell)
        self._most = most
        self._ending: SimpleQueue[int | ArenaError] = SimpleQueue()  # its put() is safe in a signal handler
        self._lock = threading.Lock()
        self._open: list[Conversation] = []
        self._turns = 0

    @property
    def counts(self) -> Counts:
        """How it is doing."""
        with self._lock:
            playing = sum(one.playing for one in self._open)
            connected = self._line.met and not self._line.away
            return Counts(connected, (len(self._open) - playing) * connected, playing, self._turns)

    def run(self) -> int:
        """Dial in and answer until the end. Returns the exit code: 130 after Ctrl-C, 0 after a polite kill.

        To be called by the main thread. Raises `ArenaError` where the arena refuses the bot.
        """
        handlers = {
            number: signal.signal(number, lambda *_, code=code: self._ending.put(code))
            for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 0))
        }
        try:
            self.asked()
            end = the_end(self._ending)
        finally:
            self._close()
            for number, handler in handlers.items():
                signal.signal(number, handler)
        if isinstance(end, ArenaError):
            raise end
        return end

    def asked(self) -> None:
        """See to it that a conversation waits, unless there are as many as there may be.

        Where the system has no thread for it, it is tried again when one of the others is over.
        """
        with self._lock:
            if self._line.closing or len(self._open) >= self._most or not all(one.playing for one in self._open):
                return
            another = Conversation(self._line, self)
            try:
                another.start()
            except RuntimeError as error:
                told = f"this machine, or its limits (ulimit), are too small for more conversations: {error}"
            else:
                self._open.append(another)
                return
            alone = not self._open
        if alone:
            self.refused(HostError(told))
        else:
            self._line.tell(told)

    def closed(self, conversation: Conversation) -> None:
        """One conversation less."""
        with self._lock:
            self._open.remove(conversation)
        self.asked()

    def answered(self, turns: int) -> None:
        """So many turns more."""
        with self._lock:
            self._turns += turns

    def refused(self, refusal: ArenaError) -> None:
        """Let `run` end by it: the arena does not want the bot, or it cannot go on."""
        self._line.close()
        self._ending.put(refusal)

    def _close(self) -> None:
        """Say goodbye on every stream, and leave."""
        with self._lock:
            self._line.close()
            conversations = list(self._open)
        deadline = time.monotonic() + GOODBYE_SECONDS
        for conversation in conversations:
            conversation.say_last()
        for conversation in conversations:
            conversation.join(max(deadline - time.monotonic(), 0.0))
        self._line.hang_up()


def server_of(arena: str, token: str, ca: str | Path, *, tls: bool, plaintext: bool) -> Server:
    """The arena to dial; what is empty is taken from the environment."""
    given = os.environ.get
    file = ca or given(CA)
    return Server(
        arena,
        token or given(TOKEN, ""),
        Path(file) if file else None,
        tls=tls or given(TLS, "0") not in ("", "0"),
        plaintext=plaintext or given(PLAINTEXT, "0") not in ("", "0"),
    )


def dial_in(server: Server, bot: str, hello: HelloResponse, converse: Callable[[], Partner]) -> NoReturn:
    """Be a bot that dials in, until the end of the process. Never returns. See `Joining`."""
    try:
        code = Joining(server, bot, hello, converse).run()
    except ArenaError as refusal:
        leave(2, str(refusal))
    leave(code)
