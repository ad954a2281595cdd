"""`arena pack`."""

from pathlib import Path
from typing import Annotated

import typer


def pack(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="The folder of a bot, with its bot.yaml.")],
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="[default: NAME.zip beside BOT]")] = None,
) -> None:
    """Pack a bot into a zip file to hand in, and print its content hash as a receipt.

    The file has all that the bot is made of, in a folder of its name, and nothing that a build makes. The same bot
    gives the same bytes. Unpacked anywhere it has the same content hash, which `arena pack` prints there again. A zip
    of that name is replaced.

    \b
    Examples:
      arena pack my/ginny
      arena pack my/ginny --out handed-in.zip
    """
    from arena.kit.pack import pack as pack_bot

    packed = pack_bot(bot, out)
    typer.echo(f"{packed.archive}")
    typer.echo(f"files         {packed.files}")
    typer.echo(f"size          {packed.size:,} bytes")
    typer.echo(f"content hash  {packed.content_hash}")
    for warning in packed.warnings:
        typer.echo(f"Warning: {warning}. Is it meant to be handed in?", err=True)
