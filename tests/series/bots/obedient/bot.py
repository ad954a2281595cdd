"""A bot that does as it is advised, and says so if it is advised in another role than the captain's.

Left alone it always takes what lies face up.
"""

from arena.bot import Action, Bot, Role, Turn, serve


class Obedient(Bot):
    def upcard(self, turn: Turn) -> bool:
        return True

    def draw(self, turn: Turn) -> bool:
        return True

    def decide(self, turn: Turn) -> Action:
        if turn.advice is None:
            return super().decide(turn)
        if turn.role is not Role.CAPTAIN:
            print(f"advised as {turn.role.name}", flush=True)
        return turn.advice.action


if __name__ == "__main__":
    serve(Obedient)
