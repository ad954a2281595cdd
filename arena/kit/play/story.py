"""What the others at a table do, told as it happens, from what everybody sees."""

from collections.abc import Iterator

from arena.kit.play.screen import ME, Screen
from arena.rules.actions import ActionKind
from arena.rules.hand import Hand
from arena.rules.roles import Roles
from arena.rules.words import DRAWS, Words


class Story:
    """Tells one hand, in parts."""

    def __init__(self, screen: Screen, hand: Hand, roles: Roles) -> None:
        self._screen = screen
        self._hand = hand
        self._roles = roles
        self._told = 0

    def go_on(self, *, to_the_end: bool = False) -> Iterator[Words]:
        """What has been done since, a line for each turn that is over. to_the_end: also of one that is not."""
        history = self._hand.deal.history
        turn: list[tuple[ActionKind, int]] = []
        at = self._told
        while at < len(history):
            position, kind, card = history[at] >> 4, ActionKind(history[at] & 15), history[at + 1]
            seat = self._roles.seat(position)
            at += 2
            if seat == ME:
                if kind is ActionKind.STOCK and self._passed_before(at - 2):
                    yield self._screen.forced()
            elif kind is not ActionKind.DEFEND:
                turn.append((kind, card))
                if at == len(history) and kind in DRAWS and not to_the_end:
                    return
                if at == len(history) or kind not in DRAWS:
                    yield self._screen.did(seat, turn)
                    turn = []
            self._told = at

    def _passed_before(self, at: int) -> bool:
        """Whether the event before this place in the history is a pass: a draw there is the forced one."""
        return at > 0 and self._hand.deal.history[at - 2] & 15 == ActionKind.PASS
