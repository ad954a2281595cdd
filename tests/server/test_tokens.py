"""Tokens: made once, told once, kept as hashes, revoked, and read by a server while it runs."""

import hashlib
import json
import os
import re
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from command import call_arena, run_arena

from arena.errors import HostError, InputError
from arena.server import tokens as module
from arena.server.caller import Caller, Role
from arena.server.private import write_private
from arena.server.tokens import Tokens, new_token, read_tokens, revoke_token


def test_a_token_is_told_once_and_only_its_hash_is_kept(tmp_path: Path) -> None:
    text, kept = new_token(tmp_path, Role.ENTRANT, ["ada", "bob"])
    assert re.fullmatch(r"gin_[A-Za-z0-9_-]{43}", text)
    written = (tmp_path / "tokens.json").read_text()
    assert text[len(kept.begins) :] not in written
    (line,) = json.loads(written)["tokens"]
    assert line["sha256"] == hashlib.sha256(text.encode()).hexdigest()
    assert Tokens(tmp_path).caller(text) == Caller(Role.ENTRANT, frozenset({"ada", "bob"}), "ada")
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith("part")] == []


def test_only_this_user_can_read_them(tmp_path: Path) -> None:
    for _ in range(2):
        new_token(tmp_path, Role.SPECTATOR)
        assert stat.S_IMODE((tmp_path / "tokens.json").stat().st_mode) == 0o600


def test_tokens_made_at_once_are_all_kept(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: new_token(tmp_path, Role.SPECTATOR), range(8)))
    kept = read_tokens(tmp_path)
    assert {token.label for token in kept} == {"spectator", *(f"spectator-{number}" for number in range(2, 9))}
    assert len({text for text, _ in made}) == 8


def test_near_misses_are_nobodys(tmp_path: Path) -> None:
    text, _ = new_token(tmp_path, Role.ORGANISER)
    kept = Tokens(tmp_path)
    assert kept.made
    for wrong in ("", text[:-1], text + "a", text.upper(), text[4:], kept._tokens[0].sha256, "é", "\udc80"):
        assert kept.caller(wrong) is None


@pytest.mark.parametrize("by_label", [True, False])
def test_a_revoked_one_counts_no_more_and_a_label_comes_once(tmp_path: Path, by_label: bool) -> None:
    text, kept = new_token(tmp_path, Role.ORGANISER, label="me")
    other, _ = new_token(tmp_path, Role.ORGANISER, label="you")
    running = Tokens(tmp_path)
    revoke_token(tmp_path, "me" if by_label else kept.begins)
    assert running.caller(text) is None
    assert running.caller(other) == Caller(Role.ORGANISER, label="you")
    revoke_token(tmp_path, "you")
    assert running.made  # or all would be open again
    with pytest.raises(InputError, match="was revoked before"):
        revoke_token(tmp_path, "me")
    with pytest.raises(InputError, match="there is a token 'me' already"):
        new_token(tmp_path, Role.ORGANISER, label="me")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--role", "entrant"), "expected --bot NAME for each of the entrant's bots"),
        (("--role", "organiser", "--bot", "ada"), "expected no --bot for the role organiser"),
        (("--role", "entrant", "--bot", "a/b"), "--bot: 'a/b' is no bot's name, expected up to 40 letters"),
        (("--role", "spectator", "--label", "x" * 61), "--label: '"),
        (("--role", "spectator", "--label", "a\nb"), "--label: 'a\\nb', expected up to 60 characters that can be"),
        (("--role", "king"), "Invalid value for '--role': 'king' is not one of 'organiser', 'entrant', 'spectator'"),
        ((), "Missing option '--role'"),
    ],
)
def test_what_is_no_token_is_told(tmp_path: Path, given: tuple[str, ...], told: str) -> None:
    done = call_arena("token", "new", tmp_path, *given)
    assert done.returncode == 2
    assert told in done.stderr
    assert not (tmp_path / "tokens.json").exists()


def test_the_command_makes_lists_and_revokes(tmp_path: Path) -> None:
    data = tmp_path / "data"
    made = run_arena("token", "new", data, "--role", "entrant", "--bot", "ada", "--label", "Ada's team")
    assert made.returncode == 0, made.stderr
    text = made.stdout.strip()
    assert made.stderr == 'The token "Ada\'s team", for an entrant of ada. It is not shown again.\n'
    (listed,) = json.loads(call_arena("token", "list", data, "--json").stdout)
    assert (listed["label"], listed["bots"], listed["begins"]) == ("Ada's team", ["ada"], text[:10])
    done = run_arena("token", "revoke", data, text)  # who pastes the whole of it means that one
    assert (done.returncode, text in done.stderr) == (0, False)
    assert "revoked" in call_arena("token", "list", data).stdout
    assert Tokens(data).caller(text) is None
    for wrong in ("nobody", text[:6]):
        done = call_arena("token", "revoke", data, wrong)
        assert (done.returncode, f"there is no token {wrong!r}, expected " in done.stderr) == (2, True)


def test_to_revoke_where_none_was_made_leaves_nothing(tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert "there is no such folder" in call_arena("token", "revoke", other, "ada").stderr
    assert not other.exists()
    other.mkdir()
    done = call_arena("token", "revoke", other, "ada")
    assert (done.returncode, done.stderr) == (2, f"there is no token 'ada' in {other}: none was made yet\n")
    assert not Tokens(other).lost
    assert [*other.iterdir()] == []


def test_a_folder_that_is_none_or_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    done = call_arena("token", "list", tmp_path / "nowhere")
    assert (done.returncode, "there is no such folder" in done.stderr) == (2, True)
    assert "There is no token yet" in call_arena("token", "list", tmp_path).stdout
    (tmp_path / "file").touch()
    with pytest.raises(HostError, match="expected a folder for the arena's data"):
        new_token(tmp_path / "file", Role.ORGANISER)
    for text in ("", "[]", '{"format": 2, "tokens": []}', '{"tokens": [{"role": "king"}]}'):
        (tmp_path / "tokens.json").write_text(text)
        with pytest.raises(InputError, match="expected the tokens as 'arena token new' writes them"):
            new_token(tmp_path, Role.ORGANISER)
        assert (tmp_path / "tokens.json").read_text() == text


def test_a_write_that_fails_leaves_the_tokens_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new_token(tmp_path, Role.ORGANISER)
    before = (tmp_path / "tokens.json").read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("arena.server.private.os.fsync", full)
    with pytest.raises(HostError, match="cannot be written"):
        new_token(tmp_path, Role.ORGANISER)
    assert (tmp_path / "tokens.json").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [module.FILE, f"{module.FILE}.lock"]


def test_a_draft_that_a_crash_has_left_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / f"tokens.json.{os.getpid()}.part").write_text("half of")
    write_private(tmp_path / "tokens.json", b"[]")
    assert (tmp_path / "tokens.json").read_bytes() == b"[]"
    assert stat.S_IMODE((tmp_path / "tokens.json").stat().st_mode) == 0o600
