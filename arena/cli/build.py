"""`arena build`."""

import time
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.exits import ExitCode
from arena.cli.isolated import ISOLATION, isolation_for
from arena.errors import InputError


def build(
    paths: Annotated[list[Path], typer.Argument(metavar="BOT", help="Folders of bots, each with its bot.yaml.")],
    force: Annotated[bool, typer.Option("--force", help="Build also what has not changed.")] = False,
    isolation: Annotated[str, ISOLATION] = "best-effort",
) -> None:
    """Build bots, as `arena run` does before it plays.

    A bot whose folder and build command have not changed since its last build is left as it is. Every bot is tried;
    the compiler's own words about one that fails go to standard error. Exits 0 if all are built, 1 if a build fails, 2
    for a folder that is no bot's.

    \b
    Examples:
      arena build sample_bots/*
      arena build entries/ginny --force
    """
    from arena.players.build import BUILD_LIMITS, Built
    from arena.players.build import build as build_bot
    from arena.players.manifest import read_manifest
    from arena.players.scratch import own_scratch

    layers = isolation_for(isolation, BUILD_LIMITS)
    code = ExitCode.FINE
    for path in paths:
        typer.echo(f"{path}: ", nl=False)
        start = time.monotonic()
        try:
            spec = read_manifest(path)
        except InputError as error:
            typer.echo("no bot")
            typer.echo(str(error), err=True)
            code = ExitCode.USAGE
            continue
        try:
            with own_scratch():
                done = build_bot(spec, force=force, isolate=lambda: layers)
        except InputError as error:
            typer.echo("failed")
            typer.echo(str(error), err=True)
            code = max(code, ExitCode.NO)
            continue
        typer.echo(f"built in {time.monotonic() - start:.1f} s" if done is Built.BUILT else done.value)
    if code:
        raise typer.Exit(code)
