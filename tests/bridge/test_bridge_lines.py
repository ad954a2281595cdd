"""Messages as lines of JSON, and lines as decisions."""

import json
import re

import pytest
from played_turns import turns_of_games

from arena.bridge.lines import LONGEST_SHOWN, LineError, line, read_decision, request_lines
from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb

ID = '"turn_id": "18446744073709551615"'


def test_a_line_says_every_field_of_a_message() -> None:
    request = pb.PlayRequest()
    codec.add_turn(request, turns_of_games(1)[0])
    request.turns[0].advice.text = "♠\n"
    request.turns[0].columns.add(totals=[1, 2], open=True)
    text = line("turn", request.turns[0])
    assert re.fullmatch(rb"[ -~]+\n", text)
    turn = json.loads(text)["turn"]
    assert list(turn) == [field.name for field in pb.Turn.DESCRIPTOR.fields]
    assert turn["id"] == str(request.turns[0].id)
    assert turn["kind"] == "TURN_KIND_UPCARD"
    assert bytes(turn["hand"]) == request.turns[0].hand
    assert turn["drawn"] is None
    assert turn["advice"] == {"action": "ACTION_UNSPECIFIED", "card": None, "text": "♠\n"}
    assert turn["columns"] == [{"totals": [1, 2], "open": True}]


def test_a_request_is_its_setup_then_its_notices_then_its_turns() -> None:
    request = pb.PlayRequest(setup=pb.Setup(rules={"b": "2", "a": "1"}))
    request.turns.add(id=1)
    request.turns.add(id=2)
    request.games_over.add(totals=[1, -2])
    request.hands_over.add(points=-3, knocker_melds=[b"\0\1\2", b"\5"])
    lines = [json.loads(text) for text in request_lines(request, setup=True).splitlines()]
    assert [next(iter(line)) for line in lines] == ["setup", "hand_over", "game_over", "turn", "turn"]
    assert list(lines[0]["setup"]["rules"].items()) == [("a", "1"), ("b", "2")]
    assert (lines[1]["hand_over"]["points"], lines[1]["hand_over"]["knocker_melds"]) == (-3, [[0, 1, 2], [5]])
    assert lines[2]["game_over"]["totals"] == [1, -2]
    assert len(request_lines(request, setup=False).splitlines()) == 4


def test_a_value_of_a_later_version_stands_there_as_its_number() -> None:
    message = pb.Turn.FromString(b"\x28\x4d\x78\x03\x78\x63")  # role and twice legal
    turn = json.loads(line("turn", message))["turn"]
    assert (turn["role"], turn["legal"]) == (77, ["ACTION_STOCK", 99])


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ('"action": "ACTION_PASS"', pb.Decision(action=pb.ACTION_PASS)),
        ('"action": "ACTION_UNSPECIFIED"', pb.Decision()),
        ('"action": "ACTION_DISCARD", "card": 0', pb.Decision(action=pb.ACTION_DISCARD, card=0)),
        ('"action": "ACTION_DISCARD", "card": null', pb.Decision(action=pb.ACTION_DISCARD)),
        ('"action": "ACTION_BIG_GIN", "melds": null', pb.Decision(action=pb.ACTION_BIG_GIN)),
        ('"action": "ACTION_BIG_GIN", "melds": {"melds": []}', pb.Decision(action=pb.ACTION_BIG_GIN, melds=pb.Melds())),
        (
            '"action": "ACTION_KNOCK", "card": 51, "melds": {"melds": [[0, 1, 2], [50]]}',
            pb.Decision(action=pb.ACTION_KNOCK, card=51, melds=pb.Melds(melds=[b"\0\1\2", b"2"])),
        ),
        ('"action": "ACTION_DEFEND", "layoffs": []', pb.Decision(action=pb.ACTION_DEFEND, layoffs=b"")),
        ('"action": "ACTION_DEFEND", "layoffs": [7]', pb.Decision(action=pb.ACTION_DEFEND, layoffs=b"\7")),
        ('"action": "ACTION_PASS", "text": "\\u2660\\ud800"', pb.Decision(action=pb.ACTION_PASS, text="♠?")),
        ('"action": "ACTION_PASS", "cards": {"a": [1]}', pb.Decision(action=pb.ACTION_PASS)),
    ],
)
def test_a_line_is_read_as_the_decision_that_it_is(text: str, decision: pb.Decision) -> None:
    decision.turn_id = (1 << 64) - 1
    assert read_decision(f"{{{ID}, {text}}}\r\n".encode()) == decision


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"thinking...\n", "expected a decision such as {\"turn_id\": \"...\", .*, got 'thinking...'"),
        (b"\n", "expected a decision such as .*, got ''"),
        (b"\xff\xfe{}", r"expected a decision such as .*, got '\\\\xff\\\\xfe{}'"),
        (b'{"turn_id": "1"', "expected a decision such as .*, got "),
        (b"[" * 100_000, rf"expected a decision such as .*, got '\[{{{LONGEST_SHOWN}}}\.\.\.'"),
        (b"[1]", r"expected an object such as .*, got '\[1\]'"),
        (b"{}", 'expected "turn_id" as text, the "id" of the turn, got none'),
        (b'{"turn_id": 7}', "the \"id\" of the turn, got '7'"),
        (b'{"turn_id": "-7"}', "the \"id\" of the turn, got '\"-7\"'"),
        (b'{"turn_id": "18446744073709551616"}', 'the "id" of the turn, got '),
        (b'{"turn_id": "%s"}' % (b"1" * 9999), 'the "id" of the turn, got '),
        (b'{"turn_id": "7"}', 'expected "action" as one of ACTION_UNSPECIFIED, ACTION_PASS, .*, got none'),
        (b'{"turn_id": "7", "action": "PASS"}', "expected \"action\" as one of .*, got '\"PASS\"'"),
        (b'{"turn_id": "7", "action": ["ACTION_PASS"]}', 'expected "action" as one of '),
        (b'{"turn_id": "7", "action": "ACTION_PASS", "card": 52}', "\"card\" as a card from 0 to 51, got '52'"),
        (b'{"turn_id": "7", "action": "ACTION_PASS", "card": "AC"}', "a card from 0 to 51, got '\"AC\"'"),
        (b'{"turn_id": "7", "action": "ACTION_PASS", "card": true}', "a card from 0 to 51, got 'true'"),
        (b'{"turn_id": "7", "action": "ACTION_PASS", "layoffs": 3}', 'expected "layoffs" as an array of cards'),
        (b'{"turn_id": "7", "action": "ACTION_PASS", "layoffs": [-1]}', 'expected cards from 0 to 51 in "layoffs"'),
        (b'{"turn_id": "7", "action": "ACTION_PASS", "melds": [[1]]}', 'expected "melds" as {"melds": '),
        (b'{"turn_id": "7", "action": "ACTION_PASS", "melds": {"melds": [1]}}', '"melds" as an array of cards'),
        (b'{"turn_id": "7", "action": "ACTION_PASS", "text": 3}', "expected \"text\" as text, got '3'"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_decision_is_refused_in_words(text: bytes, words: str) -> None:
    with pytest.raises(LineError, match=words):
        read_decision(text)
