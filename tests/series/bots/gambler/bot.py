"""A bot that throws dice of its own, and so never plays the same game twice."""

import secrets

from arena.bot import Action, Bot, Turn, discard, knock, makes_meld, serve


class Gambler(Bot):
    def draw(self, turn: Turn) -> bool:
        return makes_meld(turn.top, turn.hand)

    def discard(self, turn: Turn) -> Action:
        return knock(turn.knocks[0]) if turn.knocks else discard(secrets.choice(turn.discards))


if __name__ == "__main__":
    serve(Gambler)
