"""A real gRPC server with the arena's access before a service that does next to nothing."""

import asyncio
import io
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2_grpc  # type: ignore[import-untyped]
from grpc_health.v1.health import aio as health  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import reflection  # type: ignore[import-untyped]

from arena.errors import InputError
from arena.protocol.v1 import arena_pb2 as pb
from arena.protocol.v1 import join_pb2
from arena.protocol.v1.arena_pb2_grpc import ArenaServicer, add_ArenaServicer_to_server
from arena.protocol.v1.join_pb2 import JoinRequest, JoinResponse, Welcome
from arena.protocol.v1.join_pb2_grpc import DoorServicer, add_DoorServicer_to_server
from arena.server.access import SERVER_OPTIONS, Access, Context, caller
from arena.server.caller import Caller
from arena.server.logs import Log
from arena.server.rates import LIMITS, Limits, Rates
from arena.server.tokens import Tokens
from arena.server.uploads import Limits as UploadLimits
from arena.server.uploads import take

NAMES = (pb.DESCRIPTOR.services_by_name["Arena"], join_pb2.DESCRIPTOR.services_by_name["Door"])


class TinyArena(ArenaServicer):
    """Says who calls, and fails as it is asked."""

    def __init__(self, folder: Path, limits: UploadLimits) -> None:
        self.folder, self.limits = folder, limits
        self.seen: list[Caller] = []

    async def Status(self, request: pb.StatusRequest, context: Context) -> pb.StatusResponse:  # noqa: N802
        self.seen.append(await asyncio.create_task(_who()))
        return pb.StatusResponse(arena_version=f"{caller().role} {caller().label}")

    async def Watch(self, request: pb.WatchRequest, context: Context) -> AsyncIterator[pb.WatchResponse]:  # noqa: N802
        for _ in range(2):
            yield pb.WatchResponse(progress=pb.Progress(series=pb.SeriesInfo(title=caller().label)))
        if request.id == "forever":
            await asyncio.Event().wait()

    async def Standings(self, request: pb.StandingsRequest, context: Context) -> pb.StandingsResponse:  # noqa: N802
        if request.id == "bug":
            raise KeyError("gin_secret-secret-secret-secret")
        if request.id == "aborted":
            await context.abort(grpc.StatusCode.NOT_FOUND, "there is no such series")
        raise InputError("\n".join(f"cup.yaml:{line}:1: wrong" + "é" * 200 for line in range(100)))

    async def Submit(self, requests: AsyncIterator[pb.SubmitRequest], context: Context) -> pb.SubmitResponse:  # noqa: N802
        taken = await take(requests, self.folder, self.limits)
        return pb.SubmitResponse(series=pb.SeriesInfo(title=taken.text, told=taken.name))

    async def List(self, request: pb.ListRequest, context: Context) -> pb.ListResponse:  # noqa: N802
        return pb.ListResponse()

    async def Crosstable(self, request: pb.CrosstableRequest, context: Context) -> pb.CrosstableResponse:  # noqa: N802
        return pb.CrosstableResponse()

    async def Hand(self, request: pb.HandRequest, context: Context) -> pb.HandResponse:  # noqa: N802
        return pb.HandResponse()

    async def Faults(self, request: pb.FaultsRequest, context: Context) -> pb.FaultsResponse:  # noqa: N802
        return pb.FaultsResponse()

    async def Pause(self, request: pb.PauseRequest, context: Context) -> pb.PauseResponse:  # noqa: N802
        return pb.PauseResponse()

    async def Resume(self, request: pb.ResumeRequest, context: Context) -> pb.ResumeResponse:  # noqa: N802
        return pb.ResumeResponse()

    async def Cancel(self, request: pb.CancelRequest, context: Context) -> pb.CancelResponse:  # noqa: N802
        return pb.CancelResponse()


async def _who() -> Caller:
    return caller()


class TinyDoor(DoorServicer):
    """Welcomes whoever comes this far."""

    async def Join(self, requests: AsyncIterator[JoinRequest], context: Context) -> AsyncIterator[JoinResponse]:  # noqa: N802
        async for _ in requests:
            yield JoinResponse(welcome=Welcome(arena_version=caller().label))


@dataclass
class Tiny:
    """A server that runs.

    address, local: where, for clients at two places. arena: its service. log: its lines so far.
    """

    address: str
    local: str
    arena: TinyArena
    lines: io.StringIO

    @property
    def log(self) -> list[str]:
        return self.lines.getvalue().splitlines()


@contextmanager
def tiny_service(
    data: Path,
    *,
    rates: Limits = LIMITS,
    uploads: UploadLimits | None = None,
    credentials: grpc.ServerCredentials | None = None,
) -> Iterator[Tiny]:
    """Serve, in a thread of its own, until the block ends."""
    lines = io.StringIO()
    arena = TinyArena(data / "upload", uploads or UploadLimits())
    access = Access(Tokens(data), Log(lines), Rates(rates))
    local = f"unix:{data}/socket"
    ready, loops = threading.Event(), []
    told: dict[str, int] = {}

    async def serve() -> None:
        server = grpc.aio.server(interceptors=(access,), options=SERVER_OPTIONS)
        add_ArenaServicer_to_server(arena, server)
        add_DoorServicer_to_server(TinyDoor(), server)
        health_pb2_grpc.add_HealthServicer_to_server(health.HealthServicer(), server)
        reflection.enable_server_reflection([one.full_name for one in NAMES], server)
        if credentials is None:
            told["port"] = server.add_insecure_port("127.0.0.1:0")
        else:
            told["port"] = server.add_secure_port("127.0.0.1:0", credentials)
        server.add_insecure_port(local)
        await server.start()
        end = asyncio.Event()
        loops.append((asyncio.get_running_loop(), end))
        ready.set()
        await end.wait()
        await server.stop(0)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(30)
    try:
        yield Tiny(f"127.0.0.1:{told['port']}", local, arena, lines)
    finally:
        ((loop, end),) = loops
        loop.call_soon_threadsafe(end.set)
        thread.join(30)
