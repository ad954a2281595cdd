"""The service `Arena`: every call of it is a few lines, as the keeper and the reading desk do the work."""

# ruff: noqa: ARG002, N802 - gRPC gives the methods their names and arguments

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager

from grpc import StatusCode

from arena import __version__
from arena.errors import HostError, InputError, RecordError, RunError
from arena.protocol.v1 import arena_pb2 as pb
from arena.protocol.v1.arena_pb2_grpc import ArenaServicer
from arena.server.access import Context, caller
from arena.server.caller import Role
from arena.server.catalogue import Catalogue
from arena.server.desk import Desk
from arena.server.door import Door
from arena.server.keeper import Keeper, UnknownSeriesError, WrongStateError
from arena.server.reading import NotYetError, Wish
from arena.server.refusals import RefusedError
from arena.server.uploads import Limits, take
from arena.server.watching import watch

_CODES: dict[type[Exception], StatusCode] = {
    UnknownSeriesError: StatusCode.NOT_FOUND,
    WrongStateError: StatusCode.FAILED_PRECONDITION,
    NotYetError: StatusCode.FAILED_PRECONDITION,
    RunError: StatusCode.FAILED_PRECONDITION,
    InputError: StatusCode.INVALID_ARGUMENT,
    RecordError: StatusCode.DATA_LOSS,
    HostError: StatusCode.UNAVAILABLE,
}
"""What each error of the arena is to a caller: the first that fits, so the narrow ones stand before `InputError`."""


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn the errors of the arena into refusals."""
    try:
        yield
    except tuple(_CODES) as error:
        code = next(code for kind, code in _CODES.items() if isinstance(error, kind))
        raise RefusedError(code, str(error)) from error


def _check_luck(wanted: bool) -> None:
    """Raise `RefusedError` for who may not have luck judged: that takes some milliseconds a hand, and others wait."""
    if wanted and caller().role is not Role.ORGANISER:
        raise RefusedError(
            StatusCode.PERMISSION_DENIED, "luck is judged for an organiser, as it takes the arena's time"
        )


class Arena(ArenaServicer):
    """See arena.proto. Who calls is known by `arena.server.access.caller`."""

    def __init__(self, catalogue: Catalogue, keeper: Keeper, desk: Desk, door: Door, limits: Limits) -> None:
        self._catalogue = catalogue
        self._keeper = keeper
        self._desk = desk
        self._door = door
        self._limits = limits
        self._began = time.monotonic()

    async def Submit(self, request_iterator: AsyncIterator[pb.SubmitRequest], context: Context) -> pb.SubmitResponse:
        """Take a series in."""
        with _refusing():
            submitted = await take(request_iterator, self._catalogue.incoming(), self._limits)
            held = await self._keeper.submit(submitted)
        return pb.SubmitResponse(series=held.info)

    async def List(self, request: pb.ListRequest, context: Context) -> pb.ListResponse:
        """All series."""
        return pb.ListResponse(series=[held.info for held in self._keeper.all()])

    async def Watch(self, request: pb.WatchRequest, context: Context) -> AsyncIterator[pb.WatchResponse]:
        """Follow a series."""
        with _refusing():
            held = self._keeper.held(request.id)
            events = watch(held, self._keeper.run(held), self._desk, caller())
            async with aclosing(events):
                async for event in events:
                    yield event

    async def Standings(self, request: pb.StandingsRequest, context: Context) -> pb.StandingsResponse:
        """The tables."""
        with _refusing():
            held = self._keeper.held(request.id)
            _check_luck(request.luck)
            wish = Wish(tuple(request.without), request.luck, request.crosstable)
            data = await self._desk.standings(self._keeper.run(held), held.mark, wish)
        return pb.StandingsResponse.FromString(data)

    async def Crosstable(self, request: pb.CrosstableRequest, context: Context) -> pb.CrosstableResponse:
        """Every bot against every other."""
        with _refusing():
            held = self._keeper.held(request.id)
            _check_luck(request.luck)
            wish = Wish(tuple(request.without), request.luck)
            data = await self._desk.crosstable(self._keeper.run(held), held.mark, wish)
        return pb.CrosstableResponse.FromString(data)

    async def Hand(self, request: pb.HandRequest, context: Context) -> pb.HandResponse:
        """One hand."""
        with _refusing():
            held = self._keeper.held(request.id)
            data = await self._desk.hand(self._keeper.run(held), request.game, request.hand)
        return pb.HandResponse.FromString(data)

    async def Faults(self, request: pb.FaultsRequest, context: Context) -> pb.FaultsResponse:
        """What went wrong."""
        with _refusing():
            held = self._keeper.held(request.id)
            data = await self._desk.faults(self._keeper.run(held), request.bot, caller())
        return pb.FaultsResponse.FromString(data)

    async def Pause(self, request: pb.PauseRequest, context: Context) -> pb.PauseResponse:
        """Stop until it is resumed."""
        with _refusing():
            return pb.PauseResponse(series=self._keeper.pause(request.id).info)

    async def Resume(self, request: pb.ResumeRequest, context: Context) -> pb.ResumeResponse:
        """Go on."""
        with _refusing():
            return pb.ResumeResponse(series=self._keeper.resume(request.id).info)

    async def Cancel(self, request: pb.CancelRequest, context: Context) -> pb.CancelResponse:
        """Stop for good."""
        with _refusing():
            return pb.CancelResponse(series=self._keeper.cancel(request.id).info)

    async def Status(self, request: pb.StatusRequest, context: Context) -> pb.StatusResponse:
        """How the arena is doing."""
        states = [held.state for held in self._keeper.all()]
        pace = self._keeper.pace
        joined = [
            pb.JoinedBot(
                bot=bot.name,
                waiting=bot.waiting,
                playing=bot.playing,
                round_trip_ms=1000 * (bot.round_trip or 0.0),
            )
            for bot in self._door.joined()
        ]
        return pb.StatusResponse(
            arena_version=__version__,
            up_seconds=time.monotonic() - self._began,
            hands_per_second=pace.hands,
            decisions_per_second=pace.decisions,
            batch_size=pace.decisions / pace.requests if pace.requests else 0.0,
            running=states.count(pb.SERIES_STATE_RUNNING),
            queued=states.count(pb.SERIES_STATE_QUEUED) + states.count(pb.SERIES_STATE_WAITING),
            faults=self._keeper.faults,
            lag=self._keeper.lag,
            joined=joined,
        )
