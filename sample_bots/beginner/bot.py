"""beginner: a bot that takes what makes a meld, sheds deadwood, and knocks as soon as it may.

Cards are numbers from 0 to 51, 13 * suit + rank, and several of them are bytes. `turn` says all there is to know about
a decision: docs/bot-authors.md of Gin Arena lists what it has. What is printed goes to the bot's logs.
"""

from arena.bot import Action, Bot, Turn, discard, knock, makes_meld, rank_of, serve


class Beginner(Bot):
    """What it plays. Each game has an object of its own, so `self` may remember what has happened in it."""

    name = "beginner"
    version = "1.0"

    def upcard(self, turn: Turn) -> bool:
        """At the beginning of a hand: True takes the upcard, False passes."""
        return self.draw(turn)

    def draw(self, turn: Turn) -> bool:
        """Later on: True takes the top of the discard pile, False draws from the stock."""
        # Whatever you take from the pile, the opponent has seen. A card that completes no meld may still be worth it:
        # compare min(deadwood_after(turn.hand + bytes([turn.top]), turn.hand)) with turn.deadwood[0].
        return makes_meld(turn.top, turn.hand)

    def discard(self, turn: Turn) -> Action:
        """With eleven cards: which one goes, and whether it goes with a knock."""
        # turn.deadwood says for each of turn.discards how much deadwood is left without it.
        least = min(turn.deadwood)
        equals = [card for card, left in zip(turn.discards, turn.deadwood, strict=True) if left == least]
        # Of equals the highest goes. Better ones: cards that cannot make a meld any more (turn.discard_pile shows what
        # is gone), and cards that the opponent does not collect (turn.opponent_known are some of its cards).
        card = max(equals, key=rank_of)
        # A knock ends the hand as soon as there can be one. It is often better to wait for gin, and late in a hand
        # (len(turn.discard_pile), turn.stock) a high knock is often undercut.
        return knock(card) if card in turn.knocks else discard(card)

    # Two more decisions have good defaults: `defend` lays down the best melds and lay-offs after a knock, and `advise`
    # says nothing to the captain in three-hand.


if __name__ == "__main__":
    serve(Beginner)
