"""The conformance check of a bot: its steps in their order, and what is done about one that fails."""

import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from arena import __version__
from arena.isolation.values import NO_ISOLATION, Isolation
from arena.kit.check import life, steps, trials
from arena.kit.check.candidate import Candidate, Clock, StepFailedError
from arena.kit.check.report import Outcome, Report, Step
from arena.kit.check.scenes import BIG_GIN, DEFENCE, DISCARD, DRAW, GIN_DEFENCE, KNOCK, UPCARD, Dealer, Scene
from arena.kit.check.steps import Check, SkippedError
from arena.players.spec import BotSpec
from arena.rules.view import GameKind


class Part(NamedTuple):
    """A step to be taken.

    name, title: see `Step`. take: takes it; returns what was seen. vital: nothing can follow its failure.
    """

    name: str
    title: str
    take: Callable[[Check], Awaitable[str]]
    vital: bool = False


def _scene(name: str, title: str, scene: Scene) -> Part:
    return Part(name, title, partial(steps.asked, scene=scene))


def _game(name: str, title: str, game: GameKind, *opponents: str) -> Part:
    return Part(name, title, partial(life.whole_game, game=game, opponents=opponents))


PARTS = (
    Part("build", "Build", life.built, vital=True),
    Part("start", "Start", life.started, vital=True),
    Part("hello", "Hello", life.greeted, vital=True),
    _scene("upcard", "Upcard", UPCARD),
    _scene("draw", "Draw", DRAW),
    _scene("discard", "Discard, no knock possible", DISCARD),
    _scene("knock", "Discard or knock", KNOCK),
    _scene("big-gin", "Discard, knock or big gin", BIG_GIN),
    _scene("defence", "Defence against a knock", DEFENCE),
    _scene("gin-defence", "Defence against gin", GIN_DEFENCE),
    Part("last-discard", "Last discard", steps.last_discard),
    Part("captain", "Captain with advice", steps.captain),
    Part("advice", "Advice to the captain", steps.advice),
    Part("no-hints", "Everything again without hints", steps.without_hints),
    Part("batches", "Requests of many sizes", trials.batches),
    Part("notices", "Notices of unknown games", trials.notices),
    Part("interleaved", "Many games at once", trials.interleaved),
    Part("unknown-fields", "Unknown fields", trials.unknown_fields),
    Part("unknown-values", "Unknown values", trials.unknown_values),
    Part("restart", "Asked again after a restart", trials.restarted),
    Part("repeat", "Same turn, same seed, same answer", trials.repeated),
    _game("gin-random", "A game of gin against random", GameKind.GIN, "random"),
    _game("gin-simple", "A game of gin against simple", GameKind.GIN, "simple"),
    _game("oklahoma-random", "A game of Oklahoma against random", GameKind.OKLAHOMA, "random"),
    _game("oklahoma-simple", "A game of Oklahoma against simple", GameKind.OKLAHOMA, "simple"),
    _game("three-hand", "Three-hand with random and simple", GameKind.THREE_HAND, "random", "simple"),
    Part("speed", "Speed", life.speed),
    Part("goodbye", "Goodbye", life.parted),
)
"""The steps, in their order. A name stays what it is once it is published: programs know it."""


async def check_bot(
    spec: BotSpec,
    seed: str,
    *,
    quick: bool = False,
    parts: Sequence[Part] = PARTS,
    clock: Clock | None = None,
    isolation: Isolation = NO_ISOLATION,
    begin: Callable[[int, str], None] = lambda *_: None,
    done: Callable[[Step], None] = lambda _: None,
) -> Report:
    """Check a bot that is given by its folder. After a step that fails the next goes on with new processes.

    quick: fewer and shorter, for a check after every change. parts: steps to take, the vital ones among them.
    isolation: of the bot and of its build.
    begin: told of each step by number and title before it is taken. done: told of what came of it.
    Raises `HostError` if this machine cannot go on.
    """
    taken: list[Step] = []
    with tempfile.TemporaryDirectory(prefix="gin-check-") as logs:
        candidate = Candidate(spec, clock or Clock(), Path(logs), isolation)
        check = Check(candidate, Dealer(seed), quick)
        lost = ""
        try:
            for number, part in enumerate(parts, 1):
                begin(number, part.title)
                step = await _taken(number, part, check, lost)
                if part.vital and step.outcome is Outcome.FAILED:
                    lost = f"not tried: {part.title.lower()} has failed"
                taken.append(step)
                done(step)
        finally:
            await candidate.close()
    layers = tuple(isolation.lines())
    return Report(spec.name, spec.version, str(spec.folder), __version__, seed, quick, tuple(taken), layers)


async def _taken(number: int, part: Part, check: Check, lost: str) -> Step:
    """Take one step. lost: why it cannot be taken."""
    start = time.monotonic()
    check.warnings = []
    check.dealer.begin(number)
    problem = None
    if lost:
        return Step(number, part.name, part.title, Outcome.SKIPPED, lost, 0.0)
    try:
        note = await part.take(check)
        outcome = Outcome.WARNED if check.warnings else Outcome.PASSED
    except SkippedError as reason:
        note, outcome = str(reason), Outcome.SKIPPED
    except StepFailedError as failure:
        note, outcome = "", Outcome.FAILED
        await check.candidate.close()
        problem = failure.problem()
    seconds = round(time.monotonic() - start, 3)
    return Step(number, part.name, part.title, outcome, note, seconds, tuple(check.warnings), problem)
