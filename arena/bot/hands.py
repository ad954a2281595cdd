"""What cards are worth together. Cards are given as bytes, one a card, or as a mask, as `arena.cards` says."""

from arena import melds
from arena.cards import by_rank, cards_of, mask_of, rank_of, suit_of

Cards = bytes | int


def deadwood(cards: Cards) -> int:
    """The least unmatched count of up to eleven cards."""
    return melds.deadwood(_mask(cards))


def deadwood_after(cards: Cards, discards: bytes) -> bytes:
    """For each of `discards`, all among the cards, the least unmatched count without it, one byte each."""
    return melds.deadwood_after(_mask(cards), discards)


def best_melds(cards: Cards) -> tuple[bytes, ...]:
    """The melds that leave the least unmatched: the ones the arena declares for a knock that names none."""
    return tuple([by_rank(meld) for meld in melds.best_melds(_mask(cards))])


def unmatched(cards: Cards) -> bytes:
    """The cards outside `best_melds`, ascending."""
    held = _mask(cards)
    return cards_of(held & ~sum(melds.best_melds(held)))


def makes_meld(card: int, cards: Cards) -> bool:
    """Whether a card makes a meld with others: with two of its rank, or with two next to it in its suit."""
    others = _mask(cards) & ~(1 << card)
    rank = rank_of(card)
    if (others >> rank & _ACES).bit_count() >= 2:
        return True
    around = others >> 13 * suit_of(card) & _SUIT  # the suit's cards,
    around = around << 2 >> rank & 0b11111  # of these the ones from two below the card, bit 0, to two above it, bit 4
    return any(around & pair == pair for pair in (0b00011, 0b01010, 0b11000))


def _mask(cards: Cards) -> int:
    return cards if isinstance(cards, int) else mask_of(cards)


_SUIT = (1 << 13) - 1
_ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39
