"""What an audit of decisions looks for, and what it finds. docs/classes.md explains each kind."""

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What an audit looks for, in the order in which it is told: first what is an error by what the player knew."""

    MISSED_GIN = "missed_gin"
    HIGH_KNOCK = "high_knock"
    LAYOFFS_LEFT = "layoffs_left"
    POOR_DEFENCE = "poor_defence"
    FED_KNOWN = "fed_known"
    IDLE_TAKE = "idle_take"
    MISSED_KNOCK = "missed_knock"
    PAID_WAIT = "paid_wait"
    UNDERCUT = "undercut"
    OTHER_MELDS = "other_melds"
    FED_UNKNOWN = "fed_unknown"

    @property
    def hindsight(self) -> bool:
        """Whether it is only seen with all cards open, so that a good player has some of it too."""
        return self in _HINDSIGHT

    @property
    def costs(self) -> bool:
        """Whether points can be told that were lost by it."""
        return self is not Kind.IDLE_TAKE

    @property
    def meaning(self) -> str:
        """What was done, in a few words."""
        return _MEANING[self]


_HINDSIGHT = (Kind.MISSED_KNOCK, Kind.PAID_WAIT, Kind.UNDERCUT, Kind.OTHER_MELDS, Kind.FED_UNKNOWN)
_MEANING = {
    Kind.MISSED_GIN: "could go gin and did not",
    Kind.HIGH_KNOCK: "knocked with more unmatched than it had to",
    Kind.LAYOFFS_LEFT: "cards that fitted were not laid off",
    Kind.POOR_DEFENCE: "own melds were not the best against the knock",
    Kind.FED_KNOWN: "gave a card that melds with cards the opponent was seen to take",
    Kind.IDLE_TAKE: "took a card from the pile and left it unmatched",
    Kind.MISSED_KNOCK: "did not knock, and the hand brought less",
    Kind.PAID_WAIT: "did not knock, and the hand brought more",
    Kind.UNDERCUT: "knocked into an undercut",
    Kind.OTHER_MELDS: "other melds of the same knock would have scored more",
    Kind.FED_UNKNOWN: "gave a card that the opponent took into a meld",
}


class Finding(NamedTuple):
    """Something that an audit has found in a hand.

    move: from 1, the move of the hand that is judged. position: whose, 0 the non-dealer.
    points: lost by it (docs/classes.md says for each kind what that is), negative where something was gained.
    told: what was done and what would have come of the other choice.
    """

    kind: Kind
    move: int
    position: int
    points: int
    told: str
