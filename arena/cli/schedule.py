"""`arena schedule`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

_SHOWN = 12
"""Bots or pairings that a line names before it says how many more there are."""


def schedule(
    series: Annotated[Path, typer.Argument(metavar="FILE", help="The series, a YAML file.")],
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set a key of the series: --set groups=20.")
    ] = None,
) -> None:
    """Show what a series would play.

    Its bots, games and hands, and every setting with its default. Nothing is started.

    \b
    Examples:
      arena schedule tournaments/quickstart.yaml
      arena schedule cup.yaml --set game=three-hand --set groups=5
    """
    from arena.rules.game import Play
    from arena.tournament.schedule import expected_hands, schedule_of
    from arena.tournament.seeds import series_seed
    from arena.tournament.series import load_series

    loaded = load_series(series, settings or ())
    config = loaded.config
    seed = series_seed(loaded, series.parent).master
    games = schedule_of(loaded, seed)
    names = games.bots
    pairings = [" - ".join(names[bot] for bot in pairing) for pairing in games.pairings]
    hands = f"{round(len(games) * expected_hands(loaded.format)):,}"
    rows = [
        ("bots", f"{len(names):,}: {_some([f'{bot.name} {bot.version}'.strip() for bot in loaded.bots])}"),
        ("pairings", f"{len(pairings):,}: {_some(pairings)}"),
        ("deal groups", f"{games.rounds:,} a pairing, each in {len(games.seatings)} seatings"),
        ("games", f"{len(games):,}"),
        ("hands", hands if loaded.format.play is Play.DEALS else f"about {hands}"),
    ]
    typer.echo(f"{config.name}: {config.game}, {config.scoring}, {config.format}\n")
    for row in rows:
        typer.echo("  {:<13}{}".format(*row))
    if games.note:
        typer.echo(f"\n{games.note}")
    typer.echo("\nThe series with every default:\n")
    typer.echo(loaded.as_yaml(), nl=False)


def _some(texts: Sequence[str]) -> str:
    """The first of some texts, and how many more there are."""
    more = f" and {len(texts) - _SHOWN:,} more" if len(texts) > _SHOWN else ""
    return ", ".join(texts[:_SHOWN]) + more
