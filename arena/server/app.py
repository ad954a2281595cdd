"""Puts the server together, runs it until it is told to stop, and stops it in order."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import grpc.aio
from grpc_health.v1 import health, health_pb2_grpc  # type: ignore[import-untyped]  # it has no types, nor the next two
from grpc_health.v1.health_pb2 import HealthCheckResponse  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import reflection  # type: ignore[import-untyped]

from arena import __version__
from arena.addresses import is_loopback
from arena.errors import HostError, InputError
from arena.protocol.v1.arena_pb2 import DESCRIPTOR as ARENA
from arena.protocol.v1.arena_pb2_grpc import add_ArenaServicer_to_server
from arena.protocol.v1.join_pb2 import DESCRIPTOR as JOIN
from arena.protocol.v1.join_pb2_grpc import add_DoorServicer_to_server
from arena.server.access import SERVER_OPTIONS, Access, caller, demands
from arena.server.caller import Role
from arena.server.catalogue import Catalogue
from arena.server.certificates import Certificate, kept_certificate, own_certificate
from arena.server.desk import Desk
from arena.server.door import Door
from arena.server.keeper import Keeper
from arena.server.logs import Log
from arena.server.service import Arena
from arena.server.stage import Plan
from arena.server.tokens import FILE, Tokens
from arena.server.uploads import Limits

SERVICES = (ARENA.services_by_name["Arena"].full_name, JOIN.services_by_name["Door"].full_name)
_PARTING_SECONDS = 1.0
"""What open calls get when everything else has stopped."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How an arena serves.

    data: its folder. listen: `host:port` or `unix:/path`. plan, limits: of what it plays and takes in.
    tls: whether with a certificate that is made once and kept; names: what else that is for.
    own: a certificate and its key instead, as files. plaintext: whether it may go without beyond this machine.
    """

    data: Path
    listen: str
    plan: Plan = field(default_factory=Plan)
    limits: Limits = field(default_factory=Limits)
    tls: bool = False
    names: tuple[str, ...] = ()
    own: tuple[Path, Path] | None = None
    plaintext: bool = False


def serve(settings: Settings, log: Log, tell: Callable[[str], None]) -> None:
    """Serve until a signal comes. tell: given what an organiser has to know once it listens, in lines.

    Raises `InputError` for settings that cannot be, and `HostError` where it cannot listen.
    """
    catalogue = Catalogue(settings.data)
    with catalogue.held():
        asyncio.run(_serve(settings, catalogue, log, tell))


async def _serve(settings: Settings, catalogue: Catalogue, log: Log, tell: Callable[[str], None]) -> None:
    tokens = Tokens(catalogue.data)
    certificate = _certificate(settings, catalogue.data)
    encrypted = certificate is not None
    if wrong := demands(settings.listen, tokens=tokens.made, tls=encrypted, plaintext=settings.plaintext):
        raise InputError("\n".join(wrong))
    door = Door(lambda _: caller())
    with closing(Desk(_asker)) as desk:
        keeper = Keeper(catalogue, desk, log, settings.plan, door)
        server = grpc.aio.server(interceptors=[Access(tokens, log)], options=SERVER_OPTIONS)
        add_ArenaServicer_to_server(Arena(catalogue, keeper, desk, door, settings.limits), server)
        add_DoorServicer_to_server(door, server)
        address = _listening(server, settings.listen, certificate)
        stop = stopping(keeper)
        async with AsyncExitStack() as ending:  # each of them, from the last to the first
            ending.push_async_callback(server.stop, _PARTING_SECONDS)
            ending.push_async_callback(door.close)
            ending.push_async_callback(keeper.close)
            await keeper.open()
            async with _health(server):
                await server.start()
                for line in _told(settings, address, tokens, certificate):
                    tell(line)
                log.say("serving", address=address, version=__version__)
                await stop.wait()
            log.say("stopping")
        log.say("stopped")


def _asker() -> str:
    """By what the one who asks is counted; the organiser and the server itself are not."""
    try:
        asks = caller()
    except LookupError:
        return ""
    return "" if asks.role is Role.ORGANISER else asks.label or asks.role


def _certificate(settings: Settings, data: Path) -> Certificate | None:
    if settings.own is not None:
        return own_certificate(*settings.own)
    return kept_certificate(data, settings.names) if settings.tls else None


def _listening(server: grpc.aio.Server, listen: str, certificate: Certificate | None) -> str:
    """Listen. Returns the address with the port that it is. Raises `HostError`."""
    try:
        if certificate is None:
            port = server.add_insecure_port(listen)
        else:
            port = server.add_secure_port(listen, certificate.credentials())
    except RuntimeError:
        port = 0
    if not port:
        raise HostError(f"--listen {listen}: it is in use, or no address of this machine; give another")
    return listen if listen.startswith("unix:") else f"{listen.rpartition(':')[0]}:{port}"


def stopping(keeper: Keeper) -> asyncio.Event:
    """Set by the first signal; a second Ctrl-C or polite kill ends what is still being played at once.

    The end of a terminal is heard twice, from its shell and from the system, and that of a session as a kill too.
    """
    stop, asked = asyncio.Event(), asyncio.Event()

    def ask() -> None:
        if asked.is_set():
            keeper.kill()
        asked.set()
        stop.set()

    told: dict[int, Callable[[], None]] = {signal.SIGINT: ask, signal.SIGTERM: ask}
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as under nohup
        told[signal.SIGHUP] = stop.set
    for number, heard in told.items():
        with suppress(NotImplementedError):  # Windows, where Ctrl-C cancels the whole
            asyncio.get_running_loop().add_signal_handler(number, heard)
    return stop


@asynccontextmanager
async def _health(server: grpc.aio.Server) -> AsyncIterator[None]:
    """Health and reflection, by the standard packages. It is well within the block, and stops serving after it."""
    servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    for name in ("", *SERVICES):
        await servicer.set(name, HealthCheckResponse.SERVING)
    reflection.enable_server_reflection((*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
    try:
        yield
    finally:
        await servicer.enter_graceful_shutdown()


def _told(settings: Settings, address: str, tokens: Tokens, certificate: Certificate | None) -> list[str]:
    """What an organiser has to know."""
    lines = [f"Gin Arena {__version__} serves {settings.data} at {address}"]
    if is_loopback(settings.listen):
        lines.append("Only this machine reaches it; for others: --listen HOST:PORT")
    if tokens.lost:
        lines.append(
            f"Warning: {settings.data / FILE} is gone, so whoever reaches it may do everything; put the file back, "
            f"or make new tokens: arena token new {settings.data}"
        )
    elif not tokens.made:
        lines.append(
            f"No token was made, so whoever reaches it may do everything; else: arena token new {settings.data}"
        )
    if certificate is not None and certificate.authority is not None:
        lines.append(f"Clients need its certificate: --ca {certificate.authority}")
    if settings.plaintext:
        lines.append("Nothing is encrypted: whoever is on the way can read tokens and cards.")
    return lines
