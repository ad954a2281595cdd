"""OpenSpiel's own gin rummy: its bot against itself, in one process, without any messages."""

import time

from benchmarks.measure import Figures, Size


def measure(size: Size) -> Figures:
    """Hands a second of OpenSpiel's simple bot against itself."""
    import pyspiel  # noqa: PLC0415 - only where it is asked for

    game = pyspiel.load_game("gin_rummy")
    bots = [pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), player) for player in (0, 1)]
    hands, start = 0, time.perf_counter()
    while not hands or time.perf_counter() - start < size.seconds:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, hands)
        hands += 1
    return {"hands/s": hands / (time.perf_counter() - start)}
