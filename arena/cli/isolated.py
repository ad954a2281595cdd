"""The option `--isolation`, and what there is to say of it."""

from typing import TYPE_CHECKING

import typer

from arena.errors import InputError

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.isolation.values import Isolation, Limits

ISOLATION = typer.Option("--isolation", metavar="MODE", help="required, best-effort or none: see docs/series.md.")


def isolation_for(mode: str, limits: "Limits") -> "Isolation":
    """What isolates the processes of a command. Raises InputError where it is required and not to be had."""
    from arena.isolation.probe import demand, find_isolation
    from arena.isolation.values import Mode

    try:
        wanted = Mode(mode)
    except ValueError:
        raise InputError(f"--isolation: expected required, best-effort or none, got {mode!r}") from None
    isolation = find_isolation(wanted, limits)
    demand(isolation)
    return isolation


def missing_layers(isolation: "Isolation") -> list[str]:
    """What of it this machine lacks, as lines; none if it has all."""
    missing = [f"    {state}" for state in isolation.missing]
    return ["Less isolated than a bot can be, for want of some layers:", *missing] if missing else []
