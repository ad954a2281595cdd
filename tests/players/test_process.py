"""A bot's process: what it is given, what is kept of its output, and its death with its arena."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bot_bench import BOTS, Bench, ask, nest, rascal

from arena.errors import HostError
from arena.players import launch
from arena.players.faults import Failure, Fault
from arena.players.log import HEAD, TAIL
from arena.players.process import BotProcess, Output
from arena.players.spec import Transport, inline_spec


def test_a_million_lines_leave_head_and_tail(bench: Bench) -> None:
    player = bench.player("floods")

    async def script() -> None:
        assert await player.start() is None
        assert list((await ask(player, 1)).decisions) == [1]
        assert list((await ask(player, 2)).decisions) == [2]
        await player.stop()

    asyncio.run(script())
    log = bench.read()
    assert HEAD + TAIL < len(log) < HEAD + TAIL + 100
    assert log.startswith("the first line\none line of a thousand\n")
    assert log.endswith("one line of a thousand\nthe last line\n")


def test_a_bot_has_a_clean_environment_and_a_session_of_its_own(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTPS_PROXY", "GRPC_VERBOSITY", "PYTHONSTARTUP", "SECRET"):
        monkeypatch.setenv(name, "mine")
    player = bench.player("looks around")

    async def script() -> None:
        assert await player.start() is None
        await player.stop()

    asyncio.run(script())
    *lines, about = bench.read().splitlines()
    environment = dict(line.split("=", 1) for line in lines)
    environment.pop("LC_CTYPE", None)  # Python's own, where LANG has no UTF-8
    known = {"PATH", "HOME", "TMPDIR", "LANG", "ARENA_LISTEN", "PYTHONUNBUFFERED", "PYTHONHASHSEED", "PYTHONPATH"}
    assert set(environment) <= known
    assert environment["HOME"] == environment["TMPDIR"]
    assert about == f"cwd={BOTS} home=[] session=True"


def test_a_private_folder_is_private(bench: Bench) -> None:
    folder = launch.make_private_folder()
    assert folder.parent == bench.private
    assert folder.stat().st_mode & 0o777 == 0o700
    locked = folder / "scratch" / "locked"
    locked.mkdir()
    (locked / "file").touch()
    locked.chmod(0o500)
    launch.remove_private_folder(folder)
    assert not folder.exists()


def test_a_long_path_is_no_place_for_a_socket(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 25)
    assert launch.listen_address(Transport.AUTO, folder) == "tcp:127.0.0.1:0"
    with pytest.raises(HostError, match="set TMPDIR to a folder with a shorter one"):
        launch.listen_address(Transport.UNIX, folder)


def test_the_ready_line_is_found_in_pieces_and_among_others(bench: Bench) -> None:
    async def script() -> None:
        process = BotProcess(bench.private, "tcp:127.0.0.1:0", Output(bench.logs, "bot"))
        for piece in (b"x" * 10_000, b"\nARENA-READY 127.0.0.1:", b"99999999\nARENA-READY 10.0.0.1:5\n", b"ARENA-RE"):
            process.pipe_data_received(1, piece)
            assert process.target is None
        process.pipe_data_received(2, b"ADY 127.0.0.1:1\n")
        process.pipe_data_received(1, b"ADY 127.0.0.1:50")
        assert process.target is None
        process.pipe_data_received(1, b"051\r\nmore\n")
        assert process.target == "127.0.0.1:50051"

    asyncio.run(script())


def test_a_file_in_place_of_the_socket_is_not_ready(bench: Bench) -> None:
    async def script() -> None:
        process = await BotProcess.start(rascal("never listens"), Output(bench.logs, "bot"))
        assert isinstance(process, BotProcess)
        (process.folder / "s").touch()
        waiting = asyncio.create_task(process.ready())
        await bench.first_words()
        await asyncio.sleep(0.05)
        assert not waiting.done()
        waiting.cancel()
        assert await process.end(0) == -signal.SIGKILL

    asyncio.run(script())


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="only Linux lets a process die with another, by setpriv")
def test_a_bot_dies_with_its_arena(bench: Bench) -> None:
    program = """
import asyncio, sys
from pathlib import Path
from bot_bench import Bench
async def main():
    player = Bench(Path(sys.argv[1]), Path(sys.argv[2])).player("sleeps")
    assert await player.start() is None
    print(player._process.pid, flush=True)
    await asyncio.sleep(3600)
asyncio.run(main())
"""
    environment = {**os.environ, "TMPDIR": str(bench.private), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program, str(bench.logs), str(bench.private)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as arena:
        assert arena.stdout is not None
        bot = int(arena.stdout.readline())
        assert bot in bench.left()[1]
        arena.kill()
    while bench.left()[1]:  # the kernel's signal may take a moment
        time.sleep(0.01)
    for folder in bench.left()[0]:
        launch.remove_private_folder(folder)


def test_a_program_is_started_by_its_full_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every system looks for `build/bot` in the folder where the bot is to run."""
    (tmp_path / "a:b" / "build").mkdir(parents=True)
    program = tmp_path / "a:b" / "build" / "bot"
    program.touch(mode=0o700)
    monkeypatch.chdir(tmp_path)
    for folder in (Path("a:b"), tmp_path / "a:b"):
        for run in ("build/bot", "./build/bot"):
            assert launch.command((run, "-v"), folder)[-2:] == [str(program), "-v"]
    assert launch.command(("sh",), tmp_path)[-1] == shutil.which("sh")
    assert launch.command(("{python}",), tmp_path)[-1] == sys.executable
    assert launch.command(("nowhere",), tmp_path)[-1] == "nowhere"


@pytest.mark.skipif(sys.platform == "win32", reason="no such folders can be made there")
@pytest.mark.parametrize(("depth", "name"), [(1500, "in"), (50, "i" * 200)])
def test_its_private_folder_is_removed_however_deep_it_is(depth: int, name: str) -> None:
    folder = launch.make_private_folder()
    nest(folder / "scratch", depth, name)
    (folder / "scratch" / name / "file").touch(mode=0o400)
    (folder / "scratch" / name).chmod(0o500)
    (folder / "link").symlink_to(Path.cwd())
    launch.remove_private_folder(folder)
    assert not folder.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_a_command_line_that_no_system_takes_is_its_own_fault(tmp_path: Path) -> None:
    async def script() -> BotProcess | Failure:
        return await BotProcess.start(inline_spec("long", run=("{python}", "x" * 10_000_000)), Output(tmp_path, "long"))

    failure = asyncio.run(script())
    assert isinstance(failure, Failure)
    assert failure.fault is Fault.NEVER_READY
