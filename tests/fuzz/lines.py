"""Fuzzed: lines of text, those of recorded hands and those that `arena score` is given."""

import json
from functools import cache
from zlib import crc32

from fuzz.target import LONGEST_LINE, Target, check_message
from playing import FORMATS, Players

from arena.cards import mask_of, parse_cards
from arena.errors import RecordError
from arena.records import notation
from arena.rules.options import OPTIONS
from arena.rules.score import score_line


def line_targets() -> dict[str, Target]:
    """The notation and the showdowns."""
    return {
        "notation": Target(_check_notation, _lines(), _NOTATION_WORDS),
        "score": Target(_check_score, _showdowns(), _JSON_WORDS),
    }


_NOTATION_WORDS = (
    *(b" | ", b"hand/", b"hand/2", b" n1", b" o2", b"n:pass", b"d^", b"n+4H", b"d<", b"d-KS", b"n!9D", b"d:big_gin"),
    *(b"d:defend", b"?", b'?^"x"', b'?:defend*[7SQS]"\\n"', b'"\\ud800"', b"[4S5S6S QCQDQH]", b"[]", b"*", b"wall"),
    *(b"knock", b"gin", b"big_gin", b"undercut", b"tie", b"forfeit", b"10:39", b"d+29", b" -", b"00", b"999999999"),
)  # fmt: skip


@cache
def _lines() -> tuple[bytes, ...]:
    """The lines of games of every format, some with faults and advice."""
    found = []
    for name, format_ in FORMATS.items():
        players = Players(format_, faults=0.02)
        spec = players.schedule(format_.seats, 1)[crc32(name.encode()) % 2]
        found += [notation.encode(hand).encode() for hand in players.game(spec).hands[:4]]
    return tuple(found)


def _check_notation(data: bytes) -> None:
    line = data.decode(errors="surrogateescape")
    try:
        hand = notation.decode(line)
    except RecordError as error:
        check_message(str(error), longest=250)
        return
    assert notation.encode(hand) == line
    assert notation.decode(line) == hand


_JSON_WORDS = tuple(
    word.encode()
    for word in (
        *(
            '"rules"',
            '"knocker"',
            '"melds"',
            '"defender"',
            '"defender_melds"',
            '"layoffs"',
            '"upcard"',
            '"preset"',
            "null",
        ),
        *(
            "[",
            "]",
            "{",
            "}",
            ",",
            ":",
            '"',
            "\\",
            '"\\ud800"',
            "1e999",
            "-Infinity",
            "NaN",
            "true",
            "[null]",
            '[[""]]',
        ),
        *('"4S"', '""', '" "', '"4S 5S 6S"', '"upcard"', '"none"', '"modern"', "AC", " ", "9" * 4300, "1" + "0" * 400),
        *(f'"{option}": 1, ' for option in OPTIONS),
    )
)


@cache
def _showdowns() -> tuple[bytes, ...]:
    given: list[dict[str, object]] = []
    hands: tuple[dict[str, object], ...] = (
        {"knocker": "4S 5S 6S QH QD QC 2D 3C 4H AC", "defender": "KS KD KH 2H 2C 3S 6D 6C 3H TC"},
        {"knocker": "4S 5S 6S QH QD QC 2D 2C 2H 2S AC", "defender": "KS KD KH 3D 4C 3S 6D 6C 3H TC"},
        {"knocker": "4S 5S 6S 7S QH QD QC 2D 2C 2H", "defender": "KS KD KH 8S 9S 3S 6D 6C 3H TC"},
    )
    for hand in hands:
        given += [hand, hand | {"rules": {"preset": "modern", "knock_limit": 20}, "upcard": "6H"}]
    given.append({**hands[0], "melds": ["4S 5S 6S", "QH QD QC"], "defender_melds": ["KS KD KH"], "layoffs": ["3S"]})
    return tuple(json.dumps(showdown).encode() for showdown in given)


def _check_score(data: bytes) -> None:
    """A line has an answer, and what the arena chose can be declared."""
    line = data.decode(errors="replace")
    answer = score_line(line)
    assert "\n" not in answer
    assert score_line(line) == answer
    told = json.loads(answer)
    if "error" in told:
        assert told.keys() == {"error"}
        check_message(told["error"], longest=60 * LONGEST_LINE)
        return
    declared = {name: told[name] for name in ("melds", "defender_melds", "layoffs")}
    assert score_line(json.dumps({**json.loads(line), **declared})) == answer
    assert all(mask_of(parse_cards(meld)).bit_count() >= 3 for meld in told["melds"])
