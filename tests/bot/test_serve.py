"""A bot process made by `serve()`, talked to over bare gRPC."""

import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from played_turns import setup_message, turns_of_games
from raw_bot import PATIENCE, RawBot, start

from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.notices import GameOver, HandOver
from arena.rules.result import ResultKind
from arena.rules.view import Role, Turn, TurnKind

PROGRAMS = Path(__file__).parent / "programs"
COUNTING = PROGRAMS / "counting.py"
FAILING = PROGRAMS / "failing.py"


def request_of(turns: list[Turn]) -> pb.PlayRequest:
    request = pb.PlayRequest(setup=setup_message(hints=True))
    for turn in turns:
        codec.add_turn(request, turn)
    return request


def discards(games: int = 1) -> list[Turn]:
    """Turns at which a discard is asked, the games interleaved."""
    return [turn for turn in turns_of_games(games) if turn.view.kind is TurnKind.DISCARD]


def in_hand(turn: Turn, number: int) -> Turn:
    return turn._replace(frame=replace(turn.frame, hand_number=number))


@pytest.fixture(params=["unix", "tcp"])
def counting(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RawBot]:
    with RawBot(COUNTING, tmp_path, request.param) as bot:
        yield bot


@pytest.fixture
def failing(tmp_path: Path) -> Iterator[RawBot]:
    with RawBot(FAILING, tmp_path) as bot:
        yield bot


def test_hello_tells_what_the_class_says(counting: RawBot) -> None:
    hello = counting.hello()
    assert (hello.protocol_version, hello.name, hello.version, hello.max_batch) == (1, "Counting", "1.5", 100)
    assert list(hello.games) == [pb.GAME_GIN, pb.GAME_THREE_HAND]
    assert hello.advises


def test_a_bot_that_gives_no_advice_says_so(failing: RawBot) -> None:
    assert not failing.hello().advises


@pytest.mark.parametrize("batch", [1, 16, 256])
def test_every_turn_is_answered_once_whatever_the_batch(counting: RawBot, batch: int) -> None:
    turns = turns_of_games(16)[:512]
    assert len(turns) == 512
    for start_of_batch in range(0, 64 if batch == 1 else 512, batch):
        asked = turns[start_of_batch : start_of_batch + batch]
        answers = counting.ask(request_of(asked))
        assert set(answers) == {turn.id for turn in asked}
        for turn in asked:
            action = codec.read_decision(answers[turn.id])
            assert action.kind in turn.view.legal
            if turn.view.kind is TurnKind.DISCARD:
                assert action.card == turn.view.discards[0]


def test_each_game_has_an_object_of_its_own_until_it_is_over(counting: RawBot) -> None:
    first, second, *_ = sorted({turn.frame.game_id for turn in discards(2)})
    counting.ask(request_of(discards(2)[:20]))  # the program asserts that no object sees two games
    known = [turn for turn in discards(2)[:20] if turn.frame.game_id == first]

    over = request_of([])
    wall = HandOver(first, 1, Role.DEALER, ResultKind.WALL, 0, b"", (0, 0))
    codec.add_hand_over(over, wall)
    codec.add_hand_over(over, wall._replace(game_id=999))  # a game this process never played
    codec.add_game_over(over, GameOver(first, (0, 0)))
    counting.tell(over)

    out = replace(known[0].frame, role=Role.OUT)
    advising = known[0]._replace(frame=out, advising=True)
    answers = counting.ask(request_of([advising, advising._replace(id=2, frame=replace(out, game_id=second))]))
    assert codec.read_text(answers[advising.id]) == "bot 5, turn 1"  # made anew, after one for each of the four
    assert codec.read_text(answers[2]).startswith(("bot 1, turn ", "bot 2, turn ", "bot 3, turn ", "bot 4, turn "))

    assert counting.goodbye() is grpc.StatusCode.OK
    _, _, said = counting.end()
    assert said.splitlines() == [f"hand over {first} 0", f"game over {first} {len(known)}"]


def test_no_advice_is_an_answer(counting: RawBot) -> None:
    turn = discards()[0]
    blind = turn._replace(frame=replace(turn.frame, role=Role.OUT), advising=True, view=turn.view.public())
    (answer,) = counting.ask(request_of([blind])).values()
    assert answer == pb.Decision(turn_id=turn.id)


def test_fields_of_a_later_version_are_tolerated(counting: RawBot) -> None:
    turn = discards()[0]
    request = request_of([turn])
    request.turns[0].MergeFromString(b"\xa2\x06\x03new")  # field 100
    request.MergeFromString(b"\xa2\x06\x03new")
    assert set(counting.ask(request)) == {turn.id}


def test_goodbye_ends_the_process_with_nothing_lost(counting: RawBot) -> None:
    counting.ask(request_of(discards()[:1]))
    assert counting.goodbye() is grpc.StatusCode.OK
    code, out, err = counting.end()
    assert (code, err) == (0, "")
    assert "started" in out or counting.target.startswith("127")  # over TCP the fixture has read the first line


def test_the_end_of_the_arena_ends_the_process(counting: RawBot) -> None:
    counting.ask(request_of(discards()[:1]))
    counting.channel.close()
    assert counting.end()[0] == 0


def test_terminate_ends_the_process_cleanly(counting: RawBot) -> None:
    counting.ask(request_of(discards()[:1]))
    counting.process.send_signal(signal.SIGTERM)
    assert counting.end()[0] == 0


def test_terminate_ends_a_process_that_is_stuck_in_thought(failing: RawBot) -> None:
    failing.tell(request_of([in_hand(discards()[0], 5)]))
    assert failing.process.stdout is not None
    assert failing.process.stdout.readline() == "stuck\n"
    failing.hello()  # a further call is answered meanwhile
    failing.process.send_signal(signal.SIGTERM)
    assert failing.end()[0] == 0


@pytest.mark.parametrize(
    ("hand_number", "exit_code", "last_words"),
    [
        (2, 1, "ZeroDivisionError: no more ideas"),
        (3, 7, ""),
        (4, 1, "enough of this"),
        (6, 1, "TypeError: expected an Action such as discard(card) at DISCARD, got "),
    ],
)
def test_a_failure_in_the_bot_ends_the_process_and_tells_why(
    failing: RawBot, hand_number: int, exit_code: int, last_words: str
) -> None:
    failing.ask(request_of([discards()[0]]))
    failing.tell(request_of([in_hand(discards()[1], hand_number)]))
    assert failing.broken_stream() is grpc.StatusCode.UNAVAILABLE
    code, out, err = failing.end()
    assert code == exit_code
    assert out == "thinking\nthinking\n"  # what it printed is not lost
    assert last_words in err
    assert ("Traceback" in err) == (hand_number in (2, 6))


def test_a_forgotten_return_is_named(failing: RawBot) -> None:
    failing.tell(request_of([turn for turn in turns_of_games(1) if turn.view.kind is TurnKind.DRAW][:1]))
    assert failing.broken_stream() is grpc.StatusCode.UNAVAILABLE
    code, _, err = failing.end()
    assert code == 1
    assert "expected True or False from draw(), got None; is there a return missing?" in err


def test_a_bot_on_a_chosen_port_waits_for_the_next_arena(tmp_path: Path) -> None:
    with RawBot(COUNTING, tmp_path, "tcp") as finder:
        port = finder.target.rpartition(":")[2]
        assert finder.goodbye() is grpc.StatusCode.OK
        finder.end()
    with RawBot(COUNTING, tmp_path, f"tcp:127.0.0.1:{port}") as bot:
        assert bot.target == f"127.0.0.1:{port}"
        assert bot.goodbye() is grpc.StatusCode.OK
        with pytest.raises(subprocess.TimeoutExpired):
            bot.process.wait(0.3)
        bot.dial()
        assert len(bot.ask(request_of(discards()[:1]))) == 1


@pytest.mark.parametrize(
    ("listen", "message"),
    [
        (None, "this is a Gin Arena bot: the arena starts it"),
        ("", "this is a Gin Arena bot: the arena starts it"),
        ("5000", "cannot listen: expected ARENA_LISTEN=unix:/path or ARENA_LISTEN=tcp:host:port, got '5000'"),
        ("tcp:here", "cannot listen: expected ARENA_LISTEN=unix:/path"),
        ("unix:/nowhere/at/all.sock", "cannot listen: "),
    ],
)
def test_a_bot_that_cannot_listen_says_so_in_a_line(listen: str | None, message: str) -> None:
    process = start(COUNTING, listen)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert message in err.splitlines()[-1]
    assert "Traceback" not in err


def test_two_bots_on_one_port_are_refused(tmp_path: Path) -> None:
    with RawBot(COUNTING, tmp_path, "tcp") as bot:
        process = start(COUNTING, f"tcp:{bot.target}")
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 2
        assert "cannot listen: " in err
