"""Files that nobody but this user may read."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_private(path: Path, data: bytes) -> None:
    """Write a file as a whole, in place of what is there: it is private from its first byte on. Raises `OSError`.

    A draft that a crash has left is in nobody's way.
    """
    number, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)
    draft = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
