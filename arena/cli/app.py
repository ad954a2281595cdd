"""The `arena` command and its parts. Each command's module imports the rooms it needs when it runs."""

from typing import Annotated

import typer

from arena import __version__
from arena.cli.ask import ask
from arena.cli.audit import audit
from arena.cli.bridge import bridge
from arena.cli.build import build
from arena.cli.check import check
from arena.cli.commit import commit
from arena.cli.compare import compare
from arena.cli.effects import effects
from arena.cli.exits import ExitCode
from arena.cli.export import export
from arena.cli.faults import faults
from arena.cli.grade import grade
from arena.cli.join import join
from arena.cli.new import new
from arena.cli.pack import pack
from arena.cli.play import play
from arena.cli.publish import publish
from arena.cli.ratings import ratings
from arena.cli.replay import replay
from arena.cli.report import report
from arena.cli.reproduce import reproduce
from arena.cli.run import resume, run
from arena.cli.schedule import schedule
from arena.cli.score import score
from arena.cli.serve import serve
from arena.cli.server import server
from arena.cli.standings import standings
from arena.cli.submit import submit
from arena.cli.token import token
from arena.cli.verify import verify
from arena.cli.watch import watch

EXAMPLES = """Examples:

\b
  arena new python ginny                 begin a bot, ready to be checked
  arena check ginny                      ask it all that a series can ask
  arena play ginny                       play against it yourself
  arena schedule tournaments/deals.yaml  what would be played, and how much
  arena run tournaments/quickstart.yaml  play a series to its ranked table
  arena standings runs/cup-001           its table, in many formats
  arena audit runs/cup-001               which decisions cost points
  arena report runs/cup-001              a page for a browser, with every hand
  arena ratings runs/cup-001             who is better for certain
  arena effects runs/cup-001             what seat, deal, role, advice bring
  arena faults runs/cup-001              what went wrong, and where
  arena compare git:main:ginny ginny     is the new version worse?
  arena ask ginny 12.3.9                 ask a turn again: game, hand and move
  arena replay runs/cup-001 12 3         show hand 3 of game 12
  arena verify runs/cup-001              deal and score all again, with no bot
  arena reproduce runs/cup-001           play some again with the same bots
  arena publish runs/cup-001             for everybody, and for each entrant
  arena export runs/cup-001 > h.jsonl    every hand as a line of JSON
  arena serve arena-data                 play what others submit and watch
  arena submit cup.yaml                  give a series to an arena that serves
  arena watch cup-001                    follow it there, until it is over
  arena join arena.example:7777 ginny    let a bot here play in it
  arena grade task.yaml --roster r.csv   a class: gradebook and feedback

`arena COMMAND --help` explains a command. Exit codes: 0 fine or yes, 1 checked and no, 2 wrong usage or input,
3 the host, 130 interrupted; `arena compare` also 10 rejected and 20 undecided.
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


# A short help stands where the first sentence of a command is too long for a list.
app.command(short_help="Begin a bot: a folder that builds and passes `arena check`.")(new)
app.command()(build)
app.command(short_help="Check whether a bot can play, before it is entered.")(check)
app.command()(play)
app.command(short_help="Pack a bot into a zip file to hand in.")(pack)
app.command()(schedule)
app.command()(commit)
app.command()(run)
app.command()(resume)
app.command(short_help="Tell whether a new version of a bot is worse, or better.")(compare)
app.command()(standings)
app.command(short_help="Rate the bots of a run, and say who is better for certain.")(ratings)
app.command(short_help="Show what the seat, dealing, roles and advice are worth.")(effects)
app.command(short_help="Judge a run's decisions from the dealer's chair.")(audit)
app.command(short_help="Make the results page of a run, for a browser.")(report)
app.command()(faults)
app.command()(ask)
app.command(context_settings={"ignore_unknown_options": True})(replay)  # -1 is a number, if a wrong one
app.command()(verify)
app.command(short_help="Play games of a run again, and compare every decision.")(reproduce)
app.command()(export)
app.command(short_help="Publish a run: a folder for all, an archive an entrant.")(publish)
app.command(short_help="Grade the bots of a class: gradebook and feedback.")(grade)
app.command()(score)
app.command(short_help="Serve: take series in, play them, show how they stand.")(serve)
app.command(short_help="Submit a series and its bots to an arena that serves.")(submit)
app.command(short_help="Follow a series of an arena that serves.")(watch)
app.add_typer(server, name="server")
app.command(short_help="Let a bot on this machine play in an arena elsewhere.")(join)
app.command()(bridge)
app.add_typer(token, name="token")
