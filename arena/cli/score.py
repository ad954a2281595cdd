"""`arena score`."""

import sys


def score() -> None:
    """Score showdowns given as JSON Lines.

    They stand on standard input, and each is answered by a line on standard output.

    A line is an object such as

    \b
      {"rules": {"gin_bonus": 20}, "knocker": "4S 5S 6S QH QD QC 2D 3C 4H AC",
       "defender": "KS KD KH 2H 2C 3S 6D 6C 3H TC"}

    on one line. "melds", "defender_melds" and "layoffs" declare what was laid down; what is left out or null is
    chosen best. "rules" are options over the house preset, or {"preset": NAME, ...}. "upcard" matters where it sets
    the limit or doubles. Eleven cards of the knocker are a big gin.

    The answer has "winner", "kind", "points", "knocker_deadwood", "defender_deadwood", "melds", "defender_melds" and
    "layoffs". A line that cannot be scored is answered with {"error": "what was expected, what came"}, and the rest
    is still done.
    """
    from arena.rules.score import score_line

    for line in sys.stdin.buffer:
        print(score_line(line.decode(errors="replace")), flush=True)
