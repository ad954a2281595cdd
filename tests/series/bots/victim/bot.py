"""A bot that is killed at its fortieth decision, once: unless there is a file MARK, which it makes then.

It stands for somebody outside, who would kill it at a moment that no test can know.
"""

import os
import signal
import sys
from pathlib import Path

from arena.bot import Bot, Turn, makes_meld, serve

MARK = Path(sys.argv[1])


class Victim(Bot):
    """Takes what makes a meld."""

    decisions = 0

    def draw(self, turn: Turn) -> bool:
        Victim.decisions += 1
        if Victim.decisions == 40 and not MARK.exists():
            MARK.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return makes_meld(turn.top, turn.hand)


if __name__ == "__main__":
    serve(Victim)
