"""An honest bot that sleeps whenever it draws, for a while, and tells so."""

import time

from arena.bot import Bot, Turn, makes_meld, serve

NAP = 0.05
"""Seconds."""


class Drowsy(Bot):
    """Takes what makes a meld, and knocks as soon as it can."""

    def draw(self, turn: Turn) -> bool:
        print("good night", flush=True)
        time.sleep(NAP)
        return makes_meld(turn.top, turn.hand)


if __name__ == "__main__":
    serve(Drowsy)
