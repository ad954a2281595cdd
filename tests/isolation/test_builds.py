"""The build of a stranger's bot is isolated: a network for what is fetched, none after, and limits."""

import os
import shutil
import socket
from contextlib import nullcontext
from pathlib import Path

import pytest
from bot_bench import nest

from arena.errors import InputError
from arena.isolation.lending import lent
from arena.isolation.probe import find_isolation
from arena.isolation.values import MIB, Isolation, Layer, Limits, Mode
from arena.players import build as builds
from arena.players.build import Built, build
from arena.players.launch import make_private_folder, remove_private_folder
from arena.players.manifest import read_manifest


@pytest.fixture(scope="module")
def isolation() -> Isolation:
    """All that there is here."""
    found = find_isolation(Mode.BEST_EFFORT, Limits())
    if not found.has(Layer.FILES):
        words = f"here is no {found.lines()[0]}"
        pytest.fail(words) if "CI" in os.environ else pytest.skip(words)
    return found


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    folder.mkdir(mode=0o700)
    return folder


def built(folder: Path, isolation: Isolation, script: str, fetch: str = "") -> Built:
    """Build a bot by a Python program, and another that fetches."""
    steps = {"fetch": fetch, "build": script}
    (folder / "bot.yaml").write_text(
        "name: bot\nrun: [./bot]\n"
        + "".join(f"{name}: ['{{python}}', {name}.py]\n" for name, text in steps.items() if text)
    )
    for name, text in steps.items():
        (folder / f"{name}.py").write_text(text)
    return build(read_manifest(folder), isolate=lambda: isolation, force=True)


def test_a_network_is_there_to_fetch_and_not_to_build(bot: Path, isolation: Isolation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect = f"import socket; socket.create_connection({server.getsockname()}, timeout=5)"
        assert built(bot, isolation, "", connect) is Built.BUILT
        with pytest.raises(InputError, match=r"(?s)the build command .*Connection refused"):
            built(bot, isolation, connect)


def test_what_is_fetched_is_kept_in_its_home(bot: Path, isolation: Isolation) -> None:
    keep = "import pathlib; (pathlib.Path.home() / 'crate').write_text('fetched')"
    use = "import pathlib; pathlib.Path('bot').write_text((pathlib.Path.home() / 'crate').read_text())"
    assert built(bot, isolation, use, keep) is Built.BUILT
    assert (bot / "bot").read_text() == "fetched"
    assert (bot / ".arena" / "home" / "crate").exists()


def test_a_build_sees_no_other_bot_and_no_secret(
    bot: Path, isolation: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = bot.parent / "other"
    other.mkdir()
    (other / "policy").write_text("secret")
    monkeypatch.setenv("TOKEN", "secret")
    look = f"import os; assert not os.path.exists({str(other)!r}); assert 'TOKEN' not in os.environ"
    assert built(bot, isolation, look, look) is Built.BUILT
    with pytest.raises(InputError, match=r"Read-only file system|Permission denied|No such file"):
        built(bot, isolation, f"open({str(bot.parent / 'mine')!r}, 'w')")


def test_the_folder_is_its_owners_again_whatever_happens(bot: Path, isolation: Isolation) -> None:
    make = "import os; os.makedirs('build/deep', exist_ok=True); open('build/deep/bot', 'w'); os.chmod('build', 0o4755)"
    built(bot, isolation, make)
    with pytest.raises(InputError):
        built(bot, isolation, f"{make}; raise SystemExit(1)")
    assert {path.stat().st_uid for path in [bot, *bot.rglob("*")]} == {os.getuid()}
    assert bot.stat().st_mode & 0o777 == 0o700
    shutil.rmtree(bot)


def test_output_without_end_ends_the_build(bot: Path, isolation: Isolation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builds, "LOG_BYTES", MIB)
    with pytest.raises(InputError, match="has printed more than 1 MiB; it printed:\n"):
        built(bot, isolation, "while True: print('x' * 1000)")
    assert (bot / ".arena" / "build.log").stat().st_size == MIB


def test_a_build_without_end_is_ended_with_all_it_has_started(
    bot: Path, isolation: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builds, "BUILD_SECONDS", 1.0)
    with pytest.raises(InputError, match="has not ended in 1 s"):
        built(bot, isolation, "import os, time; os.setsid() if os.fork() == 0 else 0; time.sleep(3600)")


@pytest.mark.parametrize(("depth", "name", "error"), [(1200, "in", None), (50, "i" * 200, OSError)])
def test_a_folder_comes_back_however_deep_it_has_become(depth: int, name: str, error: type[OSError] | None) -> None:
    folder = make_private_folder()
    folder.chmod(0o700)
    try:
        with pytest.raises(error) if error else nullcontext(), lent(folder, os.geteuid()):
            nest(folder, depth, name)
        assert folder.stat().st_mode & 0o777 == 0o700
    finally:
        remove_private_folder(folder)
