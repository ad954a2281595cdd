"""What of the file system a bot sees."""

import os
import sys
from pathlib import Path

import pytest

import arena
from arena.isolation import view


def tool(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's home, with a PATH of his own."""
    places = [tmp_path / place for place in (".local/bin", ".cargo/bin", "bin", "node/20/bin", ".pyenv/shims", "tools")]
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, [*places, "/usr/bin", "/bin"])))
    view.runtime.cache_clear()
    return tmp_path


def seen(*words: str, folder: Path = Path("/nowhere")) -> list[Path]:
    return [*view.runtime(words, folder)]


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ("node/20/bin/tool", "node/20"),
        (".pyenv/shims/tool", ".pyenv"),
        ("tools/tool", "tools"),
        ("bin/tool", "bin"),
        (".local/bin/tool", ".local/bin"),
        (".cargo/bin/tool", ".cargo/bin"),
    ],
)
def test_a_program_of_the_path_is_shown_with_what_it_needs_and_never_a_home(place: str, shown: str, home: Path) -> None:
    program = tool(home / place)
    assert seen("tool") == [home / shown]
    assert seen("sh", "tool") == [home / shown]
    assert seen(str(program)) == [home / shown]


def test_a_link_is_followed(home: Path) -> None:
    real = tool(home / "versions" / "3" / "bin" / "tool")
    (home / ".local" / "bin").mkdir(parents=True)
    (home / ".local" / "bin" / "tool").symlink_to(real)
    assert seen("tool") == [home / ".local" / "bin", home / "versions" / "3"]


def test_what_else_a_command_names_is_not_shown(home: Path) -> None:
    other = tool(home / "entries" / "other" / "bin" / "bot")
    assert seen("sh", str(other)) == []
    assert seen(str(other)) == []
    assert seen("sh", str(other.parent), "../../other/bin/bot") == []


def test_the_own_folder_and_the_system_are_shown_anyway(home: Path) -> None:
    assert seen("sh", "env", folder=home) == []
    tool(home / "tools" / "tool")
    assert seen("tool", folder=home / "tools") == []


def test_the_arenas_python_comes_with_the_arena_and_not_with_its_clone() -> None:
    shown = seen(sys.executable, "bot.py")
    package = Path(arena.__file__).parent
    assert any(package.is_relative_to(path) for path in (*shown, *view.SYSTEM))
    assert not any(package.parent == path for path in shown if not path.name.endswith("-packages"))


def test_nothing_of_the_system_is_a_password() -> None:
    shown = [path.name for path in view.system(network=True) if path.is_relative_to("/etc")]
    assert not {"shadow", "gshadow", "sudoers", "ssh", "environment", "machine-id"}.intersection(shown)


def test_what_only_its_owner_may_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for name in ("bot.yaml", "src/bot.py"):
        (tmp_path / name).touch(mode=0o644)
    files = ["bot.yaml", "src/bot.py"]
    tmp_path.chmod(0o700)
    assert view.closed(tmp_path, files) is None
    for number in range(2000):
        (tmp_path / str(number)).touch()
    assert view.closed(tmp_path, files) == tmp_path
    tmp_path.chmod(0o755)
    assert view.closed(tmp_path, files) is None
    (tmp_path / "src").chmod(0o700)
    assert view.closed(tmp_path, files) == tmp_path / "src" / "bot.py"
    (tmp_path / "src").chmod(0o755)
    (tmp_path / "src" / "bot.py").chmod(0o600)
    assert view.closed(tmp_path, files) == tmp_path / "src" / "bot.py"
