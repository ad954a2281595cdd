"""Discards its first card; says on standard error what it is told, and keeps count of its games."""

import sys

from arena.bot import Action, Advice, Bot, GameKind, GameOver, HandOver, Turn, discard, serve


class Counting(Bot):
    version = "1.5"
    max_batch = 100
    games = (GameKind.GIN, GameKind.THREE_HAND)
    made = 0

    def __init__(self) -> None:
        Counting.made += 1
        self.number = Counting.made
        self.game_id: int | None = None
        self.turns = 0

    def discard(self, turn: Turn) -> Action:
        assert self.game_id in (None, turn.game_id), "two games in one object"
        self.game_id = turn.game_id
        self.turns += 1
        return discard(turn.discards[0])

    def advise(self, turn: Turn) -> Advice | None:
        return Advice(self.decide(turn), f"bot {self.number}, turn {self.turns}") if turn.hand else None

    def hand_over(self, notice: HandOver) -> None:
        print("hand over", notice.game_id, notice.points, file=sys.stderr)

    def game_over(self, notice: GameOver) -> None:
        print("game over", notice.game_id, self.turns, file=sys.stderr)


if __name__ == "__main__":
    print("started")
    serve(Counting)
