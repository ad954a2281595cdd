"""Bots that dial in to an arena that serves: all of them real processes."""

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from command import run_arena
from dialling_bots import Dialling, Join, clean_environment
from fake_door import PATIENCE, Wire
from series_bench import SAMPLES, play_series, write_series
from serving import Serving

pytestmark = pytest.mark.timeout(180)

SIMPLE, GREEDY = SAMPLES / "simple", SAMPLES / "greedy"
ADA = {"name": "ada", "join": True}
SAME = {"bot_memory": "trusted", "groups": 2}
"""Keys of a series whose hands are the same, wherever its bots are."""


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Serving]:
    """An arena that serves."""
    with Serving(folder / "data", folder / "scratch", "--workers", "2", *options) as arena:
        yield arena


def played(arena: Serving, series: str, **environment: str) -> list[dict[str, object]]:
    """The standings of a series, when it is finished."""
    watched = run_arena("watch", series, "--server", arena.address, environment=environment)
    assert watched.returncode == 0, watched.stderr
    rows: list[dict[str, object]] = json.loads((arena.run(series) / "standings.json").read_text())["standings"]
    return rows


def submitted(arena: Serving, series: Path, **environment: str) -> str:
    """A series that was submitted; its id."""
    done = run_arena("submit", series, "--server", arena.address, environment=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def token(arena: Serving, role: str, *options: str) -> str:
    """A token that was made."""
    return run_arena("token", "new", arena.data, "--role", role, *options).stdout.split()[0]


def dialling(folder: Path, name: str, address: str, **environment: str) -> Dialling:
    """A bot in Python that dials in by itself."""
    environment |= {"ARENA_JOIN": address, "ARENA_NAME": name}
    return Dialling([sys.executable, folder / "bot.py"], clean_environment(**environment))


def as_local(folder: Path, bots: list[dict[str, object]], **keys: object) -> list[dict[str, object]]:
    """The standings of the same series, with all bots on this machine."""
    (folder / "local").mkdir()
    play_series(write_series(folder / "local", bots, **(SAME | keys)), folder / "local" / "run")
    rows: list[dict[str, object]] = json.loads((folder / "local" / "run" / "standings.json").read_text())["standings"]
    return rows


def test_a_series_with_bots_that_dial_in_ends_as_it_does_where_they_are_at_hand(tmp_path: Path) -> None:
    """One is the bot of a folder, and the line of the other breaks meanwhile."""
    keys = {"groups": 30}
    with serving(tmp_path) as arena, Wire(int(arena.address.rpartition(":")[2])) as wire, ExitStack() as stack:
        series = submitted(arena, write_series(tmp_path, [ADA, {"name": "bob", "join": True}], **(SAME | keys)))
        bot = stack.enter_context(dialling(GREEDY, "ada", f"127.0.0.1:{wire.port}"))
        stack.enter_context(Join(arena.address, "--name", "bob", "--", SIMPLE))
        assert "has dialled in" in bot.line()
        arena.wait_for_games(series, 4)
        wire.cut()
        assert "is broken; trying again" in bot.line()
        wire.mend()
        assert "is back" in bot.line()
        rows = played(arena, series)
    at_hand: list[dict[str, object]] = [{"path": str(GREEDY), "name": "ada"}, {"path": str(SIMPLE), "name": "bob"}]
    assert rows == as_local(tmp_path, at_hand, **keys)
    assert {row["faults"] for row in rows} == {0}


@pytest.mark.thorough
def test_a_bot_that_does_not_come_back_pays_and_the_series_goes_on(tmp_path: Path) -> None:
    keys = {"remote": {"grace": "2s"}, "groups": 30, "clock": {"ready": "6s"}, "faults": {"quarantine_after": 2}}
    with serving(tmp_path) as arena:
        series = submitted(arena, write_series(tmp_path, [ADA, {"sample": "simple"}], **(SAME | keys)))
        with dialling(GREEDY, "ada", arena.address) as bot:
            arena.wait_for_games(series, 2)
            bot.process.send_signal(signal.SIGKILL)
            faults = {row["bot"]: row["faults"] for row in played(arena, series)}
    assert faults == {"ada": 2, "simple": 0}


def test_with_tokens_and_tls_a_bot_dials_in_as_itself_alone(tmp_path: Path) -> None:
    with serving(tmp_path, "--tls", "--host", "127.0.0.1") as arena:
        own, others = (token(arena, "entrant", "--bot", name) for name in ("ada", "bob"))
        organiser = token(arena, "organiser")
        authority = arena.data / "tls" / "authority.pem"
        secure = {"ARENA_CA": str(authority)}
        path = write_series(tmp_path, [ADA, {"sample": "simple"}], **SAME)
        series = submitted(arena, path, ARENA_TOKEN=organiser, **secure)
        with dialling(GREEDY, "ada", arena.address, **secure) as bot:
            assert bot.process.wait(PATIENCE) == 2
            assert "give --token, or ARENA_TOKEN in the environment" in bot.line()
        with dialling(GREEDY, "ada", arena.address, ARENA_TOKEN=others, **secure) as bot:
            assert bot.process.wait(PATIENCE) == 2
            assert "'ada'" in bot.line()
        with dialling(GREEDY, "ada", arena.address, ARENA_TOKEN=own, ARENA_TLS="1") as bot:
            assert bot.process.wait(PATIENCE) == 2
            assert bot.line().startswith(f"TLS with the arena at {arena.address} fails: its certificate is of")
        with Join(arena.address, "--name", "ada", "--token", own, "--ca", authority, "--", GREEDY):
            rows = played(arena, series, ARENA_TOKEN=organiser, **secure)
    assert {row["faults"] for row in rows} == {0}


@pytest.mark.thorough
def test_a_bot_stays_for_the_next_series(tmp_path: Path) -> None:
    with serving(tmp_path) as arena, ExitStack() as stack:
        bot = stack.enter_context(dialling(GREEDY, "ada", arena.address))
        assert bot.line().startswith("no series here waits for a bot 'ada'")
        path = write_series(tmp_path, [ADA, {"sample": "simple"}], **SAME)
        for number in range(2):
            series = submitted(arena, path)
            assert {row["faults"] for row in played(arena, series)} == {0}
            assert "has dialled in" in bot.line() or number
            assert bot.line().startswith("no series here waits for a bot 'ada'")


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_fifty_bots_at_once_play_a_series(tmp_path: Path) -> None:
    names = [f"bot-{number}" for number in range(50)]
    bots = [{"name": name, "join": True} for name in names]
    keys = {"groups": 1, "play": "deals", "bot_memory": "trusted"}
    with serving(tmp_path) as arena, ExitStack() as stack:
        series = submitted(arena, write_series(tmp_path, bots, **keys))
        for name in names:
            stack.enter_context(dialling(SIMPLE, name, arena.address))
        rows = played(arena, series)
    assert len(rows) == 50
    assert {(row["games"], row["faults"], row["margin_a_game"]) for row in rows} == {(98, 0, 0)}
