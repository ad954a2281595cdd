"""What an arena that serves tells its organiser: a line for each call and each event, for people or for programs."""

import json
import re
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

from arena.errors import printable

Field = str | int | float | bool | None
_TOKEN = re.compile(r"gin_[A-Za-z0-9_-]{12,}")


class Log:
    """Lines on a stream: `2026-05-01T10:00:00.000Z call caller=ada method=Watch status=OK ms=12.5`, or JSON.

    Every line has `time` and `event`; what else, its event says. No token is ever in one. A stream that cannot be
    written to, as a full disk, stops no game.
    """

    def __init__(
        self, stream: TextIO | None = None, *, as_json: bool = False, clock: Callable[[], float] = time.time
    ) -> None:
        """stream: by default standard error. clock: seconds since 1970."""
        self._stream = stream if stream is not None else sys.stderr
        self._as_json = as_json
        self._clock = clock

    def say(self, event: str, **fields: Field) -> None:
        """Write a line. event: a word for what happened. fields: what is known of it; `None` is left out."""
        now = self._clock()
        stamp = f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now))}.{int(now * 1000) % 1000:03}Z"
        known = {key: _without_tokens(value) for key, value in fields.items() if value is not None}
        if self._as_json:
            line = json.dumps({"time": stamp, "event": event, **known}, ensure_ascii=False)
        else:
            line = " ".join([stamp, event, *(f"{key}={_plain(value)}" for key, value in known.items())])
        with suppress(OSError, ValueError):  # ValueError: it is closed
            self._stream.write(line + "\n")
            self._stream.flush()

    def bug(self, error: BaseException, **fields: Field) -> None:
        """Write a line about an error that nobody has foreseen, with its traceback."""
        told = "".join(traceback.format_exception(error))
        self.say("bug", error=f"{type(error).__name__}: {error}", **fields, traceback=told)


def _without_tokens(value: Field) -> Field:
    return _TOKEN.sub("gin_...", value) if isinstance(value, str) else value


def _plain(value: Field) -> str:
    """A value in a line of words: in quotes where it is no single one."""
    if not isinstance(value, str):
        return json.dumps(value)
    return value if re.fullmatch(r"[\w.:/+@#-]+", value) else json.dumps(printable(value), ensure_ascii=False)
