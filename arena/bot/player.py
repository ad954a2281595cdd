"""The base class of a Python bot."""

# ruff: noqa: ARG002 - what a method does not look at here is for those that override it

from typing import ClassVar

from arena.bot.turn import Turn
from arena.rules.actions import PASS, PILE, STOCK, TAKE, Action, ActionKind, defend, discard, knock
from arena.rules.notices import GameOver, HandOver
from arena.rules.view import Advice, GameKind, TurnKind

# A name is quicker than a member of an enum.
_UPCARD, _DRAW, _DISCARD = TurnKind.UPCARD, TurnKind.DRAW, TurnKind.DISCARD
_STOCK = ActionKind.STOCK


class Bot:
    """A player. Override what you want to play differently.

    There is one object for each game, made without arguments when its first turn comes. It may keep what it likes
    about its game, but need not: every turn says all there is to know. An exception ends the bot's process.
    """

    name: ClassVar[str] = ""
    """What it calls itself, and is called where it dials in. The name of the class where this is empty."""
    version: ClassVar[str] = ""
    """Told to the arena when the bot starts, for its log."""
    max_batch: ClassVar[int] = 0
    """The most turns wanted at once; 0 leaves it to the arena."""
    games: ClassVar[tuple[GameKind, ...]] = ()
    """The games the bot plays; empty means all."""

    def upcard(self, turn: Turn) -> bool:
        """Whether to take the upcard in the opening. By default it is left."""
        return False

    def draw(self, turn: Turn) -> bool:
        """Whether to take the top of the discard pile instead of drawing from the stock. By default it is left.

        Where the rules end the hand on the last discard, False leaves that card to the wall.
        """
        return False

    def discard(self, turn: Turn) -> Action:
        """What to do with eleven cards: `discard(card)`, `knock(card)` or `big_gin()`.

        By default the card goes whose absence leaves the least deadwood, with a knock as soon as one is legal.
        """
        _, card = min(zip(turn.deadwood, turn.discards, strict=True))
        return knock(card) if card in turn.knocks else discard(card)

    def defend(self, turn: Turn) -> Action:
        """What to lay down against a knock. By default the arena's choice, which is the best there is."""
        return defend()

    def advise(self, turn: Turn) -> Advice | None:
        """What to advise the captain; `turn` is the captain's. Only a bot that overrides this is ever asked.

        `Advice(self.decide(turn), "a word of reason")` recommends what this bot would do itself.
        """
        return None

    def hand_over(self, notice: HandOver) -> None:
        """A hand of this game has ended."""

    def game_over(self, notice: GameOver) -> None:
        """This game has ended. The object is dropped afterwards."""

    def decide(self, turn: Turn) -> Action:
        """Any decision: asks the method that is for it. Override it to take all decisions in one place."""
        kind = turn.kind
        if kind is _DISCARD:
            return self.discard(turn)
        if kind is _DRAW:
            if _answered(self.draw(turn), "draw"):
                return PILE
            return STOCK if _STOCK in turn.legal else PASS
        if kind is _UPCARD:
            return TAKE if _answered(self.upcard(turn), "upcard") else PASS
        return self.defend(turn)


def _answered(answer: bool | None, method: str) -> bool:
    if answer is None:
        raise TypeError(f"expected True or False from {method}(), got None; is there a return missing?")
    return bool(answer)
