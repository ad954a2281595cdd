"""Those who knock and should not: each is told why it is refused, and nobody else is put out."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

import grpc
import pytest
from bot_bench import request
from door_bench import DoorBench, Stream, dialled, hello, until
from grpc import StatusCode
from series_bench import SAMPLES, InThisProcess, records_of, write_series

from arena.protocol.v1 import join_pb2 as pb
from arena.protocol.v1.player_pb2 import ACTION_STOCK, Decision, HelloResponse, PlayResponse
from arena.server import door
from arena.server.joined import JoinedStream
from arena.tournament import local
from arena.tournament.running import begin, runner_of
from arena.tournament.series import load_series

Knock = Callable[[Stream], Awaitable[object]]


async def introduced(stream: Stream, said: pb.Introduction) -> None:
    await stream.say(introduction=said)


async def of_another_version(stream: Stream) -> None:
    await introduced(stream, pb.Introduction(hello=hello(version=2), bot="ada"))


async def without_a_version(stream: Stream) -> None:
    await introduced(stream, pb.Introduction(hello=HelloResponse(), bot="ada"))


async def unknown(stream: Stream) -> None:
    await introduced(stream, pb.Introduction(hello=hello(), bot="eve\n"))


async def long(stream: Stream) -> None:
    await introduced(stream, pb.Introduction(hello=hello("x" * 5000), bot="ada"))


async def wrong_conversation(stream: Stream) -> None:
    await introduced(stream, pb.Introduction(hello=hello(), bot="ada", conversation="x"))


async def waiting_conversation(stream: Stream) -> None:
    """Nothing was asked on it yet, so there is nothing to go on with."""
    await stream.introduce("ada")
    await introduced(stream, pb.Introduction(hello=hello(), bot="ada", conversation=stream.conversation))


async def silent(stream: Stream) -> None:
    """Says nothing at all."""


async def leaving(stream: Stream) -> None:
    await stream.close()


async def playing_at_once(stream: Stream) -> None:
    await stream.say(play=PlayResponse(decisions=[Decision(turn_id=1, action=ACTION_STOCK)]))


async def playing_unasked(stream: Stream) -> None:
    await stream.introduce("ada")
    await playing_at_once(stream)


async def empty(stream: Stream) -> None:
    await stream.introduce("ada")
    await stream.say()


async def echoing(stream: Stream) -> None:
    await stream.introduce("ada")
    await stream.say(echo=pb.Echo(id=1))


async def oversized(stream: Stream) -> None:
    await stream.introduce("ada")
    await stream.say(play=PlayResponse(decisions=[Decision(text="x" * (2 << 20))]))


async def garbling(stream: Stream) -> None:
    await stream.introduce("ada")
    await stream.say_bytes(b"\xff\xff\xff")


async def crowding(stream: Stream) -> None:
    """Keeps more streams waiting than one bot may."""
    await introduced(stream, pb.Introduction(hello=hello(), bot="full"))


REFUSED = [
    (of_another_version, StatusCode.FAILED_PRECONDITION, "the bot speaks version 2 of the protocol, expected 1"),
    (without_a_version, StatusCode.FAILED_PRECONDITION, "the bot speaks version 0 of the protocol, expected 1"),
    (
        unknown,
        StatusCode.NOT_FOUND,
        "no series here waits for a bot 'eve\\n': see to its name (--name, or ARENA_NAME), or try",
    ),
    (long, StatusCode.INVALID_ARGUMENT, "an introduction of 5"),
    (wrong_conversation, StatusCode.NOT_FOUND, "this conversation is over, or was never one of this bot; open a new"),
    (waiting_conversation, StatusCode.INVALID_ARGUMENT, "a second introduction on one stream, expected decisions or"),
    (silent, StatusCode.DEADLINE_EXCEEDED, "no introduction within 0.3 s, expected it at once"),
    (leaving, StatusCode.INVALID_ARGUMENT, "the stream begins without an introduction, expected one"),
    (playing_at_once, StatusCode.INVALID_ARGUMENT, "the stream begins without an introduction, expected one"),
    (playing_unasked, StatusCode.INVALID_ARGUMENT, "decisions on a stream on which nothing was asked yet, expected"),
    (empty, StatusCode.INVALID_ARGUMENT, "a message with nothing in it, expected decisions or an echo"),
    (echoing, StatusCode.INVALID_ARGUMENT, "an echo of no probe that was sent, expected one of the last probe"),
    (oversized, StatusCode.RESOURCE_EXHAUSTED, "larger than max"),
    (garbling, StatusCode.INVALID_ARGUMENT, "a message that is no JoinRequest, expected one"),
    (crowding, StatusCode.RESOURCE_EXHAUSTED, "full has 8 streams open, which is the most; close some, and keep one"),
]


async def refused(bench: DoorBench, knock: Knock) -> tuple[StatusCode, str]:
    async with dialled(bench.address) as stream:
        with suppress(grpc.aio.AioRpcError):
            await knock(stream)
        return await stream.verdict()


async def crowd(bench: DoorBench) -> None:
    """Have as many streams as one bot may."""
    async with asyncio.TaskGroup() as group:
        for _ in range(8):
            group.create_task(keep_waiting(bench))


async def keep_waiting(bench: DoorBench) -> None:
    async with dialled(bench.address) as stream:
        await stream.introduce("full")
        await stream.verdict()


def test_strangers_are_told_why_and_put_nobody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them knock while a series is played, among them one that never answers a probe."""
    monkeypatch.setattr(door, "INTRODUCTION_SECONDS", 0.3)
    path = write_series(tmp_path, [SAMPLES / "simple", {"name": "bob", "join": True}], groups=4)
    series = load_series(path)

    async def never_echo() -> None:
        async with dialled(bench.address) as stream:
            await stream.introduce("ada")
            await stream.verdict()

    def full() -> bool:
        return sum(bot.waiting for bot in bench.door.joined() if bot.name == "full") == 8

    async def knocking() -> None:
        for _ in range(3):
            found.extend(await asyncio.gather(*(refused(bench, knock) for knock, _, _ in REFUSED)))

    found: list[tuple[StatusCode, str]] = []
    with DoorBench(streams=8) as bench:
        bench.expect("ada", "full", series="another")
        addresses = bench.expect("bob")
        bench.begin(crowd(bench))
        bench.begin(never_echo())
        bench.bot("bob")
        bench.run(until(full))
        bench.begin(knocking())
        with begin(series, tmp_path, tmp_path / "run") as run, patch.object(local, "WorkerPool", InThisProcess):
            runner_of(run, series.reached(addresses)).play(None, lambda _: None)
        bench.run(until(lambda: len(found) == 3 * len(REFUSED)))
        (ada, *_) = bench.run(joined(bench))
    assert not any(record.faults for _, record in records_of(tmp_path / "run"))
    for (code, told), (_, expected, reason) in zip(found, REFUSED * 3, strict=True):
        assert code is expected, told
        assert reason in told
    assert (ada.name, ada.waiting, ada.round_trip) == ("ada", 1, None)


async def joined(bench: DoorBench) -> list[door.JoinedBot]:
    return bench.door.joined()


def test_a_bug_in_the_hearing_ends_the_stream_and_the_bot_may_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyError("nobody has foreseen this")

    with DoorBench() as bench:
        bench.expect("ada")
        monkeypatch.setattr(JoinedStream, "_take", fails)
        code, told = bench.run(refused(bench, playing_unasked))
        assert (code, "KeyError" in told) == (StatusCode.UNKNOWN, True)  # else it would be waited for
        monkeypatch.undo()
        assert bench.run(refused(bench, playing_unasked))[0] is StatusCode.INVALID_ARGUMENT


def test_a_token_lets_in_its_own_bots_alone() -> None:
    async def knock(name: str, own: str) -> tuple[StatusCode, str]:
        async with dialled(bench.address, [("own", own), ("label", "t")]) as stream:
            try:
                await stream.introduce(name)
            except grpc.aio.AioRpcError:
                return await stream.verdict()
            return StatusCode.OK, ""

    with DoorBench() as bench:
        bench.expect("ada", "bob")
        assert bench.run(knock("ada", "ada cid")) == (StatusCode.OK, "")
        told = "this token may not dial in as 'bob', expected a bot of its own: ada, cid (--name, or ARENA_NAME)"
        assert bench.run(knock("bob", "ada cid")) == (StatusCode.PERMISSION_DENIED, told)


def test_a_conversation_is_gone_on_with_by_its_own_bot_and_caller_alone() -> None:
    """Even one who knows its name, which nobody else is told."""

    async def take(name: str, conversation: str, label: str) -> tuple[StatusCode, str]:
        async with dialled(bench.address, [("own", "ada bob"), ("label", label)]) as stream:
            try:
                await stream.introduce(name, conversation)
            except grpc.aio.AioRpcError:
                return await stream.verdict()
            return StatusCode.OK, ""

    async def thefts(address: str) -> list[tuple[StatusCode, str]]:
        async with (
            dialled(bench.address, [("own", "ada bob"), ("label", "hers")]) as stream,
            grpc.aio.insecure_channel(address) as worker,
        ):
            name = (await stream.introduce("ada")).conversation
            play: grpc.aio.StreamStreamCall[bytes, bytes] = worker.stream_stream("/arena.v1.Player/Play")()
            await play.write(request(1).SerializeToString())
            await stream.asked()
            found = [
                await take(*who) for who in (("bob", name, "hers"), ("ada", name, "his"), ("ada", name[1:], "hers"))
            ]
            stream.cancel()
            found.append(await take("ada", name, "hers"))
            play.cancel()
            return found

    with DoorBench() as bench:
        address = bench.expect("ada", "bob")["ada"]
        *stolen, resumed = bench.run(thefts(address))
    assert [code for code, _ in stolen] == [StatusCode.NOT_FOUND] * 3
    assert resumed == (StatusCode.OK, "")
