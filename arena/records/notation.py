"""The notation of a hand: one line of text that a person can read and a program can replay.

    hand/1 3 n1 d0 o2 | 4S5S… KDKH… QH 2C3C… | n:pass d^QH d-KS n+4H … d!9D n:defend | knock d 10:39 d+29 […] […] […]

`docs/notation.md` explains every part. The spelling is strict: a record has exactly one line, so whatever is
changed in a line is either refused here or makes another record.
"""

import json
import re

from arena.cards import CARD_TEXT, DECK_SIZE
from arena.dealer.values import AdviceRecord, HandRecord
from arena.errors import RecordError, short
from arena.records.ending import (
    CARD,
    CARD_OF_TEXT,
    NUMBER,
    POSITIONS,
    card_numbers,
    layoffs_text,
    melds_text,
    read_layoffs,
    read_melds,
    read_result,
    result_text,
)
from arena.records.reader import Reader
from arena.rules.actions import Action, ActionKind
from arena.rules.game import Roles
from arena.rules.view import HIDDEN

VERSION = 1
"""Version of the notation, in every line. Any change of the notation raises it."""

_SIGN = {
    ActionKind.PASS: ":pass",
    ActionKind.TAKE: "^",
    ActionKind.STOCK: "+",
    ActionKind.PILE: "<",
    ActionKind.DISCARD: "-",
    ActionKind.KNOCK: "!",
    ActionKind.BIG_GIN: ":big_gin",
    ActionKind.DEFEND: ":defend",
}
_KIND = {sign: kind for kind, sign in _SIGN.items()}
_MOVES_WITHOUT_CARD = (ActionKind.PASS, ActionKind.BIG_GIN, ActionKind.DEFEND)
_DISCARDING = (ActionKind.DISCARD, ActionKind.KNOCK)
_MELDING = (ActionKind.KNOCK, ActionKind.BIG_GIN, ActionKind.DEFEND)
_MOVE_TEXT = {
    (position << 4 | kind, card): POSITIONS[position] + sign + (CARD_TEXT[card] if card != HIDDEN else "")
    for position in (0, 1)
    for kind, sign in _SIGN.items()
    for card in ((HIDDEN,) if kind in _MOVES_WITHOUT_CARD else range(DECK_SIZE))
}
_MOVE_OF_TEXT = {text: bytes(move) for move, text in _MOVE_TEXT.items()}


def encode(hand: HandRecord) -> str:
    """The line of a finished hand, without a line end."""
    roles, result = hand.roles, hand.result
    deck = "".join([CARD_TEXT[card] for card in hand.deck])
    moves = [_MOVE_TEXT[move] for move in zip(hand.moves[::2], hand.moves[1::2], strict=True)]
    for advice in reversed(hand.advice):
        moves.insert(advice.move, f"?{_action_text(advice.action)}{json.dumps(advice.text)}")
    out = "" if roles.out is None else f" o{roles.out}"
    return (
        f"hand/{VERSION} {hand.number} n{roles.nondealer} d{roles.dealer}{out}"
        f" | {deck[:20]} {deck[20:40]} {deck[40:42]} {deck[42:]}"
        f" | {' '.join(moves)} | {result_text(result)}"
    )


def decode(line: str) -> HandRecord:
    """The hand that a line records. Raises `RecordError` naming the column, what was expected and what stands there."""
    text = Reader(line)
    _check_version(text)
    number = int(text.take(NUMBER, "the number of the hand"))
    nondealer = int(text.take(_SEAT, "the non-dealer's seat, n0 to n2", " n"))
    dealer = int(text.take(_SEAT, "the dealer's seat, d0 to d2", " d"))
    out = int(text.take(_SEAT, "the seat that sits out, o0 to o2")) if text.passes(" o") else None
    text.skip(" | ")
    deck = _deck(text)
    text.skip(" | ")
    moves, advice = _moves(text)
    text.skip(" | ")
    result = read_result(text)
    text.end()
    return HandRecord(number, Roles(nondealer, dealer, out), deck, moves, advice, result)


_DIGITS = re.compile("[0-9]+")
_SEAT = re.compile("[0-2]")
_HAND = re.compile(f"(?:{CARD.pattern}){{10}}")
_STOCK = re.compile(f"(?:{CARD.pattern}){{31}}")
_PLAIN_MOVES = re.compile("[^ ?|]+(?: [^ ?|]+)*")
_SIGNS = re.compile(":pass|:big_gin|:defend|[-^+<!]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_A_MOVE = "a move such as 'n+4H'"


def _check_version(text: Reader) -> None:
    version = text.take(_DIGITS, "the version of the notation", "hand/")
    if version != str(VERSION):
        got = short(version)
        raise RecordError(f"expected hand notation {VERSION}, got {got}: read it with the Gin Arena that wrote it")
    text.skip(" ")


def _deck(text: Reader) -> bytes:
    start = text.at
    parts = [
        text.take(_HAND, "the ten cards of the non-dealer"),
        text.take(_HAND, "the ten cards of the dealer", " "),
        text.take(CARD, "the upcard", " "),
        text.take(_STOCK, "the 31 cards of the stock", " "),
    ]
    deck = card_numbers("".join(parts))
    if len(set(deck)) != DECK_SIZE:
        text.at = start
        raise text.error("a deck with every card once")
    return deck


def _moves(text: Reader) -> tuple[bytes, tuple[AdviceRecord, ...]]:
    moves, advice = bytearray(), list[AdviceRecord]()
    while not text.line.startswith(" |", text.at):
        if moves or advice:
            text.skip(" ")
        if text.passes("?"):
            advice.append(AdviceRecord(len(moves) // 2, _action(text), _string(text)))
        else:
            moves += _plain_moves(text)
    return bytes(moves), tuple(advice)


def _plain_moves(text: Reader) -> bytes:
    """Moves up to the next advice or the end of the part."""
    start = text.at
    words = text.take(_PLAIN_MOVES, _A_MOVE).split(" ")
    try:
        return b"".join([_MOVE_OF_TEXT[word] for word in words])
    except KeyError:
        text.at = start
        while words[0] in _MOVE_OF_TEXT:
            text.at += len(words.pop(0)) + 1
        raise text.error(_A_MOVE) from None


def _string(text: Reader) -> str:
    start = text.at
    written = text.take(_STRING, "the words of the advice in quotes")
    try:
        words = str(json.loads(written))
    except ValueError:
        words = ""
    if json.dumps(words) != written:
        text.at = start
        raise text.error("the words of the advice as a JSON string")
    return words


def _action_text(action: Action) -> str:
    """An action recommended, with what belongs to its kind; the card of a draw is not known yet, `*` is the best."""
    kind = action.kind
    text = _SIGN[kind]
    if kind in _DISCARDING and action.card is not None:
        text += CARD_TEXT[action.card]
    if kind in _MELDING:
        text += "*" if action.melds is None else melds_text(action.melds)
    if kind is ActionKind.DEFEND:
        text += "*" if action.layoffs is None else layoffs_text(action.layoffs)
    return text


def _action(text: Reader) -> Action:
    kind = _KIND[text.take(_SIGNS, "an action such as '-KS'")]
    card, melds, layoffs = None, None, None
    if kind in _DISCARDING:
        card = CARD_OF_TEXT[text.take(CARD, "the card to discard")]
    if kind in _MELDING:
        melds = None if text.passes("*") else read_melds(text)
    if kind is ActionKind.DEFEND:
        layoffs = None if text.passes("*") else read_layoffs(text)
    return Action(kind, card, melds, layoffs)
