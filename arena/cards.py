"""Cards, decks and their text.

A card is an `int` from 0 to 51: `13 * suit + rank`, suits C D H S from 0, the ace 0. So AC = 0 and
KS = 51. Several cards are `bytes` (one a card, in an order that means something) or a *mask*, an
`int` whose bit `c` is set where card `c` is in it. Text is rank then suit, `TS` the ten of spades.
"""

from collections.abc import Iterable, Iterator

from arena.errors import CardError, short

RANKS = "A23456789TJQK"
SUITS = "CDHS"
DECK_SIZE = 52
FULL_DECK = (1 << DECK_SIZE) - 1

CARD_TEXT: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
PIPS: tuple[int, ...] = tuple(min(rank + 1, 10) for _ in SUITS for rank in range(13))
"""Deadwood value of each card: ace 1, 2 to 10 their pips, J Q K 10."""

_CARD_OF_TEXT = {text: card for card, text in enumerate(CARD_TEXT)}


def rank_of(card: int) -> int:
    """Rank of a card, 0 (ace) to 12 (king)."""
    return card % 13


def suit_of(card: int) -> int:
    """Suit of a card, 0 to 3 for clubs, diamonds, hearts, spades."""
    return card // 13


def parse_card(text: str) -> int:
    """The card that `text` names, as in `TS`. Raises `CardError`."""
    try:
        return _CARD_OF_TEXT[text]
    except KeyError:
        raise CardError(f"expected a card such as 'TS' (rank {RANKS}, suit {SUITS}), got {short(text)!r}") from None


def parse_cards(text: str) -> bytes:
    """The cards of a text such as `4S 5S 6S`, in its order. Raises `CardError`, also for a card given twice."""
    cards = bytes(parse_card(word) for word in text.split())
    if len(set(cards)) != len(cards):
        twice = next(word for word in text.split() if text.split().count(word) > 1)
        raise CardError(f"expected every card once, got {twice} twice in {short(text)!r}")
    return cards


def cards_text(cards: Iterable[int], separator: str = " ") -> str:
    """Text of cards in the order given: `4S 5S 6S`."""
    return separator.join([CARD_TEXT[card] for card in cards])


def mask_of(cards: Iterable[int]) -> int:
    """The mask of some cards; a card given twice counts once."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def iter_mask(mask: int) -> Iterator[int]:
    """The cards of a mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def cards_of(mask: int) -> bytes:
    """The cards of a mask, ascending."""
    return bytes(iter_mask(mask))


def mask_text(mask: int) -> str:
    """Text of a mask by rank, then suit: `4S 5S QD QH`."""
    return cards_text(by_rank(mask))


def by_rank(mask: int) -> bytes:
    """The cards of a mask sorted by rank, then suit: the order in which a meld is written."""
    return bytes(sorted(iter_mask(mask), key=_BY_RANK.__getitem__))


_BY_RANK = tuple(rank_of(card) * 4 + suit_of(card) for card in range(DECK_SIZE))


def pips(mask: int) -> int:
    """The sum of the deadwood values of a mask's cards."""
    return sum([PIPS[card] for card in iter_mask(mask)])
