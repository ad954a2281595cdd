"""The sample bot simple with a small flaw: of equal discards it keeps the high card and throws the low one."""

from arena.bot import Action, Bot, Turn, discard, knock, makes_meld, rank_of, serve, suit_of


class KeepsHigh(Bot):
    """As simple but for one rule."""

    def upcard(self, turn: Turn) -> bool:
        """Take the upcard if it makes a meld."""
        return makes_meld(turn.top, turn.hand)

    def draw(self, turn: Turn) -> bool:
        """Take the top of the discard pile if it makes a meld."""
        return makes_meld(turn.top, turn.hand)

    def discard(self, turn: Turn) -> Action:
        """Discard what leaves the least deadwood; of equals the lowest rank: the flaw."""
        least = min(turn.deadwood)
        best = [card for card, left in zip(turn.discards, turn.deadwood, strict=True) if left == least]
        card = min(best, key=lambda card: (rank_of(card), suit_of(card)))
        return knock(card) if card in turn.knocks else discard(card)


if __name__ == "__main__":
    serve(KeepsHigh)
