"""`arena new`."""

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer


def new(
    language: Annotated[str, typer.Argument(metavar="LANGUAGE", help="What it is written in, see below.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name for the tables, and its folder's.")],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Where the bot's folder is made.")] = Path(),
) -> None:
    """Begin a bot: a folder that builds, passes `arena check` and loses to the sample bot greedy.

    LANGUAGE is python, go, rust, java, typescript or cpp, each on its gRPC library; or c, java-bridge or cpp-bridge,
    which need no library and are played by `arena bridge`. A first series, NAME.yaml, is written beside the folder.
    What is there already is left alone.

    \b
    Examples:
      arena new python ginny
      arena new java-bridge ginny --to bots
    """
    from arena.kit.new import LANGUAGES, new_bot

    made = new_bot(language, name, to)
    typer.echo(f"{made.folder}: a bot in {len(made.files)} files; README.md tells where to change it")
    typer.echo(f"{made.series}: a first series, against greedy")
    if made.missing:
        typer.echo(f"It needs {LANGUAGES[language].needs}. Not found here: {', '.join(made.missing)}")
    typer.echo("\nNext:")
    commands = (["arena", "check", str(made.folder)], ["arena", "run", str(made.series)])
    for command in (*commands, ["arena", "pack", str(made.folder)]):
        typer.echo(f"  {_quoted(command)}")


def _quoted(command: list[str]) -> str:
    """A command to be typed into the usual shell of this system."""
    return subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)
