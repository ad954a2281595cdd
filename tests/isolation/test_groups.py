"""Control groups: where they are made, and what is left of them."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.isolation import groups
from arena.isolation.groups import Group, sweep
from arena.isolation.probe import find_isolation
from arena.isolation.values import Hierarchy, Layer, Limits, Mode


@pytest.fixture(scope="module")
def hierarchy() -> Hierarchy:
    isolation = find_isolation(Mode.BEST_EFFORT, Limits())
    if isolation.groups is None:
        state = next(state for state in isolation.layers if state.layer is Layer.TOTALS)
        pytest.skip(f"here is no {state}")
    return isolation.groups


def left(hierarchy: Hierarchy, pid: int) -> list[Path]:
    return [path for _, folder in hierarchy.folders for path in folder.glob(f"gin-arena-{pid}-*")]


def test_a_group_is_removed_with_what_still_runs_in_it(hierarchy: Hierarchy) -> None:
    group = Group(hierarchy, Limits())
    with subprocess.Popen(["/bin/sh", "-c", f"{group.entering()} && exec sleep 3600"]) as process:
        while not Path(f"/proc/{process.pid}/cmdline").read_text().startswith("sleep"):
            time.sleep(0.005)
        group.remove()
        assert process.wait() == -9
    assert left(hierarchy, os.getpid()) == []


def test_the_next_arena_removes_what_one_that_was_killed_has_left(hierarchy: Hierarchy) -> None:
    script = (
        "import os, signal; from arena.isolation.groups import Group; from arena.isolation.values import *; "
        "from arena.isolation.probe import find_isolation; isolation = find_isolation(Mode.BEST_EFFORT, Limits()); "
        "Group(isolation.groups, Limits()); os.kill(os.getpid(), signal.SIGKILL)"
    )
    with subprocess.Popen([sys.executable, "-c", script]) as killed:
        assert killed.wait() == -9
    assert left(hierarchy, killed.pid)
    mine = Group(hierarchy, Limits())
    sweep(hierarchy)
    assert left(hierarchy, killed.pid) == []
    assert left(hierarchy, os.getpid())
    sweep(hierarchy, also=os.getpid())
    assert left(hierarchy, os.getpid()) == []
    mine.remove()


def test_with_version_2_a_group_is_made_beside_that_of_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it has processes itself no group with limits can be below it."""
    own = tmp_path / "user.slice" / "app.slice" / "terminal.scope"
    own.mkdir(parents=True)
    for folder, controllers in (
        (own, ""),
        (own.parent, "memory pids"),
        (own.parent.parent, "cpu"),
        (tmp_path, "memory"),
    ):
        (folder / "cgroup.subtree_control").write_text(controllers)
    monkeypatch.setattr(groups, "_mounts", lambda: {"unified": tmp_path})
    monkeypatch.setattr(groups, "_own_paths", lambda: {"unified": "user.slice/app.slice/terminal.scope"})
    assert [*groups.hierarchies()] == [Hierarchy((("unified", own.parent),))]
