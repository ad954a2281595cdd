"""Who may call what: every role and every method, versions, rates, streams, and what the log says of it."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import repeat
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc  # type: ignore[import-untyped]
from tiny_service import NAMES, Tiny, tiny_service

from arena.errors import ArenaError, InputError
from arena.protocol.dialling import Server, calling
from arena.protocol.v1 import arena_pb2, join_pb2
from arena.protocol.v1.arena_pb2_grpc import ArenaStub
from arena.protocol.v1.join_pb2_grpc import DoorStub
from arena.server.access import LARGEST_REQUEST, MAY, OPEN, demands
from arena.server.caller import Caller, Role
from arena.server.rates import Limits, Rates, place_of
from arena.server.refusals import RefusedError
from arena.server.tokens import new_token, revoke_token

METHODS = sorted(f"/{service.full_name}/{method.name}" for service in NAMES for method in service.methods)
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
HEALTH = "/grpc.health.v1.Health/Check"
FORBIDDEN = {
    "entrant": {"Submit", "Pause", "Resume", "Cancel"},
    "spectator": {"Submit", "Pause", "Resume", "Cancel", "Join"},
}


@pytest.fixture
def tokens(tmp_path: Path) -> dict[str, str]:
    """A token of each role, and two that are none."""
    made = {role.value: new_token(tmp_path, role, ["ada"] if role is Role.ENTRANT else [])[0] for role in Role}
    made["revoked"] = new_token(tmp_path, Role.ORGANISER, label="old")[0]
    revoke_token(tmp_path, "old")
    return made | {"unknown": "gin_" + "x" * 43}


@pytest.fixture
def tiny(tmp_path: Path, tokens: dict[str, str]) -> Iterator[Tiny]:
    with tiny_service(tmp_path) as served:
        yield served


def status(address: str, method: str, metadata: dict[str, str]) -> tuple[grpc.StatusCode, str]:
    """What a call ends with; whatever stands in its messages."""
    with grpc.insecure_channel(address) as channel:
        call = channel.stream_stream(method, bytes, bytes)(iter([b""]), metadata=tuple(metadata.items()), timeout=30)
        with suppress(grpc.RpcError):
            for _ in call:
                return grpc.StatusCode.OK, ""
        return call.code(), call.details() or ""


def test_the_table_has_every_method_and_no_other() -> None:
    health = health_pb2.DESCRIPTOR.services_by_name["Health"]
    assert sorted(MAY) == sorted([*METHODS, REFLECTION, f"/{health.full_name}/Watch"])
    assert {f"/{health.full_name}/{method.name}" for method in health.methods} <= OPEN | MAY.keys()


@pytest.mark.parametrize("role", list(Role))
def test_each_role_may_call_what_is_for_it_and_nothing_else(tiny: Tiny, tokens: dict[str, str], role: Role) -> None:
    for method in (*METHODS, REFLECTION, HEALTH):
        code, said = status(tiny.address, method, {"authorization": f"Bearer {tokens[role]}"})
        name = method.rpartition("/")[2]
        if name in FORBIDDEN.get(role, ()):
            assert code is grpc.StatusCode.PERMISSION_DENIED, method
            assert re.fullmatch(
                rf"{name} is for an organiser( or an entrant)?, and this token is that of an? {role}", said
            )
        else:
            assert code not in (grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNAUTHENTICATED), method


@pytest.mark.parametrize("given", ["", "Bearer gin_" + "x" * 43, "Basic abc", "Bearer", "Bearer " + "y" * 5000])
def test_without_a_token_that_counts_only_health_is_told(tiny: Tiny, given: str) -> None:
    metadata = {"authorization": given} if given else {}
    why = "this token is unknown, or was revoked" if given else "a token is needed"
    for method in MAY:
        told = status(tiny.address, method, metadata)
        assert told == (grpc.StatusCode.UNAUTHENTICATED, f"{why}: ask the organiser for one")
    assert status(tiny.address, HEALTH, metadata)[0] is grpc.StatusCode.OK


def test_a_revoked_token_counts_no_more(tiny: Tiny, tokens: dict[str, str]) -> None:
    for name in ("revoked", "unknown"):
        code, _ = status(tiny.address, METHODS[0], {"authorization": f"Bearer {tokens[name]}"})
        assert code is grpc.StatusCode.UNAUTHENTICATED


def test_a_running_server_takes_up_new_and_revoked_tokens(tiny: Tiny, tmp_path: Path) -> None:
    text, _ = new_token(tmp_path, Role.SPECTATOR, label="late")
    with calling(Server(tiny.address, text)) as channel:
        assert ArenaStub(channel).Status(arena_pb2.StatusRequest()).arena_version == "spectator late"
    revoke_token(tmp_path, "late")
    with pytest.raises(InputError, match="unknown, or was revoked"), calling(Server(tiny.address, text)) as channel:
        ArenaStub(channel).Status(arena_pb2.StatusRequest())


def test_a_file_of_tokens_that_is_damaged_or_gone_opens_no_door(
    tiny: Tiny, tmp_path: Path, tokens: dict[str, str]
) -> None:
    for damage in (lambda: (tmp_path / "tokens.json").write_text("{"), (tmp_path / "tokens.json").unlink):
        damage()
        assert status(tiny.address, METHODS[0], {})[0] is grpc.StatusCode.UNAUTHENTICATED
        with calling(Server(tiny.address, tokens["organiser"])) as channel:
            assert ArenaStub(channel).Status(arena_pb2.StatusRequest()).arena_version == "organiser organiser"


def test_where_no_token_was_made_everybody_is_an_organiser(tmp_path: Path) -> None:
    with tiny_service(tmp_path) as tiny:
        for method in (*METHODS, REFLECTION, HEALTH):
            code, _ = status(tiny.address, method, {})
            assert code not in (grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNAUTHENTICATED), method
        new_token(tmp_path, Role.ORGANISER)
        assert status(tiny.address, METHODS[0], {})[0] is grpc.StatusCode.UNAUTHENTICATED


def test_a_handler_and_what_it_starts_know_who_calls(tiny: Tiny, tokens: dict[str, str]) -> None:
    with calling(Server(tiny.address, tokens["entrant"])) as channel:
        assert ArenaStub(channel).Status(arena_pb2.StatusRequest()).arena_version == "entrant ada"
        watched = [event.progress.series.title for event in ArenaStub(channel).Watch(arena_pb2.WatchRequest())]
        assert watched == ["ada", "ada"]
        joined = DoorStub(channel).Join(iter([join_pb2.JoinRequest()]))
        assert [said.welcome.arena_version for said in joined] == ["ada"]
    assert tiny.arena.seen == [Caller(Role.ENTRANT, frozenset({"ada"}), "ada")]


@pytest.mark.parametrize(
    ("version", "code", "words"),
    [
        ("1", grpc.StatusCode.OK, ""),
        ("2", grpc.StatusCode.FAILED_PRECONDITION, "client speaks version 2 of the protocol, the arena (Gin Arena "),
        ("2", grpc.StatusCode.FAILED_PRECONDITION, ") version 1: update the arena, or use an older client"),
        ("0", grpc.StatusCode.FAILED_PRECONDITION, ") version 1: update the client"),
        ("x" * 100, grpc.StatusCode.INVALID_ARGUMENT, "...', expected 1"),
        ("9" * 100, grpc.StatusCode.INVALID_ARGUMENT, "...', expected 1"),
    ],
)
def test_a_client_of_another_version_is_told_both(
    tiny: Tiny, tokens: dict[str, str], version: str, code: grpc.StatusCode, words: str
) -> None:
    said = {"authorization": f"Bearer {tokens['organiser']}", "arena-protocol": version}
    got, details = status(tiny.address, "/arena.v1.Arena/List", said)
    assert got is code
    assert words in details


def test_a_method_that_is_in_no_table_is_refused(
    tiny: Tiny, tokens: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(MAY, "/arena.v1.Arena/List")
    code, said = status(tiny.address, "/arena.v1.Arena/List", {"authorization": f"Bearer {tokens['organiser']}"})
    assert code is grpc.StatusCode.PERMISSION_DENIED
    assert said.startswith("List is for nobody")
    unknown = status(tiny.address, "/arena.v1.Arena/Nothing", {"authorization": f"Bearer {tokens['organiser']}"})
    assert unknown[0] is grpc.StatusCode.UNIMPLEMENTED


def test_health_and_reflection_answer_as_their_packages_do(tiny: Tiny, tokens: dict[str, str]) -> None:
    with grpc.insecure_channel(tiny.address) as channel:
        answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    with calling(Server(tiny.address, tokens["spectator"])) as channel:
        asked = iter([reflection_pb2.ServerReflectionRequest(list_services="")])
        (answer,) = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(asked)
        assert [one.name for one in answer.list_services_response.service] == ["arena.v1.Arena", "arena.v1.Door"]


def test_who_calls_too_often_is_refused_and_nobody_else(tmp_path: Path) -> None:
    eager, _ = new_token(tmp_path, Role.SPECTATOR, label="eager")
    other, _ = new_token(tmp_path, Role.SPECTATOR, label="other")
    with tiny_service(tmp_path, rates=Limits(rate=0.001, burst=3)) as tiny:
        ends = [status(tiny.address, METHODS[0], {"authorization": f"Bearer {eager}"}) for _ in range(5)]
        refused = (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "more than 0.001 calls a second: wait a little, and call less often",
        )
        assert ends[3:] == [refused] * 2
        assert refused not in ends[:3]
        guesses = [status(tiny.address, METHODS[0], {"authorization": "Bearer gin_x"})[0] for _ in range(4)]
        assert guesses == [grpc.StatusCode.UNAUTHENTICATED] * 3 + [grpc.StatusCode.RESOURCE_EXHAUSTED]
        assert status(tiny.address, METHODS[0], {"authorization": f"Bearer {other}"})[0] is not refused[0]


@pytest.mark.parametrize("method", [HEALTH, METHODS[0]])
def test_a_stranger_who_calls_too_often_costs_strangers_elsewhere_nothing(tmp_path: Path, method: str) -> None:
    new_token(tmp_path, Role.ORGANISER)
    with tiny_service(tmp_path, rates=Limits(rate=0.001, burst=3)) as tiny:
        ends = [status(tiny.address, method, {})[0] for _ in range(5)]
        assert ends[2:] == [ends[0], grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.RESOURCE_EXHAUSTED]
        assert ends[0] is (grpc.StatusCode.OK if method == HEALTH else grpc.StatusCode.UNAUTHENTICATED)
        assert status(tiny.local, method, {})[0] is ends[0]


@pytest.mark.parametrize(
    ("peer", "place"),
    [
        ("ipv4:192.0.2.7:50312", "192.0.2.7"),
        ("ipv6:[2001:db8:1:2:3:4:5:6]:50312", "2001:db8:1:2::/64"),
        ("ipv6:%5B2001:db8:1:2::9%5D:7", "2001:db8:1:2::/64"),
        ("ipv6:[::ffff:192.0.2.7]:50312", "192.0.2.7"),
        ("ipv6:[fe80::1%25eth0]:7", "fe80::/64"),
        ("unix:", "unix"),
        ("", ""),
    ],
)
def test_a_stranger_is_known_by_its_address_alone(peer: str, place: str) -> None:
    assert place_of(peer) == place


def test_of_many_strangers_those_who_called_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.rates.MOST_KNOWN", 3)
    rates = Rates(Limits(rate=0.0, burst=1), clock=lambda: 0.0)
    for who in "abcd":
        rates.count(who)
    rates.count("a")  # forgotten
    with pytest.raises(RefusedError):
        rates.count("d")


@pytest.mark.parametrize(
    ("limits", "same", "words"),
    [
        (Limits(streams=2), True, "more than 2 open streams of one token: end some first"),
        (Limits(in_all=2), False, "more than 2 open streams of all callers: try again later"),
    ],
)
def test_open_streams_are_bounded_and_free_again_when_they_end(
    tmp_path: Path, limits: Limits, same: bool, words: str
) -> None:
    texts = [new_token(tmp_path, Role.SPECTATOR)[0] for _ in range(3)]
    one, two, three = repeat(texts[0], 3) if same else texts
    forever = arena_pb2.WatchRequest(id="forever")
    with tiny_service(tmp_path, rates=limits) as tiny, calling(Server(tiny.address, one)) as channel:
        first = ArenaStub(channel).Watch(forever)
        next(first)
        with calling(Server(tiny.address, two)) as second:
            held = ArenaStub(second).Watch(forever)
            next(held)
            with pytest.raises(InputError, match=words), calling(Server(tiny.address, three)) as third:
                next(ArenaStub(third).Watch(forever))
            with calling(Server(tiny.address, three)) as third:  # what is no stream goes on
                assert ArenaStub(third).Status(arena_pb2.StatusRequest()).arena_version
            held.cancel()
        assert eventually(lambda: opened(tiny.address, three))
        first.cancel()


def opened(address: str, token: str) -> bool:
    try:
        with calling(Server(address, token)) as channel:
            next(ArenaStub(channel).Watch(arena_pb2.WatchRequest()))
    except ArenaError:
        return False
    return True


def eventually(true: Callable[[], bool]) -> bool:
    """Whether it comes true within a generous number of tries."""
    return any(true() for _ in range(2000))


def test_a_message_that_is_too_large_is_refused(tiny: Tiny, tokens: dict[str, str]) -> None:
    def watched(size: int) -> str:
        with calling(Server(tiny.address, tokens["organiser"])) as channel:
            answer = next(ArenaStub(channel).Watch(arena_pb2.WatchRequest(id="x" * size)))
            return str(answer.progress.series.title)

    assert watched(LARGEST_REQUEST - 100) == "organiser"
    with pytest.raises(InputError, match="larger than max"):
        watched(LARGEST_REQUEST)


@pytest.mark.parametrize("data", [b"\xff\xff\xff\xff", b"\x0a\x05\xff"], ids=["bytes", "cut"])
def test_bytes_that_are_no_message_are_refused_and_are_no_bug(tiny: Tiny, tokens: dict[str, str], data: bytes) -> None:
    metadata = (("authorization", f"Bearer {tokens['organiser']}"),)
    with grpc.insecure_channel(tiny.address) as channel:
        for method in (*METHODS, REFLECTION, HEALTH):
            call = channel.stream_stream(method, bytes, bytes)(iter([data]), metadata=metadata, timeout=30)
            with suppress(grpc.RpcError):
                assert not list(call), method
            assert call.code() is grpc.StatusCode.INVALID_ARGUMENT, method
            assert "no message of this call" in (call.details() or ""), method
    assert not [line for line in tiny.log if " bug " in line]


def test_what_a_method_raises_becomes_a_status_and_a_bug_is_told_in_the_log_alone(
    tiny: Tiny, tokens: dict[str, str]
) -> None:
    server = Server(tiny.address, tokens["organiser"])

    def asked(series: str) -> str:
        with pytest.raises(ArenaError) as refused, calling(server) as channel:
            ArenaStub(channel).Standings(arena_pb2.StandingsRequest(id=series))
        return str(refused.value)

    assert asked("aborted") == "there is no such series"
    assert asked("bug") == f"the arena at {tiny.address} failed: this is a bug in the arena: its log says more"
    lines = asked("wrong").split("\n")
    assert lines[0].startswith("cup.yaml:0:1: wrong")
    assert lines[-1] == f"and {100 - len(lines) + 1} more"
    calls = [line.partition(" ")[2] for line in tiny.log]
    ends = [re.findall(r"method=Standings status=(\w+) ms=[0-9.]+ why=", line) for line in calls if "ms=" in line]
    assert ends == [["NOT_FOUND"], ["INTERNAL"], ["INVALID_ARGUMENT"]]
    (bug,) = [line for line in calls if line.startswith("bug")]
    assert "KeyError: 'gin_...'" in bug
    assert "secret" not in "".join(tiny.log)
    assert "Traceback" in bug


def test_the_log_names_callers_and_no_token(tiny: Tiny, tokens: dict[str, str]) -> None:
    for token in tokens.values():
        status(tiny.address, "/arena.v1.Arena/Pause", {"authorization": f"Bearer {token}"})
    assert len(tiny.log) == len(tokens)
    assert not any(token[4:] in line for token in tokens.values() for line in tiny.log)
    assert {word for line in tiny.log for word in line.split() if word.startswith("status=")} == {
        "status=UNAUTHENTICATED", "status=PERMISSION_DENIED", "status=OK"
    }  # fmt: skip


@pytest.mark.parametrize("listen", ["127.0.0.1:7000", "localhost:7000", "[::1]:7000", "127.9.9.9:1", "unix:/tmp/x"])
def test_on_this_machine_alone_nothing_is_demanded(listen: str) -> None:
    assert demands(listen, tokens=False, tls=False, plaintext=False) == []


@pytest.mark.parametrize(
    "listen", ["0.0.0.0:7000", "[::]:7000", "10.0.0.1:7000", "arena.example.org:7000", "localhost.example.org:1"]
)
def test_beyond_this_machine_tokens_and_tls_are_demanded(listen: str) -> None:
    told = demands(listen, tokens=False, tls=False, plaintext=False)
    assert [listen in line for line in told] == [True, True]
    assert "arena token new" in told[0]
    assert "--tls" in told[1]
    assert demands(listen, tokens=True, tls=False, plaintext=False) == told[1:]
    assert demands(listen, tokens=False, tls=True, plaintext=False) == told[:1]
    assert demands(listen, tokens=True, tls=True, plaintext=False) == []
    assert demands(listen, tokens=True, tls=False, plaintext=True) == []
    assert len(demands(listen, tokens=True, tls=True, plaintext=True)) == 1


@pytest.mark.parametrize(
    "listen", ["", "7000", "127.0.0.1", "127.0.0.1:65536", "127.0.0.1:x", ":7000", "a b:7", "unix:"]
)
def test_an_address_at_which_nobody_can_listen_is_told(listen: str) -> None:
    (told,) = demands(listen, tokens=True, tls=True, plaintext=False)
    assert told == f"--listen {listen}: expected HOST:PORT with a port up to 65535, or unix:/path"
