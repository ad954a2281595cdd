"""Whether what is printed has colours."""

import os
import sys


def colours_wanted() -> bool:
    """Whether standard output is a terminal that has colours, and nobody has asked for none (https://no-color.org)."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
