"""Fails in the way that its turn's hand number says."""

import sys
import time

from arena.bot import Action, Bot, Turn, discard, serve


class Failing(Bot):
    def discard(self, turn: Turn) -> Action:
        if turn.hand_number == 5:
            print("stuck", flush=True)
            time.sleep(3600)
        print("thinking")  # into a buffer
        if turn.hand_number == 2:
            raise ZeroDivisionError("no more ideas")
        if turn.hand_number == 3:
            sys.exit(7)
        if turn.hand_number == 4:
            sys.exit("enough of this")
        if turn.hand_number == 6:
            return turn.discards[0]  # type: ignore[return-value]
        return discard(turn.discards[0])

    def draw(self, turn: Turn) -> bool:  # type: ignore[empty-body]
        pass


if __name__ == "__main__":
    serve(Failing)
