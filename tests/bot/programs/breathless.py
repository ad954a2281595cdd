"""A bot on a machine that has no thread for gRPC."""

from arena.bot import Action, Bot, Turn, discard, serve
from arena.bot.line import Line, Stream


class Counting(Bot):
    def discard(self, turn: Turn) -> Action:
        return discard(turn.discards[0])


def no_thread(_: Line, conversation: str) -> Stream:
    """What gRPC does then."""
    raise RuntimeError(f"can't start new thread{conversation}")


Line.dial = no_thread  # type: ignore[method-assign, assignment]
serve(Counting)
