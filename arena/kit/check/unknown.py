"""Fields of a later version of the protocol, as a bot of today meets them."""

from google.protobuf.message import Message

_FIRST = 1000
"""Number of a field that no version has."""


def add_unknown_fields(message: Message) -> None:
    """Add a field of each wire type to a message and to every message in it."""
    for field, value in message.ListFields():
        entries = field.message_type is not None and field.message_type.GetOptions().map_entry
        if field.message_type is None or entries:
            continue
        for inner in [value] if isinstance(value, Message) else value:
            add_unknown_fields(inner)
    message.MergeFromString(_UNKNOWN)


def _varint(number: int) -> bytes:
    low, rest = number & 0x7F, number >> 7
    return bytes((low | 0x80,)) + _varint(rest) if rest else bytes((low,))


def _field(number: int, wire_type: int, value: bytes) -> bytes:
    return _varint(number << 3 | wire_type) + value


_UNKNOWN = (
    _field(_FIRST, 0, _varint(1 << 40))
    + _field(_FIRST + 1, 1, bytes(8))
    + _field(_FIRST + 2, 2, _varint(5) + b"later")
    + _field(_FIRST + 3, 5, bytes(4))
)
