"""Amounts of memory and disk as people write them: `512KiB`, `64MiB`, `1GiB`."""

import re
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer

_BYTES = {"GiB": 1 << 30, "MiB": 1 << 20, "KiB": 1 << 10}
_MOST = 1 << 50


def parse_size(text: object) -> int:
    """The bytes that a text says: whole KiB, at most a million GiB. Raises `ValueError` with what was expected."""
    match = re.fullmatch(r"([0-9]{1,9}) ?(KiB|MiB|GiB)", text) if isinstance(text, str) else None
    if match is None:
        raise ValueError("a size with its unit, such as 512KiB, 64MiB or 1GiB")
    size = int(match[1]) * _BYTES[match[2]]
    if not 0 < size <= _MOST:
        raise ValueError("1KiB or more, 1048576GiB or less")
    return size


def size_text(size: int) -> str:
    """The text of a size, in the largest unit that has no fraction: what `parse_size` reads."""
    unit = next(unit for unit, factor in _BYTES.items() if size % factor == 0)
    return f"{size // _BYTES[unit]}{unit}"


Size = Annotated[int, BeforeValidator(parse_size), PlainSerializer(size_text, return_type=str)]
"""A size in a model."""
