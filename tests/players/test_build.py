"""Building a bot, and leaving it alone where nothing has changed."""

import errno
import os
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.players.build import Built, build
from arena.players.launch import build_environment
from arena.players.manifest import read_manifest
from arena.players.spec import BotSpec

COUNTING = """
import os
os.makedirs("build", exist_ok=True)
with open("build/count", "a") as count:
    count.write("x")
open("build/bot", "w").close()
os.chmod("build/bot", 0o755)
"""
"""A build that counts how often it is run, and makes the program `build/bot`."""

BUILDING = (
    "import sys; from pathlib import Path; from arena.players.build import build; "
    "from arena.players.manifest import read_manifest; print(build(read_manifest(Path(sys.argv[1]))))"
)
"""A program that builds the bot in a folder and says what came of it."""


@pytest.mark.parametrize("name", ["home", "Größe 1", "it's", 'a "b" c'])
def test_the_home_of_a_build_is_one_word_to_java_whatever_its_folder_is_called(name: str, tmp_path: Path) -> None:
    variables = build_environment(tmp_path / name, tmp_path)
    assert shlex.split(variables["JAVA_TOOL_OPTIONS"]) == [f"-Duser.home={tmp_path / name}"]


def bot(folder: Path, *command: str, run: str = "./build/bot") -> BotSpec:
    """A bot with this build command."""
    told = f"build: [{', '.join(map(repr, command))}]\n" if command else ""
    (folder / "bot.yaml").write_text(f"name: bot\n{told}run: ['{run}']\n")
    return read_manifest(folder)


@pytest.fixture
def counted(tmp_path: Path) -> BotSpec:
    """A bot with the counting build."""
    (tmp_path / "make.py").write_text(COUNTING)
    return bot(tmp_path, "{python}", "make.py")


def builds(spec: BotSpec) -> int:
    """How often a counting build has run."""
    assert spec.folder is not None
    return len((spec.folder / "build" / "count").read_text())


def test_a_build_runs_in_the_folder(tmp_path: Path) -> None:
    assert build(bot(tmp_path, "{python}", "-c", 'open("made", "w").close()')) is Built.BUILT
    assert (tmp_path / "made").exists()


def test_a_bot_without_a_build_needs_none(tmp_path: Path) -> None:
    assert build(bot(tmp_path)) is Built.NOTHING
    assert [path.name for path in tmp_path.iterdir()] == ["bot.yaml"]


def test_what_has_not_changed_is_not_built_again(counted: BotSpec) -> None:
    assert [build(counted) for _ in range(3)] == [Built.BUILT, Built.UNCHANGED, Built.UNCHANGED]
    assert builds(counted) == 1


def test_force_builds_what_has_not_changed(counted: BotSpec) -> None:
    assert [build(counted, force=True) for _ in range(2)] == [Built.BUILT, Built.BUILT]
    assert builds(counted) == 2


def test_a_changed_file_or_command_is_built(counted: BotSpec) -> None:
    assert counted.folder is not None
    build(counted)
    (counted.folder / "more.py").write_text("")
    assert build(counted) is Built.BUILT
    assert build(bot(counted.folder, "{python}", "-B", "make.py")) is Built.BUILT
    assert builds(counted) == 3


@pytest.mark.parametrize("run", ["./build/bot", "build/bot"])
def test_a_program_that_is_gone_is_built_again(run: str, tmp_path: Path) -> None:
    (tmp_path / "make.py").write_text(COUNTING)
    spec = bot(tmp_path, "{python}", "make.py", run=run)
    build(spec)
    (tmp_path / "build" / "bot").unlink()
    assert build(spec) is Built.BUILT


@pytest.mark.parametrize(("run", "gone"), [("build/bot", "build/bot"), ("-cp, build, Bot", "build")])
def test_a_file_or_folder_of_the_run_command_that_is_gone_is_built_again(run: str, gone: str, tmp_path: Path) -> None:
    (tmp_path / "make.py").write_text(COUNTING)
    (tmp_path / "bot.yaml").write_text(f"name: bot\nbuild: ['{{python}}', make.py]\nrun: ['{{python}}', {run}]\n")
    spec = read_manifest(tmp_path)
    assert [build(spec), build(spec)] == [Built.BUILT, Built.UNCHANGED]
    (tmp_path / gone).rename(tmp_path / "target")
    assert build(spec) is Built.BUILT


def test_a_word_of_the_run_command_may_be_longer_than_a_path_can_be(counted: BotSpec) -> None:
    spec = replace(counted, run=("sh", "-c", "x" * 5000))
    assert [build(spec), build(spec)] == [Built.BUILT, Built.UNCHANGED]


def test_a_folder_that_changed_while_it_was_built_is_built_once_more(tmp_path: Path) -> None:
    spec = bot(tmp_path, "{python}", "-c", 'open("edited", "w").close()', run=sys.executable)
    assert [build(spec) for _ in range(3)] == [Built.BUILT, Built.BUILT, Built.UNCHANGED]


def test_a_build_that_fails_is_told_in_its_own_words_and_is_tried_again(tmp_path: Path) -> None:
    spec = bot(tmp_path, "sh", "-c", "echo bot.c:3: what is this; echo no compiler >&2; exit 3")
    for _ in range(2):
        with pytest.raises(InputError) as failed:
            build(spec)
        assert str(failed.value) == (
            f"{tmp_path}: the build command 'sh -c echo bot.c:3: what is this; echo no compiler >&2; exit 3' "
            "failed with code 3; it printed:\n    bot.c:3: what is this\n    no compiler"
        )


def test_of_a_long_output_the_end_is_told_and_all_is_kept(tmp_path: Path) -> None:
    with pytest.raises(InputError) as failed:
        build(bot(tmp_path, "sh", "-c", "seq 10000; exit 1"))
    head, *lines = str(failed.value).splitlines()[1:]
    log = tmp_path / ".arena" / "build.log"
    assert head == f"    ... 48894 bytes, all of them in {log}"
    assert lines[-1] == "    10000"
    assert len(log.read_text().splitlines()) == 10000


def test_a_failed_build_leaves_no_trace_of_an_earlier_one(counted: BotSpec) -> None:
    assert counted.folder is not None
    build(counted)
    (counted.folder / "make.py").write_text("raise SystemExit(1)")
    with pytest.raises(InputError, match="failed with code 1; it printed nothing"):
        build(counted)
    with pytest.raises(InputError):
        build(counted)


def test_a_build_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the build command 'mak' cannot be run: there is no command 'mak'"):
        build(bot(tmp_path, "mak"))


def test_a_build_in_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    spec = bot(tmp_path, "true")
    (tmp_path / ".arena").write_text("a file in the way")
    with pytest.raises(InputError, match=r"\.arena: this is not of the arena's making, expected a folder \.arena"):
        build(spec)


def test_what_hears_of_the_beginning_may_fail_in_its_own_way(counted: BotSpec) -> None:
    """It is no fault of the folder if nobody reads any more what is printed."""

    def unheard() -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    with pytest.raises(BrokenPipeError):
        build(counted, begin=unheard)
    assert build(counted) is Built.BUILT


def sleeps(process: int) -> bool:
    """Whether this process runs the program `sleep`."""
    try:
        return b"sleep" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="only Linux lets a process die with another, by setpriv")
def test_a_build_dies_with_its_arena(tmp_path: Path) -> None:
    spec = bot(tmp_path, "sh", "-c", "mkdir build; echo $$ > build/pid; mv build/pid build/begun; exec sleep 3600")
    begun = tmp_path / "build" / "begun"
    with subprocess.Popen([sys.executable, "-c", BUILDING, str(spec.folder)]) as arena:
        while not begun.exists():
            time.sleep(0.01)
        arena.kill()
    while sleeps(int(begun.read_text())):  # until the system has taken note
        time.sleep(0.01)


def test_processes_that_build_one_folder_at_once_build_it_once(counted: BotSpec) -> None:
    assert counted.folder is not None
    (counted.folder / "make.py").write_text(f"import time; time.sleep(0.5){COUNTING}")
    command = [sys.executable, "-c", BUILDING, str(counted.folder)]
    at_work = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) for _ in range(3)]
    told = sorted(process.communicate()[0].strip() for process in at_work)
    assert told == ["built", "unchanged", "unchanged"]
    assert builds(counted) == 1
