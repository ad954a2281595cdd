"""Calling an arena: what the options may be, and what a user is told when nobody answers, or not as an arena."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tiny_service import tiny_service

from arena.addresses import is_loopback
from arena.errors import ArenaError, HostError, InputError
from arena.protocol.dialling import Server, calling, credentials
from arena.protocol.v1.arena_pb2 import StatusRequest, WatchRequest
from arena.protocol.v1.arena_pb2_grpc import ArenaStub
from arena.server.caller import Role
from arena.server.tokens import new_token


def failure(server: Server) -> tuple[type[ArenaError], str]:
    """What a call fails with."""
    with pytest.raises(ArenaError) as failed, calling(server) as channel:
        ArenaStub(channel).Status(StatusRequest())
    return type(failed.value), str(failed.value)


@contextmanager
def listening(answer: Callable[[socket.socket], object]) -> Iterator[str]:
    """A listener that is no arena: what it does with each that connects; and its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    answer(connection)

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(30)


def test_nobody_there_is_told_with_the_address_and_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
    remedy = "is the arena running there (arena serve), and the port right?"
    for where in (address, f"unix:{tmp_path}/nothing"):
        assert failure(Server(where)) == (HostError, f"nothing listens at {where}: {remedy}")


def test_a_text_that_is_no_utf8_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'a\\udcff' is no UTF-8"), calling(Server(f"unix:{tmp_path}/x")) as channel:
        ArenaStub(channel).Watch(WatchRequest(id="a\udcff"))


def test_a_host_that_is_not_known_is_told() -> None:
    told = "nowhere.invalid:7: no such host is known, expected host:port or unix:/path"
    assert failure(Server("nowhere.invalid:7")) == (InputError, told)


def test_what_is_no_arena_is_told() -> None:
    with listening(lambda connection: connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")) as address:
        assert failure(Server(address)) == (InputError, f"what answers at {address} is no arena: it speaks no gRPC")
    with listening(lambda connection: None) as address:
        kind, told = failure(Server(address))
        assert (kind, told.startswith(f"{address} closed the connection: ")) == (HostError, True)


def test_an_arena_that_ends_in_the_middle_is_told(tmp_path: Path) -> None:
    watching, told = threading.Event(), []

    def watch(address: str) -> None:
        try:
            with calling(Server(address)) as channel:
                for _ in ArenaStub(channel).Watch(WatchRequest(id="forever")):
                    watching.set()
        except ArenaError as error:
            told.append(str(error))

    with tiny_service(tmp_path) as tiny:
        watcher = threading.Thread(target=watch, args=(tiny.address,))
        watcher.start()
        assert watching.wait(30)
    watcher.join(30)
    assert [(text.partition(" (")[0], text.rpartition("): ")[2]) for text in told] == [
        (f"the arena at {tiny.address} is gone, or does not answer", "its series go on when it serves again")
    ]


@pytest.mark.parametrize(
    ("server", "told"),
    [
        (Server("arena"), "'arena' is no address of an arena, expected host:port or unix:/path"),
        (Server("host:99999"), "'host:99999' is no address"),
        (Server("https://host:1"), "is no address"),
        (Server("127.0.0.1:1", "gin x"), "the token: expected one as 'arena token new' printed it"),
        (Server("127.0.0.1:1", "gin_é"), "the token: expected one as 'arena token new' printed it"),
        (Server("127.0.0.1:1", "gin_\n"), "the token: expected one as 'arena token new' printed it"),
        (Server("127.0.0.1:1", tls=True, plaintext=True), "--plaintext is the opposite of --tls and --ca"),
        (Server("127.0.0.1:1", ca=Path("/nowhere")), "--ca /nowhere: No such file or directory, expected a file of"),
    ],
    ids=map(str, range(8)),
)
def test_options_that_cannot_be_are_told(server: Server, told: str) -> None:
    kind, said = failure(server)
    assert kind is InputError
    assert told in said


@pytest.mark.parametrize(
    "text", [b"", b"hello", b"\xff", b"-----BEGIN CERTIFICATE-----\nxx\n-----END CERTIFICATE-----\n"]
)
def test_a_file_that_holds_no_certificate_is_told(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "ca.pem").write_bytes(text)
    with pytest.raises(InputError, match=r"--ca .*ca.pem: it holds none, expected a file of certificates in PEM"):
        credentials(tmp_path / "ca.pem")


def test_a_token_goes_unencrypted_only_on_this_machine_or_where_it_is_said() -> None:
    kind, said = failure(Server("arena.invalid:7", "gin_x"))
    assert kind is InputError
    assert said.startswith(
        "the token would be sent to arena.invalid:7 unencrypted, where others can read it: give --ca"
    )
    assert "no such host" in failure(Server("arena.invalid:7", "gin_x", plaintext=True))[1]
    assert "no such host" in failure(Server("arena.invalid:7"))[1]


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        *((address, True) for address in ("127.0.0.1:1", "127.1.2.3:1", "localhost:1", "[::1]:1", "unix:/tmp/x")),
        *(
            (address, False)
            for address in ("0.0.0.0:1", "[::]:1", "10.0.0.1:1", "localhost.evil.org:1", "127.0.0.1.evil.org:1")
        ),
    ],
)
def test_what_is_this_machine_alone(address: str, loopback: bool) -> None:
    assert is_loopback(address) is loopback


def test_what_a_token_may_not_is_told_in_the_arenas_own_sentence(tmp_path: Path) -> None:
    text, _ = new_token(tmp_path, Role.SPECTATOR)
    with tiny_service(tmp_path) as tiny:
        told = (
            f"the arena at {tiny.address}: a token is needed: ask the organiser for one (give --token, or ARENA_TOKEN"
        )
        assert failure(Server(tiny.address))[1].startswith(told)
        told = f"the arena at {tiny.address}: this token is unknown, or was revoked: ask the organiser for one"
        assert failure(Server(tiny.address, "gin_x")) == (InputError, told)
        assert text.startswith("gin_")
