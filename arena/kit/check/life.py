"""The steps of a check around the decisions: build, start, whole games, speed, and the end."""

import asyncio
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from arena.dealer.room import Room
from arena.dealer.values import RoomRules
from arena.errors import HostError, InputError, printable, short
from arena.kit.check.candidate import REMEDY, Session, StepFailedError, not_ready
from arena.kit.check.processes import end, memory_of, told_of
from arena.kit.check.scenes import Dealer, Setting
from arena.kit.check.steps import Check, SkippedError
from arena.kit.interrupts import interruptible
from arena.players.build import Built, build
from arena.players.faults import Culprit, not_the_hosts
from arena.players.player import Player
from arena.players.process import exit_text
from arena.players.samples import sample
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import PlayRequest
from arena.rules.game import Play
from arena.rules.view import GameKind

USUAL_BATCH = 64
"""Turns in a request of a series with many tables."""


async def built(check: Check) -> str:
    """The build command."""
    start = time.monotonic()
    spec = check.candidate.spec
    try:
        with interruptible():
            done = build(spec, isolate=lambda: check.candidate.isolation)
    except InputError as error:
        expected = f"exit code 0 of {' '.join(spec.build or ())!r}"
        remedy = "Mend what the build complains of. `arena build` does the same, and shows the same."
        raise StepFailedError("the build command, in the bot's folder", str(error), expected, remedy) from None
    return f"built in {time.monotonic() - start:.1f} s" if done is Built.BUILT else done.value


async def started(check: Check) -> str:
    """From the start to a bot that listens."""
    player = check.candidate.player()
    check.meeting = not_the_hosts(await player.start())
    if check.meeting is not None and not player.listened:
        raise not_ready(player, check.meeting, check.clock)
    check.first = player
    return "listens" if check.meeting is not None else f"ready after {player.start_up:.2f} s"


async def greeted(check: Check) -> str:
    """Hello, and what it says."""
    player = check.first
    assert player is not None
    if check.meeting is not None:
        raise not_ready(player, check.meeting, check.clock)
    session = Session(player, check.settings[0], check.clock)
    check.candidate.keep(session)
    hello, spec = player.hello, check.candidate.spec
    kinds = [kind for kind in GameKind if int(kind) in [int(number) for number in hello.games]] or spec.games
    missing = [str(Setting(game)) for game in spec.games if game not in kinds]
    if missing:
        check.warnings.append(f"Hello does not name {' and '.join(missing)} as its games, bot.yaml does, and counts.")
    if hello.version and spec.version and hello.version != spec.version:
        check.warnings.append(f"Hello says version {short(hello.version)!r}, bot.yaml {spec.version!r}, which counts.")
    said = [f"version {hello.protocol_version}"]
    called = short(" ".join(filter(None, (hello.name, hello.version))))
    said += [f"calls itself {printable(called)}"] if hello.name else []
    said += [f"at most {hello.max_batch} turns a request"] if hello.max_batch else []
    said += ["wants to advise"] if hello.advises else []
    return ", ".join(said)


async def whole_game(check: Check, game: GameKind, opponents: Sequence[str]) -> str:
    """One game to its end, played as in a series: by a room, with a table, against sample bots."""
    if game not in check.candidate.spec.games:
        raise SkippedError("none of its games")
    specs = [sample(name) for name in opponents]
    others = [
        Player(spec, ready=check.clock.ready, goodbye=check.clock.goodbye, logs=check.candidate.logs)
        for spec in specs
        if spec is not None
    ]
    if len(others) < len(opponents):
        raise SkippedError(f"the sample bots {' and '.join(opponents)} are not here")
    setting = Setting(game)
    async with check.candidate.fresh(setting) as session:
        try:
            for failure in await asyncio.gather(*(other.start() for other in others)):
                if failure is not None:
                    raise HostError(f"a sample bot does not start: {failure.detail}")
            return await _game(check, setting, session.player, others, opponents)
        finally:
            await asyncio.gather(*(other.stop(0.0) for other in others))


async def _game(check: Check, setting: Setting, player: Player, others: Sequence[Player], names: Sequence[str]) -> str:
    rules = RoomRules(1, 1, False, check.clock.decision, check.clock.bank, quarantine_after=1)
    room = Room([player, *others], check.dealer.shared(setting, Play.GAMES), rules, excused=[player.spec.name])
    until = time.monotonic() + check.some(120, 30)
    records, voids = await room.play([check.dealer.spec(setting)], lambda: time.monotonic() > until)
    for void in voids:
        if void.fault.culprit is Culprit.HOST:
            raise HostError(void.detail)
    if not records:
        check.warnings.append(f"The game was broken off after {check.some(120, 30)} s.")
        return "not finished"
    (record,) = records
    for fault in record.faults:
        if fault.seat:
            raise HostError(f"the sample bot {names[fault.seat - 1]} fails: {fault.detail}")
        sent = f"a game of {setting} against {' and '.join(names)}; hand {fault.hand}"
        raise StepFailedError(sent, fault.detail, "a game without faults", REMEDY[fault.fault], player)
    hands = len(record.hands)
    return f"{' : '.join(map(str, record.outcome.totals))} in {hands} hand{'s' * (hands > 1)}"


async def speed(check: Check) -> str:
    """Decisions a second, alone and in batches; start-up; memory."""
    setting = check.settings[0]
    session = await check.candidate.session(setting)
    seconds = check.some(2, 1) / 2
    alone = await _timed(session, check.dealer, setting, 1, seconds)
    size = min(USUAL_BATCH, session.player.max_batch or USUAL_BATCH)
    batched = await _timed(session, check.dealer, setting, size, seconds)
    folder = session.player.folder
    memory = memory_of(folder) if folder is not None else 0
    mean = statistics.mean(alone)
    if mean > check.clock.decision:
        check.warnings.append(
            f"A decision takes {mean * 1000:.0f} ms on average. A series gives {check.clock.decision * 1000:.0f} ms "
            f"for one and {check.clock.bank:g} s a game on top, unless it says otherwise."
        )
    parts = [f"{1 / mean:,.0f} decisions/s alone", f"{size / statistics.mean(batched):,.0f} in batches of {size}"]
    parts += [f"start {session.player.start_up:.2f} s"]
    parts += [f"memory {memory / 1e6:.0f} MB"] if memory else []
    return ", ".join(parts)


async def _timed(session: Session, dealer: Dealer, setting: Setting, size: int, seconds: float) -> list[float]:
    """How long requests with so many turns took, in seconds."""
    base = PlayRequest()
    base.CopyFrom(session.head)
    for _ in range(max(size, 32)):
        table = dealer.anywhere(setting)
        assert table.asked is not None
        codec.add_turn(base, table.asked)
    times: list[float] = []
    left, at = seconds, 0
    while left > 0:
        request = PlayRequest(setup=base.setup)
        for _ in range(size):
            request.turns.append(base.turns[at % len(base.turns)])
            request.turns[-1].id = dealer.number()
            at += 1
        answer = await session.exchange(request, f"{size} turns, to see how long they take")
        times.append(answer.elapsed)
        left -= answer.elapsed
    return times


async def parted(check: Check) -> str:
    """The goodbye: the end of the stream, the exit of the process, and what is left of it."""
    setting = check.settings[0]
    async with check.candidate.fresh(setting) as session:
        await session.ask([check.dealer.anywhere(setting)])
        return await _parted(session.player, check.clock.goodbye)


async def _parted(player: Player, limit: float) -> str:
    folder = player.folder
    assert folder is not None
    start = time.monotonic()
    code = await player.part(limit)
    took = time.monotonic() - start
    sent = "the end of the arena's side of the stream, after one turn"
    if code is None:
        remedy = (
            "End the process when the stream has ended: the loop over its requests is over then. Later it is killed."
        )
        raise StepFailedError(sent, "the process goes on", f"its end within {limit:g} s", remedy, player)
    if code:
        remedy = "End with code 0 when the stream has ended; another code tells of a bug in the way out."
        raise StepFailedError(sent, f"the process {exit_text(code)}", "exit code 0", remedy, player)
    left = await _left(folder, limit)
    if left:
        end(left)
        told = "; ".join(f"{pid}: {words}" for pid, words in left.items())
        remedy = "End what the bot has started before it ends itself."
        raise StepFailedError(sent, f"processes that are still there ({told})", "none", remedy, player)
    return f"exit code 0 after {took:.2f} s"


async def _left(folder: Path, limit: float) -> dict[int, str]:
    """The bot's processes that are still there after so many seconds."""
    until = time.monotonic() + limit
    while (left := told_of(folder)) and time.monotonic() < until:  # noqa: ASYNC110 -- nobody tells
        await asyncio.sleep(0.02)
    return left
