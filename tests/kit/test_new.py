"""`arena new`: what it writes is a bot, and what it cannot write is told."""

import json
import shutil
from pathlib import Path

import pytest
from bots_at_table import SAMPLE_BOTS, bot_class
from command import call_arena, run_arena
from language_bots import build_timeout, built_bot

from arena.errors import InputError
from arena.kit.new import LANGUAGES, new_bot
from arena.players.files import MANIFEST, bot_files
from arena.players.manifest import read_manifest
from arena.tournament.series import load_series


@pytest.mark.thorough
@build_timeout
@pytest.mark.parametrize("language", ["python", pytest.param("c", marks=pytest.mark.languages)])
def test_a_new_bot_passes_its_check_and_loses_to_greedy(language: str, tmp_path: Path) -> None:
    if LANGUAGES[language].tools:
        built_bot(LANGUAGES[language].sample)  # skips where there is no compiler
    done = run_arena("new", language, "ginny", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    told = [line.strip() for line in done.stdout.partition("Next:")[2].splitlines() if line]
    assert told == ["arena check ginny", "arena run ginny.yaml", "arena pack ginny"]
    checked = run_arena("check", "ginny", "--quick", folder=tmp_path)
    assert checked.returncode == 0, checked.stdout
    assert "warning" not in checked.stdout
    settings = ("--seed", "1", "--set", "play=deals", "--set", "groups=60", "--out", "run")
    assert run_arena("run", "ginny.yaml", *settings, folder=tmp_path).returncode == 0
    rows = json.loads((tmp_path / "run" / "standings.json").read_text())["standings"]
    assert [(row["bot"], row["faults"]) for row in rows] == [("greedy", 0), ("ginny", 0)]
    assert run_arena("pack", "ginny", folder=tmp_path).returncode == 0
    assert (tmp_path / "ginny.zip").is_file()


def test_every_sample_bot_of_a_language_can_be_begun_with() -> None:
    samples = sorted(language.sample for language in LANGUAGES.values())
    assert samples == ["beginner", *sorted(folder.name for folder in SAMPLE_BOTS.glob("simple-*"))]


@pytest.mark.parametrize("name", ["ginny", "Größe 1", "1.5", "yes", "null", "2026-01-01", "a - b"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_name_stands_where_the_samples_stood(language: str, name: str, tmp_path: Path) -> None:
    made = new_bot(language, name, tmp_path / "new")
    sample = LANGUAGES[language].sample
    template = read_manifest(SAMPLE_BOTS / sample)
    spec = read_manifest(made.folder)
    assert spec.name == name
    assert spec.run == tuple(name if word == sample else word for word in template.run)
    assert (spec.build, spec.games, spec.version) == (template.build, template.games, template.version)
    assert made.files == bot_files(made.folder) == bot_files(SAMPLE_BOTS / sample)
    for path in made.files:
        before, after = ((folder / path).read_text("utf-8") for folder in (SAMPLE_BOTS / sample, made.folder))
        assert sample not in after
        assert path == MANIFEST or after.count(name) >= before.count(sample)
    assert [bot.name for bot in load_series(made.series).bots] == [name, "greedy"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ginny", "Ginny"),
        ("gin-rummy_2 x", "GinRummy2X"),
        ("bot", "MyBot"),
        ("none", "MyNone"),
        ("1st", "My1st"),
        ("MyBeginner", "MyBeginner"),
        ("größe", "Größe"),
    ],
)
def test_a_python_bot_has_a_class_of_its_own_name(name: str, expected: str, tmp_path: Path) -> None:
    new_bot("python", name, tmp_path)
    made = bot_class(name, tmp_path)
    assert (made.__name__, made.name) == (expected, name)  # the latter is what the series knows it by


def test_only_what_counts_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what the sample was built to, nor what an arena keeps about it."""
    sample = tmp_path / "simple-c"
    shutil.copytree(SAMPLE_BOTS / "simple-c", sample)
    for path in (sample / "build" / "bot", sample / ".arena" / "built", sample / "bytes.bin"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"\xff simple-c")
    monkeypatch.setattr("arena.kit.new.sample_folders", lambda: {"simple-c": sample})
    made = new_bot("c", "ginny", tmp_path)
    assert made.files == ["Makefile", "README.md", "bot.c", "bot.yaml", "bytes.bin"]
    assert sorted(path.name for path in made.folder.iterdir()) == sorted(made.files)
    assert (made.folder / "bytes.bin").read_bytes() == b"\xff simple-c"


def test_an_unknown_language_is_told_with_those_there_are(tmp_path: Path) -> None:
    done = call_arena("new", "haskell", "ginny", folder=tmp_path)
    assert done.returncode == 2
    first, *rest = done.stderr.splitlines()
    assert first == "unknown language 'haskell', expected one of these, which need:"
    assert [line.split()[0] for line in rest] == list(LANGUAGES)
    assert "  rust         Rust 1.88 or newer with cargo, and a C compiler" in rest


@pytest.mark.parametrize(
    ("language", "name", "told"),
    [
        ("c", "a/b", "expected up to 40 letters, digits, spaces and"),
        ("c", "..", "expected up to 40 letters, digits, spaces and"),
        ("c", "x" * 41, "expected up to 40 letters, digits, spaces and"),
        ("python", "x²", "the name 'x²' has '²', expected letters and digits that a Python class can have"),
    ],
)
def test_a_name_that_cannot_be_is_told(language: str, name: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        new_bot(language, name, tmp_path)
    assert told in str(error.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("taken", ["ginny", "ginny.yaml"])
def test_what_is_there_is_left_alone(taken: str, tmp_path: Path) -> None:
    (tmp_path / taken).write_text("mine")
    done = call_arena("new", "python", "ginny", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{taken} is there already, expected a name that is free: nothing was written\n"
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_a_path_that_javas_tools_do_not_find_is_refused(tmp_path: Path) -> None:
    plain, utf8 = {"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8"}
    done = run_arena("new", "java", "größe", folder=tmp_path, environment=plain)
    assert done.returncode == 2
    assert "in this locale, expected a path without letters beyond ASCII, or a locale of UTF-8" in done.stderr
    assert list(tmp_path.iterdir()) == []
    assert run_arena("new", "go", "größe", folder=tmp_path, environment=plain).returncode == 0
    assert run_arena("new", "java", "größer", folder=tmp_path, environment=utf8).returncode == 0


def test_a_tool_that_is_missing_is_named(tmp_path: Path) -> None:
    done = call_arena("new", "go", "ginny", folder=tmp_path, environment={"PATH": str(tmp_path)})
    assert done.returncode == 0
    assert "It needs Go 1.24 or newer. Not found here: go\n" in done.stdout
