"""What a stranger's folder brings along makes the arena write to no file but its own, and wait for nothing."""

import os
import sys
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.players.build import Built, build
from arena.players.files import bot_files
from arena.players.manifest import read_manifest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are those of Unix")

STEPS = {
    "built": "rm -f .arena/built; ln -s {victim} .arena/built",
    "build.log": "rm -f .arena/build.log; ln -s {victim} .arena/build.log",
    ".arena": "rm -r .arena; ln -s {victim}s .arena",
}


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file that is nobody's business, and beside it a folder of the same name with an `s`."""
    (tmp_path / "victims").mkdir()
    file = tmp_path / "victim"
    file.write_text("precious")
    return file


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    (folder / ".arena").mkdir(parents=True)
    return folder


def built(bot: Path, build_script: str = "echo mine", fetch_script: str = "true") -> Built:
    (bot / "bot.yaml").write_text(
        f"name: bot\nfetch: [sh, -c, '{fetch_script}']\nbuild: [sh, -c, '{build_script}']\nrun: [sh]\n"
    )
    return build(read_manifest(bot))


@pytest.mark.parametrize("name", ["built", "build.log", "lock", "home"])
def test_a_link_that_lies_there_is_refused(bot: Path, victim: Path, name: str) -> None:
    (bot / ".arena" / name).symlink_to(victim)
    with pytest.raises(InputError, match=rf"\.arena/{name}: this is not of the arena's making.*; remove it"):
        built(bot)
    assert victim.read_text() == "precious"


@pytest.mark.parametrize("name", ["built", "build.log", "lock"])
def test_a_pipe_is_not_waited_for(bot: Path, name: str) -> None:
    os.mkfifo(bot / ".arena" / name)
    with pytest.raises(InputError, match="not of the arena's making"):
        built(bot)


def test_a_folder_that_is_a_link_is_refused(bot: Path, victim: Path) -> None:
    (bot / ".arena").rmdir()
    (bot / ".arena").symlink_to(f"{victim}s")
    with pytest.raises(InputError, match=r"\.arena: this is not of the arena's making"):
        built(bot)
    assert not list(Path(f"{victim}s").iterdir())


def test_a_lock_with_something_in_it_is_not_opened(bot: Path) -> None:
    (bot / ".arena" / "lock").write_bytes(b"SQLite format 3\0")
    with pytest.raises(InputError, match="not of the arena's making"):
        built(bot)


@pytest.mark.parametrize("step", ["fetch", "build"])
@pytest.mark.parametrize("name", STEPS)
def test_a_link_that_a_step_makes_leads_nowhere(bot: Path, victim: Path, name: str, step: str) -> None:
    script = STEPS[name].format(victim=victim)
    with pytest.raises(InputError, match="not of the arena's making"):
        built(bot, script) if step == "build" else built(bot, fetch_script=script)
    assert victim.read_text() == "precious"
    assert not list(Path(f"{victim}s").iterdir())


def test_the_log_that_is_shown_is_the_one_that_was_kept(bot: Path, victim: Path) -> None:
    with pytest.raises(InputError) as caught:
        built(bot, f"{STEPS['build.log'].format(victim=victim)}; echo said; exit 1")
    assert "precious" not in str(caught.value)
    assert "said" in str(caught.value)


@pytest.mark.skipif(sys.platform != "linux", reason="other kernels have no such files")
@pytest.mark.parametrize("target", ["/proc/kmsg", "/proc/kcore", "/proc/self/root/proc/kmsg", "/dev/zero"])
def test_what_the_kernel_makes_up_is_no_file_of_a_bot(tmp_path: Path, target: str) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.yaml").write_text("name: bot\nrun: [sh]\n")
    (bot / "weights").symlink_to(target)
    assert bot_files(bot) == ["bot.yaml"]
    (bot / "bot.yaml").unlink()
    (bot / "bot.yaml").symlink_to(target)
    with pytest.raises(InputError):
        read_manifest(bot)
