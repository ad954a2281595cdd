"""`git:REF:PATH`: what a real repository had, and what is said where it had not."""

import os
import subprocess
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.players.manifest import read_manifest
from arena.tournament.checkout import checked_out, is_version

MANIFEST = 'name: ginny\nversion: "{}"\nrun: [run, me]\n'


def git(folder: Path, *arguments: str) -> None:
    names = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *names, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two versions of a bot, the first tagged `first`; the second lies in the working folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "repository"
    bot = folder / "bots" / "ginny"
    bot.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    (folder / ".gitattributes").write_text("notes.txt export-ignore\n")
    (bot / "notes.txt").write_text("part of the bot, whatever an archive leaves out\n")
    (bot / "run").write_text("#!/bin/sh\n")
    (bot / "run").chmod(0o755)
    (bot / "bot.yaml").write_text(MANIFEST.format(1))
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "one")
    git(folder, "tag", "first")
    (bot / "bot.yaml").write_text(MANIFEST.format(2))
    git(folder, "commit", "--quiet", "--all", "-m", "two")
    monkeypatch.chdir(folder)
    return folder


def test_a_folder_is_no_version() -> None:
    assert is_version("git:main:bots/ginny")
    assert not is_version("bots/ginny")


def test_each_version_is_what_its_commit_had(repository: Path) -> None:
    assert read_manifest(checked_out("git:first:bots/ginny")).version == "1"
    assert read_manifest(checked_out("git:main:bots/ginny/")).version == "2"
    assert read_manifest(checked_out("git:HEAD~1:bots/ginny")).version == "1"
    written = checked_out("git:main:bots/ginny")
    assert read_manifest(written).content_hash == read_manifest(repository / "bots" / "ginny").content_hash
    assert os.access(written / "run", os.X_OK)


def test_a_path_may_be_relative_to_a_folder_of_the_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / "bots")
    assert checked_out("git:main:./ginny") == checked_out("git:main:bots/ginny")
    assert sorted(path.name for path in checked_out("git:main:./ginny").iterdir()) == ["bot.yaml", "notes.txt", "run"]


def test_a_repository_may_be_a_bot_as_a_whole(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repository, "mv", "bots/ginny/bot.yaml", "bots/ginny/run", "bots/ginny/notes.txt", ".")
    git(repository, "commit", "--quiet", "-m", "three")
    whole = checked_out("git:main:")
    assert read_manifest(whole).version == "2"
    for path in (".", "./", "./."):
        assert checked_out(f"git:main:{path}") == whole
    (repository / "notes").mkdir()
    monkeypatch.chdir(repository / "notes")
    for path in ("..", "../"):
        assert checked_out(f"git:main:{path}") == whole


def test_a_submodule_is_told_from_a_file(repository: Path) -> None:
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},bots/lent")
    git(repository, "commit", "--quiet", "-m", "lent")
    with pytest.raises(InputError, match="'bots/lent' is a submodule, whose files are in another repository, in main"):
        checked_out("git:main:bots/lent")


def test_the_repository_is_left_as_it_was(repository: Path) -> None:
    checked_out("git:first:bots/ginny")
    status = subprocess.run(["git", "status", "--porcelain"], check=True, capture_output=True, text=True)
    assert status.stdout == ""
    assert not list((repository.parent / "cache").rglob("index"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("git:main", "'git:main' names no version of a bot, expected git:REF:PATH"),
        ("git::bots/ginny", "names no version of a bot"),
        ("git:--all:bots/ginny", "'--all' is no commit, branch or tag"),
        ("git:nothing:bots/ginny", "there is no commit, branch or tag 'nothing' in this repository"),
        ("git:main:bots/gin", "there is no 'bots/gin' in main, expected git:REF:PATH"),
        ("git:main:bots/ginny/run", "'bots/ginny/run' is a file in main, expected the folder of a bot"),
        ("git:main:bots", "'bots' has no bot.yaml in main, expected the folder of a bot"),
    ],
)
@pytest.mark.usefixtures("repository")
def test_what_is_not_there_is_told(text: str, told: str) -> None:
    with pytest.raises(InputError) as error:
        checked_out(text)
    assert told in str(error.value)


def test_a_folder_in_no_repository_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(InputError, match="is in no git repository that can be read"):
        checked_out("git:main:bots/ginny")


def test_a_machine_without_git_is_told(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    with pytest.raises(InputError, match="git is not installed"):
        checked_out("git:main:bots/ginny")
