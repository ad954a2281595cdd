"""What a call is refused with: a gRPC status and a sentence for a person."""

from urllib.parse import quote

from grpc import StatusCode

from arena.errors import ArenaError, InputError

_LONGEST = 6_000
"""Bytes of a sentence on the wire, where some characters take nine: clients take at least 8 KiB of metadata."""


class RefusedError(ArenaError):
    """A call is refused, with this status and this sentence."""

    def __init__(self, code: StatusCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def refusal_of(error: Exception) -> RefusedError:
    """What a call is refused with that ended by an error: an input's mistakes are told, a bug's nature is not."""
    if isinstance(error, RefusedError):
        return error
    if isinstance(error, InputError):
        return RefusedError(StatusCode.INVALID_ARGUMENT, str(error))
    return RefusedError(StatusCode.INTERNAL, "this is a bug in the arena: its log says more")


def fitting(sentence: str) -> str:
    """As many lines of a sentence as every client takes."""
    lines, size = sentence.split("\n"), 0
    for number, line in enumerate(lines):
        size += len(quote(line)) + 3
        if size > _LONGEST:
            kept = lines[:number] or [lines[0][: _LONGEST // 9]]
            return "\n".join([*kept, f"and {len(lines) - len(kept)} more" if len(lines) > len(kept) else "..."])
    return sentence
