"""Three-hand: how often captains did what was advised, and what they made of their hands when they did and did not."""

from dataclasses import dataclass

from arena.dealer.values import AdviceRecord, HandRecord
from arena.rules.actions import ActionKind


@dataclass(slots=True)
class AdviceCount:
    """Advice that one bot gave, or that it got as captain.

    given, followed: pieces of advice, and those of them that the captain did.
    points_followed, points_other: what the captain made in the hand less what the box made, added up over the advice
        followed, and over the rest. So a hand in which all was followed counts on the one side only, and one in which
        the captain went its own way twice in ten decisions counts on both, eight times and twice. (Hands all followed
        against all others would say little: bots that ignore advice do most of it by chance, and all of it in none but
        the shortest hands.)
    """

    given: int = 0
    followed: int = 0
    points_followed: int = 0
    points_other: int = 0

    def add(self, given: int, followed: int, points: int) -> None:
        """Count one hand with advice in it. points: the captain's less the box's."""
        self.given += given
        self.followed += followed
        self.points_followed += followed * points
        self.points_other += (given - followed) * points


def times_followed(hand: HandRecord) -> int:
    """How many pieces of a hand's advice the captain followed."""
    return sum([_followed(hand, advice) for advice in hand.advice])


def _followed(hand: HandRecord, advice: AdviceRecord) -> bool:
    """Whether the captain did as advised: the same kind of action, and the card, the melds and the lay-offs named."""
    action, at = advice.action, 2 * advice.move
    kind = action.kind
    if at >= len(hand.moves) or hand.moves[at] & 15 != kind:
        return False
    if action.card is not None and action.card != hand.moves[at + 1]:
        return False
    if action.melds is None and action.layoffs is None:
        return True
    result = hand.result
    melds = result.defender_melds if kind is ActionKind.DEFEND else result.melds
    return (action.melds is None or set(action.melds) == set(melds)) and action.layoffs in (None, result.layoffs)
