"""From a class to a bot: it listens where the arena that started it says, or dials in to one elsewhere."""

import os
from pathlib import Path
from typing import NoReturn

from arena.bot.games import Games
from arena.bot.player import Bot
from arena.bot.server import JOIN, LISTEN, NAME, given_address, introduction, listen


def serve(
    bot_class: type[Bot],
    *,
    join: str = "",
    token: str = "",
    ca: str | Path = "",
    tls: bool = False,
    plaintext: bool = False,
    name: str = "",
) -> NoReturn:
    """Be a bot of this class until the end of the process. Never returns.

    Listens where the environment variable `ARENA_LISTEN` says, `unix:/path` or `tcp:host:port`; over TCP it prints
    `ARENA-READY host:port` once it does. It ends with exit code 0 on SIGTERM and when the arena has closed its stream;
    on a TCP port other than 0 it goes on waiting for further arenas. An exception in the bot ends the process with
    its traceback and exit code 1, as `sys.exit` in the bot does with its own.

    Without `ARENA_LISTEN` it dials in, where that is given. An exception then ends its conversation with the arena and
    is shown; the bot stays. It ends with code 0 on SIGTERM, 130 on Ctrl-C, and 2 where the arena does not want it.

    join: `host:port` of the arena, or `ARENA_JOIN`. token: what its organiser has handed out, or `ARENA_TOKEN`.
    ca: a file with the certificate to trust, or `ARENA_CA`. tls: it is one that the system knows, or `ARENA_TLS=1`.
    plaintext: a token may be sent unencrypted, or `ARENA_PLAINTEXT=1`.
    name: what the series calls this bot, or `ARENA_NAME`; else what the class calls itself.
    """
    hello = introduction(
        bot_class.name or bot_class.__name__,
        version=bot_class.version,
        max_batch=bot_class.max_batch,
        games=bot_class.games,
        advises=bot_class.advise is not Bot.advise,
    )
    arena = join or os.environ.get(JOIN, "")
    if arena and not os.environ.get(LISTEN):  # an arena that starts the bot wants it to listen
        from arena.bot.conversation import Partner  # noqa: PLC0415 - most bots never need it
        from arena.bot.joining import dial_in, server_of  # noqa: PLC0415

        server = server_of(arena, token, ca, tls=tls, plaintext=plaintext)
        dial_in(server, name or os.environ.get(NAME) or hello.name, hello, lambda: Partner(Games(bot_class).answer))
    listen(given_address(), hello, lambda: Games(bot_class).answer)
