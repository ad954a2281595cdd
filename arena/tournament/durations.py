"""Lengths of time as people write them: `100ms`, `5s`, `1.5s`, `2m`, `1h`."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, PlainSerializer

_MILLISECONDS = {"h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1}
_DAY = 24 * _MILLISECONDS["h"]


def parse_duration(text: object) -> timedelta:
    """The length that a text says: whole milliseconds, at most a day. Raises `ValueError` with what was expected."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]{1,6})?) ?(ms|s|m|h)", text) if isinstance(text, str) else None
    if match is None:
        raise ValueError("a length of time with its unit, such as 100ms, 5s, 2m or 1h")
    milliseconds = Decimal(match[1]) * _MILLISECONDS[match[2]]
    if milliseconds > _DAY or milliseconds % 1:
        raise ValueError("whole milliseconds, 24h or less")
    return timedelta(milliseconds=int(milliseconds))


def duration_text(duration: timedelta) -> str:
    """The text of a length, in the largest unit that has no fraction: what `parse_duration` reads."""
    milliseconds = duration // timedelta(milliseconds=1)
    unit = next(unit for unit, size in _MILLISECONDS.items() if milliseconds % size == 0) if milliseconds else "s"
    return f"{milliseconds // _MILLISECONDS[unit]}{unit}"


def _some(duration: timedelta) -> timedelta:
    if not duration:
        raise ValueError("1ms or more")
    return duration


Duration = Annotated[timedelta, BeforeValidator(parse_duration), PlainSerializer(duration_text, return_type=str)]
"""A length of time in a model, which may be none."""

Limit = Annotated[Duration, AfterValidator(_some)]
"""The longest that something may take."""
