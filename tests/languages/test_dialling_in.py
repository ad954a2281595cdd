"""The sample bots in other languages that dial in by themselves: to a door without an arena behind it."""

import os
from pathlib import Path

import grpc
import pytest
from bots_at_table import SAMPLE_BOTS
from dialling_bots import Dialling
from fake_door import PATIENCE, Caller, FakeDoor, Refusal, Wire
from language_bots import another_language, built_bot
from played_turns import setup_message, turns_of_games

from arena.protocol import codec
from arena.protocol.v1 import join_pb2 as pb
from arena.protocol.v1 import player_pb2
from arena.server.certificates import kept_certificate

pytestmark = another_language

DIAL_IN = ("simple-go", "simple-typescript")


@pytest.fixture(params=DIAL_IN)
def name(request: pytest.FixtureRequest) -> str:
    """Each of these bots in turn, built."""
    found: str = request.param
    built_bot(found)
    return found


def dialling(name: str, address: str, **others: str) -> Dialling:
    """The bot as a process, told to dial in."""
    spec = built_bot(name)
    return Dialling(spec.run, {"PATH": os.environ["PATH"], "ARENA_JOIN": address, **others}, spec.folder)


def request_of(number: int) -> player_pb2.PlayRequest:
    request = player_pb2.PlayRequest(setup=setup_message(hints=True))
    for turn in turns_of_games(2)[:number]:
        codec.add_turn(request, turn)
    return request


def asked(caller: Caller, number: int = 3) -> None:
    """Ask some turns and see that they are answered legally."""
    answers = caller.ask(request_of(number))
    for turn in turns_of_games(2)[:number]:
        assert codec.read_decision(answers[turn.id]).kind in turn.view.legal


def test_it_introduces_itself_answers_and_keeps_one_conversation_waiting(name: str) -> None:
    with FakeDoor() as door, dialling(name, door.address, ARENA_TOKEN="gin_x", ARENA_NAME="ada"):
        first = door.caller()
        assert (first.introduction.bot, first.introduction.hello.name) == ("ada", name)
        assert first.metadata["authorization"] == "Bearer gin_x"
        assert first.metadata["arena-protocol"] == "1"
        first.saying.put(pb.JoinResponse(probe=pb.Probe(id=1 << 60)))
        assert first.heard() == pb.JoinRequest(echo=pb.Echo(id=1 << 60))
        asked(first)
        second = door.caller()
        first.end()
        asked(second)
        asked(door.caller())


def test_it_goes_on_after_a_break(name: str) -> None:
    with FakeDoor() as door, Wire(door.port) as wire, dialling(name, f"127.0.0.1:{wire.port}") as bot:
        first = door.caller()
        assert first.introduction.bot == name
        asked(first)
        door.caller()
        wire.cut()
        assert bot.line().endswith("; trying again")
        wire.mend()
        back = sorted((door.caller() for _ in range(2)), key=lambda caller: caller.introduction.conversation)
        assert [caller.introduction.conversation for caller in back] == ["", "c1"]
        asked(back[1])
        assert bot.line() == "the arena is there again"


def test_it_tries_again_where_too_many_come_back_at_once(name: str) -> None:
    with FakeDoor() as door, Wire(door.port) as wire, dialling(name, f"127.0.0.1:{wire.port}"):
        asked(door.caller())
        door.caller()
        door.refusal = Refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, "wait a little")
        wire.cut()
        wire.mend()
        while door.refused.get(timeout=PATIENCE).conversation != "c1":
            pass
        door.refusal = None
        back = sorted((door.caller() for _ in range(2)), key=lambda caller: caller.introduction.conversation)
        assert [caller.introduction.conversation for caller in back] == ["", "c1"]
        asked(back[1])


def test_a_refusal_is_a_line_and_code_2(name: str) -> None:
    with FakeDoor() as door:
        door.refusal = Refusal(grpc.StatusCode.UNAUTHENTICATED, "a token is needed")
        with dialling(name, door.address) as bot:
            assert bot.process.wait(PATIENCE) == 2
            assert bot.line() == "a token is needed"


def test_by_tls_it_trusts_the_certificate_that_it_is_given_alone(name: str, tmp_path: Path) -> None:
    right, wrong = (kept_certificate(tmp_path / folder, ["localhost"]) for folder in ("right", "wrong"))
    with FakeDoor(credentials=right.credentials()) as door, dialling(name, door.address, ARENA_CA=str(right.authority)):
        asked(door.caller())
    with FakeDoor(credentials=right.credentials()) as door:
        with dialling(name, door.address, ARENA_CA=str(wrong.authority)) as bot:
            assert bot.line().endswith("; trying again")
        assert door.callers.empty()


def test_every_sample_that_dials_in_says_so() -> None:
    told = [path.parent.name for path in sorted(SAMPLE_BOTS.glob("simple-*/README.md")) if "ARENA_JOIN" in _text(path)]
    assert told == list(DIAL_IN)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
