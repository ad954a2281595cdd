"""What a target of the fuzzing is, and what every message has to be."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST_LINE = 700
"""Characters of a line that tells a mistake; most have less than 150."""
MOST_LINES = 61


@dataclass(frozen=True)
class Target:
    """One reader.

    check: raises for an input that breaks the law. inputs: real input. words: what means something in it.
    """

    check: Callable[[bytes], None]
    inputs: tuple[bytes, ...]
    words: tuple[bytes, ...]


def check_message(message: str, *, longest: int = LONGEST_LINE) -> None:
    """Check that a person can act on a message: some lines, none without end, each says what was expected."""
    lines = message.split("\n")
    assert len(lines) <= MOST_LINES, f"{len(lines)} lines"
    if re.fullmatch("and [0-9]+ more like these", lines[-1]):
        lines.pop()
    for line in lines:
        assert line.isprintable(), f"not to be printed: {line!r}"
        assert 0 < len(line) <= longest, f"{len(line)} characters: {line[:200]!r}"
        assert re.search("expected |did you mean|no such option; the options are", line), f"what was expected? {line!r}"
        assert not re.search(r"Traceback|object at 0x|<class |\b\w+Error\b(?!')", line), f"not for a person: {line!r}"
