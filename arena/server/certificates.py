"""The arena's certificate: one of the organiser's own, or one that is made once and kept.

A made one is signed by an authority that is made for it and whose key is thrown away: clients are given the
authority's certificate, and nobody can ever sign another by it. It lies in DATA/tls.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from arena.errors import HostError, InputError, printable, short
from arena.server.private import write_private

FOLDER = "tls"
AUTHORITY, CERTIFICATE, KEY = "authority.pem", "certificate.pem", "key.pem"
VALID = timedelta(days=825)
"""How long a made certificate counts: the longest that all systems take."""
_EARLIER = timedelta(hours=1)
"""A client's clock may be behind."""
_LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Certificate:
    """What the arena shows to clients.

    chain, key: PEM. names: the host names and addresses that it is for. ends: when it counts no more.
    authority: the file that clients need, `None` where they trust it anyway or know it from elsewhere.
    """

    chain: bytes
    key: bytes
    names: tuple[str, ...]
    ends: datetime
    authority: Path | None = None

    def credentials(self) -> grpc.ServerCredentials:
        """The same for a gRPC server."""
        return grpc.ssl_server_credentials([(self.key, self.chain)])


def own_certificate(certificate: Path, key: Path) -> Certificate:
    """The organiser's own: files in PEM, the certificate with those that sign it after it.

    Raises `InputError` for files that are none, do not belong together, or do not count today.
    """
    chain = _read(certificate, "--certificate")
    try:
        first, *_ = x509.load_pem_x509_certificates(chain)
    except ValueError:
        raise InputError(f"--certificate {certificate}: expected a certificate in PEM, found something else") from None
    secret = _read(key, "--key")
    try:
        public = load_pem_private_key(secret, None).public_key()
    except TypeError:
        raise InputError(f"--key {key}: it has a password, expected a key without one") from None
    except ValueError:
        raise InputError(f"--key {key}: expected the certificate's key in PEM, found something else") from None
    spki = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if public.public_bytes(*spki) != first.public_key().public_bytes(*spki):
        raise InputError(f"--key {key} is not the key of {certificate}, expected the two that belong together")
    _check_time(first, f"--certificate {certificate}", "expected one that counts today")
    return Certificate(chain, secret, _names(first), first.not_valid_after_utc)


def kept_certificate(data: Path, names: Sequence[str] = ()) -> Certificate:
    """The one that is kept in a data folder, made first where there is none.

    names: host names and addresses by which clients reach the arena, besides those of this machine alone.
    Raises `InputError` for one that does not fit any more, and `HostError` where it cannot be kept.
    """
    folder = data / FOLDER
    try:
        if not (folder / KEY).exists():  # written last
            folder.mkdir(parents=True, exist_ok=True)
            _make(folder, _distinct([*names, *_LOCAL]))
    except OSError as error:
        raise HostError(f"{folder}: {error.strerror}, expected a folder for the arena's certificate") from None
    again = f"remove {folder} to have a new one made, and give its {AUTHORITY} to the clients"
    try:
        chain, key = _read(folder / CERTIFICATE, ""), _read(folder / KEY, "")
    except InputError as error:
        raise InputError(f"{error}: {again}") from None
    try:
        (made,) = x509.load_pem_x509_certificates(chain)
        load_pem_private_key(key, None)
    except (ValueError, TypeError):
        raise InputError(f"{folder}: the files are damaged, expected a certificate and its key: {again}") from None
    _check_time(made, str(folder / CERTIFICATE), again)
    has = _names(made)
    if missing := [name for name in names if _canonical(name) not in has]:
        raise InputError(f"{folder / CERTIFICATE} is for {', '.join(has)}, and not for {missing[0]}: {again}")
    return Certificate(chain, key, has, made.not_valid_after_utc, folder / AUTHORITY)


def _make(folder: Path, names: Sequence[str]) -> None:
    """Make an authority, and a certificate and key for these names."""
    serial = x509.random_serial_number()
    authority = _name(f"Gin Arena {serial:x}"[:40])  # no two alike, or one would be taken for another
    signing, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    root = (
        _builder(authority, authority, signing.public_key())
        .serial_number(x509.random_serial_number())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(signing.public_key()), critical=False)
        .sign(signing, hashes.SHA256())
    )
    leaf = (
        _builder(_name("Gin Arena"), authority, key.public_key())
        .serial_number(serial)
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), critical=False)
        .sign(signing, hashes.SHA256())
    )
    (folder / AUTHORITY).write_bytes(root.public_bytes(Encoding.PEM))
    (folder / CERTIFICATE).write_bytes(leaf.public_bytes(Encoding.PEM))
    write_private(folder / KEY, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def _builder(subject: x509.Name, issuer: x509.Name, public: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    begun = x509.CertificateBuilder().not_valid_before(now - _EARLIER).not_valid_after(now + VALID - _EARLIER)
    return begun.subject_name(subject).issuer_name(issuer).public_key(public)


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _canonical(name: str) -> str:
    """A name as certificates have it. Raises `InputError` for what is none."""
    name = name.strip("[]")
    with suppress(ValueError):
        return str(ip_address(name))
    with suppress(UnicodeError):
        host = name.casefold().encode("idna").decode()
        if re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", host):
            return host
    told = printable(short(name))
    raise InputError(f"{told!r} is no name of a host, expected one as in arena.example.org, or an address")


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _distinct(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(map(_canonical, names)))


def _names(certificate: x509.Certificate) -> tuple[str, ...]:
    """What a certificate is for."""
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    hosts, addresses = names.get_values_for_type(x509.DNSName), names.get_values_for_type(x509.IPAddress)
    return tuple(map(str, [*hosts, *addresses]))


def _check_time(certificate: x509.Certificate, told: str, remedy: str) -> None:
    now = datetime.now(UTC)
    if now > certificate.not_valid_after_utc:
        raise InputError(f"{told} has expired on {certificate.not_valid_after_utc:%Y-%m-%d}: {remedy}")
    if now < certificate.not_valid_before_utc:
        raise InputError(f"{told} counts from {certificate.not_valid_before_utc:%Y-%m-%d} only: {remedy}")


def _read(path: Path, option: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{option} {path}: {error.strerror}, expected a file in PEM".strip()) from None
