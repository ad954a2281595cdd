"""A bot that weighs what it holds, what may still come, and what it would give away. README.md tells how well it does.

It reads its turn like this:

1. `Table` is what the turn tells of the cards: which are gone, which the opponent holds, which he does not want.
2. Cards are worth something together. Every card has a few pairs of other cards with which it makes a meld (`PAIRS`).
   A pair that lies half in the own hand is a *promise*; a pair that may lie in the opponent's is a *danger*.
3. A discard costs the deadwood it leaves, the promises it breaks and the danger it brings.

All of it is worked out anew at every turn: the bot has no memory and no dice.
"""

from itertools import combinations

from arena.bot import (
    PIPS,
    Action,
    ActionKind,
    Bot,
    Turn,
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

# The weights, in pips of deadwood. They were found by play.
PIP, PIP_A_TURN = 0.8, 0.05
"""What a pip of deadwood costs: little at first, more with every turn, because the hand may end."""
COMES, COMES_A_TURN, COMES_AT_LEAST = 0.15, 0.015, 0.02
"""The chance that a card that may still come does so in time: at first, less with every turn, at least."""
COMES_FROM_HIM = 0.3
"""What is left of that chance for a card that the opponent took: he wants it."""
IN_A_MELD = 0.5
"""What a card in a meld counts in a second one that it could go to."""
DANGER = 8.0
"""What it costs to give the opponent a meld."""
REFUSED = 0.15
"""How likely a pair still is in the opponent's hand after he let a card go that it would have melded."""
TAKEN = 1.4
"""How sure a card is that the opponent took: more than sure, because he also holds its neighbours."""
TAKE_FOR = 8.0
"""How much better a hand must get by a card from the pile that makes no meld: a card from the stock is unseen."""
WAIT_FOR_GIN = 0.18
"""The chance that a card that makes gin comes before the hand ends otherwise, for each such card: see `_waits`."""


def _pairs(card: int) -> tuple[tuple[int, int], ...]:
    """The pairs of other cards with which a card makes a meld of three."""
    first, rank = 13 * suit_of(card), rank_of(card)
    same_rank = [other for other in range(rank, 52, 13) if other != card]
    starts = range(max(rank - 2, 0), min(rank, 10) + 1)
    runs = [[first + step for step in range(start, start + 3) if step != rank] for start in starts]
    return (*combinations(same_rank, 2), *[(one, other) for one, other in runs])


PAIRS = tuple(_pairs(card) for card in range(52))


class Table:
    """What a turn tells of the cards, and what a card is worth by it.

    turns: how many turns the opponent has had.
    comes: by card, the chance that it still comes.
    his: by card, how likely the opponent holds it.
    refused: pairs of which the opponent let a third card go.
    """

    def __init__(self, turn: Turn) -> None:
        let_go, self.turns = _read_history(turn)
        known = turn.opponent_known
        gone = turn.hand + turn.discard_pile
        self.comes = [max(COMES - COMES_A_TURN * self.turns, COMES_AT_LEAST)] * 52
        self.his = [(10 - len(known)) / (52 - len(gone) - len(known))] * 52
        for card in gone:
            self.comes[card] = self.his[card] = 0.0
        for card in known:
            self.comes[card] *= COMES_FROM_HIM
            self.his[card] = TAKEN
        self.refused = {pair for card in let_go for pair in PAIRS[card]}
        self.pip = PIP + PIP_A_TURN * self.turns

    def danger(self, card: int) -> float:
        """About how likely the opponent would meld this card: the chance of at least one of its pairs."""
        his, none = self.his, 1.0
        for pair in PAIRS[card]:
            chance = his[pair[0]] * his[pair[1]]
            if chance:
                none *= 1.0 - min(chance * (REFUSED if pair in self.refused else 1.0), 0.9)
        return 1.0 - none

    def promises(self, hand: bytes, left: bytes) -> list[float]:
        """For each card of a hand: the pips it would meld with another one, times the chance of the third.

        left: for each card, the deadwood of the hand without it.
        """
        comes, total = self.comes, deadwood(hand)
        worth = [0.0] * 52
        for card, without in zip(hand, left, strict=True):
            loose = without + PIPS[card] == total  # a card of a meld leaves more than its pips behind
            worth[card] = PIPS[card] * (1.0 if loose else IN_A_MELD)
        promised = []
        for card in hand:
            sum_of_pairs = 0.0
            for one, other in PAIRS[card]:
                if worth[one]:
                    sum_of_pairs += comes[other] * (worth[card] + worth[one])
                if worth[other]:
                    sum_of_pairs += comes[one] * (worth[card] + worth[other])
            promised.append(sum_of_pairs)
        return promised


def _read_history(turn: Turn) -> tuple[list[int], int]:
    """The cards that the opponent let go, discarded or left in the pile, and how many turns he has had."""
    let_go, turns, top = [], 0, turn.upcard
    for head, card in zip(turn.history[::2], turn.history[1::2], strict=True):
        kind = head & 15
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
    """Against a knock it leaves the defence to the arena, which lays down the best there is."""

    version = "1.0"

    def upcard(self, turn: Turn) -> bool:
        """Take the upcard if it is worth it."""
        return _is_worth_taking(turn)

    def draw(self, turn: Turn) -> bool:
        """Take the top of the pile if it is worth it. The last discard, offered only to knock with, always is."""
        return ActionKind.STOCK not in turn.legal or _is_worth_taking(turn)

    def discard(self, turn: Turn) -> Action:
        """Go down if that is best now, else discard what costs least; of equals the highest card."""
        legal = turn.legal
        if ActionKind.BIG_GIN in legal and not deadwood(turn.hand) and _option(turn, "big_gin") >= _gin_bonus(turn):
            return big_gin()
        hand, cards, left = turn.hand, turn.discards, turn.deadwood
        table = Table(turn)
        if turn.knocks:
            least = min(left)
            card = max(card for card, without in zip(cards, left, strict=True) if without == least)
            if ActionKind.DISCARD not in legal or not _waits(turn, table, card, least):
                return knock(card)
        all_left = left if len(cards) == len(hand) else deadwood_after(hand, hand)
        promised = dict(zip(hand, table.promises(hand, all_left), strict=True))
        costs = [
            table.pip * without + promised[card] + DANGER * table.danger(card)
            for card, without in zip(cards, left, strict=True)
        ]
        cheapest = min(costs)
        return discard(max(card for card, cost in zip(cards, costs, strict=True) if cost == cheapest))


def _is_worth_taking(turn: Turn) -> bool:
    """Whether the top of the pile makes a meld that sheds deadwood, or the hand much better in another way."""
    hand, top, now = turn.hand, turn.top, turn.deadwood[0]
    with_top = hand + bytes((top,))
    left = deadwood_after(with_top, with_top)
    best = min(left[:-1])  # the card just taken stays for a turn
    if not best:
        return True
    if makes_meld(top, hand):
        return best < now
    if best > now:
        return False
    table = Table(turn)
    before = table.pip * now - sum(table.promises(hand, deadwood_after(hand, hand))) / 2  # a pair is counted twice
    promised = table.promises(with_top, left)
    after = min(table.pip * without + lost for without, lost in zip(left[:-1], promised[:-1], strict=True))
    return before - (after - sum(promised) / 2) >= TAKE_FOR


def _waits(turn: Turn, table: Table, card: int, least: int) -> bool:
    """Whether to play on for gin instead of knocking with this discard, which leaves `least`.

    A knock earns what the opponent holds more: some 56 pips at first, an eighth less with every turn, and a seventh
    less with every card he is known to hold, for he took it to meld it. Gin earns all he holds and the bonus.
    """
    if not least or turn.stock <= 3:  # gin; or the wall is here before another draw
        return False
    his_count = 56.0 * 0.88**table.turns * 0.85 ** len(turn.opponent_known)
    hand, known = turn.hand, turn.opponent_known
    rest = sum(1 << kept for kept in hand if kept != card)
    unseen = [new for new in range(52) if table.his[new] and new not in known]
    outs = sum(_is_gin(rest | 1 << new, (*hand, new)) for new in unseen)
    return outs * WAIT_FOR_GIN * (_gin_bonus(turn) + his_count) > his_count - least


def _is_gin(eleven: int, cards: tuple[int, ...]) -> bool:
    """Whether eleven cards, given as a mask, are gin if one of them is discarded. cards: all of them, or more."""
    total = deadwood(eleven)
    throws = bytes([card for card in cards if eleven >> card & 1 and PIPS[card] >= total])  # no other leaves nothing
    return bool(throws) and not min(deadwood_after(eleven, throws))


def _gin_bonus(turn: Turn) -> int:
    return _option(turn, "gin_bonus")


def _option(turn: Turn, name: str) -> int:
    return int(turn.setup.rules[name])


if __name__ == "__main__":
    serve(Greedy)
