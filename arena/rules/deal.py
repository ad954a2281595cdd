"""The cards of one hand: where they lie, who has seen them, and every move they made. No rule of play is in here."""

from bisect import bisect
from collections.abc import Sequence
from copy import copy
from typing import Self

from arena.cards import DECK_SIZE, mask_of
from arena.errors import CardError
from arena.rules.actions import ActionKind
from arena.rules.view import HIDDEN

_ALL_CARDS = frozenset(range(DECK_SIZE))
_STOCK = ActionKind.STOCK
_CARD = tuple(bytes((card,)) for card in range(DECK_SIZE))
_EVENT = tuple(tuple(bytes((head, card)) for card in range(256)) for head in range(1 << 5))
"""The two bytes of an event, by its first and its second."""


class Deal:
    """The cards in play, by position: 0 the non-dealer, 1 the dealer. To be read by all, moved by `Hand` alone.

    hands: the cards each position holds, ascending. masks: the same as masks.
    known: of these, the ones taken face up, ascending.
    pile: the discard pile, bottom first. upcard: the card it was begun with.
    moves: every event, two bytes each: `position << 4 | ActionKind`, then the card, 255 where there is none.
    history: the same as both players saw it, with `HIDDEN` for a card drawn from the stock.

    All are `bytes`, made anew where they change: they are looked at more often, and who keeps one keeps what it was.
    """

    __slots__ = (
        "_back", "_deck", "_front", "_two_ended", "hands", "history", "known", "masks", "moves", "pile", "upcard",
    )  # fmt: skip

    def __init__(self, deck: Sequence[int], two_ended: bool) -> None:
        """Deal a deck as played: 0-9 the non-dealer's, 10-19 the dealer's, 20 the upcard, 21-51 the stock.

        two_ended: the dealer draws from the stock's back, else from its front as the non-dealer does.
        Raises `CardError` for a deck that is not the 52 cards.
        """
        if len(deck) != DECK_SIZE or set(deck) != _ALL_CARDS:
            raise CardError(f"expected a deck of {DECK_SIZE} different cards, got {list(deck)}")
        self._deck = deck
        self._front = 21
        self._back = DECK_SIZE
        self._two_ended = two_ended
        self.hands = [bytes(sorted(deck[:10])), bytes(sorted(deck[10:20]))]
        self.masks = [mask_of(hand) for hand in self.hands]
        self.known = [b"", b""]
        self.upcard = deck[20]
        self.pile = _CARD[self.upcard]
        self.moves = b""
        self.history = b""

    def copy(self) -> Self:
        """The same cards, to be moved apart from these."""
        twin = copy(self)
        twin.hands, twin.known, twin.masks = self.hands.copy(), self.known.copy(), self.masks.copy()
        return twin

    @property
    def stock(self) -> int:
        """How many cards are left in the stock."""
        return self._back - self._front

    def note(self, position: int, kind: ActionKind, card: int = HIDDEN, shown: int = HIDDEN) -> None:
        """Write down an event: its card, and what both players see of it."""
        event = _EVENT[position << 4 | kind]
        self.moves += event[card]
        self.history += event[shown]

    def draw(self, position: int) -> int:
        """Move a player's next stock card into its hand."""
        if position and self._two_ended:
            self._back -= 1
            card = self._deck[self._back]
        else:
            card = self._deck[self._front]
            self._front += 1
        self.hands[position] = _with(self.hands[position], card)
        self.masks[position] |= 1 << card
        self.note(position, _STOCK, card)
        return card

    def pick(self, position: int, kind: ActionKind) -> int:
        """Move the top of the discard pile into a hand; `kind` is TAKE for the upcard of the opening, else PILE."""
        card = self.pile[-1]
        self.pile = self.pile[:-1]
        self.hands[position] = _with(self.hands[position], card)
        self.known[position] = _with(self.known[position], card)
        self.masks[position] |= 1 << card
        self.note(position, kind, card, card)
        return card

    def discard(self, position: int, kind: ActionKind, card: int) -> None:
        """Move a card held to the top of the discard pile; `kind` is DISCARD or KNOCK."""
        gone = _CARD[card]
        self.hands[position] = self.hands[position].replace(gone, b"")
        self.known[position] = self.known[position].replace(gone, b"")
        self.masks[position] ^= 1 << card
        self.pile += gone
        self.note(position, kind, card, card)


def _with(cards: bytes, card: int) -> bytes:
    """Ascending cards with one more."""
    place = bisect(cards, card)
    return cards[:place] + _CARD[card] + cards[place:]
