"""What a base install does not have: libraries that only some commands need, and how to get them."""

from collections.abc import Iterator
from contextlib import contextmanager

from arena.errors import HostError

EXTRAS = {
    "cluster": {"distributed": "distributed"},
    "server": {
        "cryptography": "cryptography",
        "grpc_health": "grpcio-health-checking",
        "grpc_reflection": "grpcio-reflection",
    },
    "statistics": {"numpy": "numpy"},
}
"""The extras of pyproject.toml, and of each the libraries by the names that they are imported by."""


def remedy(extra: str) -> str:
    """How to get what is missing."""
    return f"pip install 'gin-arena[{extra}]', or in a clone .venv/bin/pip install -e '.[{extra}]'"


@contextmanager
def needing(extra: str, who: str = "this") -> Iterator[None]:
    """Around imports and work that need an extra: raises `HostError` with the remedy where a library of it is missing.

    who: needs it, for the message.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = EXTRAS[extra].get((error.name or "").partition(".")[0])
        if library is None:
            raise
        raise HostError(f"{who} needs the library {library}, which is not installed: {remedy(extra)}") from None
