"""A bot that looks at what it gains now, at what may come to it, and at what it gives away."""

from itertools import combinations

from arena.bot import (
    PIPS,
    Action,
    ActionKind,
    Bot,
    Turn,
    best_melds,
    big_gin,
    deadwood,
    deadwood_after,
    discard,
    knock,
    makes_meld,
    rank_of,
    serve,
    suit_of,
    unmatched,
)

# The weights were found by play: README.md tells how much each part is worth.
PLAIN = 0.8, 0.05
"""Worth of a pip of deadwood now: at the first turn, and more with each turn of the opponent."""
OUT = 0.15, 0.015, 0.02
"""Chance that a card not seen yet comes in time: at first, less with each turn, at least."""
KNOWN_OUT = 0.3
"""What is left of that chance where the opponent is known to hold the card."""
MELDED = 0.5
"""What a pip counts towards further melds when its card is in one already."""
DANGER = 8.0
"""Cost of a discard that completes a meld of the opponent."""
REFUSED = 0.15
"""What is left of the danger where the opponent has let go of a card that fitted the same pair."""
LIKELY = 1.4
"""How much surer than sure a known card counts: it was taken for a reason."""
WORTH_A_PICK = 8.0
"""What a card from the pile that makes no meld must be worth to be taken before the opponent's eyes."""
GIN_OUTS = 3
"""Cards not seen that would make gin at the next turn; with so many of them it does not knock."""

SHOWN, SAFE = 6, 4
"""An opponent known to hold melds of so many cards has little left: it knocks only with so little deadwood."""


def _pairs(card: int) -> tuple[tuple[int, int], ...]:
    """The pairs of cards with which a card makes a meld of three."""
    suit, rank = suit_of(card), rank_of(card)
    others = [13 * other + rank for other in range(4) if other != suit]
    lows = [low for low in (rank - 2, rank - 1, rank) if 0 <= low <= 10]
    runs = [tuple(13 * suit + one for one in range(low, low + 3) if one != rank) for low in lows]
    return (*combinations(others, 2), *((run[0], run[1]) for run in runs))


PAIRS = tuple(_pairs(card) for card in range(52))


class Picture:
    """What a turn tells of the cards: where each may be, and how far the hand has come."""

    def __init__(self, turn: Turn, hand: bytes) -> None:
        """hand: the cards to judge, which may be more than the turn's."""
        let_go, turns = _opponent(turn)
        known, pile = turn.opponent_known, turn.discard_pile
        start, slope, least = OUT
        self.pip = PLAIN[0] + PLAIN[1] * turns
        self.outs = [max(start - slope * turns, least)] * 52
        self.held = [(10 - len(known)) / (52 - len(hand) - len(known) - len(pile))] * 52
        self.refused = {pair for card in let_go for pair in PAIRS[card]}
        for card in pile:
            self.outs[card] = self.held[card] = 0.0
        for card in known:
            self.outs[card] *= KNOWN_OUT
            self.held[card] = LIKELY
        for card in hand:
            self.outs[card] = self.held[card] = 0.0
        self.have = [False] * 52
        self.worth = [float(pip) for pip in PIPS]
        for card in hand:
            self.have[card] = True
        for meld in best_melds(hand):
            for card in meld:
                self.worth[card] *= MELDED

    def promise(self, card: int) -> float:
        """What a card of the hand may yet become: pips that would be melded, each by the chance that it comes to it."""
        outs, have, worth = self.outs, self.have, self.worth
        own, total = worth[card], 0.0
        for one, other in PAIRS[card]:
            if have[one]:
                total += outs[other] * (own + worth[one])
            if have[other]:
                total += outs[one] * (own + worth[other])
        return total

    def danger(self, card: int) -> float:
        """About how likely a discard is to make a meld for the opponent."""
        held, safe = self.held, 1.0
        for pair in PAIRS[card]:
            chance = held[pair[0]] * held[pair[1]] * (REFUSED if pair in self.refused else 1.0)
            safe *= 1.0 - min(chance, 0.9)
        return 1.0 - safe


def _opponent(turn: Turn) -> tuple[list[int], int]:
    """The cards the opponent has let go, discarded or not taken, and how many turns it has had."""
    history, top = turn.history, turn.upcard
    let_go, turns = [], 0
    for head, card in zip(history[::2], history[1::2], strict=True):
        kind = head & 0x0F
        if head >> 4 != turn.position:
            turns += kind in (ActionKind.TAKE, ActionKind.STOCK, ActionKind.PILE)
            if kind in (ActionKind.PASS, ActionKind.STOCK):
                let_go.append(top)
            elif kind == ActionKind.DISCARD:
                let_go.append(card)
        if kind == ActionKind.DISCARD:
            top = card
    return let_go, turns


class Greedy(Bot):
    """README.md says what it thinks of; all of it stands in the turn, so that it needs no memory."""

    version = "1.0"

    def upcard(self, turn: Turn) -> bool:
        """Take the upcard if it is worth it."""
        return self._wants(turn)

    def draw(self, turn: Turn) -> bool:
        """Take the top of the pile if it is worth it; the last discard, to knock with it, always."""
        return ActionKind.STOCK not in turn.legal or self._wants(turn)

    def discard(self, turn: Turn) -> Action:
        """Knock if that is best now, else discard what gives the least away; of equals the highest card."""
        if ActionKind.BIG_GIN in turn.legal and not deadwood(turn.hand):
            return big_gin()
        least = min(turn.deadwood)
        card = max(card for card, left in zip(turn.discards, turn.deadwood, strict=True) if left == least)
        if card in turn.knocks and (ActionKind.DISCARD not in turn.legal or not self._waits(turn, card, least)):
            return knock(card)
        picture = Picture(turn, turn.hand)
        costs = [
            picture.pip * left + picture.promise(card) + DANGER * picture.danger(card)
            for card, left in zip(turn.discards, turn.deadwood, strict=True)
        ]
        return discard(max(card for card, cost in zip(turn.discards, costs, strict=True) if cost == min(costs)))

    def _waits(self, turn: Turn, card: int, least: int) -> bool:
        """Whether to play on instead of knocking with this discard: for fear of an undercut, or for gin."""
        if not least:
            return False
        shown = sum(map(len, best_melds(turn.opponent_known)))
        if shown >= SHOWN and least > SAFE:
            return True
        rest = bytes(one for one in turn.hand if one != card)
        loose = unmatched(rest)
        if len(loose) > 2:
            return False
        away = {*turn.hand, *turn.discard_pile, *turn.opponent_known}
        outs = [new for new in range(52) if new not in away and not min(_after(rest, new, loose))]
        return len(outs) >= GIN_OUTS

    def _wants(self, turn: Turn) -> bool:
        """Whether to take the top of the pile: for gin, for a meld that sheds deadwood, or for what it promises."""
        hand, top, now = turn.hand, turn.top, turn.deadwood[0]
        after = deadwood_after(bytes(sorted((*hand, top))), hand)
        if not min(after):
            return True
        if makes_meld(top, hand):
            return min(after) < now
        without, with_it = Picture(turn, hand), Picture(turn, bytes((*hand, top)))
        stays = without.pip * now - sum(map(without.promise, hand)) / 2
        promises = [with_it.promise(card) for card in (*hand, top)]
        becomes = min(
            with_it.pip * left - sum(promises) / 2 + lost for left, lost in zip(after, promises[:-1], strict=True)
        )
        return stays - becomes >= WORTH_A_PICK


def _after(rest: bytes, new: int, loose: bytes) -> bytes:
    """The deadwood left when a new card is drawn and it, or a loose card, is discarded."""
    return deadwood_after(bytes(sorted((*rest, new))), bytes((*loose, new)))


if __name__ == "__main__":
    serve(Greedy)
