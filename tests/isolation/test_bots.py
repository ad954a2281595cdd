"""A bot in its sandbox, as the arena starts and ends it."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from bot_bench import processes_of

from arena.isolation.groups import Group
from arena.isolation.probe import find_isolation
from arena.isolation.values import MIB, Isolation, Layer, Limits, Mode
from arena.players.faults import Failure, Fault
from arena.players.player import Player
from arena.players.process import BotProcess, Output
from arena.players.spec import BotSpec, Transport, inline_spec

BOTS = Path(__file__).parent / "bots"
Test = Callable[[BotProcess], Awaitable[None]]


@pytest.fixture(scope="module")
def isolation() -> Isolation:
    """All that there is here."""
    found = find_isolation(Mode.BEST_EFFORT, Limits(memory=300 * MIB))
    if not found.has(Layer.FILES):
        words = f"here is no {found.lines()[0]}"
        pytest.fail(words) if "CI" in os.environ else pytest.skip(words)
    return found


def listener(*way: str, transport: Transport = Transport.AUTO) -> BotSpec:
    return inline_spec("listener", run=("{python}", "listener.py", *way), folder=BOTS, transport=transport)


def started(spec: BotSpec, isolation: Isolation, logs: Path, test: Test) -> str:
    """Start a bot, wait until it listens, do a test with it, and end it. Returns what it printed."""

    async def script() -> str:
        output = Output(logs, "listener")
        process = await BotProcess.start(spec, output, isolation)
        assert isinstance(process, BotProcess)
        try:
            await process.ready()
            await test(process)
        finally:
            await process.end(0)
        assert list(processes_of(process.folder)) == []
        assert not process.folder.exists()
        return output.out.latest + output.err.latest

    return asyncio.run(script())


def is_bot(pid: int) -> bool:
    """Whether it is the bot itself, and nothing that starts it."""
    return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[1] == b"listener.py"


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.parametrize("way", ["as it was told", "by a child"])
def test_the_process_that_serves_is_known_whatever_is_around_it(way: str, isolation: Isolation, tmp_path: Path) -> None:
    async def test(process: BotProcess) -> None:
        assert is_bot(process.bot_pid)
        assert is_bot(parent_of(process.bot_pid)) == (way == "by a child")
        seconds = process.cpu_seconds()
        assert seconds is None or seconds > 0

    started(listener(way), isolation, tmp_path, test)


@pytest.mark.parametrize(("way", "code"), [("as it was told", 0), ("by a child", 3)])
def test_a_polite_end_reaches_the_bot_itself(way: str, code: int, isolation: Isolation, tmp_path: Path) -> None:
    async def test(process: BotProcess) -> None:
        assert await process.end(30) == code

    assert started(listener(way), isolation, tmp_path, test) == "told to end\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_the_signal_that_ended_it_is_known(number: signal.Signals, isolation: Isolation, tmp_path: Path) -> None:
    async def test(process: BotProcess) -> None:
        os.kill(process.bot_pid, number)
        assert await process.exited == -number

    started(listener(), isolation, tmp_path, test)


def test_a_bot_on_tcp_is_left_the_network(isolation: Isolation, tmp_path: Path) -> None:
    async def test(process: BotProcess) -> None:
        assert process.target is not None
        host, port = process.target.split(":")
        _, writer = await asyncio.open_connection(host, int(port))
        writer.close()

    started(listener(transport=Transport.TCP), isolation, tmp_path, test)


def test_no_memory_is_left_is_known(isolation: Isolation, tmp_path: Path) -> None:
    if not isolation.has(Layer.TOTALS):
        pytest.skip(f"here is no {isolation.lines()[-1]}")

    async def test(process: BotProcess) -> None:
        while not process.out_of_memory():  # noqa: ASYNC110 -- nobody tells
            await asyncio.sleep(0.01)

    started(listener("uses up its memory"), isolation, tmp_path, test)


def test_a_folder_that_only_its_owner_may_enter_is_shown(isolation: Isolation, tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    folder.mkdir(mode=0o700)
    (folder / "listener.py").write_bytes((BOTS / "listener.py").read_bytes())

    async def test(process: BotProcess) -> None:
        assert process.target is not None

    started(replace(listener(), folder=folder), isolation, tmp_path, test)


def test_the_folder_of_the_run_is_hidden(isolation: Isolation, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.sqlite").write_text("the seed")
    spec = inline_spec("looks", run=("/bin/sh", "-c", "ls -A run"), folder=tmp_path)

    async def test(process: BotProcess) -> None:
        assert await process.exited == 0

    assert started(spec, isolation, tmp_path / "logs", test) == "run.sqlite\n"
    assert started(spec, replace(isolation, hidden=(run,)), tmp_path / "logs", test) == ""


def test_it_is_hidden_also_among_the_folders_of_the_system(isolation: Isolation, tmp_path: Path) -> None:
    run = Path("/usr/share")
    spec = inline_spec("looks", run=("/bin/sh", "-c", f"echo {run}/*"), folder=tmp_path)

    async def test(process: BotProcess) -> None:
        assert await process.exited == 0

    assert started(spec, isolation, tmp_path / "logs", test) != f"{run}/*\n"
    assert started(spec, replace(isolation, hidden=(run,)), tmp_path / "logs", test) == f"{run}/*\n"


def test_a_sandbox_that_cannot_be_made_is_the_hosts_fault(isolation: Isolation, tmp_path: Path) -> None:
    async def script() -> None:
        gone = replace(listener(), folder=tmp_path / "bot")
        (tmp_path / "bot").mkdir()
        broken = replace(isolation, hidden=(tmp_path / "bot" / "no such folder to be hidden",))
        process = await BotProcess.start(gone, Output(tmp_path / "logs", "gone"), broken)
        assert isinstance(process, BotProcess)
        await process.exited
        assert process.unboxed
        await process.end(0)

    asyncio.run(script())


@pytest.mark.parametrize("boxed", [True, False])
def test_a_group_that_cannot_be_entered_is_the_hosts_fault(
    boxed: bool, isolation: Isolation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not isolation.has(Layer.TOTALS):
        pytest.skip(f"here is no {isolation.lines()[-1]}")
    monkeypatch.setattr(Group, "entering", lambda _: f"echo 0 >{tmp_path}/gone/cgroup.procs")
    layers = tuple(state for state in isolation.layers if boxed or state.layer is Layer.TOTALS)
    player = Player(listener(), ready=60, goodbye=1, logs=tmp_path, isolation=replace(isolation, layers=layers))

    async def script() -> Failure | None:
        failure = await player.start()
        await player.stop(0)
        return failure

    failure = asyncio.run(script())
    assert failure is not None
    assert failure.fault is Fault.SPAWN


def test_a_required_network_cannot_be_gone_around_by_a_long_path(
    isolation: Isolation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("long" * 25)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))

    async def script() -> BotProcess | Failure:
        return await BotProcess.start(listener(), Output(tmp_path, "x"), replace(isolation, mode=Mode.REQUIRED))

    failure = asyncio.run(script())
    assert isinstance(failure, Failure)
    assert failure.fault is Fault.SPAWN
    assert sys.platform == "linux"
