"""The isolation of a run: what its series demands, what this machine has, and the bots that it cannot reach."""

from collections.abc import Iterator
from pathlib import Path

from arena.errors import InputError
from arena.isolation.probe import demand, find_isolation
from arena.isolation.sandbox import lowered
from arena.isolation.values import Isolation, Layer, Mode
from arena.players.build import BUILD_LIMITS
from arena.players.launch import unreadable, unseen
from arena.players.spec import BotSpec, Transport
from arena.tournament.series import Series


def isolation_of(series: Series, folder: Path) -> Isolation:
    """What will isolate the bots of a run. folder: of the run, which no bot may see.

    Raises `InputError` where isolation is required and is not to be had, for the machine or for a bot.
    """
    isolation = find_isolation(series.config.isolation, series.config.limits.limits(), (folder,))
    demand(isolation)
    shut = [wrong for bot in series.bots if (wrong := unreadable(bot, isolation) or unseen(bot, isolation))]
    if shut:
        raise InputError("\n".join(shut))
    apart = [] if isolation.mode is Mode.NONE else [*_apart(series, isolation)]
    if isolation.mode is Mode.REQUIRED and apart:
        raise InputError("\n".join(["isolation is 'required', and these bots cannot have it:", *_indented(apart)]))
    return isolation


def isolation_elsewhere(series: Series) -> Isolation:
    """What is to isolate the bots of a run on other machines, each of which finds out which layers it has.

    Raises `InputError` where isolation is required and is not to be had for a bot.
    """
    isolation = Isolation(series.config.isolation, series.config.limits.limits())
    apart = [*_apart(series, isolation)]
    if isolation.mode is Mode.REQUIRED and apart:
        raise InputError("\n".join(["isolation is 'required', and these bots cannot have it:", *_indented(apart)]))
    return isolation


def build_isolation(series: Series) -> Isolation:
    """What isolates the builds of its bots. Raises `InputError` where isolation is required and is not to be had."""
    isolation = find_isolation(series.config.isolation, BUILD_LIMITS)
    demand(isolation)
    return isolation


def isolation_report(series: Series, isolation: Isolation) -> list[str]:
    """What there is to say of a run's isolation: a line a layer, and one for each bot that is less isolated."""
    if isolation.mode is Mode.NONE:
        return ["Isolation: none. Bots run with your rights."]
    less = lowered(isolation)
    told = [f"limits of this machine (ulimit -H) leave a bot {', '.join(less)}: raise them"] if less else []
    return [f"Isolation: {isolation.mode}", *_indented([*isolation.lines(), *told, *_apart(series, isolation)])]


def _apart(series: Series, isolation: Isolation) -> Iterator[str]:
    """The bots that not every layer holds for, and why."""
    for bot in series.bots:
        if bot.joins:
            yield f"{bot.name} dials in: nothing here isolates it"
        elif bot.address is not None:
            yield f"{bot.name} is at an address: nothing here isolates it"
        elif isolation.has(Layer.NETWORK) and _needs_network(bot):
            yield f"{bot.name} listens on TCP, so it is left the network; 'transport: unix' would do without"


def _needs_network(bot: BotSpec) -> bool:
    return bot.transport is Transport.TCP


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]
