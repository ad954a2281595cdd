"""A bot that learns within a game: after a hand that it has lost it knocks earlier, after one that it has won later."""

from arena.bot import Action, Bot, HandOver, Turn, discard, knock, makes_meld, serve


class Learner(Bot):
    def __init__(self) -> None:
        self._patience = 5
        self._draws = 0

    def draw(self, turn: Turn) -> bool:
        self._draws += 1
        return makes_meld(turn.top, turn.hand)

    def discard(self, turn: Turn) -> Action:
        least = min(turn.deadwood)
        card = turn.discards[turn.deadwood.index(least)]
        if card in turn.knocks and (least <= self._patience or self._draws > 12):
            return knock(card)
        return discard(card)

    def hand_over(self, notice: HandOver) -> None:
        self._draws = 0
        self._patience += 2 if notice.points < 0 else -1


if __name__ == "__main__":
    serve(Learner)
