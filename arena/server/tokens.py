"""Tokens: what a caller shows, and what the arena keeps of it, which is not the token.

DATA/tokens.json has a line for each that was ever made: the hash of it, whose it is, what it is for. A token is 256
random bits, so that a plain SHA-256 keeps it: there is nothing to be guessed. A server takes up what changes in the
file while it runs.
"""

import hashlib
import hmac
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.documents import one_of
from arena.errors import HostError, InputError, printable, short
from arena.locks import LockedError, locked
from arena.players.manifest import bot_name
from arena.server.caller import Caller, Role
from arena.server.private import write_private

FILE = "tokens.json"
PREFIX = "gin_"
"""What every token begins with, so that one that has got lost is known for what it is."""
_BYTES = 32
_LOCK = f"{FILE}.lock"
"""It stays where a token was made."""
_SHOWN = len(PREFIX) + 6
"""Characters of a token that are kept as they are, to tell it from others: 36 of its 256 bits."""
_PATIENCE = 5.0


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Token(_Model):
    """What is kept of a token.

    label: what the organiser calls it, unlike that of any other. begins: its first characters. sha256: of the whole, in
    hex. role, bots: what its holder may do, and as which bots. created, revoked: when, in UTC.
    """

    label: str
    begins: str
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    role: Role
    bots: tuple[str, ...] = ()
    created: datetime
    revoked: datetime | None = None

    @property
    def caller(self) -> Caller:
        """Who shows it."""
        return Caller(self.role, frozenset(self.bots), self.label)


class _File(_Model):
    format: Literal[1] = 1
    tokens: tuple[Token, ...] = ()


def read_tokens(data: Path) -> tuple[Token, ...]:
    """The tokens of a data folder, the oldest first; none where none was made. Raises `InputError`, `HostError`."""
    path = data / FILE
    if not data.is_dir():
        raise InputError(f"{data}: there is no such folder, expected the data folder of an arena that serves")
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise HostError(f"{path}: {error.strerror}, expected the arena's tokens") from None
    try:
        return _File.model_validate_json(text).tokens
    except ValidationError:
        raise InputError(
            f"{path}: expected the tokens as 'arena token new' writes them, found something else"
        ) from None


def new_token(data: Path, role: Role, bots: Sequence[str] = (), label: str = "") -> tuple[str, Token]:
    """Make a token and keep its hash: the token itself, which is told once and never again, and what is kept.

    Raises `InputError` for bots that are none or a label that another has, `HostError` where it cannot be kept.
    """
    if (role is Role.ENTRANT) != bool(bots):
        wrong = "--bot NAME for each of the entrant's bots" if role is Role.ENTRANT else f"no --bot for the role {role}"
        raise InputError(f"expected {wrong}")
    for bot in bots:
        try:
            bot_name(bot)
        except ValueError as error:
            raise InputError(f"--bot: {short(bot)!r} is no bot's name, expected {error}") from None
    if label and (len(label) > 60 or not label.isprintable() or label.strip() != label):
        raise InputError(f"--label: {short(label)!r}, expected up to 60 characters that can be printed")
    text = PREFIX + secrets.token_urlsafe(_BYTES)
    with _changing(data) as tokens:
        taken = {token.label for token in tokens}
        if label in taken:
            raise InputError(f"--label: there is a token {label!r} already, expected another label")
        token = Token(
            label=label or _free(bots[0] if bots else role, taken),
            begins=text[:_SHOWN],
            sha256=_hash(text),
            role=role,
            bots=tuple(bots),
            created=_now(),
        )
        tokens.append(token)
    return text, token


def revoke_token(data: Path, name: str) -> Token:
    """Let a token count no more: the one of this label, or that begins so. Raises `InputError`, `HostError`."""
    shown = printable(short(name[:_SHOWN]))
    if not read_tokens(data):  # then nothing is left in a folder that is perhaps another
        raise InputError(f"there is no token {shown!r} in {data}: none was made yet")
    with _changing(data) as tokens:
        found = [at for at, token in enumerate(tokens) if token.label == name]
        if not found and len(name) >= _SHOWN:
            found = [at for at, token in enumerate(tokens) if name.startswith(token.begins)]
        if not found:
            labels = one_of([repr(token.label) for token in tokens])
            raise InputError(f"there is no token {shown!r}, expected {labels}")
        if len(found) > 1:
            raise InputError(f"{len(found)} tokens begin so, expected the label of one")
        (at,) = found
        if tokens[at].revoked is not None:
            raise InputError(
                f"the token {tokens[at].label!r} was revoked before, at {tokens[at].revoked:%Y-%m-%d %H:%M}"
            )
        tokens[at] = tokens[at].model_copy(update={"revoked": _now()})
    return tokens[at]


class Tokens:
    """The tokens of a server, as they stand in its data folder now."""

    def __init__(self, data: Path) -> None:
        """Read them. Raises `InputError`, `HostError`."""
        self._data = data
        self._stamp = self._stamped()
        self._tokens = read_tokens(data)

    @property
    def made(self) -> bool:
        """Whether a token was ever made: from then on every caller has to show one, also when all are revoked."""
        self._look()
        return bool(self._tokens)

    @property
    def lost(self) -> bool:
        """Whether there is no token, though a command was here to make one: somebody has removed the file."""
        return not self.made and (self._data / _LOCK).exists()

    def caller(self, text: str) -> Caller | None:
        """Whose token this is; of nobody where it is unknown or revoked.

        It takes as long for one that is unknown as for any other.
        """
        self._look()
        hashed, found = _hash(text), None
        for token in self._tokens:
            if hmac.compare_digest(token.sha256, hashed) and token.revoked is None:
                found = token.caller
        return found

    def _look(self) -> None:
        """Read the file again if it was changed. While it cannot be read the tokens stay as they were."""
        stamp = self._stamped()
        if stamp == self._stamp:
            return
        try:
            tokens = read_tokens(self._data)
        except (InputError, HostError):
            return
        self._stamp = stamp
        if tokens or not self._tokens:  # a file that is gone opens no door
            self._tokens = tokens

    def _stamped(self) -> tuple[int, int, int]:
        try:
            state = (self._data / FILE).stat()
        except OSError:
            return 0, 0, 0
        return state.st_mtime_ns, state.st_size, state.st_ino


@contextmanager
def _changing(data: Path) -> Iterator[list[Token]]:
    """The tokens, to be changed by nobody else meanwhile: they are written when the block ends well."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        with locked(data / _LOCK, _PATIENCE):
            tokens = list(read_tokens(data))
            yield tokens
            written = _File(tokens=tuple(tokens)).model_dump_json(indent=1)
            write_private(data / FILE, written.encode() + b"\n")
    except LockedError:
        raise HostError(f"{data / FILE} is being changed by another command: try again") from None
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise HostError(f"{data / FILE} cannot be written ({why}), expected a folder for the arena's data") from None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def _free(wanted: str, taken: set[str]) -> str:
    """A label that no token has."""
    number, label = 1, str(wanted)
    while label in taken:
        number += 1
        label = f"{wanted}-{number}"
    return label
