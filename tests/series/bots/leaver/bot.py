"""A bot that thinks that all is over when its game is: it leaves."""

import sys

from arena.bot import Bot, GameOver, serve


class Leaver(Bot):
    def game_over(self, notice: GameOver) -> None:
        sys.exit(0)


if __name__ == "__main__":
    serve(Leaver)
