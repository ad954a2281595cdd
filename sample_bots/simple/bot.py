"""A bot that every better one should beat: it collects melds, sheds deadwood, and knocks as soon as it may."""

from arena.bot import Action, Bot, Turn, discard, knock, makes_meld, rank_of, serve, suit_of


class Simple(Bot):
    """No memory, no dice, no thought of the opponent. README.md says exactly what it does."""

    version = "1.0"

    def upcard(self, turn: Turn) -> bool:
        """Take the upcard if it makes a meld."""
        return makes_meld(turn.top, turn.hand)

    def draw(self, turn: Turn) -> bool:
        """Take the top of the discard pile if it makes a meld."""
        return makes_meld(turn.top, turn.hand)

    def discard(self, turn: Turn) -> Action:
        """Discard what leaves the least deadwood; of equals the highest rank, then the highest suit."""
        least = min(turn.deadwood)
        best = [card for card, left in zip(turn.discards, turn.deadwood, strict=True) if left == least]
        card = max(best, key=lambda card: (rank_of(card), suit_of(card)))
        return knock(card) if card in turn.knocks else discard(card)


if __name__ == "__main__":
    serve(Simple)
