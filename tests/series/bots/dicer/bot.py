"""A bot that plays sensibly, but leaves much to its dice."""

from arena.bot import Action, Bot, Turn, discard, knock, makes_meld, serve


class Dicer(Bot):
    def upcard(self, turn: Turn) -> bool:
        return turn.random.random() < 0.2 or makes_meld(turn.top, turn.hand)

    def draw(self, turn: Turn) -> bool:
        return makes_meld(turn.top, turn.hand)

    def discard(self, turn: Turn) -> Action:
        if turn.knocks and turn.random.random() < 0.7:
            return knock(turn.random.choice(turn.knocks))
        ranked = sorted(zip(turn.deadwood, turn.discards, strict=True))
        return discard(turn.random.choice(ranked[:3])[1])


if __name__ == "__main__":
    serve(Dicer)
