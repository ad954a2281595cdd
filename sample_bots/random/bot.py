"""A bot that plays legal moves by its dice, and knocks when it can."""

from arena.bot import Action, Bot, Turn, discard, knock, serve


class Random(Bot):
    """Draws from either pile and discards any card, all equally likely."""

    version = "1.0"

    def upcard(self, turn: Turn) -> bool:
        """Toss a coin."""
        return turn.random.random() < 0.5

    def draw(self, turn: Turn) -> bool:
        """Toss a coin."""
        return turn.random.random() < 0.5

    def discard(self, turn: Turn) -> Action:
        """Knock with any card that allows it, else discard any card."""
        if turn.knocks:
            return knock(turn.random.choice(turn.knocks))
        return discard(turn.random.choice(turn.discards))


if __name__ == "__main__":
    serve(Random)
