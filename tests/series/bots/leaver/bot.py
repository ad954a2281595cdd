"""A bot that thinks that all is over when its game is: it leaves, or with the argument `sleep` goes to sleep."""

import sys
import time

from arena.bot import Bot, GameOver, serve


class Leaver(Bot):
    def game_over(self, notice: GameOver) -> None:
        if sys.argv[1:] == ["sleep"]:
            time.sleep(3600)
        sys.exit(0)


if __name__ == "__main__":
    serve(Leaver)
