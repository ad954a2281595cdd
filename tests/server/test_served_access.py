"""`arena serve` beyond this machine's user: tokens and TLS from the command line, as real processes."""

import hashlib
import io
import os
import signal
import threading
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import grpc
import pytest
from command import call_arena, run_arena
from serving import LONG, Serving, refused, series_file, wait_for

from arena.protocol.dialling import Server, dialled
from arena.protocol.v1 import arena_pb2 as pb
from arena.protocol.v1.arena_pb2_grpc import ArenaStub
from arena.protocol.v1.join_pb2 import JoinRequest
from arena.protocol.v1.join_pb2_grpc import DoorStub

STATE = pb.SeriesState


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def tokens(folder: Path) -> dict[str, str]:
    """The tokens of an organiser, two entrants and a spectator, by their labels."""
    roles = {"me": ["organiser"], "ada": ["entrant", "--bot", "ada"], "bob": ["entrant", "--bot", "bob"]}
    roles["everybody"] = ["spectator"]
    made = {}
    for label, role in roles.items():
        made[label] = call_arena("token", "new", folder / "data", "--label", label, "--role", *role).stdout.strip()
    return made


@pytest.fixture(scope="module")
def serving(folder: Path, tokens: dict[str, str]) -> Iterator[Serving]:
    with Serving(folder / "data", folder / "scratch", "--tls", "--at-once", "2") as serving:
        yield serving


@pytest.fixture(scope="module")
def stubs(serving: Serving, tokens: dict[str, str]) -> Iterator[dict[str, ArenaStub]]:
    """What each holder of a token calls by."""
    ca = serving.data / "tls" / "authority.pem"
    channels = {label: dialled(Server(serving.address, text, ca)) for label, text in tokens.items()}
    yield {label: ArenaStub(channel) for label, channel in channels.items()}
    for channel in channels.values():
        channel.close()


def submitted(stub: ArenaStub, series: Path) -> str:
    parts = [pb.SubmitRequest(series=pb.SeriesFile(yaml=series.read_text(), name=series.name))]
    return stub.Submit(iter(parts)).series.id


def finished(stub: ArenaStub, id_: str) -> None:
    for _ in stub.Watch(pb.WatchRequest(id=id_)):
        pass
    assert stub.Standings(pb.StandingsRequest(id=id_)).tables


def test_callers_who_vanish_are_no_bugs(serving: Serving, tokens: dict[str, str]) -> None:
    over = threading.Event()

    def nothing() -> Iterator[JoinRequest]:
        over.wait(30)
        yield from ()

    def ended() -> list[str]:
        return [line for line in serving.log.read_text().splitlines() if "method=Join" in line and " call " in line]

    with closing(dialled(Server(serving.address, tokens["me"], serving.data / "tls" / "authority.pem"))) as channel:
        calls = [DoorStub(channel).Join(nothing()) for _ in range(30)]
        ArenaStub(channel).Status(pb.StatusRequest())  # it comes after them
        for call in calls:
            call.cancel()
        over.set()
        wait_for(lambda: len(ended()) >= len(calls) or None)
    assert not [line for line in serving.log.read_text().splitlines() if " bug " in line]


def test_the_commands_need_the_token_and_the_certificate(serving: Serving, tokens: dict[str, str]) -> None:
    ca = serving.data / "tls" / "authority.pem"
    done = serving.command("server", "list", "--ca", ca, "--token", tokens["everybody"])
    assert (done.returncode, done.stderr) == (0, "")
    for options, told in (
        (
            ("--ca", ca),
            "a token is needed: ask the organiser for one (give --token, or ARENA_TOKEN in the environment)",
        ),
        (("--ca", ca, "--token", "gin_wrong"), "this token is unknown, or was revoked"),
        (("--tls", "--token", tokens["me"]), "its certificate is of an authority that is not trusted here"),
        (("--token", tokens["me"]), "give --ca FILE (or ARENA_CA) or --tls if the arena there speaks TLS"),
    ):
        done = serving.command("server", "list", *options)
        assert done.returncode in (2, 3)
        assert told in done.stderr
        assert done.stderr.count("\n") == 1


def test_only_an_organiser_submits_and_stops(serving: Serving, stubs: dict[str, ArenaStub], tmp_path: Path) -> None:
    path = series_file(tmp_path, "mine", **LONG)
    for label in ("ada", "everybody"):
        with refused(grpc.StatusCode.PERMISSION_DENIED, "Submit is for an organiser, and this token is that of a"):
            submitted(stubs[label], path)
    id_ = submitted(stubs["me"], path)
    for label in ("ada", "everybody"):
        with refused(grpc.StatusCode.PERMISSION_DENIED, "Cancel is for an organiser"):
            stubs[label].Cancel(pb.CancelRequest(id=id_))
    assert stubs["me"].Cancel(pb.CancelRequest(id=id_)).series.id == id_


def test_faults_are_told_to_whom_they_concern(stubs: dict[str, ArenaStub], tmp_path: Path) -> None:
    bots: list[object] = [
        {"name": name, "run": ["{python}", "-c", f"import sys; sys.exit('the secret of {name}')"]}
        for name in ("ada", "bob")
    ]
    path = series_file(tmp_path, "faulty", bots=[*bots, {"sample": "random"}], groups=2, play="deals")
    id_ = submitted(stubs["me"], path)
    finished(stubs["everybody"], id_)
    for label, seen in (("me", {"ada", "bob"}), ("ada", {"ada"}), ("bob", {"bob"}), ("everybody", set())):
        faults = stubs[label].Faults(pb.FaultsRequest(id=id_)).faults
        assert {fault.bot for fault in faults if fault.output} == seen
        assert {fault.bot for fault in faults if fault.told} == seen
        assert {name for name in ("ada", "bob") if f"the secret of {name}" in str(faults)} == seen
        events = stubs[label].Watch(pb.WatchRequest(id=id_))
        assert {name for name in ("ada", "bob") if f"the secret of {name}" in str(list(events))} <= seen


def climbing() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("bot.yaml", "name: eve\nrun: [x]\n")
        archive.writestr("../../../../evil", "x")
    return out.getvalue()


@pytest.mark.parametrize(
    ("path", "data", "told"),
    [
        ("entries/eve", climbing(), "the bot 'entries/eve': a path that leads out of the archive (../../../../evil)"),
        ("../../../evil", climbing(), "a path that leads out of the archive"),
        ("entries/eve", b"PK" + bytes(100), "this archive cannot be read"),
    ],
    ids=["climbs", "climbs twice", "broken"],
)
def test_an_upload_that_tries_to_climb_out_is_refused_and_nothing_running_is_disturbed(
    serving: Serving, stubs: dict[str, ArenaStub], folder: Path, tmp_path: Path, path: str, data: bytes, told: str
) -> None:
    id_ = submitted(stubs["me"], series_file(tmp_path, "running", **LONG))
    before = games(stubs["me"], id_)
    kept = sorted((serving.data / "uploads").iterdir())
    parts = [
        pb.SubmitRequest(series=pb.SeriesFile(yaml=f"name: cup\nbots: [{path}]\n", name="cup.yaml")),
        pb.SubmitRequest(archive=pb.BotArchive(path=path, size=len(data), sha256=hashlib.sha256(data).digest())),
        pb.SubmitRequest(data=data),
    ]
    with refused(grpc.StatusCode.INVALID_ARGUMENT, told):
        stubs["me"].Submit(iter(parts))
    assert sorted((serving.data / "uploads").iterdir()) == kept
    # Folders of bots come and go meanwhile, which a walk takes as it finds it.
    names = {name for _, folders, files in os.walk(folder.parent) for name in (*folders, *files)}
    assert not [name for name in names if name.startswith("evil")]
    assert wait_for(lambda: games(stubs["me"], id_) > before or None)
    stubs["me"].Cancel(pb.CancelRequest(id=id_))


def games(stub: ArenaStub, id_: str) -> int:
    return next(one.games_done for one in stub.List(pb.ListRequest()).series if one.id == id_)


def test_a_series_that_names_the_arenas_own_files_is_refused(stubs: dict[str, ArenaStub], tmp_path: Path) -> None:
    path = series_file(tmp_path, "prying", bots=["/etc", {"sample": "random"}])
    with refused(grpc.StatusCode.INVALID_ARGUMENT, "prying.yaml:1:", "'/etc' did not come with the series"):
        submitted(stubs["me"], path)


def test_a_token_that_is_revoked_counts_no_more(serving: Serving, tokens: dict[str, str]) -> None:
    ca = serving.data / "tls" / "authority.pem"
    text = call_arena("token", "new", serving.data, "--role", "spectator", "--label", "guest").stdout.strip()
    assert serving.command("server", "status", "--ca", ca, "--token", text).returncode == 0
    assert call_arena("token", "revoke", serving.data, "guest").returncode == 0
    done = serving.command("server", "status", "--ca", ca, "--token", text)
    assert (done.returncode, "unknown, or was revoked" in done.stderr) == (2, True)


def test_the_log_tells_who_called_what_and_no_token(serving: Serving, tokens: dict[str, str]) -> None:
    serving.command("server", "list", "--ca", serving.data / "tls" / "authority.pem", "--token", tokens["bob"])
    log = serving.log.read_text()
    assert "call caller=bob method=List status=OK ms=" in log
    assert not any(text[len("gin_") :] in log for text in tokens.values())


def test_who_serves_where_tokens_were_removed_is_warned(tmp_path: Path) -> None:
    def told() -> str:
        with Serving(tmp_path / "data", tmp_path / "scratch") as serving:
            serving.signal(signal.SIGTERM)
            assert serving.end() == 0
            (line,) = [line for line in serving.told if "may do everything" in line]
            return line

    assert told().startswith("No token was made")
    call_arena("token", "new", tmp_path / "data", "--role", "organiser")
    (tmp_path / "data" / "tokens.json").unlink()
    warned = told()
    assert warned.startswith(f"Warning: {tmp_path / 'data' / 'tokens.json'} is gone")
    assert warned.endswith(f"arena token new {tmp_path / 'data'}")


def test_beyond_this_machine_nothing_is_served_without_a_token_and_tls(tmp_path: Path) -> None:
    serve = ("serve", tmp_path / "data", "--listen", "0.0.0.0:0")
    first = run_arena(*serve)
    assert first.returncode == 2
    assert [
        line.startswith("--listen 0.0.0.0:0 can be reached from other machines") for line in first.stderr.splitlines()
    ] == [
        True,
        True,
    ]
    call_arena("token", "new", tmp_path / "data", "--role", "organiser")
    second = run_arena(*serve)
    assert (second.returncode, second.stderr) == (2, first.stderr.splitlines(keepends=True)[1])
