"""A line of text that is read from left to right; what stands there wrongly is refused with its column."""

import re

from arena.errors import RecordError


class Reader:
    """A line and how far it has been read."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.at = 0

    @property
    def ended(self) -> bool:
        """Whether the whole line has been read."""
        return self.at >= len(self.line)

    def passes(self, literal: str) -> bool:
        """Read `literal` if it comes next; whether it did."""
        if not self.line.startswith(literal, self.at):
            return False
        self.at += len(literal)
        return True

    def skip(self, literal: str) -> None:
        """Read exactly `literal`."""
        if not self.passes(literal):
            raise self.error(repr(literal))

    def take(self, pattern: re.Pattern[str], expected: str, after: str = "") -> str:
        """Read `after`, then what `pattern` matches; returns the latter."""
        if after and not self.passes(after):
            raise self.error(repr(after))
        found = pattern.match(self.line, self.at)
        if found is None:
            raise self.error(expected)
        self.at = found.end()
        return found.group()

    def error(self, expected: str) -> RecordError:
        """The complaint about what stands here."""
        got = "the end of the line" if self.ended else repr(self.line[self.at : self.at + 20])
        return RecordError(f"column {self.at + 1}: expected {expected}, got {got}")

    def end(self) -> None:
        """Check that the whole line was read."""
        if not self.ended:
            raise self.error("the end of the line")
