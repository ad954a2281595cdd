"""A bot for three-hand that shares the work: the captain counts deadwood, the one who sits out watches the box."""

from arena.bot import (
    CARD_TEXT,
    Action,
    ActionKind,
    Advice,
    Bot,
    Turn,
    TurnKind,
    discard,
    knock,
    makes_meld,
    rank_of,
    serve,
    suit_of,
)

NEARLY_AS_GOOD = 4
"""Pips of deadwood that a safer discard may cost."""


class Adviser(Bot):
    """Plays much as `simple` does, and listens: README.md says when it follows and what it advises."""

    version = "1.0"

    def upcard(self, turn: Turn) -> bool:
        """Take the upcard if it makes a meld or if it was advised."""
        return makes_meld(turn.top, turn.hand) or _advised(turn) is ActionKind.TAKE

    def draw(self, turn: Turn) -> bool:
        """Take the top of the discard pile if it makes a meld or if it was advised."""
        return makes_meld(turn.top, turn.hand) or _advised(turn) is ActionKind.PILE

    def discard(self, turn: Turn) -> Action:
        """Knock when that is legal; else discard what was advised, if it leaves nearly as little deadwood as can be."""
        left = dict(zip(turn.discards, turn.deadwood, strict=True))
        card = max(left, key=lambda card: (-left[card], rank_of(card), suit_of(card)))
        if card in turn.knocks:
            return knock(card)
        advised = turn.advice.action.card if turn.advice is not None else None
        if advised in left and left[advised] <= left[card] + NEARLY_AS_GOOD:
            card = advised
        return discard(card)

    def advise(self, turn: Turn) -> Advice | None:
        """Advise the captain: of the discards that are nearly as good as any, the one that helps the box least."""
        if turn.kind is not TurnKind.DISCARD or not turn.discards:
            return None
        alone = self.discard(turn)
        if alone.kind is not ActionKind.DISCARD:
            return Advice(alone, "you may knock")
        wanted = _wanted(turn)
        left = dict(zip(turn.discards, turn.deadwood, strict=True))
        near = [card for card in left if left[card] <= min(left.values()) + NEARLY_AS_GOOD]
        safest = min(near, key=lambda card: (wanted[card], left[card], -rank_of(card), -suit_of(card)))
        if safest == alone.card or alone.card is None:
            return Advice(alone, "nothing is safer")
        return Advice(discard(safest), f"{CARD_TEXT[alone.card]} fits what the box collects")


def _advised(turn: Turn) -> ActionKind | None:
    return turn.advice.action.kind if turn.advice is not None else None


def _wanted(turn: Turn) -> list[int]:
    """How much the opponent seems to want each card: up for what it has taken nearby, down for what it let go."""
    wanted = [0] * 52
    for card in turn.opponent_known:
        for near in _near(card):
            wanted[near] += 2
    top = turn.upcard
    for head, card in zip(turn.history[::2], turn.history[1::2], strict=True):
        kind, theirs = head & 0x0F, head >> 4 != turn.position
        let_go = card if kind == ActionKind.DISCARD else top if kind in (ActionKind.PASS, ActionKind.STOCK) else None
        if theirs and let_go is not None:
            for near in _near(let_go):
                wanted[near] -= 1
        if kind == ActionKind.DISCARD:
            top = card
    return wanted


def _near(card: int) -> list[int]:
    """The cards that go with a card: of its rank, and one above and below it in its suit."""
    suit, rank = suit_of(card), rank_of(card)
    return [
        *(13 * other + rank for other in range(4) if other != suit),
        *(13 * suit + other for other in (rank - 1, rank + 1) if 0 <= other <= 12),
    ]


if __name__ == "__main__":
    serve(Adviser)
