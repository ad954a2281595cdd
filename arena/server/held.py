"""A series as the server holds it: what is kept of it, how it stands, and who watches."""

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from arena.protocol.v1 import arena_pb2 as pb
from arena.server.catalogue import End, Entry, Wanted
from arena.server.desk import Mark
from arena.server.playing import Event, Playing, Speedometer

MOST_WAITING = 200
"""Faults that wait for a watcher who reads slowly; of more only how many."""

OVER = frozenset({pb.SERIES_STATE_FINISHED, pb.SERIES_STATE_CANCELLED, pb.SERIES_STATE_FAILED})
"""States from which a series does not go on by itself."""


class Watcher:
    """One who watches: what has happened since it looked last, bounded however slowly it looks."""

    def __init__(self) -> None:
        self.faults = deque[Event]()
        self.left_out = 0
        self.news = asyncio.Event()

    def note(self, faults: Sequence[Event], left_out: int) -> None:
        """More faults were counted."""
        free = MOST_WAITING - len(self.faults)
        self.faults.extend(faults[:free])
        self.left_out += left_out + len(faults[free:])
        self.news.set()


class Held:
    """A series of the server. Only keeper and stage change it, and call `changed` then.

    entry: what is kept of it on disk. sound: whether that could be read, so that it can be played.
    playing: the process that plays it. at_work: whether one does, or is about to. begun: how often one was.
    stopping: whether it was told to stop.
    addresses: where the door has the bots that dial in, `None` before it lets them in, which it may be about to.
    missing: bots that are waited for. alone: whether to begin without them. due: when that is done anyway, on the
    loop's clock. note: what is being done before the first card.
    """

    def __init__(self, entry: Entry, *, sound: bool = True) -> None:
        self.entry = entry
        self.sound = sound
        self.playing: Playing | None = None
        self.at_work = False
        self.begun = 0
        self.stopping = False
        self.missing: tuple[str, ...] = ()
        self.addresses: dict[str, str] | None = None
        self.letting_in = False
        self.alone = False
        self.due: float | None = None
        self.note = ""
        self.games_done = entry.games_done
        self.settled = 0
        self.workers = 1
        self.speed = Speedometer()
        self.watchers: set[Watcher] = set()

    @property
    def state(self) -> pb.SeriesState.ValueType:
        """How it stands."""
        if self.at_work:
            return pb.SERIES_STATE_RUNNING
        if self.entry.wanted is Wanted.CANCELLED:
            return pb.SERIES_STATE_CANCELLED
        if self.entry.end is not End.NONE:
            return pb.SERIES_STATE_FINISHED if self.entry.end is End.FINISHED else pb.SERIES_STATE_FAILED
        if self.entry.wanted is Wanted.PAUSED:
            return pb.SERIES_STATE_PAUSED
        return pb.SERIES_STATE_WAITING if self.missing else pb.SERIES_STATE_QUEUED

    @property
    def mark(self) -> Mark:
        """The point at which it stands."""
        return Mark(self.entry.id, self.begun, self.games_done, self.settled, live=self.at_work)

    @property
    def info(self) -> pb.SeriesInfo:
        """How it stands, for a client."""
        entry = self.entry
        return pb.SeriesInfo(
            id=entry.id,
            title=entry.title,
            state=self.state,
            games_done=self.games_done,
            games=entry.games,
            bots=entry.bots,
            told=self._told,
            commitment=entry.commitment,
        )

    @property
    def progress(self) -> pb.Progress:
        """How far it is, for a client."""
        return pb.Progress(series=self.info, hands_per_second=self.speed.pace.hands if self.at_work else 0.0)

    @property
    def _told(self) -> str:
        match self.state:
            case pb.SERIES_STATE_RUNNING if self.stopping:
                return "is being stopped"
            case pb.SERIES_STATE_RUNNING:
                return self.note
            case pb.SERIES_STATE_WAITING:
                return f"waits for {', '.join(self.missing)} to dial in"
            case pb.SERIES_STATE_FAILED:
                return self.entry.told
        return ""

    def changed(self) -> None:
        """Tell those who watch to look."""
        for watcher in self.watchers:
            watcher.news.set()

    @contextmanager
    def watched(self) -> Iterator[Watcher]:
        """By one more."""
        watcher = Watcher()
        self.watchers.add(watcher)
        try:
            yield watcher
        finally:
            self.watchers.discard(watcher)
