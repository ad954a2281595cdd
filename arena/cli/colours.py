"""Whether what is printed has colours."""

import os
import sys
from typing import TextIO


def colours_wanted(stream: TextIO | None = None) -> bool:
    """Whether a stream, by default standard output, is a terminal that has colours, and nobody has asked for none.

    https://no-color.org
    """
    return (stream or sys.stdout).isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
