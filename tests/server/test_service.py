"""One server, a process, and what it answers."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest
from command import call_arena, run_arena
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import (  # type: ignore[import-untyped]
    reflection_pb2,
    reflection_pb2_grpc,
)
from serving import LONG, Serving, refused, series_file, wait_for

from arena.protocol.v1 import arena_pb2 as pb
from arena.protocol.v1.arena_pb2_grpc import ArenaStub

pytestmark = pytest.mark.timeout(180)  # of many processes, on a machine that may be busy
STATE = pb.SeriesState


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("serving")
    with Serving(folder / "data", folder / "scratch", "--at-once", "2") as serving:
        yield serving


@pytest.fixture(scope="module")
def played(serving: Serving, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A series that is finished, with faults in it."""
    folder = tmp_path_factory.mktemp("played")
    crash = {"name": "crash", "run": ["{python}", "-c", "import sys; sys.exit('no luck today')"]}
    path = series_file(
        folder, "played", bots=[{"sample": "random"}, crash], groups=3, faults={"quarantine_after": 2}, play="deals"
    )
    id_ = serving.submit(path)
    serving.wait(id_, STATE.SERIES_STATE_FINISHED)
    return id_


def test_two_who_watch_see_the_same_tables_as_a_run_of_the_same_series(serving: Serving, tmp_path: Path) -> None:
    path = series_file(tmp_path, "both")
    id_ = serving.command("submit", path).stdout.strip()
    watchers = [serving.start("watch", id_) for _ in range(2)]
    one, other = [watcher.communicate() for watcher in watchers]
    assert [watcher.returncode for watcher in watchers] == [0, 0], one[1]
    assert run_arena("run", path, "--out", tmp_path / "run").returncode == 0
    tables = call_arena("standings", tmp_path / "run").stdout
    assert tables.startswith("Ranking")
    assert one[0].endswith(f"finished, 40 of 40 games\n\nboth: gin, to the target\n\n{tables}")
    assert other[0].endswith(f"\n\n{tables}")
    exports = [call_arena("export", folder).stdout for folder in (tmp_path / "run", serving.run(id_))]
    assert exports[0] == exports[1] != ""
    for name in ("standings.md", "standings.json", "crosstable.csv"):
        assert (serving.run(id_) / name).read_text() == (tmp_path / "run" / name).read_text()


@pytest.mark.parametrize(
    "options",
    [
        ("--luck", "--crosstable"),
        ("--luck", "--format", "json"),
        ("--format", "csv"),
        ("--format", "github", "--crosstable"),
    ],
)
def test_standings_of_a_server_are_printed_as_those_of_a_folder(
    serving: Serving, played: str, options: tuple[str, ...]
) -> None:
    near = call_arena("standings", serving.run(played), *options)
    far = call_arena("standings", played, "--server", serving.address, *options)
    assert (far.returncode, far.stdout, far.stderr) == (0, near.stdout, near.stderr)


def test_a_bot_that_is_left_out_is_left_out_there_too(serving: Serving, played: str) -> None:
    with refused(grpc.StatusCode.INVALID_ARGUMENT, "expected enough bots to stay"):
        serving.stub.Standings(pb.StandingsRequest(id=played, without=["crash"]))


def test_the_crosstable_alone_is_that_of_the_standings(serving: Serving, played: str) -> None:
    far = serving.command("server", "crosstable", played)
    assert far.stdout == call_arena("standings", serving.run(played), "--crosstable").stdout


def test_a_hand_of_a_finished_series_is_its_line_and_its_replay(serving: Serving, played: str) -> None:
    lines = call_arena("export", serving.run(played)).stdout.splitlines()
    hand = serving.command("server", "hand", played, "1", "1", "--json").stdout
    assert hand.strip() in lines
    assert json.loads(hand)["game_id"] == 1
    replay = serving.command("server", "hand", played, "1", "1").stdout
    far = serving.command("server", "hand", played, "1", str(2**32))
    assert (far.returncode, "4294967295" in far.stderr) == (2, True)
    assert replay == call_arena("replay", serving.run(played), "1", "1").stdout
    for game, number, code in ((1, 9, "INVALID_ARGUMENT"), (99, 1, "INVALID_ARGUMENT")):
        with refused(grpc.StatusCode[code], "expected"):
            serving.stub.Hand(pb.HandRequest(id=played, game=game, hand=number))


def test_faults_are_told_with_what_the_bot_had_printed(serving: Serving, played: str) -> None:
    faults = json.loads(serving.command("server", "faults", played, "--json").stdout)
    assert {fault["bot"] for fault in faults} == {"crash"}
    assert {fault["kind"] for fault in faults} == {"never_ready"}
    assert all("no luck today" in fault["output"] for fault in faults)
    assert serving.command("server", "faults", played, "--bot", "random").stdout == f"{played}: no faults of random\n"
    with refused(grpc.StatusCode.INVALID_ARGUMENT, "expected a bot of the series"):
        serving.stub.Faults(pb.FaultsRequest(id=played, bot="nobody"))


def test_a_series_that_is_not_there_is_not_found_by_any_call(serving: Serving) -> None:
    stub = serving.stub
    calls: list[Callable[[], object]] = [
        lambda: stub.Standings(pb.StandingsRequest(id="no")),
        lambda: stub.Crosstable(pb.CrosstableRequest(id="no")),
        lambda: stub.Hand(pb.HandRequest(id="no")),
        lambda: stub.Faults(pb.FaultsRequest(id="no")),
        lambda: stub.Pause(pb.PauseRequest(id="no")),
        lambda: stub.Resume(pb.ResumeRequest(id="no")),
        lambda: stub.Cancel(pb.CancelRequest(id="no")),
        lambda: list(stub.Watch(pb.WatchRequest(id="no"))),
    ]
    for call in calls:
        with refused(grpc.StatusCode.NOT_FOUND, "no series 'no'", "arena server list"):
            call()
    told = serving.command("watch", "no")
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr == "there is no series 'no' here; 'arena server list' names them\n"


def test_a_client_of_a_newer_protocol_is_told_so(serving: Serving) -> None:
    with grpc.insecure_channel(serving.address) as channel:
        stub = ArenaStub(channel)
        with refused(grpc.StatusCode.FAILED_PRECONDITION, "version 2 of the protocol", "update the arena"):
            stub.List(pb.ListRequest(), metadata=(("arena-protocol", "2"),))


def test_a_series_with_mistakes_is_refused_and_leaves_nothing(serving: Serving, tmp_path: Path) -> None:
    before = sorted((serving.data / "uploads").iterdir())
    path = series_file(tmp_path, "wrong", groups=0, seed=[])
    near = serving.command("submit", path)
    assert near.returncode == 2
    assert f"{path}:1:" in near.stderr
    with refused(grpc.StatusCode.INVALID_ARGUMENT, "wrong.yaml:1:", "groups is 0"):
        serving.submit(path)
    compare = series_file(tmp_path, "compared", format="compare")
    with refused(grpc.StatusCode.INVALID_ARGUMENT, "played by 'arena compare'"):
        serving.submit(compare)
    assert sorted((serving.data / "uploads").iterdir()) == before


def test_bots_travel_with_their_series(serving: Serving, tmp_path: Path) -> None:
    samples = Path(__file__).parents[2] / "sample_bots"
    (tmp_path / "entries").mkdir()
    (tmp_path / "entries" / "one").symlink_to(samples / "simple")
    path = series_file(
        tmp_path, "sent", bots=["entries/*", {"path": str(samples / "random"), "name": "other"}], groups=2
    )
    done = serving.command("submit", path, "--watch")
    assert done.returncode == 0, done.stderr
    assert "simple" in done.stdout
    assert "other" in done.stdout


def test_keys_of_a_series_are_set_as_for_a_run(serving: Serving, tmp_path: Path) -> None:
    path = series_file(tmp_path, "plain", **LONG)
    wrong = serving.command("submit", path, "--set", "groups=none")
    assert wrong.returncode == 2
    assert "--set groups" in wrong.stderr
    done = serving.command("submit", path, "--set", "groups=1", "--set", "name=trial")
    assert done.stdout == "trial-001\n"
    assert serving.wait("trial-001", STATE.SERIES_STATE_FINISHED).games == 2


def test_a_series_is_paused_resumed_and_cancelled(serving: Serving, tmp_path: Path) -> None:
    id_ = serving.submit(series_file(tmp_path, "long", **LONG))
    serving.wait_for_games(id_, 1)
    told = serving.command("server", "pause", id_)
    assert told.stdout.startswith(f"{id_} running, ")
    assert told.stdout.endswith(": is being stopped\n")
    paused = serving.wait(id_, STATE.SERIES_STATE_PAUSED)
    assert 0 < paused.games_done < paused.games
    assert serving.command("server", "pause", id_).returncode == 0  # it is, already
    assert serving.command("server", "resume", id_).returncode == 0
    serving.wait_for_games(id_, paused.games_done + 1)
    watcher = serving.start("watch", id_)
    assert serving.command("server", "cancel", id_).returncode == 0
    out, err = watcher.communicate()
    assert watcher.returncode == 1, err
    assert f"{id_} cancelled" in out
    assert serving.info(id_).state == STATE.SERIES_STATE_CANCELLED
    with refused(grpc.StatusCode.FAILED_PRECONDITION, "cannot be resumed", "cancelled"):
        serving.stub.Resume(pb.ResumeRequest(id=id_))


def test_a_hand_is_refused_until_all_games_on_its_cards_are_played(serving: Serving, tmp_path: Path) -> None:
    # The last bot never gets ready, so that the games of its pairings stay away while those of the first are there.
    sleeper = {"name": "sleeper", "run": ["{python}", "-c", "import time; time.sleep(1000)"]}
    bots = [{"sample": "random"}, {"sample": "simple"}, sleeper]
    id_ = serving.submit(series_file(tmp_path, "hidden", bots=bots, groups=2, workers=2))

    serving.wait_for_games(id_, 4)
    with refused(grpc.StatusCode.FAILED_PRECONDITION, "every game on the same cards"):
        serving.stub.Hand(pb.HandRequest(id=id_, game=0, hand=1))
    serving.stub.Cancel(pb.CancelRequest(id=id_))
    serving.wait(id_, STATE.SERIES_STATE_CANCELLED)


def test_a_series_that_fails_says_why_and_leaves_others_alone(serving: Serving, tmp_path: Path) -> None:
    other = serving.submit(series_file(tmp_path, "well", **LONG))
    bot = tmp_path / "bot"
    bot.mkdir()
    build = ["{python}", "-c", "raise SystemExit('no compiler')"]
    (bot / "bot.yaml").write_text(json.dumps({"name": "unbuilt", "build": build, "run": ["x"]}))
    path = series_file(tmp_path, "unwell", bots=["bot", {"sample": "random"}])
    done = serving.command("submit", path, "--watch")
    assert done.returncode == 3
    assert "unwell-001 failed, 0 of 40 games: " in done.stdout
    assert "no compiler" in done.stdout
    assert str(serving.data) not in done.stdout
    assert serving.info(other).state == STATE.SERIES_STATE_RUNNING
    assert json.loads(serving.command("server", "cancel", "unwell-001", "--json").stdout)["state"] == "cancelled"
    serving.stub.Cancel(pb.CancelRequest(id=other))


def on_a_terminal(serving: Serving, played: str, kind: str) -> str:
    """What `arena watch` shows there."""
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "arena", "watch", played],
        env=os.environ | {"ARENA_SERVER": serving.address, "TERM": kind, "COLUMNS": "100"},
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    os.close(theirs)
    text = os.read(ours, 1 << 16).decode().replace("\r\n", "\n")
    os.close(ours)
    assert done.returncode == 0
    return text


def test_on_a_terminal_the_table_lives_and_the_whole_stays(serving: Serving, played: str) -> None:
    text = on_a_terminal(serving, played, "xterm")
    assert text.count("Ranking") == 1
    assert text.endswith(f"played: gin, by deals\n\n{call_arena('standings', serving.run(played)).stdout}")


def test_on_a_terminal_that_cannot_go_back_there_are_lines(serving: Serving, played: str) -> None:
    text = on_a_terminal(serving, played, "dumb")
    assert text.startswith(f"{played} finished, ")
    assert "\x1b" not in text


def test_what_happens_is_told_as_lines_of_json(serving: Serving, played: str) -> None:
    told = serving.command("watch", played, "--json")
    events = [json.loads(line) for line in told.stdout.splitlines()]
    assert [[*event] for event in events] == [["standings"], ["progress"]]
    assert events[0]["standings"]["standings"][0]["bot"] == "random"
    assert (events[1]["progress"]["id"], events[1]["progress"]["state"]) == (played, "finished")


def test_the_arena_tells_how_it_is_doing(serving: Serving, played: str, tmp_path: Path) -> None:
    id_ = serving.submit(series_file(tmp_path, "busy", **LONG))
    serving.wait_for_games(id_, 1)
    status = wait_for(lambda: now if (now := serving.stub.Status(pb.StatusRequest())).hands_per_second > 0 else None)
    assert status.running >= 1
    assert status.decisions_per_second > status.hands_per_second
    assert status.batch_size >= 1
    assert 0 <= status.lag <= 1
    assert status.faults >= 1  # of the series that was played
    told = serving.command("server", "status").stdout
    assert "hands/s" in told
    assert json.loads(serving.command("server", "status", "--json").stdout)["running"] >= 1
    serving.stub.Cancel(pb.CancelRequest(id=id_))


def test_health_is_told_of_each_service_and_reflection_names_them(serving: Serving) -> None:
    with grpc.insecure_channel(serving.address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for service in ("", "arena.v1.Arena", "arena.v1.Door"):
            answer = health.Check(health_pb2.HealthCheckRequest(service=service))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        (answer,) = reflection.ServerReflectionInfo(iter([request]))
        names = {service.name for service in answer.list_services_response.service}
        assert {"arena.v1.Arena", "arena.v1.Door", "grpc.health.v1.Health"} <= names


def test_series_are_listed_the_newest_last(serving: Serving, played: str) -> None:
    listed = json.loads(serving.command("server", "list", "--json").stdout)
    assert played in [series["id"] for series in listed]
    text = run_arena("server", "list", "--server", serving.address).stdout
    assert [line.split()[0] for line in text.splitlines()[2 : 2 + len(listed)]] == [one["id"] for one in listed]
