"""What a server keeps when it ends, however it ends, and what it does with what it finds."""

import json
import os
import signal
from pathlib import Path

import grpc
import pytest
from command import call_arena, run_arena
from serving import LONG, Serving, refused, series_file, wait_for

from arena.protocol.v1 import arena_pb2 as pb

pytestmark = pytest.mark.timeout(180)  # of many processes, on a machine that may be busy
STATE = pb.SeriesState
GROUPS = 60
"""Some shards."""


def test_a_server_that_is_killed_goes_on_and_comes_to_the_same_tables(tmp_path: Path) -> None:
    path = series_file(tmp_path, groups=GROUPS)
    with Serving(tmp_path / "data", tmp_path / "one") as serving:
        id_ = serving.submit(path)
        then = serving.wait_for_games(id_, 1)
        assert then.games_done < 2 * GROUPS
        serving.signal(signal.SIGKILL)
        assert serving.end() == -signal.SIGKILL
        wait_for(lambda: True if not serving.processes() else None)  # no child, no worker, no bot
        assert [*serving.scratch.iterdir()] == []
        run = serving.run(id_)
    with Serving(tmp_path / "data", tmp_path / "two") as serving:
        serving.wait(id_, STATE.SERIES_STATE_FINISHED)
        serving.signal(signal.SIGTERM)
        assert serving.end() == 0
        assert serving.processes() == []
    assert run_arena("run", path, "--out", tmp_path / "run").returncode == 0
    exports = [call_arena("export", folder).stdout for folder in (tmp_path / "run", run)]
    assert exports[0] == exports[1] != ""
    assert (run / "standings.md").read_text() == (tmp_path / "run" / "standings.md").read_text()


@pytest.mark.thorough
def test_a_server_that_is_stopped_leaves_nothing_and_goes_on(tmp_path: Path) -> None:
    path = series_file(tmp_path, **LONG)
    with Serving(tmp_path / "data", tmp_path / "one") as serving:
        id_ = serving.submit(path)
        serving.wait_for_games(id_, 1)
        serving.signal(signal.SIGINT)
        assert serving.end() == 0
        assert serving.processes() == []
        assert [*serving.scratch.iterdir()] == []
    with Serving(tmp_path / "data", tmp_path / "two") as serving:
        assert serving.info(id_).games_done > 0
        paused = serving.wait_for_games(id_, serving.info(id_).games_done + 1)
        assert paused.commitment
        serving.stub.Pause(pb.PauseRequest(id=id_))
        serving.wait(id_, STATE.SERIES_STATE_PAUSED)
    with Serving(tmp_path / "data", tmp_path / "three") as serving:
        assert serving.info(id_).state == STATE.SERIES_STATE_PAUSED  # and stays so
        again = run_arena("resume", serving.run(id_), "--max-time", "1ms")  # it is a run like any other
        assert again.returncode == 0, again.stderr


def test_a_second_ctrl_c_ends_at_once_what_still_plays_and_it_stays_wanted(tmp_path: Path) -> None:
    sleeper = {"name": "sleeper", "run": ["{python}", "-c", "import time; time.sleep(1000)"]}
    with Serving(tmp_path / "data", tmp_path / "scratch") as serving:
        id_ = serving.submit(series_file(tmp_path, bots=[{"sample": "random"}, sleeper]))
        wait_for(lambda: serving.info(id_).commitment or None)
        serving.signal(signal.SIGINT)
        wait_for(lambda: "stopping" in serving.log.read_text() or None)
        serving.signal(signal.SIGINT)
        assert serving.end() == 0
        wait_for(lambda: True if not serving.processes() else None)
    entry = json.loads((tmp_path / "data" / "uploads" / id_ / "service.json").read_text())
    assert (entry["wanted"], entry["end"]) == ("running", "")


def test_a_second_server_on_a_folder_is_refused_in_a_line(tmp_path: Path) -> None:
    with Serving(tmp_path / "data", tmp_path / "scratch"):
        second = run_arena("serve", tmp_path / "data", "--listen", "127.0.0.1:0")
    assert (second.returncode, second.stdout) == (2, "")
    assert second.stderr == f"{tmp_path / 'data'}: another arena serves this folder; stop it, or give another folder\n"


def test_a_port_in_use_is_told_in_a_line(tmp_path: Path) -> None:
    with Serving(tmp_path / "data", tmp_path / "scratch") as serving:
        second = run_arena("serve", tmp_path / "other", "--listen", serving.address)
    assert second.returncode == 3
    assert second.stderr.endswith("it is in use, or no address of this machine; give another\n")
    assert second.stderr.count("\n") == 1


def test_series_wait_for_their_turn(tmp_path: Path) -> None:
    with Serving(tmp_path / "data", tmp_path / "scratch") as serving:
        first = serving.submit(series_file(tmp_path, "one", **LONG))
        second = serving.submit(series_file(tmp_path, "two", groups=1))
        third = serving.submit(series_file(tmp_path, "two", groups=1))
        assert (first, second, third) == ("one-001", "two-001", "two-002")
        serving.wait_for_games(first, 1)
        assert serving.info(second).state == STATE.SERIES_STATE_QUEUED
        assert serving.stub.Status(pb.StatusRequest()).queued == 2
        with refused(grpc.StatusCode.FAILED_PRECONDITION, "two-001 has not begun"):
            serving.stub.Standings(pb.StandingsRequest(id=second))
        serving.stub.Cancel(pb.CancelRequest(id=third))
        assert serving.info(third).state == STATE.SERIES_STATE_CANCELLED
        serving.stub.Pause(pb.PauseRequest(id=first))
        serving.wait(second, STATE.SERIES_STATE_FINISHED)
        assert serving.info(first).state == STATE.SERIES_STATE_PAUSED


@pytest.mark.thorough
def test_what_is_damaged_is_one_series_that_failed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Serving(data, tmp_path / "one") as serving:
        ids = [serving.submit(series_file(tmp_path, name, groups=1)) for name in ("card", "run", "well")]
        for id_ in ids:
            serving.wait(id_, STATE.SERIES_STATE_FINISHED)

    card, run, well = ids
    (data / "uploads" / card / "service.json").write_text("{")
    (data / "series" / run / "run.sqlite").write_bytes(b"no run" * 1000)
    entry = data / "uploads" / run / "service.json"
    entry.write_text(json.dumps(json.loads(entry.read_text()) | {"end": ""}, separators=(",", ":")))
    (data / "uploads" / ".incoming-left").mkdir()
    with Serving(data, tmp_path / "two") as serving:
        assert serving.info(card).state == STATE.SERIES_STATE_FAILED
        assert serving.info(card).told == "its service.json is damaged: expected what an arena that serves has written"
        with refused(grpc.StatusCode.FAILED_PRECONDITION, "damaged"):
            serving.stub.Resume(pb.ResumeRequest(id=card))
        failed = serving.wait(run, STATE.SERIES_STATE_FAILED)
        assert failed.told.startswith("run-001")
        assert str(data) not in failed.told
        assert serving.info(well).state == STATE.SERIES_STATE_FINISHED
        assert serving.stub.Standings(pb.StandingsRequest(id=well)).title
        assert not (data / "uploads" / ".incoming-left").exists()


def test_a_process_that_is_killed_is_a_series_that_failed_and_can_be_resumed(tmp_path: Path) -> None:
    with Serving(tmp_path / "data", tmp_path / "scratch") as serving:
        id_ = serving.submit(series_file(tmp_path, **LONG))
        serving.wait_for_games(id_, 1)
        (child,) = [
            pid for pid in serving.processes() if b"arena.server.child" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]

        os.kill(child, signal.SIGKILL)
        failed = serving.wait(id_, STATE.SERIES_STATE_FAILED)
        assert failed.told == "the process that played it has ended with code -9, see its play.log"
        serving.stub.Resume(pb.ResumeRequest(id=id_))
        serving.wait_for_games(id_, failed.games_done + 1)


def test_whoever_watches_is_told_when_the_server_goes(tmp_path: Path) -> None:
    with Serving(tmp_path / "data", tmp_path / "scratch") as serving:
        id_ = serving.submit(series_file(tmp_path, **LONG))
        watcher = serving.start("watch", id_)
        serving.wait_for_games(id_, 1)
        serving.signal(signal.SIGKILL)
        _, err = watcher.communicate()
    assert watcher.returncode == 3
    assert serving.address in err
    assert err.count("\n") == 1


def test_ctrl_c_ends_the_watching_alone(tmp_path: Path) -> None:
    with Serving(tmp_path / "data", tmp_path / "scratch") as serving:
        id_ = serving.submit(series_file(tmp_path, **LONG))
        serving.wait_for_games(id_, 1)
        watcher = serving.start("watch", id_)
        assert watcher.stdout is not None
        assert watcher.stdout.readline().startswith(f"{id_} running")
        watcher.send_signal(signal.SIGINT)
        _, err = watcher.communicate()
        assert (watcher.returncode, err) == (130, f"No longer watched; the series goes on: arena watch {id_}\n")
        assert serving.info(id_).state == STATE.SERIES_STATE_RUNNING


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--listen", "0.0.0.0:0"), "make a token first"),
        (("--certificate", "x"), "--certificate and --key belong together"),
    ],
)
def test_what_cannot_be_served_is_told_in_lines(tmp_path: Path, options: tuple[str, ...], told: str) -> None:
    done = run_arena("serve", tmp_path / "data", *options)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
