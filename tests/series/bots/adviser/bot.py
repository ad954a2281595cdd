"""A bot that advises in the way its argument names: sound, missing, late, illegal or malformed. Or it may crash."""

import os
import sys
import time

from arena.bot import Action, ActionKind, Advice, Bot, Turn, TurnKind, serve

WAY = sys.argv[1] if __name__ == "__main__" else "sound"
UNFIT = {TurnKind.UPCARD: ActionKind.STOCK, TurnKind.DRAW: ActionKind.DEFEND, TurnKind.DEFEND: ActionKind.PASS}


class Adviser(Bot):
    def advise(self, turn: Turn) -> Advice | None:
        if WAY == "missing":
            return None
        if WAY == "late":
            time.sleep(3600)
        if WAY == "crash" and turn.random.random() < 0.05:
            os._exit(5)
        if WAY == "illegal":
            foreign = next(card for card in range(52) if card not in turn.hand)
            return Advice(Action(UNFIT.get(turn.kind, ActionKind.DISCARD), foreign), "cheat")
        if WAY == "malformed":
            return Advice(Action(ActionKind.DISCARD), "nothing")
        return Advice(self.decide(turn), f"as I would, holding {len(turn.hand)}")


if __name__ == "__main__":
    serve(Adviser)
