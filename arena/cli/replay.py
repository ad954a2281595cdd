"""`arena replay`."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.tabled import RUN
from arena.errors import InputError

_STYLES = {"title": "bold", "name": "cyan", "red": "red", "score": "bold", "advice": "green", "fault": "bold red"}
"""How kinds of words look on a terminal (`arena.rules.words.KINDS`), in rich's words."""


def replay(
    folder: Annotated[Path, RUN],
    game: Annotated[int, typer.Argument(metavar="GAME", min=0, help="Number of a game, from 0.")],
    hand: Annotated[int | None, typer.Argument(metavar="HAND", min=1, help="Number of a hand, from 1.")] = None,
) -> None:
    """Show a game or a hand that was played.

    A game has a line a hand. A hand is shown turn by turn, each with the number of its first move, and with the cards
    held sorted into melds. Games and hands have the same numbers in exports and in the words of verify; `arena ask BOT
    12.3.9` asks move 9 again.

    \b
    Examples:
      arena replay runs/quickstart-001 12
      arena replay runs/quickstart-001 12 3
      arena replay runs/quickstart-001 12 3 | less
    """
    from rich.console import Console

    from arena.records.outline import game_text
    from arena.records.replay import hand_text
    from arena.records.store import Run

    with Run.open(folder) as run:
        spec, record = run.record(game)
        if record is None and not run.premises.config:
            raise InputError(f"{folder}: game {game} is not in this published run, expected one that is")
        if record is None:
            raise InputError(f"{folder}: game {game} is not finished; to go on with the run: arena resume {folder}")
        if hand is None:
            text = game_text(run.info, spec, record, _styled)
        else:
            text = hand_text(run.info, spec, record, hand, _styled)
    console = Console(highlight=False, emoji=False, soft_wrap=True)
    with console.capture() as capture:  # it would end the command by itself where the reader has stopped reading
        console.print(text)
    typer.echo(capture.get(), nl=False, color=True)


def _styled(kind: str, word: str) -> str:
    from rich.markup import escape

    style = _STYLES.get(kind)
    return f"[{style}]{escape(word)}[/]" if style else escape(word)
