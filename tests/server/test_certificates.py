"""The arena's certificate: made once and kept, or the organiser's own; and real handshakes with it."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from tiny_service import tiny_service

from arena.errors import ArenaError, HostError, InputError
from arena.extras import needing
from arena.protocol.dialling import Server, calling
from arena.protocol.v1.arena_pb2 import StatusRequest
from arena.protocol.v1.arena_pb2_grpc import ArenaStub
from arena.server import certificates
from arena.server.caller import Role
from arena.server.certificates import Certificate, kept_certificate, own_certificate
from arena.server.tokens import new_token


def asked(server: Server) -> str:
    """The arena's answer, or the error that the user is told."""
    try:
        with calling(server) as channel:
            return ArenaStub(channel).Status(StatusRequest()).arena_version
    except ArenaError as error:
        return f"{type(error).__name__} {error}"


def test_a_made_one_fits_for_clients_that_have_its_authority(tmp_path: Path) -> None:
    made = kept_certificate(tmp_path)
    text, _ = new_token(tmp_path, Role.SPECTATOR, label="eve")
    assert made.authority == tmp_path / "tls" / "authority.pem"
    with tiny_service(tmp_path, credentials=made.credentials()) as tiny:
        assert asked(Server(tiny.address, text, made.authority)) == "spectator eve"
        by_name = tiny.address.replace("127.0.0.1", "localhost")
        assert asked(Server(by_name, text, made.authority)) == "spectator eve"


def test_a_bot_that_dials_in_tells_it_in_one_line_and_how(tmp_path: Path) -> None:
    """Without a word of gRPC's own, in a process that has nothing but the bot's library."""
    made = kept_certificate(tmp_path)
    with tiny_service(tmp_path, credentials=made.credentials()) as tiny:
        bot = f"from arena.bot import Bot, serve; serve(Bot, join={tiny.address!r}, tls=True)"
        environment = {name: value for name, value in os.environ.items() if name != "GRPC_VERBOSITY"}
        done = subprocess.run(
            [sys.executable, "-c", bot], capture_output=True, text=True, check=False, env=environment, timeout=60
        )
    told = f"TLS with the arena at {tiny.address} fails: its certificate is of an authority that is not trusted here: "
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{told}give --ca FILE, or ARENA_CA, the certificate that its organiser published\n"


def test_what_does_not_fit_is_told_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, other = kept_certificate(tmp_path), kept_certificate(tmp_path / "other")
    with tiny_service(tmp_path, credentials=made.credentials()) as tiny:
        unknown = f"InputError TLS with the arena at {tiny.address} fails: its certificate is of an authority that is "
        assert asked(Server(tiny.address, ca=other.authority)).startswith(unknown)
        assert asked(Server(tiny.address, tls=True)).startswith(unknown)
        assert "give --ca FILE (or ARENA_CA) or --tls if the arena there speaks TLS" in asked(Server(tiny.address))
    with tiny_service(tmp_path) as tiny:
        assert "it speaks no TLS: leave out --ca and --tls" in asked(Server(tiny.address, ca=made.authority))
    monkeypatch.setattr(certificates, "_LOCAL", ())
    elsewhere = kept_certificate(tmp_path / "elsewhere", ["arena.example.org"])
    with tiny_service(tmp_path, credentials=elsewhere.credentials()) as tiny:
        assert "its certificate is for another name: " in asked(Server(tiny.address, ca=elsewhere.authority))


def test_one_that_has_expired_is_told_to_clients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "VALID", timedelta(seconds=1))
    monkeypatch.setattr(certificates, "_check_time", lambda *_: None)
    made = kept_certificate(tmp_path)
    assert made.ends < datetime.now(UTC)
    with tiny_service(tmp_path, credentials=made.credentials()) as tiny:
        assert "has expired" in asked(Server(tiny.address, ca=made.authority))


def test_it_is_made_once_and_its_key_is_private(tmp_path: Path) -> None:
    first = kept_certificate(
        tmp_path, ["arena.example.org", "10.1.2.3", "[fd00::1]", "ARENA.example.org", "bücher.example"]
    )
    assert first == kept_certificate(tmp_path)
    assert set(first.names) == {
        *("arena.example.org", "xn--bcher-kva.example", "localhost", "10.1.2.3", "fd00::1", "127.0.0.1", "::1")
    }
    assert stat.S_IMODE((tmp_path / "tls" / "key.pem").stat().st_mode) == 0o600
    assert sorted(path.name for path in (tmp_path / "tls").iterdir()) == ["authority.pem", "certificate.pem", "key.pem"]
    assert timedelta(days=824) < first.ends - datetime.now(UTC) < timedelta(days=825)
    leaf = x509.load_pem_x509_certificate(first.chain)
    root = x509.load_pem_x509_certificate((tmp_path / "tls" / "authority.pem").read_bytes())
    leaf.verify_directly_issued_by(root)
    assert root.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert not leaf.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


def test_a_kept_one_that_does_not_fit_any_more_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept_certificate(tmp_path, ["arena.example.org"])
    with pytest.raises(
        InputError, match=r"is for arena.example.org, localhost, .*, and not for 10.9.9.9: remove .*tls to"
    ):
        kept_certificate(tmp_path, ["10.9.9.9"])
    with pytest.raises(InputError, match=r"'a b' is no name of a host"):
        kept_certificate(tmp_path / "new", ["a b"])
    (tmp_path / "tls" / "certificate.pem").write_text("x")
    with pytest.raises(InputError, match="the files are damaged, expected a certificate and its key: remove"):
        kept_certificate(tmp_path)
    (tmp_path / "tls" / "certificate.pem").unlink()
    with pytest.raises(InputError, match=r"certificate.pem: No such file or directory, .*: remove .*tls to have a new"):
        kept_certificate(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(HostError, match="expected a folder for the arena's certificate"):
        kept_certificate(tmp_path / "file")
    monkeypatch.setattr(certificates, "VALID", timedelta(0))
    with pytest.raises(InputError, match=r"certificate.pem has expired on .*: remove .*tls to have a new one"):
        kept_certificate(tmp_path / "old")


def test_the_organisers_own_is_taken(tmp_path: Path) -> None:
    made = kept_certificate(tmp_path)
    tls = tmp_path / "tls"
    own = own_certificate(tls / "certificate.pem", tls / "key.pem")
    assert own == Certificate(made.chain, made.key, made.names, made.ends)
    with tiny_service(tmp_path, credentials=own.credentials()) as tiny:
        assert asked(Server(tiny.address, ca=made.authority)) == "organiser "


def locked(data: bytes) -> bytes:
    key = load_pem_private_key(data, None)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))


@pytest.mark.parametrize(
    ("name", "spoil", "told"),
    [
        ("certificate.pem", lambda _: None, "--certificate .*: No such file or directory, expected a file in PEM"),
        ("key.pem", lambda _: None, "--key .*: No such file or directory, expected a file in PEM"),
        ("certificate.pem", lambda _: b"x", "--certificate .*: expected a certificate in PEM, found something else"),
        ("certificate.pem", lambda _: b"", "--certificate .*: expected a certificate in PEM, found something"),
        ("key.pem", lambda _: b"x", "--key .*: expected the certificate's key in PEM, found something else"),
        ("key.pem", locked, "--key .*: it has a password, expected a key without one"),
    ],
)
def test_files_that_are_none_are_told(
    tmp_path: Path, name: str, spoil: Callable[[bytes], bytes | None], told: str
) -> None:
    kept_certificate(tmp_path)
    tls = tmp_path / "tls"
    spoilt = spoil((tls / name).read_bytes())
    (tls / name).unlink()
    if spoilt is not None:
        (tls / name).write_bytes(spoilt)
    with pytest.raises(InputError, match=told):
        own_certificate(tls / "certificate.pem", tls / "key.pem")


def test_a_key_of_another_and_times_that_are_over_or_to_come_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_certificate(tmp_path / "a")
    kept_certificate(tmp_path / "b")
    with pytest.raises(InputError, match=r"--key .* is not the key of .*, expected the two that belong together"):
        own_certificate(tmp_path / "a" / "tls" / "certificate.pem", tmp_path / "b" / "tls" / "key.pem")
    monkeypatch.setattr(certificates, "_EARLIER", timedelta(days=-2))
    with pytest.raises(InputError, match=r"counts from .* only: remove"):
        kept_certificate(tmp_path / "c")
    tls = tmp_path / "c" / "tls"
    with pytest.raises(InputError, match=r"--certificate .* counts from .* only: expected one that counts today"):
        own_certificate(tls / "certificate.pem", tls / "key.pem")


def test_a_missing_library_is_one_line() -> None:

    with (
        pytest.raises(
            HostError, match=r"the library grpcio-reflection, which is not installed: pip install 'gin-arena\[ser"
        ),
        needing("server"),
    ):
        raise ModuleNotFoundError(name="grpc_reflection.v1alpha")
    with pytest.raises(ModuleNotFoundError), needing("server"):
        raise ModuleNotFoundError(name="something")
