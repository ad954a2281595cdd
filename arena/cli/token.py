"""`arena token`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.client import Json
from arena.server.caller import Role

if TYPE_CHECKING:
    from datetime import datetime

DATA = typer.Argument(metavar="DATA", help="The data folder of an arena that serves.")

token = typer.Typer(
    help="Make, list and revoke the tokens of an arena.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@token.command("new")
def new(
    data: Annotated[Path, DATA],
    role: Annotated[Role, typer.Option("--role", help="What its holder may do.")],
    bot: Annotated[list[str] | None, typer.Option("--bot", metavar="NAME", help="An entrant's bot; repeat it.")] = None,
    label: Annotated[
        str, typer.Option("--label", metavar="L", help="What you call it. [default: the bot or role]")
    ] = "",
) -> None:
    """Make a token and print it, once: the arena keeps only its hash.

    From the first token on every caller of the arena has to show one; a server that runs takes up the change. An
    organiser may do everything; an entrant plays as its bots and sees their faults; a spectator watches.

    \b
    Examples:
      arena token new data --role organiser
      arena token new data --role entrant --bot ada --label "Ada's team"
      arena token new data --role spectator --label everybody
    """
    from arena.server.tokens import new_token

    text, kept = new_token(data, role, bot or [], label)
    typer.echo(text)
    of = f" of {', '.join(kept.bots)}" if kept.bots else ""
    typer.echo(f"The token {kept.label!r}, for {_article(role)}{of}. It is not shown again.", err=True)


@token.command("list")
def list_(data: Annotated[Path, DATA], as_json: Json = False) -> None:
    """List the tokens that were made, by what they begin with.

    \b
    Examples:
      arena token list data
      arena token list data --json | jq '.[] | select(.revoked == null) | .label'
    """
    from arena.server.tokens import read_tokens
    from arena.standings.sheet import Column, Sheet, render

    tokens = read_tokens(data)
    if as_json:
        told = [one.model_dump(mode="json", exclude={"sha256"}) for one in tokens]
        typer.echo(json.dumps(told, indent=2, ensure_ascii=False))
        return
    if not tokens:
        typer.echo(f"There is no token yet, so only this machine is served; make one: arena token new {data}")
        return
    columns = [Column(key, key, text=True) for key in ("label", "role", "bots", "begins", "created", "revoked")]
    rows = [
        (one.label, one.role.value, ", ".join(one.bots) or None, one.begins, _day(one.created), _day(one.revoked))
        for one in tokens
    ]
    typer.echo(render(Sheet(columns, rows), "simple"), nl=False)


@token.command("revoke")
def revoke(
    data: Annotated[Path, DATA],
    name: Annotated[str, typer.Argument(metavar="LABEL", help="Its label, or what it begins with, from `list`.")],
) -> None:
    """Let a token count no more, from this moment on.

    Calls that it has begun go on to their end.

    \b
    Examples:
      arena token revoke data "Ada's team"
    """
    from arena.server.tokens import revoke_token

    kept = revoke_token(data, name)
    typer.echo(f"The token {kept.label!r} ({kept.begins}...) counts no more.", err=True)


def _day(moment: "datetime | None") -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%d %H:%M}"


def _article(role: Role) -> str:
    return f"{'a' if role is Role.SPECTATOR else 'an'} {role.value}"
