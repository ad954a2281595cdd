"""The sample bot simple, but that dice choose among equal discards of the highest rank: their suit hardly matters."""

from arena.bot import Action, Bot, Turn, discard, knock, makes_meld, rank_of, serve


class ShufflesSuits(Bot):
    """As simple but for one rule."""

    def upcard(self, turn: Turn) -> bool:
        """Take the upcard if it makes a meld."""
        return makes_meld(turn.top, turn.hand)

    def draw(self, turn: Turn) -> bool:
        """Take the top of the discard pile if it makes a meld."""
        return makes_meld(turn.top, turn.hand)

    def discard(self, turn: Turn) -> Action:
        """Discard what leaves the least deadwood; of equals the highest rank, of any suit."""
        least = min(turn.deadwood)
        best = [card for card, left in zip(turn.discards, turn.deadwood, strict=True) if left == least]
        highest = max(rank_of(card) for card in best)
        card = turn.random.choice([card for card in best if rank_of(card) == highest])
        return knock(card) if card in turn.knocks else discard(card)


if __name__ == "__main__":
    serve(ShufflesSuits)
