"""How a client reaches an arena that serves: where, by what token, over what; and what went wrong, in a line.

It needs no more than the base install.
"""

import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from arena.addresses import is_address, is_loopback
from arena.errors import ArenaError, HostError, InputError, printable, short
from arena.protocol.codec import PROTOCOL_VERSION

LARGEST_MESSAGE = 16 << 20
"""Bytes of the largest answer that a client takes: the crosstable of a thousand bots is below."""
PIECE = 256 << 10
"""Bytes of the largest piece of an archive that is submitted."""
AUTHORIZATION, PROTOCOL = "authorization", "arena-protocol"
"""Metadata of every call: `Bearer TOKEN`, and the major version of the protocol that the client speaks."""

OPTIONS = {
    "grpc.enable_http_proxy": 0,  # a proxy of the web passes no gRPC, and would hide what is wrong
    "grpc.max_receive_message_length": LARGEST_MESSAGE,
    "grpc.keepalive_time_ms": 30_000,  # a server that has vanished is noticed while a series is watched
    "grpc.keepalive_timeout_ms": 20_000,
}


@dataclass(frozen=True, slots=True)
class Server:
    """An arena that serves, and how to reach it.

    address: `host:port` or `unix:/path`. token: who calls; empty where the arena has handed out none.
    ca: certificates to trust, in place of those that the system knows; its being given means TLS.
    tls: whether it is reached by TLS, with a certificate that the system knows.
    plaintext: whether a token may be sent unencrypted beyond this machine.
    """

    address: str
    token: str = ""
    ca: Path | None = None
    tls: bool = False
    plaintext: bool = False

    @property
    def encrypted(self) -> bool:
        """Whether it is reached by TLS."""
        return self.tls or self.ca is not None


@contextmanager
def calling(server: Server) -> Iterator[grpc.Channel]:
    """A channel whose calls carry the token and the version; whatever they fail with becomes an `ArenaError` of a line.

    Raises `InputError` for options that cannot be, and for what the arena refuses; `HostError` where it is not reached.
    """
    with dialled(server) as channel:
        try:
            yield channel
        except UnicodeEncodeError as error:  # as of a name on the command line
            text = printable(short(error.object))
            raise InputError(f"'{text}' is no UTF-8, which is what an arena is asked in") from None
        except grpc.RpcError as error:
            raise told(error, server) from None


def dialled(server: Server, options: Mapping[str, int] = OPTIONS) -> grpc.Channel:
    """The channel of `calling`, to be closed by the caller. Raises `InputError` for options that cannot be."""
    if not is_address(server.address):
        raise InputError(f"{server.address!r} is no address of an arena, expected host:port or unix:/path")
    if not (server.token.isascii() and server.token.isprintable()) or " " in server.token:
        raise InputError("the token: expected one as 'arena token new' printed it, without blanks")
    if server.plaintext and server.encrypted:
        raise InputError("--plaintext is the opposite of --tls and --ca, expected one of them")
    if server.token and not (server.encrypted or server.plaintext or is_loopback(server.address)):
        raise InputError(
            f"the token would be sent to {server.address} unencrypted, where others can read it: give --ca FILE (the "
            "arena's certificate; or ARENA_CA) or --tls, or --plaintext if the network is your own"
        )
    if server.encrypted:
        channel = grpc.secure_channel(server.address, credentials(server.ca), options=list(options.items()))
    else:
        channel = grpc.insecure_channel(server.address, options=list(options.items()))
    return grpc.intercept_channel(channel, _Introduction(metadata(server.token)))


def metadata(token: str) -> tuple[tuple[str, str], ...]:
    """What each call carries."""
    version = (PROTOCOL, str(PROTOCOL_VERSION))
    return (version, (AUTHORIZATION, f"Bearer {token}")) if token else (version,)


def credentials(ca: Path | None) -> grpc.ChannelCredentials:
    """TLS that trusts the certificates of a file, or those that the system knows. Raises `InputError`."""
    if ca is None:
        known = ssl.get_default_verify_paths().cafile  # gRPC brings its own list; none where the system has no file
        return grpc.ssl_channel_credentials(Path(known).read_bytes() if known else None)
    try:
        pem = ca.read_bytes()
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=pem.decode("ascii"))
    except OSError as error:  # ssl.SSLError is one
        why = "it holds none" if isinstance(error, ssl.SSLError) else error.strerror
        raise InputError(f"--ca {ca}: {why}, expected a file of certificates in PEM") from None
    except ValueError:  # no ASCII, or empty
        raise InputError(f"--ca {ca}: it holds none, expected a file of certificates in PEM") from None
    return grpc.ssl_channel_credentials(pem)


class _Details(grpc.ClientCallDetails):
    """A call with more metadata. gRPC has an interface of it only."""

    def __init__(self, details: grpc.ClientCallDetails, said: tuple[tuple[str, str], ...]) -> None:
        self.method, self.timeout, self.credentials = details.method, details.timeout, details.credentials
        self.metadata = (*(details.metadata or ()), *said)
        self.wait_for_ready: bool | None = getattr(details, "wait_for_ready", None)
        self.compression: grpc.Compression | None = getattr(details, "compression", None)


class _Introduction(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
):
    """Says who calls, with each call."""

    def __init__(self, said: tuple[tuple[str, str], ...]) -> None:
        self._said = said

    def _pass_on(self, continuation: Callable[..., Any], details: grpc.ClientCallDetails, request: Any) -> Any:  # noqa: ANN401 - of every message
        return continuation(_Details(details, self._said), request)

    intercept_unary_unary = _pass_on  # type: ignore[assignment]  # one for all
    intercept_unary_stream = _pass_on  # type: ignore[assignment]
    intercept_stream_unary = _pass_on  # type: ignore[assignment]
    intercept_stream_stream = _pass_on  # type: ignore[assignment]


_OUT_OF_REACH = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)
_BROKEN = (grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.DATA_LOSS)
_OTHER_NAME = "its certificate is for another name: use the name or address that the certificate is for"
_NO_TLS = "it speaks no TLS: leave out --ca and --tls, or have it served with --tls"
_UNKNOWN = (
    "its certificate is of an authority that is not trusted here: give --ca FILE, or ARENA_CA, the certificate that "
    "its organiser published"
)
_OF_TLS = {
    "Hostname Verification": _OTHER_NAME,
    "not in peer certificate": _OTHER_NAME,
    "has expired": "its certificate has expired: its organiser has to make a new one",
    "WRONG_VERSION_NUMBER": _NO_TLS,
    "CERTIFICATE_VERIFY_FAILED": _UNKNOWN,
    "signature failure": _UNKNOWN,
}
"""What gRPC says of a handshake that failed, the first that fits, and what it means."""


_GONE = ("Socket closed", "Stream removed", "Cancelling all calls", "keepalive", "GOAWAY", "reset", "Broken pipe")
"""What gRPC says of an arena that was there, some words of it."""


def told(error: grpc.RpcError, server: Server) -> ArenaError:
    """What a call that failed means to a user: the arena's own sentence, or why it is not reached."""
    assert isinstance(error, grpc.Call)
    code, details = error.code(), printable(error.details() or "")
    if code is grpc.StatusCode.UNAUTHENTICATED:
        wrong = "" if server.token else " (give --token, or ARENA_TOKEN in the environment)"
        return InputError(f"the arena at {server.address}: {details}{wrong}")
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return InputError(f"what answers at {server.address} does not know this call: it is no arena, or an older one")
    if code in _BROKEN:
        return HostError(f"the arena at {server.address} failed: {details or code.name}")
    if code in _OUT_OF_REACH:
        return _unreached(server, details)
    return InputError("\n".join(printable(line) for line in (error.details() or code.name).split("\n")))


def _unreached(server: Server, details: str) -> ArenaError:
    where = server.address
    if details.startswith(("errors resolving", "DNS resolution failed")):
        return InputError(f"{where}: no such host is known, expected host:port or unix:/path")
    if details.startswith("failed to connect"):
        return _not_connected(server, details)
    if not details or any(words in details for words in _GONE):
        return HostError(
            f"the arena at {where} is gone, or does not answer ({details or 'no more is known'}): "
            "its series go on when it serves again"
        )
    return HostError(details)  # the arena's own sentence


def _not_connected(server: Server, details: str) -> ArenaError:
    where = server.address
    for words, meaning in _OF_TLS.items():
        if words in details:
            return InputError(f"TLS with the arena at {where} fails: {meaning}")
    if "Connection refused" in details or "No such file" in details:
        return HostError(f"nothing listens at {where}: is the arena running there (arena serve), and the port right?")
    if "HTTP/2" in details or "http1" in details:
        return InputError(f"what answers at {where} is no arena: it speaks no gRPC")
    if not server.encrypted and ("Socket closed" in details or "reset by peer" in details):
        return HostError(
            f"{where} closed the connection: give --ca FILE (or ARENA_CA) or --tls if the arena there speaks TLS"
        )
    return HostError(f"{where} cannot be reached ({details.rpartition(': ')[2]}): is the address right?")
