"""The `arena` command and its parts. Each command's module imports the rooms it needs when it runs."""

from typing import Annotated

import typer

from arena import __version__
from arena.cli.bridge import bridge
from arena.cli.build import build
from arena.cli.check import check
from arena.cli.commit import commit
from arena.cli.exits import ExitCode
from arena.cli.export import export
from arena.cli.new import new
from arena.cli.pack import pack
from arena.cli.play import play
from arena.cli.replay import replay
from arena.cli.run import resume, run
from arena.cli.schedule import schedule
from arena.cli.score import score
from arena.cli.standings import standings
from arena.cli.verify import verify

EXAMPLES = """Examples:

\b
  arena new python ginny                       begin a bot, ready to be checked
  arena check ginny                            ask it everything that a series can ask
  arena play ginny                             play against it yourself
  arena schedule tournaments/deals.yaml        what would be played, and how long it is
  arena run tournaments/quickstart.yaml        play a series to its ranked table
  arena standings runs/quickstart-001          the table of a run, in many formats
  arena replay runs/quickstart-001 12 3        show hand 3 of game 12
  arena verify runs/quickstart-001             deal and score every hand again, with no bot
  arena export runs/quickstart-001 > h.jsonl   every hand as a line of JSON

`arena COMMAND --help` explains a command. Exit codes: 0 fine or yes, 1 checked and no, 2 wrong usage or input,
3 the host, 130 interrupted.
"""

app = typer.Typer(
    help="Fair tournaments for gin rummy bots.",
    epilog=EXAMPLES,
    add_completion=False,
    rich_markup_mode=None,  # plain help: it starts quickly, and reads the same in a pipe
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def arena(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Fair tournaments for gin rummy bots."""
    if version:
        typer.echo(f"Gin Arena {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(ExitCode.USAGE)


app.command()(new)
app.command()(build)
app.command()(check)
app.command()(play)
app.command()(pack)
app.command()(schedule)
app.command()(commit)
app.command()(run)
app.command()(resume)
app.command()(standings)
app.command(context_settings={"ignore_unknown_options": True})(replay)  # -1 is a number, if a wrong one
app.command()(verify)
app.command()(export)
app.command()(score)
app.command()(bridge)
