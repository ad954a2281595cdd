"""What the commands that show tables of a run have in common: their argument and options."""

import typer

RUN = typer.Argument(metavar="DIR", help="The folder of a run.")
FORMAT = typer.Option("--format", help="json, csv, or a format of tabulate: simple, pipe, github, html, latex, ...")
WITHOUT = typer.Option("--without", metavar="BOT", help="Leave a bot and all its games out.")
