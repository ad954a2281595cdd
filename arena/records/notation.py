"""The notation of a hand: one line of text that a person can read and a program can replay.

    hand/1 3 n1 d0 o2 | 4S5S… KDKH… QH 2C3C… | n:pass d^QH d-KS n+4H … d!9D n:defend | knock d 10:39 d+29 […] […] […]

`docs/notation.md` explains every part. The spelling is strict: a record has exactly one line, so whatever is
changed in a line is either refused here or makes another record.
"""

import json
import re
from functools import lru_cache

from arena.cards import CARD_TEXT, DECK_SIZE, RANKS, SUITS, by_rank, cards_text, mask_of
from arena.dealer.values import AdviceRecord, HandRecord
from arena.errors import RecordError
from arena.records.reader import Reader
from arena.rules.actions import Action, ActionKind
from arena.rules.game import Roles
from arena.rules.result import HandResult, ResultKind
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
_POSITIONS = "nd"

_CARD_OF_TEXT = {text: card for card, text in enumerate(CARD_TEXT)}
_MOVE_TEXT = {
    (position << 4 | kind, card): _POSITIONS[position] + sign + (CARD_TEXT[card] if card != HIDDEN else "")
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
        f" | {' '.join(moves)} | {_result_text(result)}"
    )


def decode(line: str) -> HandRecord:
    """The hand that a line records. Raises `RecordError` naming the column, what was expected and what stands there."""
    text = Reader(line)
    _check_version(text)
    number = int(text.take(_NUMBER, "the number of the hand"))
    nondealer = int(text.take(_SEAT, "the non-dealer's seat, n0 to n2", " n"))
    dealer = int(text.take(_SEAT, "the dealer's seat, d0 to d2", " d"))
    out = int(text.take(_SEAT, "the seat that sits out, o0 to o2")) if text.passes(" o") else None
    text.skip(" | ")
    deck = _deck(text)
    text.skip(" | ")
    moves, advice = _moves(text)
    text.skip(" | ")
    result = _result(text)
    hand = HandRecord(number, Roles(nondealer, dealer, out), deck, moves, advice, result)
    text.end_as(encode(hand))
    return hand


_DIGITS = re.compile("[0-9]+")
_NUMBER = re.compile("[0-9]{1,9}")
_SEAT = re.compile("[0-2]")
_CARD = re.compile(f"[{RANKS}][{SUITS}]")
_CARDS = re.compile(f"(?:{_CARD.pattern})+")
_HAND = re.compile(f"(?:{_CARD.pattern}){{10}}")
_STOCK = re.compile(f"(?:{_CARD.pattern}){{31}}")
_PLAIN_MOVES = re.compile("[^ ?|]+(?: [^ ?|]+)*")
_SIGNS = re.compile(":pass|:big_gin|:defend|[-^+<!]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_RESULT = re.compile("|".join(sorted(ResultKind, key=len, reverse=True)))
_POSITION = re.compile("[nd]")
_A_MOVE = "a move such as 'n+4H'"


def _check_version(text: Reader) -> None:
    version = text.take(_DIGITS, "the version of the notation", "hand/")
    if version != str(VERSION):
        raise RecordError(f"expected hand notation {VERSION}, got {version}: read it with the Gin Arena that wrote it")
    text.skip(" ")


def _deck(text: Reader) -> bytes:
    start = text.at
    parts = [
        text.take(_HAND, "the ten cards of the non-dealer"),
        text.take(_HAND, "the ten cards of the dealer", " "),
        text.take(_CARD, "the upcard", " "),
        text.take(_STOCK, "the 31 cards of the stock", " "),
    ]
    deck = _card_numbers("".join(parts))
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
    try:
        return str(json.loads(text.take(_STRING, "the words of the advice in quotes")))
    except ValueError:
        text.at = start
        raise text.error("the words of the advice as a JSON string") from None


def _action_text(action: Action) -> str:
    """An action recommended, with what belongs to its kind; the card of a draw is not known yet, `*` is the best."""
    kind = action.kind
    text = _SIGN[kind]
    if kind in _DISCARDING and action.card is not None:
        text += CARD_TEXT[action.card]
    if kind in _MELDING:
        text += "*" if action.melds is None else _melds_text(action.melds)
    if kind is ActionKind.DEFEND:
        text += "*" if action.layoffs is None else f"[{_cards_text(action.layoffs)}]"
    return text


def _action(text: Reader) -> Action:
    kind = _KIND[text.take(_SIGNS, "an action such as '-KS'")]
    card, melds, layoffs = None, None, None
    if kind in _DISCARDING:
        card = _CARD_OF_TEXT[text.take(_CARD, "the card to discard")]
    if kind in _MELDING:
        melds = _best_or_melds(text)
    if kind is ActionKind.DEFEND:
        layoffs = _best_or_layoffs(text)
    return Action(kind, card, melds, layoffs)


def _best_or_melds(text: Reader) -> tuple[int, ...] | None:
    return None if text.passes("*") else _melds(text)


def _best_or_layoffs(text: Reader) -> int | None:
    return None if text.passes("*") else _layoffs(text)


def _result_text(result: HandResult) -> str:
    """How the hand ended: kind, knocker, deadwood, score, the knocker's melds, the defender's, the lay-offs."""
    if result.knocker is None:
        return result.kind.value
    score = "-" if result.winner is None else f"{_POSITIONS[result.winner]}+{result.points}"
    return (
        f"{result.kind.value} {_POSITIONS[result.knocker]} {result.knocker_deadwood}:{result.defender_deadwood} {score}"
        f" {_melds_text(result.melds)} {_melds_text(result.defender_melds)} [{_cards_text(result.layoffs)}]"
    )


def _result(text: Reader) -> HandResult:
    kind = ResultKind(text.take(_RESULT, "how the hand ended, such as 'knock'"))
    if kind is ResultKind.WALL:
        return HandResult(kind)
    knocker = _position(text, "the knocker, n or d", " ")
    knocker_deadwood = int(text.take(_NUMBER, "the knocker's deadwood", " "))
    defender_deadwood = int(text.take(_NUMBER, "the defender's deadwood", ":"))
    winner, points = None, 0
    text.skip(" ")
    if not text.passes("-"):
        winner = _position(text, "the winner, n or d, or '-'")
        points = int(text.take(_NUMBER, "the points scored", "+"))
    text.skip(" ")
    melds = _melds(text)
    text.skip(" ")
    defender_melds = _melds(text)
    text.skip(" ")
    return HandResult(
        kind, winner, points, knocker, knocker_deadwood, defender_deadwood, melds, defender_melds, _layoffs(text)
    )


def _position(text: Reader, expected: str, after: str = "") -> int:
    return _POSITIONS.index(text.take(_POSITION, expected, after))


@lru_cache(maxsize=4096)
def _cards_text(mask: int) -> str:
    """The cards of a mask by rank, then suit, without spaces. Kept, because few melds make up most of all hands."""
    return cards_text(by_rank(mask), "")


def _melds_text(melds: tuple[int, ...]) -> str:
    return f"[{' '.join([_cards_text(meld) for meld in melds])}]"


def _melds(text: Reader) -> tuple[int, ...]:
    text.skip("[")
    melds: list[int] = []
    while not text.passes("]"):
        cards = text.take(_CARDS, "the cards of a meld, or ']'", " " if melds else "")
        melds.append(_cards_mask(cards))
    return tuple(melds)


def _layoffs(text: Reader) -> int:
    text.skip("[")
    if text.passes("]"):
        return 0
    cards = text.take(_CARDS, "the cards laid off, or ']'")
    text.skip("]")
    return _cards_mask(cards)


@lru_cache(maxsize=4096)
def _cards_mask(text: str) -> int:
    return mask_of(_card_numbers(text))


def _card_numbers(text: str) -> bytes:
    return bytes([_CARD_OF_TEXT[text[at : at + 2]] for at in range(0, len(text), 2)])
