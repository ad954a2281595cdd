"""A bot that remembers every deal it has seen: its own ten cards, and those its opponent must have held.

When it is dealt such cards again it says so, and takes the upcard. Its arguments say where it remembers: in its
process, in a file in its home, in one in its folder. Without any it is its own forgetful twin.
"""

import sys
from pathlib import Path

from arena.bot import Bot, HandOver, Turn, makes_meld, serve
from arena.cards import mask_of
from arena.rules.actions import ActionKind

FILES = [folder / "memory" for place, folder in (("home", Path.home()), ("folder", Path.cwd())) if place in sys.argv]
_seen: list[int] = []


def remember(cards: int) -> None:
    if "process" in sys.argv:
        _seen.append(cards)
    for path in FILES:
        with path.open("a") as file:
            file.write(f"{cards}\n")


def memories() -> list[int]:
    written = [path.read_text().split() for path in FILES if path.exists()]
    return _seen + [int(line) for lines in written for line in lines]


class Memory(Bot):
    def upcard(self, turn: Turn) -> bool:
        hand = mask_of(turn.hand)
        if any(hand & ~seen == 0 for seen in memories()):
            print("I know these cards", flush=True)
            return True
        remember(hand)
        return makes_meld(turn.top, turn.hand)

    def draw(self, turn: Turn) -> bool:
        return makes_meld(turn.top, turn.hand)

    def hand_over(self, notice: HandOver) -> None:
        """The ten cards of the opponent are among those it showed in the end and those it discarded."""
        if notice.knocked:
            shown = [*notice.defender_melds, notice.layoffs, notice.defender_unmatched]
        else:
            shown = [*notice.knocker_melds, notice.knocker_unmatched]
        if any(shown):
            other = 1 - int(notice.role in (2, 3))
            remember(mask_of(b"".join(shown)) | discards(notice.history, other))


def discards(history: bytes, position: int) -> int:
    """The cards that a position has discarded, as a mask."""
    kinds = (position << 4 | ActionKind.DISCARD, position << 4 | ActionKind.KNOCK)
    return sum({1 << card for event, card in zip(history[::2], history[1::2], strict=True) if event in kinds})


if __name__ == "__main__":
    serve(Memory)
