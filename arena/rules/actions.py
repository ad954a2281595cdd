"""What a player can do, as values."""

from dataclasses import dataclass
from enum import IntEnum

from arena.cards import CARD_TEXT, DECK_SIZE, mask_text


class ActionKind(IntEnum):
    """The kinds of action. The numbers are those of the protocol and of a hand's history."""

    __hash__ = int.__hash__  # an enum's own is a function of Python, and a turn is looked up by its kinds

    PASS = 1
    """Leave the upcard (opening), or leave the last discard and let the wall come."""
    TAKE = 2
    """Take the upcard in the opening."""
    STOCK = 3
    PILE = 4
    DISCARD = 5
    KNOCK = 6
    """Discard and knock; with nothing unmatched it is gin."""
    BIG_GIN = 7
    """Declare eleven melded cards instead of discarding."""
    DEFEND = 8
    """Lay down against a knock."""


@dataclass(frozen=True, slots=True)
class Action:
    """One action. What does not belong to its kind is `None`.

    card: the discard of DISCARD and KNOCK, 0 to 51.
    melds: masks of the melds declared with KNOCK, BIG_GIN or DEFEND; `None` lets the arena choose the best.
    layoffs: mask of the cards laid off with DEFEND; `None` lets the arena choose the best, 0 is none.
    """

    kind: ActionKind
    card: int | None = None
    melds: tuple[int, ...] | None = None
    layoffs: int | None = None

    def __str__(self) -> str:
        words = [self.kind.name.lower()]
        if self.card is not None:
            words.append(CARD_TEXT[self.card] if 0 <= self.card < DECK_SIZE else f"card {self.card}")
        if self.melds is not None:
            words.append("[" + ", ".join(mask_text(meld) for meld in self.melds) + "]")
        if self.layoffs is not None:
            words.append("lay off [" + mask_text(self.layoffs) + "]")
        return " ".join(words)


PASS = Action(ActionKind.PASS)
TAKE = Action(ActionKind.TAKE)
STOCK = Action(ActionKind.STOCK)
PILE = Action(ActionKind.PILE)


def discard(card: int) -> Action:
    """Discard `card` face up."""
    return Action(ActionKind.DISCARD, card)


def knock(card: int, melds: tuple[int, ...] | None = None) -> Action:
    """Discard `card` and knock with these melds (masks), or the best ones."""
    return Action(ActionKind.KNOCK, card, melds)


def big_gin(melds: tuple[int, ...] | None = None) -> Action:
    """Declare all eleven cards melded."""
    return Action(ActionKind.BIG_GIN, None, melds)


def defend(melds: tuple[int, ...] | None = None, layoffs: int | None = None) -> Action:
    """Lay down against a knock: own melds and the cards laid off; what is left out is chosen best."""
    return Action(ActionKind.DEFEND, None, melds, layoffs)
