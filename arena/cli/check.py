"""`arena check`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.colours import colours_wanted
from arena.cli.exits import ExitCode
from arena.cli.isolated import ISOLATION, isolation_for, missing_layers
from arena.errors import InputError

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.kit.check.report import Step


def check(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="The folder of a bot, with its bot.yaml.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object with all steps, at the end.")] = False,
    seed: Annotated[str, typer.Option("--seed", help="Ask other decisions, on other cards.")] = "1",
    quick: Annotated[bool, typer.Option("--quick", help="Fewer decisions and shorter games.")] = False,
    isolation: Annotated[str, ISOLATION] = "best-effort",
    assignment: Annotated[
        Path | None,
        typer.Option(
            "--assignment", metavar="FILE", help="Its game, clock, limits and thoroughness, as it is graded by."
        ),
    ] = None,
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
      arena check my/ginny --assignment assignment.yaml
    """
    import asyncio
    import json

    from arena.isolation.values import Limits
    from arena.kit.check.course import check_bot
    from arena.kit.check.report import head_text
    from arena.players.launch import unreadable
    from arena.players.manifest import read_manifest
    from arena.players.scratch import own_scratch

    spec = read_manifest(bot)
    limits, clock = Limits(), None
    if assignment is not None:
        from arena.classroom.assignment import check_clock, for_assignment, load_assignment

        given = load_assignment(assignment, at_home=True)
        spec = for_assignment(spec, given)
        limits, clock, quick = given.config.limits.limits(), check_clock(given.config.clock), quick or given.quick
    layers = isolation_for(isolation, limits)
    if wrong := unreadable(spec, layers):
        raise InputError(wrong)
    for line in missing_layers(layers):
        typer.echo(line, err=True)
    if as_json:
        with own_scratch():
            report = asyncio.run(check_bot(spec, seed, quick=quick, clock=clock, isolation=layers))
        typer.echo(json.dumps(report.as_json(), indent=2))
    else:
        typer.echo(f"Checking {' '.join(filter(None, (spec.name, spec.version)))} in {bot}, seed {seed}\n")
        told: list[Step] = []
        course = check_bot(
            *(spec, seed),
            quick=quick,
            clock=clock,
            isolation=layers,
            begin=lambda *at: _say(head_text(*at)),
            done=lambda step: _tell(step, told),
        )
        with own_scratch():
            report = asyncio.run(course)
        colour = typer.colors.GREEN if report.passed else typer.colors.RED
        typer.echo(f"\n{_coloured(report.verdict(), colour)}")
    if not report.passed:
        raise typer.Exit(ExitCode.NO)


def _say(text: str) -> None:
    """Print the beginning of a line at once."""
    typer.echo(text, nl=False)
    sys.stdout.flush()


def _tell(step: "Step", earlier: list["Step"]) -> None:
    """Print the rest of a step's line, and what there is to say of it. earlier: the steps before, this one is added."""
    from arena.kit.check.report import Outcome, tail_text

    colours = {
        Outcome.FAILED: typer.colors.RED,
        Outcome.WARNED: typer.colors.YELLOW,
        Outcome.PASSED: typer.colors.GREEN,
    }
    word = {Outcome.PASSED: "ok", Outcome.WARNED: "warning", Outcome.FAILED: "FAILED", Outcome.SKIPPED: "-"}
    shown = _coloured(f"{word[step.outcome]:<7}", colours.get(step.outcome))
    typer.echo(f"{shown}  {step.note}".rstrip())
    typer.echo(tail_text(step, earlier), nl=False)
    earlier.append(step)


def _coloured(text: str, colour: str | None) -> str:
    return text if colour is None or not colours_wanted() else typer.style(text, fg=colour)
