"""Every way a command can end, with a real process: exit code, one line on standard error, no traceback."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

import pytest
import typer
from command import call_arena, run_arena
from thinning import thinned
from typer.testing import CliRunner

import arena
from arena.cli import main
from arena.cli.app import app

PROGRAM = """
import errno, signal, sys, typer
from arena import errors
from arena.cli import app, main

@app.app.command()
def probe():
    {body}

sys.argv = ["arena", "probe"]
main.main()
"""

TOO_SMALL = ": this machine, or its limits (ulimit), are too small for this\n"


def run_probe(
    body: str, *, stdout: IO[str] | int = subprocess.PIPE, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command with this body behind the real boundary."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(body=body)],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )


def test_version_is_printed() -> None:
    done = run_arena("--version")
    assert (done.returncode, done.stdout) == (0, f"Gin Arena {arena.__version__}\n")


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_shows_examples(option: str) -> None:
    done = run_arena(option)
    assert done.returncode == 0
    assert "arena run tournaments/quickstart.yaml" in done.stdout
    assert "\x1b" not in done.stdout


def test_every_help_fits_a_terminal_of_80_columns() -> None:
    def names(command: object, *before: str) -> Iterator[tuple[str, ...]]:
        yield before
        for name, one in getattr(command, "commands", {}).items():
            yield from names(one, *before, name)

    ran = [
        CliRunner().invoke(app, [*name, "--help"], env={"COLUMNS": "80"}) for name in names(typer.main.get_command(app))
    ]
    assert len(ran) > 30
    assert [line for one in ran for line in one.output.split("\n") if len(line) > 80] == []


def test_no_command_shows_the_help_and_is_wrong_usage() -> None:
    done = run_arena()
    assert (done.returncode, done.stdout) == (2, "")
    assert "Usage: arena" in done.stderr


@pytest.mark.parametrize(
    ("argument", "line"),
    [
        ("--bogus", "No such option: --bogus: try 'arena --help'\n"),
        ("bogus", "No such command 'bogus': try 'arena --help'\n"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(argument: str, line: str) -> None:
    done = call_arena(argument)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line)


@pytest.mark.parametrize(
    ("body", "code", "line"),
    [
        ("pass", 0, ""),
        ("raise typer.Exit(1)", 1, ""),
        ("raise errors.InputError('cup.yaml:3:5: wrong')", 2, "cup.yaml:3:5: wrong\n"),
        ("raise errors.RunError('in use')", 2, "in use\n"),
        ("raise errors.RecordError('hand 3 is damaged')", 2, "hand 3 is damaged\n"),
        ("raise errors.HostError('no descriptors left')", 3, "no descriptors left\n"),
        ("open('/nowhere/at/all')", 3, "/nowhere/at/all: No such file or directory\n"),
        ("raise OSError(errno.ENOSPC, 'No space left on device')", 3, "No space left on device\n"),
        ("raise MemoryError", 3, f"no memory is left{TOO_SMALL}"),
        ('raise RuntimeError("can\'t start new thread")', 3, f"can't start new thread{TOO_SMALL}"),
        (
            # A process that was started in the background ignores the signal.
            "signal.signal(signal.SIGINT, signal.default_int_handler); signal.raise_signal(signal.SIGINT)",
            130,
            "interrupted\n",
        ),
    ],
)
def test_an_ending_has_its_code_and_its_line(body: str, code: int, line: str) -> None:
    done = run_probe(body)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", line)


def test_a_bug_is_named_and_its_traceback_kept_in_a_file(tmp_path: Path) -> None:
    done = run_probe("{}['lost']", environment={"TMPDIR": str(tmp_path)})
    (kept,) = tmp_path.glob("arena-bug-*.txt")
    assert done.returncode == 3
    assert done.stderr == f"this is a bug in the arena (KeyError: 'lost'); please report it with {kept}\n"
    assert kept.read_text().startswith("Traceback")


def test_a_reader_that_stops_reading_is_no_error() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w") as closed:
        done = run_probe("print('line\\n' * 100_000)", stdout=closed)
    assert (done.returncode, done.stderr) == (141, "")


def test_output_that_does_not_fit_on_the_disk_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        done = run_probe("print('a line')", stdout=full)
    assert (done.returncode, done.stderr) == (3, "No space left on device\n")


NOWHERE = Path("/nowhere")
READING = [
    ["standings", "RUN"],
    ["export", "RUN"],
    ["replay", "RUN", "0"],
    ["replay", "RUN", "0", "1"],
    ["verify", "RUN"],
]
READING += [["schedule", "SERIES"], ["--help"]]


def with_streams(arguments: list[str], played: Path, streams: str) -> tuple[int, str]:
    """Run a command with its streams as a shell is told; returns its code and what came to standard error."""
    filled = [{"RUN": str(played), "SERIES": str(played.parent / "small.yaml")}.get(word, word) for word in arguments]
    script = f'"$@" {streams}'
    done = subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "arena", *filled], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("arguments", thinned(READING, 3))
def test_a_reader_that_stops_reading_ends_every_command_alike(arguments: list[str], played: Path) -> None:
    closed, end = os.pipe()
    os.close(closed)
    filled = [{"RUN": str(played), "SERIES": str(played.parent / "small.yaml")}.get(word, word) for word in arguments]
    done = subprocess.run(
        [sys.executable, "-m", "arena", *filled], stdout=end, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(end)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("arguments", thinned(READING, 3))
def test_output_that_cannot_be_written_is_the_hosts_for_every_command(arguments: list[str], played: Path) -> None:
    assert with_streams(arguments, played, ">/dev/full") == (3, "No space left on device\n")


@pytest.mark.parametrize("streams", ["<&- >&- 2>&-", "2>/dev/full >&-"])
@pytest.mark.parametrize("arguments", thinned(READING, 4))
def test_closed_streams_are_no_matter(arguments: list[str], streams: str, played: Path) -> None:
    assert with_streams(arguments, played, streams) == (0, "")


@pytest.mark.parametrize("streams", thinned(["<&- >&- 2>&-", "2>&-"], 2))
def test_a_run_with_closed_streams_is_played_and_its_record_is_whole(
    streams: str, played: Path, tmp_path: Path
) -> None:
    assert with_streams(["run", "SERIES", "--out", str(tmp_path / "run")], played, streams)[0] == 0
    done = run_arena("verify", tmp_path / "run")
    assert (done.returncode, "4 of 4 games, 4 hands: all agree" in done.stdout) == (0, True)


def test_a_message_that_cannot_be_written_leaves_the_exit_code(played: Path) -> None:
    assert with_streams(["verify", str(NOWHERE)], played, "2>/dev/full") == (2, "")
    assert with_streams(["verify", str(NOWHERE)], played, "2>&-") == (2, "")


@pytest.mark.parametrize("encoding", thinned(["ascii:strict", "utf-8:strict"], 2))
@pytest.mark.parametrize("arguments", thinned([["verify"], ["standings"], ["replay", "0"], ["export"]], 2))
def test_a_path_that_is_no_text_is_told_on_any_terminal(
    arguments: list[str], encoding: str, played: Path, tmp_path: Path
) -> None:
    folder = tmp_path / os.fsdecode(b"bad-\xff-\xc3\xa9")
    try:
        shutil.copytree(played, folder)
    except OSError:
        pytest.skip("this system has no such names")
    command, *more = arguments
    done = run_arena(command, folder, *more, environment={"PYTHONIOENCODING": encoding})
    assert (done.returncode, done.stderr) == (0, "")
    if command == "verify":
        assert done.stdout.startswith(f"{tmp_path}/bad-")


def test_ctrl_c_while_the_tables_are_written_says_how_to_go_on(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.tournament.results.write_results", interrupted)
    folder = shutil.copytree(played.parent, tmp_path / "again") / "run"
    assert main.run(["resume", str(folder)]) == 130
    told = "Interrupted before the tables were written; every finished game is kept. Go on with"
    assert capsys.readouterr().err.splitlines()[-1] == f"{told}: arena resume {folder}"


def test_a_series_with_bots_that_dial_in_is_left_to_a_server(tmp_path: Path) -> None:
    series = tmp_path / "cup.yaml"
    series.write_text("name: cup\nbots: [{sample: simple}, {name: ada, join: true}]\n")
    done = call_arena("run", series, "--out", tmp_path / "run")
    assert (done.returncode, done.stdout) == (2, "")
    told = "ada dials in, which needs a server: start one with `arena serve`, and give it this series with "
    assert done.stderr.splitlines() == [f"{told}`arena submit`"]
    assert not (tmp_path / "run").exists()


def test_standings_of_a_folder_that_is_not_there_tell_of_a_series_that_is_served(tmp_path: Path) -> None:
    done = call_arena("standings", tmp_path / "cup-001")
    told = "there is no such folder, expected that of a run; a series of an arena that serves needs --server ADDRESS"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{tmp_path / 'cup-001'}: {told}\n")
