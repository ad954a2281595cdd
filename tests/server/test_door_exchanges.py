"""Single requests to a bot that has dialled in: what its network costs it, and what the arena asks again."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import pytest
from bot_bench import LONG, SHORT, ask, request
from door_bench import PATIENCE, DoorBench, Muffled, Stream, dialled, hello, until
from grpc import StatusCode
from grpc.aio import AioRpcError

from arena.players.connection import Remote
from arena.players.faults import Fault
from arena.players.player import Exchange, Player
from arena.players.spec import inline_spec
from arena.protocol.v1 import join_pb2 as pb
from arena.protocol.v1.player_pb2 import ACTION_STOCK, Decision, Link, PlayRequest, PlayResponse
from arena.server import conversation

FAR = 2.0
"""Seconds to a bot that is far away, and back."""
AWAY = 4.0
"""Seconds that a bot is away: so long that a busy machine alone does not take the most of it."""
REMOTE = Remote(grace=30.0, network=30.0)

T = TypeVar("T")


def decisions(asked: PlayRequest, count: int | None = None) -> PlayResponse:
    return PlayResponse(decisions=[Decision(turn_id=turn.id, action=ACTION_STOCK) for turn in asked.turns[:count]])


def exchanges(
    bench: DoorBench,
    logs: Path,
    bot: Callable[[], Coroutine[Any, Any, None]],
    script: Callable[[Player], Awaitable[T]],
    *,
    remote: Remote = REMOTE,
    grace: float = 30.0,
) -> T:
    """What comes of a script with a player, whose bot is `ada`: it begins to dial in now."""
    address = bench.expect("ada", grace=grace)["ada"]
    bench.begin(bot())
    spec = replace(inline_spec("ada", joins=True), address=address)

    async def whole() -> T:
        player = Player(spec, ready=PATIENCE, goodbye=1.0, logs=logs, remote=remote)
        try:
            assert await player.start() is None
            await asyncio.to_thread(bench.run, until(bench.has_waiting))  # else its time to come would begin
            return await script(player)
        finally:
            await player.stop()

    return asyncio.run(whole())


async def far_away(bench: DoorBench) -> None:
    """Answer everything, but as from far away, and perhaps when it is too late."""
    async with dialled(bench.address) as stream:
        with suppress(AioRpcError, asyncio.InvalidStateError):
            await from_afar(stream)


async def from_afar(stream: Stream) -> None:
    await stream.introduce("ada")
    while (said := await stream.next()) is not None:
        await asyncio.sleep(FAR)
        if said.HasField("probe"):
            await stream.say(echo=pb.Echo(id=said.probe.id))
        else:
            await stream.say(play=decisions(said.play))


@pytest.mark.parametrize(("network", "limit", "fault"), [(30.0, 0.9 * FAR, None), (0.01, 0.25 * FAR, Fault.TIMEOUT)])
def test_the_network_is_taken_off_the_time_of_a_bot_but_not_without_end(
    network: float, limit: float, fault: Fault | None, tmp_path: Path
) -> None:
    with DoorBench() as bench:

        async def script(player: Player) -> tuple[Exchange, list[float]]:
            await asyncio.to_thread(bench.run, until(lambda: bench.door.joined()[0].round_trip is not None))
            answer = await ask(player, 1, limit=limit)
            return answer, player.take_notes().round_trips

        answer, trips = exchanges(bench, tmp_path, lambda: far_away(bench), script, remote=Remote(30.0, network))
    assert (answer.failure and answer.failure.fault) == fault
    assert (1 in answer.decisions) is (fault is None)
    assert len(trips) == 1
    assert trips[0] >= FAR


def test_a_bot_that_is_away_is_not_charged_and_is_asked_again_what_it_has_not_answered(tmp_path: Path) -> None:
    seen: list[list[int]] = []

    async def bot() -> None:
        async with dialled(bench.address) as stream:
            name = (await stream.introduce("ada")).conversation
            asked = await stream.asked()
            seen.append([turn.id for turn in asked.turns])
            await stream.say(play=decisions(asked, 1))
            await until(lambda: bench.unanswered("ada") == 2)  # else it could arrive after the end does
        await asyncio.sleep(AWAY)
        async with dialled(bench.address) as stream:
            assert (await stream.introduce("ada", name)).conversation == name
            asked = await stream.asked()
            seen.append([turn.id for turn in asked.turns])
            assert asked.setup == request(2, 3).setup
            await stream.say(play=decisions(asked))
            assert await stream.verdict() == (StatusCode.OK, "")

    with DoorBench() as bench:
        answer = exchanges(bench, tmp_path, bot, lambda player: ask(player, 1, 2, 3, limit=0.8 * AWAY))
    assert answer.failure is None
    assert sorted(answer.decisions) == [1, 2, 3]
    assert seen == [[1, 2, 3], [2, 3]]


def test_a_clock_that_stood_still_goes_on_when_the_bot_is_back(tmp_path: Path) -> None:
    async def bot() -> None:
        async with dialled(bench.address) as stream:
            name = (await stream.introduce("ada")).conversation
            await stream.asked()
        async with dialled(bench.address) as stream:
            await stream.introduce("ada", name)
            await stream.asked()
            await stream.verdict()

    with DoorBench() as bench:
        answer = exchanges(bench, tmp_path, bot, lambda player: ask(player, 1, limit=SHORT))
    assert answer.failure is not None
    assert (answer.failure.fault, answer.failure.detail) == (
        Fault.TIMEOUT,
        "draw asked; the bot did not answer in time",
    )


@pytest.mark.parametrize("graces", [10, 0])
def test_a_bot_that_does_not_come_back_has_dropped_its_connection(
    graces: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its time to come back is over: of this break, or of all breaks of its conversation together."""
    monkeypatch.setattr(conversation, "GRACES", graces)

    async def bot() -> None:
        async with dialled(bench.address) as stream:
            await stream.introduce("ada")
            await stream.asked()

    with DoorBench() as bench:
        grace = SHORT if graces else LONG
        answer = exchanges(bench, tmp_path, bot, lambda player: ask(player, 1), grace=grace, remote=Remote(grace, 0.0))
    assert answer.failure is not None
    told = "draw asked; the bot dropped its connection, and did not come back in time"
    assert (answer.failure.fault, answer.failure.detail) == (Fault.CRASH, told)


def test_a_bot_has_to_keep_a_stream_waiting_while_it_plays_on_another(tmp_path: Path) -> None:
    async def bot() -> None:
        async with dialled(bench.address) as stream:
            await stream.introduce("ada")
            await stream.say(play=decisions(await stream.asked()))
            await stream.verdict()

    async def script(player: Player) -> Exchange:
        assert (await ask(player, 1)).failure is None
        other = Player(player.spec, ready=PATIENCE, goodbye=1.0, logs=tmp_path, remote=Remote(SHORT))
        try:
            assert await other.start() is None  # the bot is there
            return await ask(other, 2)
        finally:
            await other.stop()

    with DoorBench() as bench:
        answer = exchanges(bench, tmp_path, bot, script, grace=SHORT)
    assert answer.failure is not None
    told = "draw asked; the bot kept no stream waiting, and opened none in time"
    assert (answer.failure.fault, answer.failure.detail) == (Fault.CRASH, told)


def test_a_bot_that_closes_its_stream_has_left(tmp_path: Path) -> None:
    async def bot() -> None:
        async with dialled(bench.address) as stream:
            await stream.introduce("ada")
            await stream.asked()
            await stream.close()
            assert await stream.verdict() == (StatusCode.OK, "")

    with DoorBench() as bench:
        answer = exchanges(bench, tmp_path, bot, lambda player: ask(player, 1))
    assert answer.failure is not None
    assert (answer.failure.fault, answer.failure.detail) == (Fault.CRASH, "draw asked; the bot closed its stream")


def test_a_break_while_nothing_is_asked_costs_nothing_where_another_stream_waits(tmp_path: Path) -> None:
    answered, broken = Event(), asyncio.Event()

    async def bot() -> None:
        async with dialled(bench.address) as stream:
            await stream.introduce("ada")
            await stream.say(play=decisions(await stream.asked()))
            await until(answered.is_set)
        async with dialled(bench.address) as stream:
            await stream.introduce("ada")
            await until(lambda: bench.has_waiting() and not bench.door._bots["ada"].conversations)  # the grace is over
            broken.set()
            await stream.say(play=decisions(await stream.asked()))
            assert await stream.verdict() == (StatusCode.OK, "")

    async def script(player: Player) -> list[Exchange]:
        first = await ask(player, 1)
        answered.set()
        await asyncio.to_thread(bench.run, broken.wait())
        return [first, await ask(player, 2)]

    with DoorBench() as bench:
        answers = exchanges(bench, tmp_path, bot, script, grace=SHORT)
    assert [(sorted(answer.decisions), answer.failure) for answer in answers] == [([1], None), ([2], None)]


def test_a_bot_may_know_before_the_arena_that_its_stream_is_broken(tmp_path: Path) -> None:
    async def bot() -> None:
        async with dialled(bench.address) as old, dialled(bench.address) as new:
            name = (await old.introduce("ada")).conversation
            asked = await old.asked()
            await new.introduce("ada", name)
            assert await new.asked() == asked
            assert await old.verdict() == (StatusCode.ABORTED, "another stream goes on with this conversation")
            await new.say(play=decisions(asked))
            assert await new.verdict() == (StatusCode.OK, "")

    with DoorBench() as bench:
        answer = exchanges(bench, tmp_path, bot, lambda player: ask(player, 1))
    assert (sorted(answer.decisions), answer.failure) == ([1], None)


def test_a_line_that_goes_silent_is_noticed_and_the_bot_goes_on_by_another(tmp_path: Path) -> None:
    async def bot() -> None:
        async with Muffled(bench.address) as way, dialled(way.address) as silent:
            name = (await silent.introduce("ada")).conversation
            asked = await silent.asked()
            way.go_silent()
            await until(lambda: not bench.door.present("ada"))
            async with dialled(bench.address) as stream:
                await stream.introduce("ada", name)
                assert await stream.asked() == asked
                await stream.say(play=decisions(asked))
                assert await stream.verdict() == (StatusCode.OK, "")

    with DoorBench() as bench:
        answer = exchanges(bench, tmp_path, bot, lambda player: ask(player, 1, limit=PATIENCE))
    assert (sorted(answer.decisions), answer.failure) == ([1], None)


def test_a_bot_that_is_back_too_late_is_told_so(tmp_path: Path) -> None:
    async def bot() -> None:
        async with dialled(bench.address) as stream:
            name = (await stream.introduce("ada")).conversation
            await stream.asked()
        over.append(name)

    async def late(name: str) -> tuple[StatusCode, str]:
        async with dialled(bench.address) as stream:
            await stream.say(introduction=pb.Introduction(hello=hello(), bot="ada", conversation=name))
            return await stream.verdict()

    over: list[str] = []
    with DoorBench() as bench:
        answer = exchanges(bench, tmp_path, bot, lambda player: ask(player, 1), grace=SHORT)
        code, told = bench.run(late(over[0]))
    assert answer.failure is not None
    assert (code, told) == (StatusCode.NOT_FOUND, conversation.OVER)


def test_no_bot_can_say_what_the_door_says_of_its_connection(tmp_path: Path) -> None:
    async def bot() -> None:
        async with dialled(bench.address) as stream:
            await stream.introduce("ada")
            asked = await stream.asked()
            link = Link(away=True, round_trip_us=3_600_000_000)
            await stream.say(play=PlayResponse(decisions=decisions(asked).decisions, link=link))
            await stream.asked()
            await stream.say(play=PlayResponse(link=link))
            await stream.verdict()

    async def script(player: Player) -> tuple[Exchange, Exchange, list[float]]:
        first, second = await ask(player, 1), await ask(player, 2, limit=SHORT)
        return first, second, player.take_notes().round_trips

    with DoorBench() as bench:
        first, second, trips = exchanges(bench, tmp_path, bot, script)
    assert (sorted(first.decisions), first.failure) == ([1], None)
    assert second.failure is not None
    assert second.failure.fault is Fault.TIMEOUT
    assert all(trip < FAR for trip in trips)


UNASKED = "broke the conversation: decisions where nothing was asked"
Misdeed = Callable[[Stream, PlayRequest], Awaitable[None]]


async def answers_twice(stream: Stream, asked: PlayRequest) -> None:
    await stream.say(play=decisions(asked))
    await stream.say(play=decisions(asked))


async def answers_another(stream: Stream, asked: PlayRequest) -> None:
    await stream.say(play=PlayResponse(decisions=[Decision(turn_id=77, action=ACTION_STOCK)]))


async def floods(stream: Stream, asked: PlayRequest) -> None:
    for _ in range(2000):
        await stream.say(play=PlayResponse())


async def swells(stream: Stream, asked: PlayRequest) -> None:
    """Answers that are large, each small enough to come through."""
    for turn in asked.turns:
        await stream.say(play=PlayResponse(decisions=[Decision(turn_id=turn.id, text="x" * 1_000_000)]))


async def introduces_itself_again(stream: Stream, asked: PlayRequest) -> None:
    await stream.say(introduction=pb.Introduction(bot="ada"))


async def echoes_nothing(stream: Stream, asked: PlayRequest) -> None:
    await stream.say(echo=pb.Echo(id=7))


async def says_nothing(stream: Stream, asked: PlayRequest) -> None:
    await stream.say()


@pytest.mark.parametrize(
    ("misdeed", "told"),
    [
        # Which of these depends on whether more is asked by then, or just being asked.
        (answers_twice, f"{UNASKED}|answered a turn that it was not asked|closed its stream"),
        (answers_another, "answered a turn that it was not asked"),
        (floods, "broke the conversation: more than 1000 answers without a decision to one request"),
        (swells, "broke the conversation: answers of more than 4 MiB to one request"),
        (introduces_itself_again, "broke the conversation: a second introduction on one stream, expected decisions or"),
        (echoes_nothing, "broke the conversation: an echo of no probe that was sent, expected one of the last probe"),
        (says_nothing, "broke the conversation: a message with nothing in it, expected decisions or an echo"),
    ],
)
def test_what_breaks_a_conversation_is_the_bots_fault(misdeed: Misdeed, told: str, tmp_path: Path) -> None:
    async def bot() -> None:
        async with dialled(bench.address) as stream:
            await stream.introduce("ada")
            with suppress(AioRpcError):  # the arena may have ended the stream before all is said
                await misdeed(stream, await stream.asked())
            await stream.verdict()

    async def script(player: Player) -> Exchange:
        answer = await ask(player, *range(1, 9))
        return answer if answer.failure else await ask(player, 9)

    with DoorBench() as bench:
        answer = exchanges(bench, tmp_path, bot, script)
    assert answer.failure is not None
    assert answer.failure.fault is (Fault.CRASH if "closed" in answer.failure.detail else Fault.PROTOCOL)
    assert re.search(f"; the bot ({told})", answer.failure.detail)
