"""Cases of which the default suite takes a few: it is to be run often, and so in minutes."""

from collections.abc import Iterable

import pytest


def thinned(cases: Iterable[object], every: int) -> list[object]:
    """Cases for `parametrize`: the first and one in `every` after it for `make test`, all others are thorough.

    A case that is a tuple has a value for each name.
    """
    marked: list[object] = []
    for number, case in enumerate(cases):
        values = case if isinstance(case, tuple) else (case,)
        marked.append(pytest.param(*values, marks=() if number % every == 0 else pytest.mark.thorough))
    return marked
