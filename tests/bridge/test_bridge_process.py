"""`arena bridge` as a process with a program behind it, talked to over bare gRPC."""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import grpc
import pytest
from bots_at_table import bot_class
from played_turns import setup_message, turns_of_games
from raw_bot import PATIENCE, RawBot, start
from thinning import thinned

from arena.bot.games import Games
from arena.bridge.program import LONGEST_LINE
from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.notices import GameOver, HandOver
from arena.rules.result import ResultKind
from arena.rules.view import Role

EVERY = 53
LINER = Path(__file__).parent / "programs" / "liner.py"
SIMPLE = bot_class("simple")


def asked_in_play() -> list[pb.Turn]:
    request = pb.PlayRequest()
    for turn in turns_of_games(16):
        codec.add_turn(request, turn)
    return [turn for turn in request.turns if turn.seed % EVERY][:512]


TURNS = asked_in_play()


def request_of(turns: Sequence[pb.Turn]) -> pb.PlayRequest:
    return pb.PlayRequest(setup=setup_message(hints=True), turns=turns)


def doomed() -> pb.PlayRequest:
    """A turn at which the liner misbehaves."""
    request = request_of([turn for turn in TURNS if turn.kind == pb.TURN_KIND_DISCARD][:1])
    request.turns[0].MergeFrom(pb.Turn(id=1 << 63, seed=EVERY))
    return request


def bridge(*command: str) -> list[str]:
    return ["-m", "arena", "bridge", "--", *command]


def liner(*way: str) -> list[str]:
    return bridge(sys.executable, str(LINER), *way)


Bridged = Callable[..., RawBot]


@pytest.fixture
def bridged(tmp_path: Path) -> Iterator[Bridged]:
    """Starts a bridge with the liner behind it, which misbehaves in some way."""
    bots: list[RawBot] = []

    def started(*way: str, listen: str = "unix") -> RawBot:
        bots.append(RawBot(liner(*way), tmp_path, listen).__enter__())
        return bots[-1]

    yield started
    for bot in bots:
        bot.__exit__()


def is_left(bot: RawBot) -> bool:
    """Whether a process is left of those that the bot has started, or itself."""
    try:
        os.killpg(bot.process.pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_hello_tells_what_the_options_say(tmp_path: Path) -> None:
    options = ["--name", "Lina", "--games", "gin,three-hand", "--advises"]
    with RawBot([*bridge()[:-1], *options, "--", sys.executable, str(LINER)], tmp_path) as bot:
        hello = bot.hello()
    assert (hello.protocol_version, hello.name, hello.advises) == (1, "Lina", True)
    assert list(hello.games) == [pb.GAME_GIN, pb.GAME_THREE_HAND]


def test_hello_without_options_names_the_program(bridged: Bridged) -> None:
    hello = bridged().hello()
    assert (hello.name, hello.advises, list(hello.games)) == (Path(sys.executable).stem, False, [])


@pytest.mark.parametrize("listen", ["unix", "tcp"])
@pytest.mark.parametrize("batch", thinned([16, 1, 256], 3))
def test_every_turn_is_answered_as_the_same_policy_answers_it_whatever_the_batch(
    batch: int, listen: str, bridged: Bridged
) -> None:
    bot = bridged(listen=listen)
    for first in range(0, 32 if batch == 1 else 512, batch):
        request = request_of(TURNS[first : first + batch])
        wanted = {decision.turn_id: decision for decision in Games(SIMPLE).answer(request).decisions}
        assert bot.ask(request) == wanted


def test_pipes_that_are_full_in_both_directions_block_nobody(bridged: Bridged) -> None:
    request = request_of(TURNS * 8)
    for number, turn in enumerate(request.turns):
        turn.id = number
    assert len(bridged().ask(request)) == 4096


def test_answers_may_come_in_any_order(bridged: Bridged) -> None:
    answers = bridged("reverse", "64").ask(request_of(TURNS[:64]))
    assert list(answers) == [turn.id for turn in TURNS[:64]][::-1]


def test_what_an_answer_has_too_much_is_passed_over(bridged: Bridged) -> None:
    request = request_of(TURNS[:64])
    decisions = bridged("extra").ask(request).values()
    actions = [codec.read_decision(decision) for decision in decisions]
    assert actions == [codec.read_decision(decision) for decision in Games(SIMPLE).answer(request).decisions]


def test_a_program_reads_the_setup_once_and_each_notice(bridged: Bridged) -> None:
    bot = bridged("trace")
    over = request_of([])
    codec.add_hand_over(over, HandOver(9, 1, Role.DEALER, ResultKind.WALL, 0, b"", (0, 0)))
    codec.add_game_over(over, GameOver(9, (0, 0)))
    bot.ask(request_of(TURNS[:2]))
    bot.tell(over)
    bot.ask(request_of(TURNS[2:3]))
    assert bot.goodbye() is grpc.StatusCode.OK
    code, out, err = bot.end()
    assert (code, out) == (0, "")
    kinds, messages = zip(*(line.split(" ", 1) for line in err.splitlines()), strict=True)
    assert kinds == ("setup", "turn", "turn", "hand_over", "game_over", "turn")
    assert json.loads(messages[0])["rules"] == dict(request_of([]).setup.rules)
    assert json.loads(messages[-1])["id"] == str(TURNS[2].id)


def test_a_setup_that_has_changed_is_told_again(tmp_path: Path) -> None:
    with RawBot(liner("trace"), tmp_path, "tcp") as finder:
        port = finder.target.rpartition(":")[2]
        assert finder.goodbye() is grpc.StatusCode.OK
        finder.end()
    with RawBot(liner("trace"), tmp_path, f"tcp:127.0.0.1:{port}") as bot:
        other = request_of(TURNS[1:2])
        other.setup.hollywood = True
        for request in (request_of(TURNS[:1]), other):
            assert len(bot.ask(request)) == 1
            assert bot.goodbye() is grpc.StatusCode.OK
            bot.dial()
        bot.process.send_signal(signal.SIGTERM)
        code, _, err = bot.end()
    assert code == 0
    assert [line.split()[0] for line in err.splitlines()] == ["setup", "turn", "setup", "turn"]


def test_what_a_later_version_adds_is_tolerated(bridged: Bridged) -> None:
    request = request_of(TURNS[:1])
    request.turns[0].MergeFromString(b"\xa2\x06\x03new\x78\x63")  # field 100, and a further legal action 99
    request.MergeFromString(b"\xa2\x06\x03new")
    assert set(bridged().ask(request)) == {TURNS[0].id}


@pytest.mark.parametrize("way", ["", "stay"])
def test_goodbye_leaves_no_process(way: str, bridged: Bridged) -> None:
    bot = bridged(way)
    bot.ask(request_of(TURNS[:1]))
    assert is_left(bot)
    assert bot.goodbye() is grpc.StatusCode.OK
    assert bot.end() == (0, "", "")
    assert not is_left(bot)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_while_its_program_thinks(number: signal.Signals, bridged: Bridged) -> None:
    bot = bridged("sleep")
    bot.ask(request_of(TURNS[:1]))
    bot.tell(doomed())
    bot.process.send_signal(number)
    assert bot.end()[0] == 0
    assert not is_left(bot)


def test_a_signal_to_both_is_no_fault_of_the_program(bridged: Bridged) -> None:
    bot = bridged()
    bot.ask(request_of(TURNS[:1]))
    os.killpg(bot.process.pid, signal.SIGTERM)
    assert bot.end() == (0, "", "")


@pytest.mark.parametrize(
    ("way", "text", "words"),
    thinned([
        ("say", "thinking...", 'a line of the program: expected a decision such as {"turn_id": "...", '),
        ("say", '["ID"]', "a line of the program: expected an object such as "),
        ("say", '{"action": "ACTION_STOCK"}', 'a line of the program: expected "turn_id" as text, the "id" of '),
        ("say", '{"turn_id": "7", "action": "ACTION_STOCK"}', 'expected the "turn_id" of a turn that is still to be'),
        ("say", '{"turn_id": "ID", "action": "STOCK"}', 'expected "action" as one of '),
        ("say", '{"turn_id": "ID", "action": "ACTION_KNOCK", "card": 52}', 'expected "card" as a card from 0 to 51'),
        ("say", "x" * LONGEST_LINE, f"expected a line of less than {LONGEST_LINE} bytes, got 'xxxxx"),
        ("after", '{"turn_id": "ID", "action": "ACTION_STOCK"}', 'a line of the program: expected the "turn_id" of a '),
        ("after", "well played", "a line of the program: expected a decision such as "),
        ("exit", "3", "the program ended with code 3, expected it to go on until its input ends; see above"),
        ("exit", "0", "the program ended with code 0, expected it to go on until its input ends"),
        ("kill", "", "the program was ended by signal 9, expected it to go on"),
        ("kill", '{"turn_id": ', "the program was ended by signal 9, expected it to go on"),
        ("close", "", "the program has closed its standard input or output, expected both to stay open"),
    ], 3),
)  # fmt: skip
def test_what_a_program_does_wrong_ends_the_bridge_and_is_told(
    way: str, text: str, words: str, bridged: Bridged
) -> None:
    bot = bridged(way, text)
    bot.ask(request_of(TURNS[:2]))
    bot.tell(doomed())
    if way != "after":  # its answer may have left before
        assert bot.broken_stream() is grpc.StatusCode.UNAVAILABLE
    code, out, err = bot.end()
    assert (code, out) == (1, "")
    *others, last = err.splitlines()
    assert others == (["no such card"] if way == "exit" else [])
    assert last.startswith("bridge: ")
    assert words in last
    assert len(last) < 300
    assert not is_left(bot)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["no-such-program"], "bridge: there is no program 'no-such-program' on the PATH; is it built, "),
        (["./build/bot"], "bridge: there is no program './build/bot' in "),
        ([str(LINER)], f"bridge: there is no program '{LINER}' in "),  # not executable
    ],
)
def test_a_program_that_is_not_there_is_refused(command: list[str], words: str) -> None:
    process = start(bridge(*command), "tcp:127.0.0.1:0")
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith(words)


@pytest.mark.parametrize(
    ("arguments", "listen", "words"),
    [
        (liner(), None, "this is a Gin Arena bot: the arena starts it"),
        (liner(), "5000", "cannot listen: expected ARENA_LISTEN=unix:/path or ARENA_LISTEN=tcp:host:port, got '5000'"),
        (liner(), "unix:/nowhere/at/all.sock", "cannot listen: "),
        (["-m", "arena", "bridge"], None, "Missing argument 'COMMAND': try 'arena bridge --help'"),
        (
            ["-m", "arena", "bridge", "--games", "gin,chess", "--", "cat"],
            "tcp:127.0.0.1:0",
            "--games: expected games of gin, three-hand, oklahoma with commas between, got 'chess'",
        ),
    ],
)
def test_a_bridge_that_cannot_be_one_says_so_in_a_line(arguments: list[str], listen: str | None, words: str) -> None:
    process = start(arguments, listen)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert err.splitlines()[-1].startswith(words)
    assert "Traceback" not in err
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_the_bridge_and_its_program_end_with_each_other(bridged: Bridged) -> None:
    """A program whose bridge is killed reads the end of its input."""
    bot = bridged("trace")
    bot.ask(request_of(TURNS[:1]))
    bot.process.kill()
    _, err = bot.process.communicate(timeout=PATIENCE)  # which ends when the program has closed its standard error
    assert err.startswith("setup ")
    assert bot.process.returncode == -signal.SIGKILL


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="only Linux lets a process die with another, by setpriv")
def test_a_program_that_thinks_dies_with_its_bridge(bridged: Bridged) -> None:
    """It would not notice the end of its input. The arena's own death kills the bridge alone."""
    bot = bridged("sleep")
    bot.ask(request_of(TURNS[:1]))
    bot.tell(doomed())
    bot.process.kill()
    assert bot.end() == (-signal.SIGKILL, "", "")  # when the program too has closed its standard error
