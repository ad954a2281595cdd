"""`arena join`, the command as a process: the bot of a folder dials in to a door without an arena behind it."""

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from bots_at_table import SAMPLE_BOTS
from command import call_arena
from dialling_bots import Join
from fake_door import FakeDoor, Refusal, Wire
from played_turns import setup_message, turns_of_games

from arena.protocol import codec
from arena.protocol.v1 import join_pb2 as pb
from arena.protocol.v1 import player_pb2
from arena.rules.view import Turn, TurnKind

SIMPLE = SAMPLE_BOTS / "simple"
PROGRAMS = Path(__file__).parents[1] / "bot" / "programs"
COUNTING, FAILING = PROGRAMS / "counting.py", PROGRAMS / "failing.py"


@pytest.fixture
def door() -> Iterator[FakeDoor]:
    with FakeDoor() as one:
        yield one


@pytest.fixture
def failing(tmp_path: Path) -> Path:
    """The folder of a bot that fails as its turns say."""
    folder = tmp_path / "failing"
    folder.mkdir()
    shutil.copy(FAILING, folder / "bot.py")
    (folder / "bot.yaml").write_text('name: failing\nversion: "3"\nrun: ["{python}", bot.py]\ngames: [gin]\n')
    return folder


def request_of(turns: list[Turn], hand_number: int = 0) -> player_pb2.PlayRequest:
    request = player_pb2.PlayRequest(setup=setup_message(hints=True))
    for turn in turns:
        codec.add_turn(request, turn)
    for message in request.turns if hand_number else ():
        message.hand_number = hand_number
    return request


def discard_turn() -> Turn:
    return next(turn for turn in turns_of_games(1) if turn.view.kind is TurnKind.DISCARD)


def test_a_folder_introduces_itself_by_its_manifest_and_answers(door: FakeDoor, failing: Path) -> None:
    with Join(door.address, "--token", "gin_secret", "--", failing, isolation="best-effort"):
        first = door.caller()
        said = first.introduction
        assert (said.bot, said.hello.name, said.hello.version) == ("failing", "Failing", "3")
        assert list(said.hello.games) == [player_pb2.GAME_GIN]
        assert first.metadata["authorization"] == "Bearer gin_secret"
        assert len(first.ask(request_of([discard_turn()]))) == 1


def test_each_conversation_has_a_process_of_its_own_up_to_the_number_given(door: FakeDoor, failing: Path) -> None:
    with Join(door.address, "--name", "ada", "--processes", "2", failing) as command:
        first = door.caller()
        assert first.introduction.bot == "ada"
        assert command.line() == f"ada has dialled in to the arena at {door.address}"
        assert len(first.ask(request_of(turns_of_games(2)[:1]))) == 1
        second = door.caller()
        assert len(second.ask(request_of(turns_of_games(2)[:1]))) == 1
        assert door.callers.empty()
        first.end()
        third = door.caller()
        assert len(third.ask(request_of(turns_of_games(2)[:1]))) == 1
        command.process.send_signal(signal.SIGINT)
        for caller in (second, third):
            assert caller.heard() is None
            caller.end()
        assert command.end() == (130, "3 turns answered\n")


def test_ctrl_c_ends_it_also_where_the_arena_does_not_listen(door: FakeDoor, failing: Path) -> None:
    with Join(door.address, failing) as command:
        first = door.caller()
        assert len(first.ask(request_of([discard_turn()]))) == 1
        door.caller()
        first.tell(request_of([discard_turn()._replace(id=1)], hand_number=5))  # it is stuck
        command.line()
        command.process.send_signal(signal.SIGINT)
        assert command.end() == (130, "1 turn answered\n")


def test_a_process_that_fails_ends_its_conversation_and_its_author_sees_why(door: FakeDoor, failing: Path) -> None:
    with Join(door.address, failing) as command:
        first = door.caller()
        command.line()
        first.tell(request_of([discard_turn()], hand_number=2))
        assert first.heard() is None  # the arena need not wait for it to come back
        first.end()
        lines = [command.line() for _ in range(11)]
        assert lines[0] == "failing has failed: discard asked; the process exited with code 1"
        assert lines[-1] == "    | ZeroDivisionError: no more ideas"
        assert len(door.caller().ask(request_of([discard_turn()]))) == 1  # a fresh process


def test_after_a_break_the_same_process_goes_on_with_its_games(door: FakeDoor, tmp_path: Path) -> None:
    shutil.copy(COUNTING, tmp_path / "bot.py")
    (tmp_path / "bot.yaml").write_text('name: counting\nrun: ["{python}", bot.py]\n')
    advising = request_of([discard_turn()])
    advising.turns[0].advising = True
    with Wire(door.port) as wire, Join(f"127.0.0.1:{wire.port}", tmp_path) as command:
        door.caller().ask(request_of([discard_turn()]))
        door.caller()
        command.line()
        wire.cut()
        assert "is broken; trying again" in command.line()
        wire.mend()
        back = next(one for one in (door.caller(), door.caller()) if one.introduction.conversation)
        advising.turns[0].id += 1
        (answer,) = back.ask(advising).values()
        assert codec.read_text(answer) == "bot 1, turn 2"


def test_a_probe_is_echoed_while_the_bot_thinks_and_the_end_of_the_stream_ends_its_thoughts(
    door: FakeDoor, failing: Path
) -> None:
    with Join(door.address, "--processes", "1", failing) as command:
        first = door.caller()
        command.line()
        first.tell(request_of([discard_turn()], hand_number=5))
        first.saying.put(pb.JoinResponse(probe=pb.Probe(id=7)))
        assert first.heard() == pb.JoinRequest(echo=pb.Echo(id=7))
        first.end(Refusal(grpc.StatusCode.ABORTED, "the bot did not answer in time"))
        assert command.line() == "the arena has ended a conversation: the bot did not answer in time"
        assert len(door.caller().ask(request_of([discard_turn()]))) == 1  # there is but one process at a time


def test_what_the_bot_prints_is_kept_where_one_says(door: FakeDoor, failing: Path, tmp_path: Path) -> None:
    with Join(door.address, "--logs", tmp_path / "logs", failing) as command:
        caller = door.caller()
        caller.ask(request_of([discard_turn()]))
        command.process.send_signal(signal.SIGINT)
        caller.end()
        assert command.end()[0] == 130
    assert "thinking\n" in (tmp_path / "logs" / "failing" / "stdout.log").read_text()


def test_a_bot_that_does_not_start_is_told(failing: Path) -> None:
    (failing / "bot.py").write_text("raise SystemExit('no way')")
    with Join("localhost:1", failing) as command:
        code, err = command.end()
    assert code == 1
    assert err == "failing does not start: the process exited with code 1 before it was ready\n    | no way\n"


def test_a_bot_that_does_not_build_is_told(failing: Path) -> None:
    with (failing / "bot.yaml").open("a") as manifest:
        manifest.write("build: [make, nothing]\n")
    with Join("localhost:1", failing) as command:
        code, err = command.end()
    assert code == 1
    assert "the build command 'make nothing' failed with code 2" in err


def test_a_refusal_is_a_line(door: FakeDoor, failing: Path) -> None:
    door.refusal = Refusal(grpc.StatusCode.PERMISSION_DENIED, "this token is not for the bot 'failing'")
    with Join(door.address, "--token", "gin_x", failing) as command:
        code, err = command.end()
    assert code == 2
    assert err.splitlines()[-1] == "this token is not for the bot 'failing'"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("5000", SIMPLE), "'5000' is no address of an arena, expected host:port or unix:/path"),
        (("localhost:1", "/nowhere"), "/nowhere: there is no such folder, expected one with a bot and its bot.yaml"),
        (
            ("localhost:1", "--name", "a\udcff", SIMPLE),
            "--name: 'a\\udcff' is no bot's name, expected up to 40 letters",
        ),
        (("localhost:1", "--ca", "/no.pem", SIMPLE), "--ca /no.pem: No such file or directory"),
    ],
)
def test_wrong_usage_is_a_line(arguments: tuple[str | Path, ...], message: str) -> None:
    done = call_arena("join", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(message)
