"""The line of a hand: what is written can be read, and nothing else can."""

import json
import re
from pathlib import Path

import pytest
from hands import replay
from hypothesis import given
from hypothesis import strategies as st

from arena.cards import mask_of, parse_cards
from arena.dealer.values import AdviceRecord, HandRecord
from arena.errors import RecordError
from arena.records.notation import decode, encode
from arena.rules.actions import Action, ActionKind
from arena.rules.game import Roles
from arena.rules.options import Rules
from arena.rules.result import HandResult, ResultKind

CARDS = st.integers(0, 51)
MELDS = st.lists(st.sets(CARDS, min_size=3, max_size=5).map(mask_of), max_size=3).map(tuple)
LAYOFFS = st.sets(CARDS, max_size=5).map(mask_of)
POSITIONS = st.integers(0, 1)
WORDS = st.text(st.sampled_from('aZ9 |?"\\[]\n\r\t\x00\x7f\x85\u2028é♠\ud800'), max_size=20)
NO_CARD = 255


def moves_with(kinds: list[ActionKind], cards: st.SearchStrategy[int]) -> st.SearchStrategy[bytes]:
    heads = st.builds(lambda position, kind: position << 4 | kind, POSITIONS, st.sampled_from(kinds))
    return st.tuples(heads, cards).map(bytes)


MOVES = st.lists(
    moves_with([ActionKind.TAKE, ActionKind.STOCK, ActionKind.PILE, ActionKind.DISCARD, ActionKind.KNOCK], CARDS)
    | moves_with([ActionKind.PASS, ActionKind.BIG_GIN, ActionKind.DEFEND], st.just(NO_CARD)),
    max_size=40,
)
ACTIONS = st.one_of(
    st.builds(Action, st.sampled_from([ActionKind.PASS, ActionKind.TAKE, ActionKind.STOCK, ActionKind.PILE])),
    st.builds(Action, st.just(ActionKind.DISCARD), CARDS),
    st.builds(Action, st.just(ActionKind.KNOCK), CARDS, st.none() | MELDS),
    st.builds(Action, st.just(ActionKind.BIG_GIN), st.none(), st.none() | MELDS),
    st.builds(Action, st.just(ActionKind.DEFEND), st.none(), st.none() | MELDS, st.none() | LAYOFFS),
)
COUNTS = st.integers(0, 999)
SHOWN = (POSITIONS, COUNTS, COUNTS, MELDS, MELDS, LAYOFFS)
RESULTS = st.one_of(
    st.just(HandResult(ResultKind.WALL)),
    st.builds(HandResult, st.just(ResultKind.TIE), st.none(), st.just(0), *SHOWN),
    st.builds(HandResult, st.sampled_from([kind for kind in ResultKind if kind != "wall"]), POSITIONS, COUNTS, *SHOWN),
)


@st.composite
def hands(draw: st.DrawFn) -> HandRecord:
    moves = draw(MOVES)
    at = sorted(draw(st.lists(st.integers(0, len(moves)), max_size=3)))
    return HandRecord(
        draw(st.integers(1, 200)),
        draw(st.builds(Roles, st.integers(0, 2), st.integers(0, 2), st.none() | st.integers(0, 2))),
        bytes(draw(st.permutations(range(52)))),
        b"".join(moves),
        tuple(AdviceRecord(move, draw(ACTIONS), draw(WORDS)) for move in at),
        draw(RESULTS),
    )


def mask(text: str) -> int:
    return mask_of(parse_cards(text))


DECK = parse_cards(
    "4S 5S 6S QH QD QC 2D 3C 4H 9D KS KD KH 8D 8C 8H 7S QS 2H AH 9S "
    "AC KC JC 2C 4C 5C 6C 7C 9C TC AD 3D 4D 5D 6D 7D TD JD 3H 5H 6H 7H 9H TH JH AS 2S 3S 8S TS JS"
)
HAND = HandRecord(
    3,
    Roles(1, 0, 2),
    DECK,
    bytes((0x01, 255, 0x12, 46, 0x15, 51, 0x03, 0, 0x06, 21, 0x18, 255)),
    (
        AdviceRecord(0, Action(ActionKind.TAKE), ""),
        AdviceRecord(4, Action(ActionKind.KNOCK, 21, (mask("4S 5S 6S"), mask("QC QD QH"))), 'now | or "never"\n'),
    ),
    HandResult(
        ResultKind.UNDERCUT, 1, 17, 0, 10, 3,
        (mask("4S 5S 6S"), mask("QC QD QH")), (mask("8C 8D 8H"), mask("KD KH KS")), mask("7S QS"),
    ),
)  # fmt: skip
LINE = (
    "hand/1 3 n1 d0 o2"
    " | 4S5S6SQHQDQC2D3C4H9D KSKDKH8D8C8H7SQS2HAH 9S"
    " ACKCJC2C4C5C6C7C9CTCAD3D4D5D6D7DTDJD3H5H6H7H9HTHJHAS2S3S8STSJS"
    r' | ?^"" n:pass d^8S d-KS n+AC ?!9D[4S5S6S QCQDQH]"now | or \"never\"\n" n!9D d:defend'
    " | undercut n 10:3 d+17 [4S5S6S QCQDQH] [8C8D8H KDKHKS] [7SQS]"
)


def test_a_hand_has_this_line() -> None:
    assert encode(HAND) == LINE


def test_a_wall_ends_in_one_word() -> None:
    wall = HandRecord(1, Roles(0, 1, None), DECK, b"", (), HandResult(ResultKind.WALL))
    assert encode(wall).endswith("JS |  | wall")
    assert encode(wall).startswith("hand/1 1 n0 d1 | ")
    assert decode(encode(wall)) == wall


@given(hands())
def test_what_is_written_is_read(hand: HandRecord) -> None:
    line = encode(hand)
    assert line.isascii()
    assert len(line.splitlines()) == 1
    assert decode(line) == hand


@given(st.integers(0, len(LINE) - 1), st.sampled_from(' |?:[]*+-0129nodASKCH"\\é٣\n') | st.just(""))
def test_a_changed_character_is_refused_or_makes_another_hand(at: int, character: str) -> None:
    line = LINE[:at] + character + LINE[at + 1 :]
    if line == LINE:
        return
    try:
        hand = decode(line)
    except RecordError:
        return
    assert hand != HAND
    assert encode(hand) == line


@given(WORDS | WORDS.map(lambda words: f"hand/1 {words}"))
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match=r"expected .*, got "):
        decode(text)


@pytest.mark.parametrize("end", range(len(LINE)))
def test_a_line_cut_short_is_refused(end: int) -> None:
    with pytest.raises(RecordError, match=r"^column [0-9]+: expected "):
        decode(LINE[:end])


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("hand/1", "hand/2", "expected hand notation 1, got 2: read it with the Gin Arena that wrote it"),
        ("hand/1", "fist/1", "column 1: expected 'hand/', got 'fist/1 3 n1 d0 o2 | '"),
        ("n1 d0", "n3 d0", "column 11: expected the non-dealer's seat, n0 to n2, got '3 d0 o2 | 4S5S6SQHQD'"),
        ("4S5S6SQHQD", "4S4S6SQHQD", "column 21: expected a deck with every card once, got '4S4S6SQHQDQC2D3C4H9D'"),
        ("2HAH 9S", "2HAHX 9S", "column 62: expected ' ', got 'X 9S ACKCJC2C4C5C6C7'"),
        ("n+AC", "n+1C", "expected a move such as 'n+4H', got 'n+1C ?!9D[4S5S6S QCQ'"),
        ("n:pass", "n:fold", "expected a move such as 'n+4H', got 'n:fold d^8S d-KS n+A'"),
        (r"\"never", r"\xnever", "expected the words of the advice as a JSON string"),
        ("undercut", "draw", "expected how the hand ended, such as 'knock', got 'draw n 10:3 d+17 [4S'"),
        ("10:3", "010:3", "expected ':', got '10:3 d+17 [4S5S6S QC'"),
        ("[8C8D8H", "[8D8C8H", "melds, sorted, such as '[4S5S6S QCQDQH]', got '[8D8C8H KDKHKS] [7SQ'"),
        ("[7SQS]", "[7SQS] ", "expected the end of the line, got ' '"),
        ("[7SQS]", "[7S QS]", "expected cards laid off, sorted, such as '[7SQS]', got '[7S QS]'"),
        ("[7SQS]", "[7S7S]", "expected cards laid off, sorted, such as '[7SQS]', got '[7S7S]'"),
        (r"\n", r"\u000a", "expected the words of the advice as a JSON string"),
    ],
)  # fmt: skip
def test_a_damaged_line_is_refused_with_the_place(old: str, new: str, complaint: str) -> None:
    assert LINE.count(old) == 1 or old in ("[7SQS]", "10:3"), "the case changes one place"
    with pytest.raises(RecordError, match=re.escape(complaint)):
        decode(LINE.replace(old, new, 1))


def test_the_words_of_advice_are_json() -> None:
    words = json.loads(LINE[LINE.index('"now') : LINE.index(" n!9D")])
    assert words == HAND.advice[1].text


def test_the_example_in_the_docs_can_be_played_again() -> None:
    page = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^    (hand/.*)$", page, re.MULTILINE)
    hand = decode(line)
    assert replay(Rules(), hand.deck, hand.moves, hand.result).result == hand.result
    assert [given.move for given in hand.advice] == [3, 4]
