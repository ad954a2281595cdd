"""What a bot tries outside of its games changes none of them, and nothing that it has started outlives it.

That it is refused is seen in tests/isolation; here with whatever isolation there is.
"""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bot_bench import processes_of
from fault_bench import Misdeed, Played, assert_it_pays, ids, play_with, same_games

from arena.isolation.probe import find_isolation
from arena.isolation.values import Layer, Limits, Mode
from arena.players.faults import Fault

KEYS: dict[str, Any] = {"isolation": "best-effort", "limits": {"processes": 64, "scratch": "4MiB", "file_size": "4MiB"}}
LEAVER = Misdeed("intruding", "leaves a child with its connection", Fault.CRASH, "the process exited with code 0")
CASES = [
    Misdeed("intruding", way, Fault.CRASH)
    for way in (
        "fills its disk",
        "forks without end",
        "daemonises a child",
        "signals everybody",
        "looks around",
        "tries the network",
    )
]


@pytest.fixture(scope="module")
def private() -> Iterator[Path]:
    """Where the private folders of the bots are; their processes have it in their environment."""
    folder = Path(tempfile.mkdtemp(prefix="test-"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(folder))
        yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def series(private: Path, honest: str, tmp_path_factory: pytest.TempPathFactory) -> Played:
    return play_with(honest, [*CASES, LEAVER], tmp_path_factory.mktemp("played"), **KEYS)


@pytest.mark.parametrize("misdeed", CASES, ids=ids(CASES))
def test_its_games_are_what_an_honest_bot_would_have_played(misdeed: Misdeed, series: Played) -> None:
    assert same_games(series.of(misdeed), series.imagined(misdeed))


def test_who_leaves_a_child_with_its_connection_is_gone_all_the_same_and_pays(series: Played) -> None:
    assert_it_pays(LEAVER, series)


def test_the_games_of_others_are_what_they_are_without(series: Played, alone: Played) -> None:
    assert series.lines == alone.lines


def test_nothing_is_left_where_a_bot_has_processes_of_its_own(series: Played, private: Path) -> None:
    """Elsewhere a child in a session of its own gets away."""
    left = [*processes_of(private)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not list(private.iterdir())
    assert not left or not find_isolation(Mode.BEST_EFFORT, Limits()).has(Layer.PROCESSES)
