"""When a hand may be seen.

All games of a deal group are on the same cards, so its hands are hidden until each of them is recorded, in all
pairings: from everybody, as whoever sees one might have a bot that is yet to play it. A bot that dials in plays on
decks of its own, where that one game is the whole group. A series can hide all of its hands until its end.
"""

from arena.dealer.values import OWN_GROUPS, GameSpec
from arena.records.store import Run
from arena.tournament.config import config_of

AT_THE_END = "end"
MOST_OUTPUT = 2000
"""Characters of what a bot had printed that are told with its fault."""


def hidden_to_the_end(run: Run) -> bool:
    """Whether no hand of a run may be seen before its end."""
    return config_of(run.info).hands_shown == AT_THE_END


def on_its_own(game: GameSpec) -> bool:
    """Whether a game is the whole group, so that nobody is yet to play on its cards."""
    return game.group >= OWN_GROUPS


class Visibility:
    """Which games of a run may be seen, as it stands."""

    def __init__(self, run: Run) -> None:
        self._open = run.open_groups()
        self._at_the_end = hidden_to_the_end(run)

    def hidden(self, game: GameSpec) -> str:
        """Why the hands of a finished game may not be seen yet, a sentence; empty where they may."""
        if self._at_the_end and self._open:
            return "the hands of this series are shown when all of it is played (hands_shown: end)"
        if game.group in self._open:
            return (
                f"the hands of game {game.index} are shown when every game on the same cards is played (deal group "
                f"{game.group})"
            )
        return ""
