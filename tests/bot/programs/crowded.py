"""A bot on a machine that has threads for so many conversations, given as its argument."""

import sys
from itertools import count

from arena.bot import Action, Bot, Turn, discard, serve
from arena.bot.conversation import Conversation


class Counting(Bot):
    def discard(self, turn: Turn) -> Action:
        return discard(turn.discards[0])


start, tries = Conversation.start, count(1)


def start_if_there_is_room(conversation: Conversation) -> None:
    """What Python does where the system gives it no thread."""
    if next(tries) > int(sys.argv[1]):
        raise RuntimeError("can't start new thread")
    start(conversation)


Conversation.start = start_if_there_is_room  # type: ignore[method-assign, assignment]
serve(Counting)
