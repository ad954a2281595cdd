"""`arena serve`."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from arena.cli.client import HERE
from arena.cli.playing import CLUSTER
from arena.errors import InputError


def serve(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="A folder for its series, made where it is not there.")],
    listen: Annotated[
        str, typer.Option("--listen", metavar="HOST:PORT", help="Where; port 0 is one that is free. Or unix:/path.")
    ] = HERE,
    at_once: Annotated[
        int, typer.Option("--at-once", min=1, max=64, help="Series that are played at once; others wait.")
    ] = 1,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, max=1024, help="Worker processes of each, instead of the series' number."),
    ] = None,
    cluster: Annotated[str | None, CLUSTER] = None,
    allow: Annotated[
        list[Path] | None,
        typer.Option("--allow", metavar="FOLDER", help="A folder whose bots a series may name by their paths."),
    ] = None,
    isolation: Annotated[
        Literal["required", "best-effort", "none"],
        typer.Option("--isolation", help="The least isolation of bots that a series has to ask for."),
    ] = "best-effort",
    tls: Annotated[bool, typer.Option("--tls", help="By TLS, with a certificate that is made once and kept.")] = False,
    names: Annotated[
        list[str] | None,
        typer.Option("--host", metavar="NAME", help="With --tls: a name or address by which clients reach it."),
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", metavar="FILE", help="By TLS, with this certificate, in PEM.")
    ] = None,
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="The key of --certificate.")] = None,
    plaintext: Annotated[
        bool, typer.Option("--plaintext", help="Without TLS beyond this machine: others can read tokens and cards.")
    ] = False,
    log: Annotated[
        Path | None,
        typer.Option("--log", metavar="FILE", help="Where it tells what it does [default: standard error]."),
    ] = None,
    log_json: Annotated[bool, typer.Option("--log-json", help="Tell it as JSON, an object a line.")] = False,
) -> None:
    """Serve: take series in, play them, and show how they stand, until Ctrl-C.

    Without --listen only this machine reaches it. Other machines need a token (arena token new DATA) and TLS. Series
    that are played when it stops are stopped cleanly, and gone on with when it serves DATA again, also after a crash.
    A second Ctrl-C ends them at once; every finished game is kept. docs/server.md tells the whole.

    \b
    Examples:
      arena serve arena-data
      arena serve arena-data --listen 0.0.0.0:7777 --tls --host arena.example
      arena serve arena-data --at-once 2 --allow /srv/bots --log arena.log
    """
    from arena.extras import needing
    from arena.isolation.values import Mode

    if (certificate is None) != (key is None):
        raise InputError("--certificate and --key belong together, expected both or none")
    with needing("server"):
        from arena.server.app import Settings
        from arena.server.app import serve as serve_arena
        from arena.server.logs import Log
        from arena.server.stage import Plan
        from arena.server.uploads import Limits

        settings = Settings(
            data,
            listen,
            plan=Plan(at_once, workers, cluster),
            limits=Limits(allow=tuple(folder.absolute() for folder in allow or ()), floor=Mode(isolation)),
            tls=tls,
            names=tuple(names or ()),
            own=(certificate, key) if certificate is not None and key is not None else None,
            plaintext=plaintext,
        )
        stream = sys.stderr if log is None or str(log) == "-" else log.open("a", encoding="utf-8")
        serve_arena(settings, Log(stream, as_json=log_json), _tell)


def _tell(line: str) -> None:
    print(line, flush=True)  # whoever has started this waits for it
