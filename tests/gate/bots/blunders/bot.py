"""The sample bot simple with a rare flaw: now and then it throws a card of its melds."""

from arena.bot import Action, Bot, Turn, discard, knock, makes_meld, rank_of, serve, suit_of


class Blunders(Bot):
    """As simple but for one rule."""

    def upcard(self, turn: Turn) -> bool:
        """Take the upcard if it makes a meld."""
        return makes_meld(turn.top, turn.hand)

    def draw(self, turn: Turn) -> bool:
        """Take the top of the discard pile if it makes a meld."""
        return makes_meld(turn.top, turn.hand)

    def discard(self, turn: Turn) -> Action:
        """Discard what leaves the least deadwood; of equals the highest. One decision in 100 is the worst."""
        least = max(turn.deadwood) if turn.random.random() < 1 / 100 else min(turn.deadwood)
        best = [card for card, left in zip(turn.discards, turn.deadwood, strict=True) if left == least]
        card = max(best, key=lambda card: (rank_of(card), suit_of(card)))
        return knock(card) if card in turn.knocks else discard(card)


if __name__ == "__main__":
    serve(Blunders)
