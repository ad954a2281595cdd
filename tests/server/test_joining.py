"""A Python bot that dials in by `serve`, as a process, to a door without an arena behind it."""

import os
import signal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import grpc
import pytest
from dialling_bots import Dialling
from fake_door import PATIENCE, Caller, FakeDoor, Refusal, Wire
from played_turns import setup_message, turns_of_games

from arena.bot.joining import MAX_CONVERSATIONS
from arena.protocol import codec
from arena.protocol.v1 import join_pb2 as pb
from arena.protocol.v1 import player_pb2
from arena.rules.view import Turn, TurnKind

PROGRAMS = Path(__file__).parents[1] / "bot" / "programs"
COUNTING, CROWDED, FAILING = PROGRAMS / "counting.py", PROGRAMS / "crowded.py", PROGRAMS / "failing.py"
ROOT = Path(__file__).parents[2]


class Dialler(Dialling):
    """A bot in Python."""

    def __init__(self, program: Path, environment: Mapping[str, str], *arguments: str) -> None:
        clean = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
        super().__init__([sys.executable, program, *arguments], clean | dict(environment))


@pytest.fixture
def door() -> Iterator[FakeDoor]:
    with FakeDoor() as one:
        yield one


def request_of(turns: list[Turn]) -> player_pb2.PlayRequest:
    request = player_pb2.PlayRequest(setup=setup_message(hints=True))
    for turn in turns:
        codec.add_turn(request, turn)
    return request


def joining(wire: Wire) -> dict[str, str]:
    """The environment of a bot that dials by a wire."""
    return {"ARENA_JOIN": f"127.0.0.1:{wire.port}"}


def asked(caller: Caller, number: int = 1) -> None:
    """Ask some turns and see that they are answered."""
    turns = turns_of_games(2)[:number]
    assert set(caller.ask(request_of(turns))) == {turn.id for turn in turns}


def test_a_bot_introduces_itself_as_it_does_to_hello(door: FakeDoor) -> None:
    with Dialler(COUNTING, {"ARENA_JOIN": door.address, "ARENA_TOKEN": "gin_secret", "ARENA_NAME": "ada"}) as bot:
        caller = door.caller()
        said = caller.introduction
        assert (said.bot, said.conversation) == ("ada", "")
        assert (said.hello.name, said.hello.version, said.hello.max_batch) == ("Counting", "1.5", 100)
        assert said.hello.advises
        assert caller.metadata["authorization"] == "Bearer gin_secret"
        assert caller.metadata["arena-protocol"] == "1"
        assert bot.line() == f"ada has dialled in to the arena at {door.address}"


def test_without_a_name_or_a_token_a_bot_is_called_after_its_class(door: FakeDoor) -> None:
    with Dialler(COUNTING, {"ARENA_JOIN": door.address}):
        caller = door.caller()
        assert caller.introduction.bot == "Counting"
        assert "authorization" not in caller.metadata


def test_one_conversation_more_waits_than_is_asked_on_and_each_has_games_of_its_own(door: FakeDoor) -> None:
    with Dialler(COUNTING, {"ARENA_JOIN": door.address}):
        callers = [door.caller()]
        for _ in range(3):
            assert door.callers.empty()  # nothing was asked on the last
            asked(callers[-1], 20)
            callers.append(door.caller())
        asked(callers[0], 1)
        assert door.callers.empty()


def test_no_more_conversations_are_opened_than_may_be(door: FakeDoor) -> None:
    with Dialler(COUNTING, {"ARENA_JOIN": door.address}):
        callers = []
        for _ in range(MAX_CONVERSATIONS):
            callers.append(door.caller())
            asked(callers[-1])
        callers[0].end()
        asked(door.caller())
        assert door.callers.empty()


def test_a_probe_is_echoed_while_the_bot_thinks(door: FakeDoor) -> None:
    with Dialler(FAILING, {"ARENA_JOIN": door.address}) as bot:
        caller = door.caller()
        stuck = request_of([discard_turn()])
        stuck.turns[0].hand_number = 5
        caller.tell(stuck)
        assert bot.process.stdout is not None
        assert bot.process.stdout.readline() == "stuck\n"
        caller.saying.put(pb.JoinResponse(probe=pb.Probe(id=7)))
        assert caller.heard() == pb.JoinRequest(echo=pb.Echo(id=7))


def test_after_a_break_a_conversation_goes_on_with_its_games(door: FakeDoor) -> None:
    turn = discard_turn()
    advising = request_of([turn])
    advising.turns[0].advising = True
    with Wire(door.port) as wire, Dialler(COUNTING, joining(wire)) as bot:
        first = door.caller()
        first.ask(request_of([turn]))
        waiting = door.caller()
        bot.line()
        wire.cut()
        assert bot.line() == f"the line to the arena at 127.0.0.1:{wire.port} is broken; trying again"
        wire.mend()
        back = sorted((door.caller() for _ in range(2)), key=lambda caller: caller.introduction.conversation)
        assert [caller.introduction.conversation for caller in back] == ["", "c1"]
        assert bot.line() == f"Counting is back with the arena at 127.0.0.1:{wire.port}"
        advising.turns[0].id += 1
        (answer,) = back[1].ask(advising).values()
        assert codec.read_text(answer) == "bot 1, turn 2"  # the object of before
        assert waiting.introduction.conversation == ""


def test_a_turn_that_is_asked_again_has_its_answer_without_further_thought(door: FakeDoor) -> None:
    turn = discard_turn()
    advising = request_of([turn])
    advising.turns[0].advising = True
    with Wire(door.port) as wire, Dialler(COUNTING, joining(wire)):
        first = door.caller()
        (answer,) = first.ask(advising).values()
        assert codec.read_text(answer) == "bot 1, turn 1"
        door.caller()
        wire.cut()
        wire.mend()
        back = next(caller for caller in (door.caller(), door.caller()) if caller.introduction.conversation)
        assert list(back.ask(advising).values()) == [answer]
        advising.turns[0].id += 1
        (other,) = back.ask(advising).values()
        assert codec.read_text(other) == "bot 1, turn 2"


@pytest.mark.parametrize("code", [grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.DEADLINE_EXCEEDED])
def test_a_conversation_that_may_not_come_back_at_once_tries_again(door: FakeDoor, code: grpc.StatusCode) -> None:
    with Wire(door.port) as wire, Dialler(COUNTING, joining(wire)):
        asked(door.caller())
        door.caller()
        door.refusal = Refusal(code, "wait a little")
        wire.cut()
        wire.mend()
        while door.refused.get(timeout=PATIENCE).conversation != "c1":
            pass
        door.refusal = None
        back = sorted((door.caller() for _ in range(2)), key=lambda caller: caller.introduction.conversation)
        assert [caller.introduction.conversation for caller in back] == ["", "c1"]
        asked(back[1])


def test_a_conversation_that_is_away_for_longer_than_its_grace_is_given_up() -> None:
    with FakeDoor(grace_ms=100) as door, Wire(door.port) as wire, Dialler(COUNTING, joining(wire)) as bot:
        asked(door.caller())
        door.caller().probe()  # so that its welcome, too, is in the past
        bot.line()
        wire.cut()
        assert "is broken; trying again" in bot.line()
        assert bot.line() == "a conversation is lost: it was broken for more than 0.1 s"
        wire.mend()
        assert door.caller().introduction.conversation == ""
        assert door.callers.empty()


def test_a_bot_waits_for_an_arena_that_is_not_there_yet() -> None:
    with FakeDoor() as finder:
        port = finder.port
    with Dialler(COUNTING, {"ARENA_JOIN": f"localhost:{port}"}) as bot:
        assert bot.line() == (
            f"nothing listens at localhost:{port}: is the arena running there (arena serve), and the port right?; "
            "trying again"
        )
        with FakeDoor(port) as door:
            asked(door.caller())
            assert bot.line() == f"Counting has dialled in to the arena at localhost:{port}"


def test_an_arena_that_is_far_away_is_reached_at_the_first_try(door: FakeDoor) -> None:
    with Wire(int(door.address.rpartition(":")[2]), delay=0.7) as wire, Dialler(COUNTING, joining(wire)) as bot:
        assert bot.line() == f"Counting has dialled in to the arena at 127.0.0.1:{wire.port}"


def test_the_end_of_a_conversation_is_not_the_end_of_the_bot(door: FakeDoor) -> None:
    with Dialler(COUNTING, {"ARENA_JOIN": door.address}):
        first = door.caller()
        asked(first)
        second = door.caller()
        first.end()
        assert first.heard() is None
        asked(second)
        asked(door.caller())


def test_what_the_arena_ends_a_conversation_by_is_told(door: FakeDoor) -> None:
    with Dialler(COUNTING, {"ARENA_JOIN": door.address}) as bot:
        first = door.caller()
        asked(first)
        bot.line()
        first.end(Refusal(grpc.StatusCode.ABORTED, "the bot did not answer in time"))
        assert bot.line() == "the arena has ended a conversation: the bot did not answer in time"
        asked(door.caller())


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.INVALID_ARGUMENT,
    ],
)
def test_a_refusal_ends_the_bot_with_a_line(door: FakeDoor, code: grpc.StatusCode) -> None:
    door.refusal = Refusal(code, "this is no token of a bot's")
    with Dialler(COUNTING, {"ARENA_JOIN": door.address, "ARENA_TOKEN": "gin_x"}) as bot:
        exit_code, err = bot.end()
    assert (exit_code, err.count("\n")) == (2, 1), err
    assert err.endswith("this is no token of a bot's\n")


def test_a_bot_that_nobody_waits_for_tries_again(door: FakeDoor) -> None:
    door.refusal = Refusal(grpc.StatusCode.NOT_FOUND, "no series here waits for a bot 'Counting'")
    with Dialler(COUNTING, {"ARENA_JOIN": door.address}) as bot:
        assert bot.line() == "no series here waits for a bot 'Counting'; trying again"
        door.refusal = None
        asked(door.caller())
        assert bot.line() == f"Counting has dialled in to the arena at {door.address}"


def test_an_arena_of_another_version_is_told() -> None:
    with FakeDoor(version=2) as door, Dialler(COUNTING, {"ARENA_JOIN": door.address}) as bot:
        assert bot.end() == (2, f"the arena at {door.address} speaks version 2 of the protocol, expected 1\n")


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"ARENA_JOIN": "5000"}, "'5000' is no address of an arena, expected host:port or unix:/path"),
        (
            {"ARENA_JOIN": "localhost:1", "ARENA_NAME": "a\udcff"},
            r"'a\udcff' is no UTF-8, expected the bot's name in the",
        ),
        ({"ARENA_JOIN": "localhost:1", "ARENA_TOKEN": "two words"}, "the token: expected one as 'arena token new'"),
        ({"ARENA_JOIN": "10.1.2.3:1", "ARENA_TOKEN": "gin_x"}, "the token would be sent to 10.1.2.3:1 unencrypted"),
        ({"ARENA_JOIN": "localhost:1", "ARENA_CA": "/nowhere.pem"}, "--ca /nowhere.pem: No such file or directory"),
    ],
)
def test_what_cannot_be_dialled_is_said_in_a_line(environment: dict[str, str], message: str) -> None:
    with Dialler(COUNTING, environment) as bot:
        code, err = bot.end()
    assert code == 2
    (line,) = err.splitlines()
    assert line.startswith(message)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_signal_ends_a_bot_with_a_goodbye(door: FakeDoor, number: int, code: int) -> None:
    with Dialler(COUNTING, {"ARENA_JOIN": door.address}) as bot:
        first = door.caller()
        asked(first)
        second = door.caller()
        bot.line()
        bot.process.send_signal(number)
        for caller in (first, second):
            assert caller.heard() is None  # said, not broken off
            caller.end()
        assert bot.end() == (code, "")


def test_a_failure_of_the_bot_ends_its_conversation_alone(door: FakeDoor) -> None:
    failing = request_of([discard_turn()])
    failing.turns[0].hand_number = 2
    with Dialler(FAILING, {"ARENA_JOIN": door.address}) as bot:
        first = door.caller()
        first.tell(failing)
        assert first.heard() is None  # the arena need not wait for it to come back
        first.end()
        second = door.caller()
        (answer,) = second.ask(request_of([discard_turn()])).values()
        assert answer.action
        bot.process.terminate()
        second.end()
        code, err = bot.end()
    assert code == 0
    assert "ZeroDivisionError: no more ideas" in err


NO_ROOM = "this machine, or its limits (ulimit), are too small for more conversations: can't start new thread"


def test_a_machine_without_threads_for_more_goes_on_with_those_that_it_has(door: FakeDoor) -> None:
    with Dialler(CROWDED, {"ARENA_JOIN": door.address}, "1") as bot:
        caller = door.caller()
        bot.line()
        asked(caller)
        assert bot.line() == NO_ROOM
        asked(caller, 2)
        caller.end()  # and now one more is tried
        code, err = bot.end()
    assert (code, err) == (2, f"{NO_ROOM}\n")


def test_a_conversation_that_cannot_be_held_does_not_wait_for_nothing(door: FakeDoor) -> None:
    with Dialler(PROGRAMS / "breathless.py", {"ARENA_JOIN": door.address}) as bot:
        code, err = bot.end()
    assert (code, err.splitlines()[-1]) == (2, "a conversation cannot be held: can't start new thread")


def test_a_bot_that_leaves_ends_with_its_own_code(door: FakeDoor) -> None:
    leaving = request_of([discard_turn()])
    leaving.turns[0].hand_number = 3
    with Dialler(FAILING, {"ARENA_JOIN": door.address}) as bot:
        door.caller().tell(leaving)
        assert bot.end()[0] == 7


def test_a_bot_that_the_arena_starts_listens_whatever_else_it_is_told(door: FakeDoor, tmp_path: Path) -> None:
    environment = {"ARENA_JOIN": door.address, "ARENA_LISTEN": "tcp:127.0.0.1:0"}
    with Dialler(COUNTING, environment) as bot:
        assert bot.process.stdout is not None
        lines = {bot.process.stdout.readline()[:11] for _ in range(2)}
        assert lines == {"started\n", "ARENA-READY"}
        assert door.callers.empty()


def discard_turn() -> Turn:
    return next(turn for turn in turns_of_games(1) if turn.view.kind is TurnKind.DISCARD)
