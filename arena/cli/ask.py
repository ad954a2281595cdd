"""`arena ask`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.exits import ExitCode
from arena.errors import InputError, printable

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.players.spec import BotSpec

RUNS = Path("runs")


def ask(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="The folder of a bot, or unix:/path or host:port where one listens.")
    ],
    turn: Annotated[
        str, typer.Argument(metavar="TURN", help="Game, hand and move, such as 17.4.9; 17.4.9a for advice on it.")
    ],
    run: Annotated[
        Path | None,
        typer.Option("--run", metavar="DIR", help="The run, or an entrant's archive [default: the newest in runs]."),
    ] = None,
) -> None:
    """Ask a bot a turn of a run again, with the clock off.

    The bot gets the very bytes that were sent in the run, but for the time left, and you see what is asked, what it
    answers, whether that is legal, and what was recorded then. A bot in a folder is started here, with this terminal
    as its input and output: what it prints is seen, and `breakpoint()` works. One that you have started under a
    debugger is reached by its address. Nothing is limited, and nothing is written down. Exits 0 for a legal answer, 1
    for another or none.

    \b
    Examples:
      arena ask . 17.4.9
      arena ask my/ginny 17.4.9 --run runs/cup-001
      ARENA_LISTEN=tcp:127.0.0.1:5000 python -m pdb my/ginny/bot.py  first, and
      arena ask 127.0.0.1:5000 17.4.9      in another terminal
    """
    import asyncio

    from arena.cli.play import Terminal
    from arena.kit.ask import ask as put
    from arena.kit.ask import turn_lines
    from arena.players.scratch import own_scratch
    from arena.records.store import Run
    from arena.records.turns import TurnName, asked_turn
    from arena.tournament.config import config_of
    from arena.tournament.running import table_rules

    name = TurnName.of(turn)
    spec = _bot(bot)
    folder = run or _default_run(Path(bot))
    with Run.open(folder) as opened:
        info, (game, record) = opened.info, opened.record(name.game)
    if record is None:
        raise InputError(f"{folder}: game {name.game} has no record here, expected a finished one")
    config = config_of(info)
    asked = asked_turn(table_rules(info), game, record, name)
    recorded, seat = asked.recorded, game.seats[asked.table.seat]
    terminal = Terminal()
    told = f"Turn {name} of {folder}, asked of {seat}"
    if spec.address is None and spec.content_hash not in [one.content_hash for one in info.bots if one.name == seat]:
        told += "; this bot has changed since, or is another"
    terminal.show([("title", told)])
    for line in turn_lines(info.format, game.seats, asked):
        terminal.show(line)
    typer.echo()
    bank_ms = int(config.clock.bank.total_seconds() * 1000) if config.timed else 0
    with own_scratch():
        answer = asyncio.run(put(spec, info.format, asked, hints=config.hints, bank_ms=bank_ms))
    verdict = "legal" if answer.fault is None else answer.fault.value
    typer.echo(f"\nanswer    {printable(answer.text)} ({verdict}, after {answer.seconds:.3f} s)")
    same = " (the same)" if recorded.text == answer.text else ""
    typer.echo(f"recorded  {printable(recorded.text)}{same}")
    if answer.fault is not None:
        raise typer.Exit(ExitCode.NO)


def newest_run() -> Path | None:
    """The newest run in the folder `runs`, `None` if there is none."""
    return _newest_below(RUNS)


def _newest_below(folder: Path) -> Path | None:
    from arena.records.database import FILE

    newest = max(folder.glob(f"*/{FILE}"), key=lambda file: file.stat().st_mtime, default=None)
    return newest and newest.parent


def _default_run(bot: Path) -> Path:
    """The run meant where none is named: this folder, the newest of `runs` here or by the bot, or an archive."""
    from arena.records.database import FILE

    here = Path()
    beside = bot.absolute().parent
    folder = here if (here / FILE).is_file() else newest_run() or _newest_below(beside / RUNS) or _newest_below(beside)
    if folder is None:
        raise InputError("there is no run in the folder runs, expected one with --run DIR")
    return folder


def _bot(text: str) -> "BotSpec":
    """The bot that is meant, built. Raises `InputError`."""
    from arena.addresses import is_address
    from arena.players.build import build
    from arena.players.manifest import read_manifest
    from arena.players.spec import inline_spec

    if not Path(text).exists() and is_address(text):
        return inline_spec("the bot", address=text)
    spec = read_manifest(Path(text))
    try:
        build(spec)
    except InputError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(ExitCode.NO) from None
    return read_manifest(Path(text))  # what a build makes is part of the bot
