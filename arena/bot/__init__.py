"""What a Python bot imports.

A whole bot:

    from arena.bot import Bot, makes_meld, serve

    class Careful(Bot):
        def draw(self, turn):
            return makes_meld(turn.top, turn.hand)  # True takes the top of the discard pile

    if __name__ == "__main__":
        serve(Careful)

Everything a bot may know at a decision is in the `Turn` it is given; everything it may answer is made by `discard`,
`knock`, `big_gin` and `defend`. Cards are ints from 0 to 51, several cards are `bytes` (see `arena.cards`).
"""

from arena.bot.hands import best_melds, deadwood, deadwood_after, makes_meld, unmatched
from arena.bot.player import Bot
from arena.bot.serving import serve
from arena.bot.turn import Turn
from arena.cards import CARD_TEXT, PIPS, cards_text, rank_of, suit_of
from arena.rules.actions import Action, ActionKind, big_gin, defend, discard, knock
from arena.rules.notices import GameOver, HandOver, Setup
from arena.rules.result import ResultKind
from arena.rules.view import Advice, GameKind, Role, Scores, TurnKind

__all__ = [
    "CARD_TEXT",
    "PIPS",
    "Action",
    "ActionKind",
    "Advice",
    "Bot",
    "GameKind",
    "GameOver",
    "HandOver",
    "ResultKind",
    "Role",
    "Scores",
    "Setup",
    "Turn",
    "TurnKind",
    "best_melds",
    "big_gin",
    "cards_text",
    "deadwood",
    "deadwood_after",
    "defend",
    "discard",
    "knock",
    "makes_meld",
    "rank_of",
    "serve",
    "suit_of",
    "unmatched",
]
