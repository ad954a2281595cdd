"""`arena bridge`."""

from typing import Annotated

import typer


def bridge(
    command: Annotated[list[str], typer.Argument(help="The program and its arguments, after --.", metavar="COMMAND")],
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What the bot calls itself; else what the program is.")
    ] = "",
    games: Annotated[
        str, typer.Option(metavar="GAME,...", help="The games it plays, of gin, three-hand and oklahoma; else all.")
    ] = "",
    advises: Annotated[bool, typer.Option("--advises", help="Let it be asked for advice when it sits out.")] = False,
) -> None:
    """Be a bot by a program that reads and writes lines of JSON.

    For languages without gRPC at hand: the program reads one JSON object a line on its standard input, and answers
    each {"turn": ...} by a line on its standard output. docs/bridge.md has the form. The arena starts the bridge,
    by the bot's bot.yaml:

    \b
      run: ["{python}", "-m", "arena", "bridge", "--", "./build/bot"]

    A line that is no decision, and the end of the program before the arena's goodbye, end the bridge with code 1.
    """
    from arena.bridge import serve_program
    from arena.errors import InputError
    from arena.rules.view import GAMES

    wanted = [game for game in games.split(",") if game]
    for game in wanted:
        if game not in GAMES:
            raise InputError(f"--games: expected games of {', '.join(GAMES)} with commas between, got {game!r}")
    serve_program(command, name, [GAMES[game] for game in wanted], advises)
