"""What a bot is to the arena: how it is started or where it listens, and what it plays.

Apart from what reads `bot.yaml`, without which a worker starts in half the time.
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from arena.rules.view import GameKind


class Transport(StrEnum):
    """Where a bot listens. AUTO is a unix socket where the system has them, else TCP."""

    AUTO = "auto"
    UNIX = "unix"
    TCP = "tcp"


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot that can take part in a series.

    name: what the tables call it.
    version: free text, may be empty.
    folder: where its commands run; `None` where the arena itself runs.
    fetch: command to be run before `build`, with a network, or `None`.
    build: command to be run before a series, or `None`.
    run: command that starts it, `{python}` not yet filled in; empty for a bot at an address.
    address: where a bot that runs elsewhere listens, `unix:/path` or `host:port`; `None` for one that is started.
    transport: where a bot that is started listens.
    games: what it plays.
    content_hash: SHA-256 in hex of what it is made of, so that a changed bot is told from an unchanged one.
    joins: whether it dials in to the arena's server; its address is then that of the server's door for it, `None` as
        long as that is not known.
    """

    name: str
    version: str
    folder: Path | None
    build: tuple[str, ...] | None
    run: tuple[str, ...]
    address: str | None
    transport: Transport
    games: tuple[GameKind, ...]
    content_hash: str
    fetch: tuple[str, ...] | None = None
    joins: bool = False

    @property
    def elsewhere(self) -> bool:
        """Whether it runs where the arena cannot start it afresh: at an address, or wherever it dials in from."""
        return self.joins or self.address is not None


def inline_spec(
    name: str,
    *,
    run: tuple[str, ...] = (),
    address: str | None = None,
    joins: bool = False,
    folder: Path | None = None,
    transport: Transport = Transport.AUTO,
    games: tuple[GameKind, ...] = tuple(GameKind),
) -> BotSpec:
    """A bot given by a command, which runs in `folder`, by the address it already listens at, or as one that dials in.

    Its content hash is that of the command or address, or of the name: what it runs may change unnoticed.
    """
    if bool(run) + bool(address) + joins != 1:
        raise ValueError("a bot has a command or an address, or dials in")
    given = ("address", address) if address else ("join", name) if joins else ("run", *run)
    digest = hashlib.sha256("\0".join(given).encode()).hexdigest()
    return BotSpec(name, "", folder, None, run, address, transport, games, digest, joins=joins)
