"""A series on a Dask cluster: a scheduler and two workers on this machine, all of it real processes."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cluster_bench import DaskCluster
from series_bench import BOTS, SAMPLES, ArenaProcess, play_series, results, write_series

from arena.errors import HostError
from arena.tournament.cluster import _client as cluster_at
from arena.tournament.cluster import check_cluster
from arena.tournament.runner import RunEnd

GROUPS = 60


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with DaskCluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("series")
    bots = [SAMPLES / "simple", BOTS / "dicer"]
    return write_series(folder, bots, groups=GROUPS, isolation="none", rules={"target": 20})


@pytest.fixture(scope="module")
def expected(series: Path) -> dict[str, str]:
    """What the series comes to on this machine alone."""
    assert play_series(series, series.parent / "local") is RunEnd.COMPLETE
    return results(series.parent / "local")


@pytest.mark.timeout(300)
def test_a_run_that_loses_a_worker_is_that_of_one_machine(
    cluster: DaskCluster, series: Path, expected: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    (tmp_path / "near").mkdir()
    cluster.wait_for_workers()
    with ArenaProcess(tmp_path / "near", "run", series, "--out", out, "--cluster", cluster.address) as arena:
        arena.wait_for_games(out, 1)
        assert arena.runs()
        assert cluster.others()
        cluster.lose()
        code, _, told = arena.end()
        assert code == 0, told
        assert "Traceback" not in told
        assert "distributed" not in told
        assert "the cluster has lost its worker tcp://" in told
        assert arena.left() == ([], [])
    assert results(out) == expected
    assert cluster.others() == []  # those of the lost worker have died with it, the others were sent home
    while cluster.left():  # by the lost one: somebody has waited for its end
        time.sleep(0.01)
    cluster.workers.append(cluster.add())
    with ArenaProcess(
        tmp_path / "near", "run", series, "--out", tmp_path / "next", "--cluster", cluster.address
    ) as arena:
        arena.wait_for_games(tmp_path / "next", 1)
        arena.interrupt()
        code, _, told = arena.end()
        assert code == 130, told
    assert cluster.left() == []
    assert cluster.others() == []
    # What was stopped there is gone on with here.
    assert play_series(series, tmp_path / "next") is RunEnd.COMPLETE
    assert results(tmp_path / "next") == expected


@pytest.mark.thorough
@pytest.mark.timeout(300)
def test_a_worker_that_was_stopped_is_named_before_anything_is_played(tmp_path: Path) -> None:
    with DaskCluster(tmp_path) as cluster:
        with cluster_at(cluster.address) as client:
            client.wait_for_workers(2)
            by_pid = {pid: worker for worker, pid in client.run(os.getpid).items()}
        stopped = cluster.workers[0].pid
        os.kill(stopped, signal.SIGSTOP)
        with pytest.raises(HostError, match=f"^the cluster's {by_pid[stopped]} does not answer; has it been stopped"):
            check_cluster(cluster.address)
        os.kill(stopped, signal.SIGCONT)
        check_cluster(cluster.address)


@pytest.mark.thorough
@pytest.mark.timeout(300)
def test_a_cluster_that_is_gone_ends_the_run_by_a_line(series: Path, expected: dict[str, str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    (tmp_path / "near").mkdir()
    with (
        DaskCluster(tmp_path) as cluster,
        ArenaProcess(tmp_path / "near", "run", series, "--out", out, "--cluster", cluster.address) as arena,
    ):
        arena.wait_for_games(out, 1)
        cluster.lose_all()
        code, _, told = arena.end()
        assert code == 3, told
        assert told.splitlines()[-1].startswith("the scheduler of the cluster is gone; every finished game is kept")
        assert "Traceback" not in told
        assert cluster.others() == []
    assert play_series(series, out) is RunEnd.COMPLETE
    assert results(out) == expected


@pytest.mark.thorough
@pytest.mark.timeout(300)
def test_bots_are_sent_and_built_and_isolated_there(tmp_path: Path) -> None:
    """With nannies in between, whose workers may have no children of multiprocessing."""
    bot = tmp_path / "ann"
    bot.mkdir()
    (bot / "bot.yaml").write_text("name: ann\nbuild: [./make]\nrun: ['{python}', build/bot.py]\n")
    (bot / "make").write_text("#!/bin/sh\nmkdir -p build && cp source build/bot.py\n")
    (bot / "make").chmod(0o755)
    (bot / "source").write_text((SAMPLES / "simple" / "bot.py").read_text())
    path = write_series(tmp_path, [bot, SAMPLES / "random"], groups=10, isolation="best-effort")
    (tmp_path / "near").mkdir()
    with (
        DaskCluster(tmp_path, nanny=True) as cluster,
        ArenaProcess(tmp_path / "near", "run", path, "--out", tmp_path / "run", "--cluster", cluster.address) as arena,
    ):
        code, _, told = arena.end()
        assert code == 0, told
        (built,) = cluster.scratch.glob("gin-bots-*/*/bot/build/bot.py")
        assert cluster.left() == []
    assert built.parts[-3:] == ("bot", "build", "bot.py")
    assert play_series(path, tmp_path / "here") is RunEnd.COMPLETE
    assert results(tmp_path / "run") == results(tmp_path / "here")
