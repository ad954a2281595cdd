"""A player's life, and what it makes of every way a bot can fail. Real processes; no limit but where one is tested."""

import asyncio
import os
import signal

import pytest
from bot_bench import LONG, SHORT, Bench, ask, play, rascal, request

from arena.players.faults import Culprit, Fault
from arena.players.process import BotProcess, Output
from arena.players.spec import Transport, inline_spec

# All is well.


@pytest.mark.parametrize("transport", [Transport.UNIX, Transport.TCP])
def test_a_bot_says_hello_and_answers(bench: Bench, transport: Transport) -> None:
    player = bench.player(spec=rascal(transport=transport))

    async def script() -> None:
        assert (player.hello.name, player.max_batch, player.advises) == ("misbehaving", 64, True)
        for ids in ((1,), range(2, 300)):
            exchange = await ask(player, *ids)
            assert exchange.failure is None
            assert sorted(exchange.decisions) == list(ids)
            assert all(decision.turn_id == turn_id for turn_id, decision in exchange.decisions.items())

    play(player, script)
    assert player.start_up > 0


def test_decisions_may_come_one_by_one_in_any_order(bench: Bench) -> None:
    player = bench.player("answers one by one")

    async def script() -> None:
        for first in (1, 101):
            exchange = await ask(player, *range(first, first + 50))
            assert list(exchange.decisions) == list(range(first + 49, first - 1, -1))

    play(player, script)


def test_notices_are_sent_without_an_answer(bench: Bench) -> None:
    player = bench.player()

    async def script() -> None:
        for turn_id in range(5):
            decisions, failure, _ = await ask(player)
            assert (decisions, failure) == ({}, None)
            assert list((await ask(player, turn_id)).decisions) == [turn_id]

    play(player, script)


def test_many_players_at_once(bench: Bench) -> None:
    async def script() -> None:
        players = [bench.player(), bench.player(), bench.player()]
        await asyncio.gather(*(player.start() for player in players))
        exchanges = await asyncio.gather(*(ask(player, 7) for player in players))
        assert [list(exchange.decisions) for exchange in exchanges] == [[7], [7], [7]]
        await asyncio.gather(*(player.stop() for player in players))

    asyncio.run(script())


def test_a_bot_at_an_address_is_asked_but_not_ended(bench: Bench) -> None:
    async def script() -> None:
        process = await BotProcess.start(rascal(transport=Transport.TCP), Output(bench.logs, "elsewhere"))
        assert isinstance(process, BotProcess)
        await process.ready()
        player = bench.player(spec=inline_spec("remote", address=process.target))
        for start in (player.start, player.restart):
            assert await start() is None
            assert list((await ask(player, 1)).decisions) == [1]
        await player.stop()
        assert not process.exited.done()
        await process.end(0)

    asyncio.run(script())


# A bad start.


@pytest.mark.parametrize(
    ("way", "fault", "detail"),
    [
        (
            "crashes at start",
            Fault.NEVER_READY,
            "the process exited with code 1 before it was ready",
        ),
        (
            "raises in hello",
            Fault.NEVER_READY,
            "the bot answered Hello by the status UNKNOWN before it was ready",
        ),
        ("garbles hello", Fault.PROTOCOL, "the bot answered Hello by a message that is no HelloResponse"),
        ("speaks version 2", Fault.PROTOCOL, "the bot speaks version 2 of the protocol, expected 1"),
    ],
)
def test_a_bad_start(bench: Bench, way: str, fault: Fault, detail: str) -> None:
    player = bench.player(way)
    failure = asyncio.run(player.start())
    assert failure is not None
    assert (failure.fault, failure.detail) == (fault, detail)
    assert player.failure is failure
    assert bench.left() == ([], [])


def test_a_bot_that_never_listens(bench: Bench) -> None:
    sleeper = inline_spec("sleeper", run=("{python}", "-c", "import time; time.sleep(3600)"))
    failure = asyncio.run(bench.player(spec=sleeper, ready=5.0).start())
    assert failure is not None
    assert failure.fault is Fault.NEVER_READY
    assert failure.detail.startswith("the bot did not listen at the address in ARENA_LISTEN within 5 s")


def test_a_bot_that_never_says_hello(bench: Bench) -> None:
    async def script() -> None:
        process = await BotProcess.start(rascal("hangs in hello"), Output(bench.logs, "elsewhere"))
        assert isinstance(process, BotProcess)
        await process.ready()
        failure = await bench.player(spec=inline_spec("remote", address=process.target), ready=SHORT).start()
        assert failure is not None
        assert (failure.fault, failure.detail) == (Fault.NEVER_READY, "the bot did not answer Hello within 0.3 s")
        await process.end(0)

    asyncio.run(script())


def test_nobody_at_an_address(bench: Bench) -> None:
    player = bench.player(spec=inline_spec("remote", address=f"unix:{bench.logs}/nobody"), ready=SHORT)
    failure = asyncio.run(player.start())
    assert failure is not None
    assert (failure.fault, failure.detail) == (Fault.NEVER_READY, "the bot did not answer Hello within 0.3 s")


@pytest.mark.parametrize(
    ("command", "detail"),
    [
        ("misbehaving.py", "there is no command 'misbehaving.py'; the file of that name in the bot's folder is "),
        ("./nothing", "there is no file './nothing'"),
        ("./misbehaving.py", "'./misbehaving.py' may not be executed"),
        ("no-such-command", "there is no command 'no-such-command'"),
    ],
)
def test_a_command_that_cannot_be_run(bench: Bench, command: str, detail: str) -> None:
    spec = inline_spec("rascal", run=(command,), folder=rascal().folder)
    failure = asyncio.run(bench.player(spec=spec).start())
    assert failure is not None
    assert failure.fault is Fault.NEVER_READY
    assert failure.detail.startswith(f"cannot be started: {detail}")


def test_a_machine_that_cannot_start_a_bot_is_the_host(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more(*_: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(BotProcess, "_spawn", no_more)
    failure = asyncio.run(bench.player().start())
    assert failure is not None
    assert failure.fault.culprit is Culprit.HOST
    assert failure.detail == "cannot be started: Cannot allocate memory"


# A bad end.


@pytest.mark.parametrize(
    ("way", "answered", "fault", "detail"),
    [
        (("exits with", "0"), 0, Fault.CRASH, "the process exited with code 0"),
        (("exits with", "3"), 0, Fault.CRASH, "the process exited with code 3"),
        (("ends by", "SIGSEGV"), 0, Fault.CRASH, "the process was ended by SIGSEGV"),
        (("ends by", "SIGKILL"), 0, Fault.KILLED, "the process was ended by SIGKILL"),
        (
            ("raises",),
            0,
            Fault.CRASH,
            "the bot ended its stream with the status UNKNOWN",
        ),
        (("answers half and closes",), 1, Fault.CRASH, "the bot closed its stream"),
        (("answers twice",), 0, Fault.PROTOCOL, "the bot answered a turn a second time"),
        (("answers another",), 0, Fault.PROTOCOL, "the bot answered a turn that it was not asked"),
        (("answers too much",), 0, Fault.PROTOCOL, "the bot sent a message of more than 1048576 bytes"),
        (("answers garbage",), 0, Fault.PROTOCOL, "the bot sent a message that is no PlayResponse"),
    ],
)
def test_a_bot_that_fails(bench: Bench, way: tuple[str, ...], answered: int, fault: Fault, detail: str) -> None:
    player = bench.player(*way)

    async def script() -> None:
        decisions, failure, _ = await ask(player, 1, 2, 3)
        assert list(decisions) == [1, 2, 3][:answered]
        assert failure is not None
        assert failure.fault is fault
        assert failure.detail == f"several decisions asked at once; {detail}"
        assert bench.left() == ([], [])

    play(player, script)


@pytest.mark.parametrize(
    "way", [("sleeps",), ("ends by", "SIGSTOP"), ("calls sys.exit",), ("answers half",), ("claims to be away",)]
)
def test_a_bot_that_stalls(bench: Bench, way: tuple[str, ...]) -> None:
    player = bench.player(*way)

    async def script() -> None:
        decisions, failure, elapsed = await ask(player, 1, 2, 3, limit=SHORT)
        assert list(decisions) in ([], [1] if way == ("answers half",) else [])
        assert elapsed >= SHORT
        assert failure is not None
        assert failure.fault is Fault.TIMEOUT
        told = "several decisions asked at once; the bot did not answer in time"
        assert failure.detail.startswith(told)
        assert bench.left() == ([], [])

    play(player, script)


def test_a_stopped_bot_cannot_block_a_large_request(bench: Bench) -> None:
    player = bench.player()

    async def script() -> None:
        assert player._process is not None
        os.kill(player._process.pid, signal.SIGSTOP)
        large = request(1)
        large.turns[0].history = bytes(32_000_000)
        failure = (await player.exchange(large, [1], SHORT)).failure
        assert failure is not None
        assert failure.detail == "draw asked; the bot did not answer in time"

    play(player, script)


def test_an_answer_nobody_waits_for_fails_the_next_exchange(bench: Bench) -> None:
    player = bench.player("answers again later")

    async def script() -> None:
        assert (await ask(player, 1)).failure is None
        decisions, failure, _ = await ask(player, 2)
        assert not decisions
        assert failure is not None
        assert (failure.fault, failure.detail) == (
            Fault.PROTOCOL,
            "draw asked; the bot answered a turn that it was not asked",
        )

    play(player, script)


def test_a_bot_that_closes_its_stream_between_two_exchanges(bench: Bench) -> None:
    player = bench.player("closes its stream")

    async def script() -> None:
        assert (await ask(player, 1)).failure is None
        failure = (await ask(player, 2)).failure
        assert failure is not None
        assert (failure.fault, failure.detail) == (
            Fault.CRASH,
            "draw asked; the bot closed its stream",
        )

    play(player, script)


def test_a_bot_that_dies_between_two_exchanges(bench: Bench) -> None:
    player = bench.player()

    async def script() -> None:
        assert (await ask(player, 1)).failure is None
        assert player._process is not None
        os.kill(player._process.pid, signal.SIGKILL)
        failure = (await ask(player, 2)).failure
        assert failure is not None
        assert (failure.fault, failure.detail) == (
            Fault.KILLED,
            "draw asked; the process was ended by SIGKILL",
        )

    play(player, script)


def test_an_exit_is_noticed_though_a_child_keeps_the_connection(bench: Bench) -> None:
    wrapper = "{python} misbehaving.py sleeps & until [ -e $HOME/asked ]; do sleep 0.02; done; exit 7"
    player = bench.player(spec=inline_spec("rascal", run=("sh", "-c", wrapper), folder=rascal().folder))

    async def script() -> None:
        failure = (await ask(player, 1)).failure
        assert failure is not None
        assert failure.fault is Fault.CRASH
        assert "the process exited with code 7" in failure.detail
        assert bench.left() == ([], [])

    play(player, script)


# Again, and the end.


def test_a_failed_bot_is_restarted_with_an_empty_scratch_folder(bench: Bench) -> None:
    player = bench.player("looks around", "3")

    async def script() -> None:
        assert player._process is not None
        before = player._process.pid, player._process.folder
        assert not (await ask(player, 1, 2)).failure
        failure = (await ask(player, 3, 4)).failure
        assert failure is not None
        assert await player.restart() is None
        assert player.failure is None
        assert player._process is not None
        assert before != (player._process.pid, player._process.folder)
        assert not (await ask(player, 4)).failure
        assert await player.restart() is None, "a player can be renewed that has not failed"

    play(player, script)
    assert bench.read().count("home=[]") == 3
    assert "\n--- start 2 ---\n" in bench.read()


def test_a_bot_may_finish_when_it_is_told_goodbye(bench: Bench) -> None:
    player = bench.player("says goodbye")

    async def script() -> None:
        assert not (await ask(player, 1)).failure

    play(player, script)
    assert bench.read() == "goodbye\n"


@pytest.mark.parametrize("way", ["ignores TERM", "starts a child", "sleeps"])
def test_a_bot_ends_with_all_it_has_started(bench: Bench, way: str) -> None:
    player = bench.player(way, goodbye=SHORT)

    async def script() -> None:
        await player.exchange(request(), [], LONG)

    play(player, script)
    assert bench.left() == ([], [])


def test_a_cancelled_exchange_leaves_a_player_to_stop_or_restart(bench: Bench) -> None:
    player = bench.player("sleeps")

    async def script() -> None:
        task = asyncio.create_task(ask(player, 1))
        await bench.first_words()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await player.restart() is None
        task = asyncio.create_task(ask(player, 1))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    play(player, script)


def test_a_cancelled_start_leaves_nothing(bench: Bench) -> None:
    async def script() -> None:
        player = bench.player("never listens")
        task = asyncio.create_task(player.start())
        await bench.first_words()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert bench.left() == ([], [])
        await player.stop()

    asyncio.run(script())


def test_what_cannot_be_done_in_a_state_is_a_mistake_of_the_program(bench: Bench) -> None:
    async def script() -> None:
        player = bench.player()
        with pytest.raises(AssertionError, match="has to be READY, this is NEW"):
            await ask(player, 1)
        await player.start()
        first, second = asyncio.create_task(ask(player, 1)), asyncio.create_task(ask(player, 2))
        with pytest.raises(AssertionError, match="has to be READY, this is PLAYING"):
            await second
        assert list((await first).decisions) == [1]
        await player.stop()
        with pytest.raises(AssertionError, match="has to be READY or BROKEN, this is ENDED"):
            await player.restart()
        await player.stop()

    asyncio.run(script())
