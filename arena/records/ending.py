"""The last part of a hand's line: how it ended, with the melds and lay-offs that counted. Advice names these too.

It is a part of the notation, see `arena.records.notation`. Masks are written by rank, then suit.
"""

import re
from functools import lru_cache

from arena.cards import CARD_TEXT, RANKS, SUITS, by_rank, cards_text, mask_of
from arena.records.reader import Reader
from arena.rules.result import HandResult, ResultKind

POSITIONS = "nd"
NUMBER = re.compile("0|[1-9][0-9]{0,8}")
CARD = re.compile(f"[{RANKS}][{SUITS}]")
CARD_OF_TEXT = {text: card for card, text in enumerate(CARD_TEXT)}

_CARDS = f"(?:{CARD.pattern})+"
_MELDS = re.compile(rf"\[(?:{_CARDS}(?: {_CARDS})*)?\]")
_LAYOFFS = re.compile(rf"\[(?:{_CARDS})?\]")
_RESULT = re.compile("|".join(sorted(ResultKind, key=len, reverse=True)))
_POSITION = re.compile("[nd]")


def result_text(result: HandResult) -> str:
    """How the hand ended: kind, knocker, deadwood, score, the knocker's melds, the defender's, the lay-offs."""
    if result.knocker is None:
        return result.kind.value
    score = "-" if result.winner is None else f"{POSITIONS[result.winner]}+{result.points}"
    return (
        f"{result.kind.value} {POSITIONS[result.knocker]} {result.knocker_deadwood}:{result.defender_deadwood} {score}"
        f" {melds_text(result.melds)} {melds_text(result.defender_melds)} {layoffs_text(result.layoffs)}"
    )


def read_result(text: Reader) -> HandResult:
    """How a hand ended, as it stands here."""
    kind = ResultKind(text.take(_RESULT, "how the hand ended, such as 'knock'"))
    if kind is ResultKind.WALL:
        return HandResult(kind)
    knocker = _position(text, "the knocker, n or d", " ")
    knocker_deadwood = int(text.take(NUMBER, "the knocker's deadwood", " "))
    defender_deadwood = int(text.take(NUMBER, "the defender's deadwood", ":"))
    winner, points = None, 0
    if not text.passes(" -"):
        winner = _position(text, "the winner, n or d, or '-'", " ")
        points = int(text.take(NUMBER, "the points scored", "+"))
    text.skip(" ")
    melds = read_melds(text)
    text.skip(" ")
    defender_melds = read_melds(text)
    text.skip(" ")
    layoffs = read_layoffs(text)
    return HandResult(
        kind, winner, points, knocker, knocker_deadwood, defender_deadwood, melds, defender_melds, layoffs
    )


def melds_text(melds: tuple[int, ...]) -> str:
    """`[4S5S6S QCQDQH]`."""
    return f"[{' '.join([_cards_text(meld) for meld in melds])}]"


def read_melds(text: Reader) -> tuple[int, ...]:
    """The melds that stand here."""
    return _bracket(text, _MELDS, "melds, sorted, such as '[4S5S6S QCQDQH]'")


def layoffs_text(layoffs: int) -> str:
    """`[7SQS]`."""
    return f"[{_cards_text(layoffs)}]"


def read_layoffs(text: Reader) -> int:
    """The mask of the lay-offs that stand here."""
    return sum(_bracket(text, _LAYOFFS, "cards laid off, sorted, such as '[7SQS]'"))


def _bracket(text: Reader, pattern: re.Pattern[str], expected: str) -> tuple[int, ...]:
    start = text.at
    masks = _masks(text.take(pattern, expected))
    if masks is None:
        text.at = start
        raise text.error(expected)
    return masks


def _position(text: Reader, expected: str, after: str) -> int:
    return POSITIONS.index(text.take(_POSITION, expected, after))


@lru_cache(maxsize=4096)
def _cards_text(mask: int) -> str:
    """The cards of a mask by rank, then suit, without spaces. Kept, because few melds make up most of all hands."""
    return cards_text(by_rank(mask), "")


@lru_cache(maxsize=4096)
def _masks(text: str) -> tuple[int, ...] | None:
    """The masks in brackets, `None` if they are not spelt in the one way there is."""
    masks = tuple([mask_of(card_numbers(cards)) for cards in text[1:-1].split()])
    return masks if melds_text(masks) == text else None


def card_numbers(text: str) -> bytes:
    """The cards of a text without spaces, in its order."""
    return bytes([CARD_OF_TEXT[rank + suit] for rank, suit in zip(text[::2], text[1::2], strict=True)])
