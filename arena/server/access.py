"""Who may call what, how often, and how much at once: decided before a call reaches the arena.

Everything stands in the one table `MAY`: a method that is not in it is refused to everybody.
"""

import asyncio
import inspect
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, nullcontext
from contextvars import ContextVar
from typing import Any, TypeAlias

import grpc
import grpc.aio
from google.protobuf.message import DecodeError
from grpc import StatusCode

from arena import __version__
from arena.addresses import is_address, is_loopback
from arena.documents import one_of
from arena.errors import printable, short
from arena.protocol.codec import PROTOCOL_VERSION
from arena.protocol.dialling import AUTHORIZATION, LARGEST_MESSAGE, PROTOCOL
from arena.server.caller import ORGANISER, Caller, Role
from arena.server.logs import Log
from arena.server.rates import Rates, place_of
from arena.server.refusals import RefusedError, fitting, refusal_of
from arena.server.tokens import Tokens

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Function = Callable[[Any, Any], Any]

_EVERYBODY = frozenset(Role)
_ORGANISER = frozenset({Role.ORGANISER})
_OWN = "/arena.v1."

MAY: dict[str, frozenset[Role]] = {
    **{
        f"{_OWN}Arena/{method}": _EVERYBODY
        for method in ("List", "Watch", "Standings", "Crosstable", "Hand", "Faults", "Status")
    },
    **{f"{_OWN}Arena/{method}": _ORGANISER for method in ("Submit", "Pause", "Resume", "Cancel")},
    f"{_OWN}Door/Join": frozenset({Role.ORGANISER, Role.ENTRANT}),
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": _EVERYBODY,
    "/grpc.health.v1.Health/Watch": _EVERYBODY,
}
"""Who may call a method. What of an answer a caller may see, the method itself decides."""
OPEN = frozenset({"/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/List"})
"""What needs no token: whether the arena is well is asked by what knows none. No stream is among them."""
ANYBODY = Caller(Role.SPECTATOR, label="anybody")
"""Who calls what is open."""

LARGEST_REQUEST = (1 << 20) + (1 << 10)
"""Bytes of the largest message that is taken in: a bot's decisions, 1 MiB, and what they travel in."""
SERVER_OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.max_receive_message_length", LARGEST_REQUEST),
    ("grpc.max_send_message_length", LARGEST_MESSAGE),  # what clients take
    ("grpc.max_metadata_size", 8 << 10),  # a token and a version are 100 bytes
    ("grpc.max_concurrent_streams", 512),  # of one connection
    ("grpc.server_handshake_timeout_ms", 10_000),  # who connects and says nothing
    ("grpc.max_connection_idle_ms", 300_000),  # and who has nothing open: a client dials again when it needs to
    ("grpc.keepalive_time_ms", 5_000),  # a client that has vanished holds no stream, and a bot no game
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),  # without it the line above is a minute
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),  # clients probe as well, every 30 s
    ("grpc.so_reuseport", 0),  # or a second arena would share the port, unnoticed
)

_caller: ContextVar[Caller] = ContextVar("caller")


def caller() -> Caller:
    """Who calls: in the handler of a call, and in what it starts."""
    return _caller.get()


def demands(listen: str, *, tokens: bool, tls: bool, plaintext: bool) -> list[str]:
    """What has to be put right before an arena may listen there, a line each; nothing of what is fine.

    listen: `host:port` or `unix:/path`. tokens: whether one was ever made. plaintext: whether it was said that nothing
    need be encrypted.
    """
    if not is_address(listen):
        return [f"--listen {printable(short(listen))}: expected HOST:PORT with a port up to 65535, or unix:/path"]
    problems = []
    if tls and plaintext:
        problems.append("--plaintext is the opposite of --tls and --certificate, expected one of them")
    if is_loopback(listen):
        return problems
    where = f"--listen {listen} can be reached from other machines"
    if not tokens:
        problems.append(f"{where}: make a token first, as in 'arena token new DATA --role organiser'")
    if not tls and not plaintext:
        problems.append(
            f"{where}, so that others can read tokens and cards: give --tls, or --certificate FILE and --key FILE, or "
            "--plaintext if the network is your own"
        )
    return problems


class Access(grpc.aio.ServerInterceptor):
    """What stands before all methods of an arena that serves.

    It finds out who calls, refuses what is not for them or too much, and writes a line of each call into the log.
    What a method raises becomes a status: `RefusedError` its own, `InputError` INVALID_ARGUMENT, and what nobody has
    foreseen INTERNAL, told in the log alone.
    """

    def __init__(self, tokens: Tokens, log: Log, rates: Rates | None = None) -> None:
        self._tokens = tokens
        self._log = log
        self._rates = rates or Rates()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:  # noqa: ANN401 - a method of any messages
        """See `grpc.aio.ServerInterceptor`."""
        handler = await continuation(handler_call_details)
        if handler is None:  # gRPC says that there is no such method
            return None
        method = handler_call_details.method
        name = method.rpartition("/")[2]
        said = {key: value for key, value in handler_call_details.invocation_metadata or () if isinstance(value, str)}
        who = None
        try:
            who = self._known(method, said)
            self._check(method, said, who)
        except RefusedError as refusal:
            return _like(handler, self._refusing(name, who, refusal))
        if inspect.isasyncgenfunction(_function(handler)):
            return _like(handler, self._streaming(name, handler, who))
        return _like(handler, self._calling(name, handler, who))

    def _known(self, method: str, said: Mapping[str, str]) -> Caller:
        """Who calls. said: the call's metadata. Raises `RefusedError` for a token that counts nothing."""
        if method in OPEN:
            return ANYBODY
        if not self._tokens.made:
            return ORGANISER
        authorization = said.get(AUTHORIZATION, "")
        scheme, _, token = authorization.partition(" ")
        who = self._tokens.caller(token) if scheme.casefold() == "bearer" else None
        if who is not None:
            return who
        why = "this token is unknown, or was revoked" if authorization else "a token is needed"
        raise RefusedError(StatusCode.UNAUTHENTICATED, f"{why}: ask the organiser for one")

    def _check(self, method: str, said: Mapping[str, str], who: Caller) -> None:
        """Raises `RefusedError` where a call is not for its caller, or too much."""
        if method in OPEN:
            return
        self._rates.count(f"caller {who.label}")
        if method.startswith(_OWN):
            _check_version(said.get(PROTOCOL, str(PROTOCOL_VERSION)))
        may = MAY.get(method, frozenset())
        if who.role not in may:
            roles = one_of([_a(role) for role in Role if role in may]) if may else "nobody"
            raise RefusedError(
                StatusCode.PERMISSION_DENIED,
                f"{method.rpartition('/')[2]} is for {roles}, and this token is that of {_a(who.role)}",
            )

    def _count_stranger(self, context: Context) -> None:
        """One more call without a token that counts. Those from one place never cost those from another theirs."""
        self._rates.count(f"stranger {place_of(context.peer())}")

    def _refusing(self, name: str, who: Caller | None, refusal: RefusedError) -> Function:
        async def refuse(_request: object, context: Context) -> None:
            told = refusal
            if who is None:
                try:
                    self._count_stranger(context)
                except RefusedError as too_many:
                    told = too_many
            label, code = who.label if who else None, told.code.name
            self._log.say("call", caller=label, method=name, status=code, why=str(told), peer=context.peer())
            await context.abort(told.code, fitting(str(told)))

        return refuse

    def _calling(self, name: str, handler: Handler, who: Caller) -> Function:
        """A method that answers once, or writes its answers itself, as it is called by `who`."""
        inner = _function(handler)

        async def call(request: Any, context: Context) -> Any:  # noqa: ANN401
            async with self._around(name, handler, who, context):
                return await inner(_whole(handler, request), context)

        return call

    def _streaming(self, name: str, handler: Handler, who: Caller) -> Function:
        """A method that yields its answers, as it is called by `who`."""
        inner = _function(handler)

        async def stream(request: Any, context: Context) -> AsyncIterator[Any]:  # noqa: ANN401
            async with (
                self._around(name, handler, who, context),
                aclosing(inner(_whole(handler, request), context)) as answers,
            ):
                async for answer in answers:
                    yield answer

        return stream

    @asynccontextmanager
    async def _around(self, name: str, handler: Handler, who: Caller, context: Context) -> AsyncIterator[None]:
        """Around a call: it is counted, and how it ends becomes a status and a line of the log."""
        _caller.set(who)
        began, status, refusal = time.monotonic(), StatusCode.OK, None
        streams = handler.request_streaming or handler.response_streaming
        try:
            if who is ANYBODY:
                self._count_stranger(context)
            with self._rates.stream(who.label) if streams else nullcontext():
                yield
        except grpc.aio.AbortError:
            status = _status(context)
            raise
        except (asyncio.CancelledError, GeneratorExit, grpc.aio.InternalError):  # the last where it cannot be answered
            status = StatusCode.CANCELLED
            raise
        except Exception as error:  # noqa: BLE001 - the last resort: a bug ends one call, and is told in the log
            refusal = refusal_of(error)
            status = refusal.code
            if status is StatusCode.INTERNAL:
                self._log.bug(error, caller=who.label, method=name)
        finally:
            milliseconds = round((time.monotonic() - began) * 1000, 1)
            why = str(refusal) if refusal else context.details() or None
            self._log.say("call", caller=who.label, method=name, status=status.name, ms=milliseconds, why=why)
        if refusal is not None:
            await context.abort(refusal.code, fitting(str(refusal)))


def _status(context: Context) -> StatusCode:
    """What a handler has ended its call with: gRPC keeps it as a number or as itself."""
    code: object = context.code()
    if isinstance(code, StatusCode):
        return code
    return next((one for one in StatusCode if one.value[0] == code), StatusCode.UNKNOWN)


def _check_version(said: str) -> None:
    """Raises `RefusedError` for a client that speaks another major version of the protocol."""
    if not re.fullmatch("[0-9]{1,9}", said):
        raise RefusedError(StatusCode.INVALID_ARGUMENT, f"{PROTOCOL}: {short(said)!r}, expected {PROTOCOL_VERSION}")
    if int(said) != PROTOCOL_VERSION:
        newer = int(said) > PROTOCOL_VERSION
        raise RefusedError(
            StatusCode.FAILED_PRECONDITION,
            f"this client speaks version {int(said)} of the protocol, the arena (Gin Arena {__version__}) version "
            f"{PROTOCOL_VERSION}: {'update the arena, or use an older client' if newer else 'update the client'}",
        )


def _a(role: Role) -> str:
    return f"{'a' if role is Role.SPECTATOR else 'an'} {role}"


def _function(handler: Handler) -> Function:
    kinds = (handler.unary_unary, handler.unary_stream, handler.stream_unary, handler.stream_stream)
    return next(function for function in kinds if function is not None)


class _GarbledError(RefusedError, DecodeError):
    """What came is no message of this call."""


def _reading(handler: Handler) -> Callable[[bytes], Any]:
    """What makes a message of bytes. Raises `_GarbledError`."""
    of_bytes = handler.request_deserializer
    assert of_bytes is not None

    def read(data: bytes) -> Any:  # noqa: ANN401
        try:
            return of_bytes(data)
        except DecodeError:
            told = "the bytes that came are no message of this call, expected one as its .proto has it"
            raise _GarbledError(StatusCode.INVALID_ARGUMENT, told) from None

    return read


def _whole(handler: Handler, request: Any) -> Any:  # noqa: ANN401
    """What a call is asked: its one message, which comes as bytes, or the stream of them."""
    return request if handler.request_streaming else _reading(handler)(request)


def _like(handler: Handler, function: Function) -> Handler:
    """The same method with another function. One message comes as bytes: gRPC tells its own errors to the caller."""
    make = {
        (False, False): grpc.unary_unary_rpc_method_handler,
        (False, True): grpc.unary_stream_rpc_method_handler,
        (True, False): grpc.stream_unary_rpc_method_handler,
        (True, True): grpc.stream_stream_rpc_method_handler,
    }[handler.request_streaming, handler.response_streaming]
    read = _reading(handler) if handler.request_streaming else None
    return make(function, read, handler.response_serializer)
