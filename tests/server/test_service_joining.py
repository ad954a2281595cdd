"""A series of a server with a bot that dials in: it waits, plays, and is listed meanwhile."""

from pathlib import Path

import pytest
from serving import LONG, Serving, series_file, wait_for

from arena.protocol.v1 import arena_pb2 as pb

pytestmark = pytest.mark.timeout(180)  # of many processes, on a machine that may be busy
STATE = pb.SeriesState
SIMPLE = Path(__file__).parents[2] / "sample_bots" / "simple"


def test_a_series_waits_for_its_bot_and_plays_with_it(tmp_path: Path) -> None:
    bots = [{"sample": "random"}, {"name": "ada", "join": True}]
    with Serving(tmp_path / "data", tmp_path / "scratch") as serving:
        id_ = serving.submit(series_file(tmp_path, "open", bots=bots, groups=3, play="deals"))
        waiting = serving.wait(id_, STATE.SERIES_STATE_WAITING)
        assert waiting.told == "waits for ada to dial in"
        other = serving.submit(series_file(tmp_path, "closed", groups=1, play="deals"))
        serving.wait(other, STATE.SERIES_STATE_FINISHED)  # others go first
        bot = serving.start("join", serving.address, SIMPLE, "--name", "ada", "--isolation", "none")
        try:
            joined = wait_for(lambda: serving.stub.Status(pb.StatusRequest()).joined or None)
            assert [one.bot for one in joined] == ["ada"]
            serving.wait(id_, STATE.SERIES_STATE_FINISHED)
        finally:
            bot.terminate()
            bot.communicate()
        faults = serving.stub.Faults(pb.FaultsRequest(id=id_)).faults
        assert [(fault.bot, fault.kind, fault.told) for fault in faults] == []
        hand = serving.stub.Hand(pb.HandRequest(id=id_, game=0, hand=1))
        assert '"ada"' in hand.record


def test_a_series_begins_without_its_bot_when_it_is_told_to_and_needs_no_cluster(tmp_path: Path) -> None:
    bots = [{"sample": "random"}, {"name": "ada", "join": True}]
    path = series_file(
        tmp_path, "open", bots=bots, groups=1, clock={"ready": "3s"}, faults={"quarantine_after": 1}, play="deals"
    )
    with Serving(tmp_path / "data", tmp_path / "scratch", "--cluster", "tcp://127.0.0.1:9") as serving:
        id_ = serving.submit(path)
        serving.wait(id_, STATE.SERIES_STATE_WAITING)
        serving.stub.Pause(pb.PauseRequest(id=id_))
        serving.stub.Resume(pb.ResumeRequest(id=id_))  # of the pause: it waits as before
        serving.wait(id_, STATE.SERIES_STATE_WAITING)
        serving.stub.Resume(pb.ResumeRequest(id=id_))
        serving.wait(id_, STATE.SERIES_STATE_FINISHED)
        kinds = {fault.kind for fault in serving.stub.Faults(pb.FaultsRequest(id=id_)).faults}
        assert kinds == {"never_ready"}


@pytest.mark.thorough
def test_a_server_that_is_killed_takes_the_door_up_again(tmp_path: Path) -> None:
    bots = [{"sample": "random"}, {"name": "ada", "join": True}]
    path = series_file(tmp_path, "open", **LONG | {"bots": bots})
    with Serving(tmp_path / "data", tmp_path / "one") as serving:
        id_ = serving.submit(path)
        bot = serving.start("join", serving.address, SIMPLE, "--name", "ada", "--isolation", "none")
        try:
            then = serving.wait_for_games(id_, 1)
        finally:
            bot.kill()
            bot.communicate()
    with Serving(tmp_path / "data", tmp_path / "two") as serving:
        assert serving.wait(id_, STATE.SERIES_STATE_WAITING).games_done >= then.games_done
        bot = serving.start("join", serving.address, SIMPLE, "--name", "ada", "--isolation", "none")
        try:
            serving.wait_for_games(id_, serving.info(id_).games_done + 1)
        finally:
            bot.terminate()
            bot.communicate()
