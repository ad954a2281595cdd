"""A bot that decides at a glance, thinks long when it sits out, and as captain listens to who does.

A captain of three-hand has a player behind it who sees the same cards and has nothing else to do. This bot shows both
sides: `advise` is the long look, and `_heeds` is when a captain follows advice. README.md tells what that is worth.
"""

from arena.bot import (
    CARD_TEXT,
    PIPS,
    Action,
    ActionKind,
    Advice,
    Bot,
    Turn,
    TurnKind,
    big_gin,
    deadwood,
    deadwood_after,
    discard,
    knock,
    makes_meld,
    rank_of,
    serve,
    suit_of,
)

CLOSE = 10
"""Pips of deadwood by which an advised discard may leave more than the own choice: so much the advice is trusted."""
LOOKED_AT = 5
"""Discards that the long look goes through, the ones that leave least."""
WEIGHT = 0.15
"""Weight of each card that may come, against the deadwood there is now."""
NEIGHBOUR = 2.5
"""Pips that it costs to discard next to a card that the opponent is known to hold."""
OUTS = 3
"""With so many cards still out that make gin, it is better not to knock yet."""


class Adviser(Bot):
    """Simple in its own choices; what is more in it is what it tells others, and hears from them."""

    version = "1.0"

    def upcard(self, turn: Turn) -> bool:
        """Take the upcard if it makes a meld and deadwood falls by it, or if it is advised and deadwood falls."""
        return self.draw(turn)

    def draw(self, turn: Turn) -> bool:
        """Take the top of the pile as the upcard; the last discard, offered only to knock with, always."""
        if ActionKind.STOCK not in turn.legal and turn.kind is TurnKind.DRAW:
            return True
        shed = _shed_by_taking(turn)
        advice = turn.advice
        if advice is not None and advice.action.kind in (ActionKind.TAKE, ActionKind.PILE) and shed > 0:
            return True
        return shed > 0 and makes_meld(turn.top, turn.hand)

    def discard(self, turn: Turn) -> Action:
        """Do what is advised if there is nothing against it; else knock if possible, or shed the most deadwood."""
        if ActionKind.BIG_GIN in turn.legal and not deadwood(turn.hand):
            return big_gin()
        least, card = _least(turn)
        if turn.advice is not None and least and _heeds(turn, turn.advice.action, least):
            return turn.advice.action
        return knock(card) if card in turn.knocks else discard(card)

    def advise(self, turn: Turn) -> Advice | None:
        """Think long about the captain's turn. There is nothing to say where its cards are not shown."""
        if not turn.hand or turn.kind is TurnKind.DEFEND:
            return None
        if turn.kind is not TurnKind.DISCARD:
            return self._advise_draw(turn)
        least, card = _least(turn)
        if card in turn.knocks:
            outs = _gin_outs(turn, card) if least and ActionKind.DISCARD in turn.legal and turn.stock > 3 else 0
            if outs < OUTS:
                return Advice(knock(card), "gin" if not least else f"knock: {outs} cards that make gin are too few")
            return Advice(discard(card), f"wait: {outs} cards make gin")
        costs = _long_look(turn)
        best = min(costs, key=lambda card: (costs[card], -card))
        return Advice(discard(best), f"{CARD_TEXT[best]} costs {costs[best]:.0f}, {CARD_TEXT[card]} {costs[card]:.0f}")

    def _advise_draw(self, turn: Turn) -> Advice:
        """Advise to take what sheds a good deal, even if it makes no meld."""
        take = self.draw(turn) or _shed_by_taking(turn) >= 8
        upcard = turn.kind is TurnKind.UPCARD
        taking, leaving = (ActionKind.TAKE, ActionKind.PASS) if upcard else (ActionKind.PILE, ActionKind.STOCK)
        shed = _shed_by_taking(turn)
        return Advice(Action(taking if take else leaving), f"it sheds {shed}" if shed > 0 else "it sheds nothing")


def _least(turn: Turn) -> tuple[int, int]:
    """The least deadwood a discard leaves, and the highest card that does it."""
    return _by_what_they_leave(turn)[0]


def _by_what_they_leave(turn: Turn) -> list[tuple[int, int]]:
    """The deadwood each discard leaves, and the discard: the least first; of equals the highest rank, then suit."""
    choices = zip(turn.deadwood, turn.discards, strict=True)
    return sorted(choices, key=lambda choice: (choice[0], -rank_of(choice[1]), -suit_of(choice[1])))


def _heeds(turn: Turn, action: Action, least: int) -> bool:
    """Whether to follow an advised discard or knock: it must be legal, and not look bad at a glance."""
    card = action.card
    if card is None or card not in turn.discards or action.kind not in turn.legal:
        return False
    if action.kind is ActionKind.KNOCK:
        return card in turn.knocks
    left = turn.deadwood[turn.discards.index(card)]
    if turn.knocks:  # advised to play on, which must not cost the chance to knock later
        return left == least
    return left <= least + CLOSE


def _shed_by_taking(turn: Turn) -> int:
    """By how much deadwood falls if the top of the pile is taken and another card discarded."""
    with_top = turn.hand + bytes((turn.top,))
    return turn.deadwood[0] - min(deadwood_after(with_top, turn.hand))


def _long_look(turn: Turn) -> dict[int, float]:
    """What some discards cost: the deadwood each leaves, less what the next cards may meld, and what it may give away.

    Every card not seen is tried with the ten that stay: what it makes of their deadwood is what it may shed.
    """
    unseen = _unseen(turn)
    costs = {}
    for left, card in _by_what_they_leave(turn)[:LOOKED_AT]:
        rest = _mask(turn.hand) ^ 1 << card
        hoped = sum(max(left - deadwood(rest | 1 << new), 0) for new in unseen)
        neighbours = sum(_are_near(card, known) for known in turn.opponent_known)
        costs[card] = left - WEIGHT * hoped + NEIGHBOUR * neighbours
    return costs


def _gin_outs(turn: Turn, card: int) -> int:
    """How many of the cards not seen make gin of what is left without `card`."""
    rest = _mask(turn.hand) ^ 1 << card
    outs = 0
    for new in _unseen(turn):
        eleven = rest | 1 << new
        total = deadwood(eleven)
        throws = bytes([one for one in (*turn.hand, new) if eleven >> one & 1 and PIPS[one] >= total])
        outs += bool(throws) and not min(deadwood_after(eleven, throws))  # no other discard could leave nothing
    return outs


def _mask(cards: bytes) -> int:
    """Cards as one number, which is quicker where many hands are tried."""
    return sum(1 << card for card in cards)


def _unseen(turn: Turn) -> list[int]:
    """The cards that may still come: not in the hand, not in the pile, not known to be the opponent's."""
    seen = {*turn.hand, *turn.discard_pile, *turn.opponent_known}
    return [card for card in range(52) if card not in seen]


def _are_near(one: int, other: int) -> bool:
    """Whether two cards can be in one meld of three."""
    if suit_of(one) == suit_of(other):
        return abs(rank_of(one) - rank_of(other)) <= 2
    return rank_of(one) == rank_of(other)


if __name__ == "__main__":
    serve(Adviser)
