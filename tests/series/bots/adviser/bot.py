"""A bot that advises in the way its argument names.

sound: as it would play itself. unfit: nothing, or what is no action, or what the captain may not do. late: never in
time. crash: soundly, where it does not crash.
"""

import os
import sys
import time

from arena.bot import Action, ActionKind, Advice, Bot, Turn, TurnKind, serve

WAY = sys.argv[1] if __name__ == "__main__" else "sound"
UNFIT = {TurnKind.UPCARD: ActionKind.STOCK, TurnKind.DRAW: ActionKind.DEFEND, TurnKind.DEFEND: ActionKind.PASS}


class Adviser(Bot):
    def advise(self, turn: Turn) -> Advice | None:
        if WAY == "late":
            time.sleep(3600)
        if WAY == "crash" and turn.random.random() < 0.05:
            os._exit(5)
        if WAY == "unfit":
            foreign = next(card for card in range(52) if card not in turn.hand)
            illegal = Advice(Action(UNFIT.get(turn.kind, ActionKind.DISCARD), foreign), "cheat")
            return turn.random.choice((None, illegal, Advice(Action(ActionKind.DISCARD), "no card")))
        return Advice(self.decide(turn), f"as I would, holding {len(turn.hand)}")


if __name__ == "__main__":
    serve(Adviser)
