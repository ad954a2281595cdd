"""`arena check`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.colours import colours_wanted
from arena.cli.exits import ExitCode

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.kit.check.report import Step


def check(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="The folder of a bot, with its bot.yaml.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object with all steps, at the end.")] = False,
    seed: Annotated[str, typer.Option("--seed", help="Ask other decisions, on other cards.")] = "1",
    quick: Annotated[bool, typer.Option("--quick", help="Fewer decisions and shorter games.")] = False,
) -> None:
    """Check whether a bot can play: what its author does before entering it.

    The steps are numbered. One that fails says what was sent, what came, what was expected and what to do, and shows
    what the bot has printed; the check then goes on with new processes. A warning is no failure. Exits 0 if the bot
    passes, 1 if a step fails, 2 for a folder that is no bot's.

    \b
    Examples:
      arena check my/ginny
      arena check my/ginny --quick
      arena check my/ginny --json > check.json
    """
    import asyncio
    import json

    from arena.kit.check.course import check_bot
    from arena.kit.check.report import head_text
    from arena.players.manifest import read_manifest

    spec = read_manifest(bot)
    if as_json:
        report = asyncio.run(check_bot(spec, seed, quick=quick))
        typer.echo(json.dumps(report.as_json(), indent=2))
    else:
        typer.echo(f"Checking {' '.join(filter(None, (spec.name, spec.version)))} in {bot}, seed {seed}\n")
        report = asyncio.run(check_bot(spec, seed, quick=quick, begin=lambda *at: _say(head_text(*at)), done=_tell))
        colour = typer.colors.GREEN if report.passed else typer.colors.RED
        typer.echo(f"\n{_coloured(report.verdict(), colour)}")
    if not report.passed:
        raise typer.Exit(ExitCode.NO)


def _say(text: str) -> None:
    """Print the beginning of a line at once."""
    typer.echo(text, nl=False)
    sys.stdout.flush()


def _tell(step: "Step") -> None:
    """Print the rest of a step's line, and what there is to say of it."""
    from arena.kit.check.report import Outcome, tail_text

    colours = {
        Outcome.FAILED: typer.colors.RED,
        Outcome.WARNED: typer.colors.YELLOW,
        Outcome.PASSED: typer.colors.GREEN,
    }
    word = {Outcome.PASSED: "ok", Outcome.WARNED: "warning", Outcome.FAILED: "FAILED", Outcome.SKIPPED: "-"}
    shown = _coloured(f"{word[step.outcome]:<7}", colours.get(step.outcome))
    typer.echo(f"{shown}  {step.note}".rstrip())
    typer.echo(tail_text(step), nl=False)


def _coloured(text: str, colour: str | None) -> str:
    return text if colour is None or not colours_wanted() else typer.style(text, fg=colour)
