"""Messages as lines of JSON.

Every field of player.proto stands there by its name: an optional one that is not given as null, an enumeration by the
name of its value, a fixed64 as decimal text, `bytes` as an array of numbers.

A line is ASCII, without spaces outside of texts. So a program without a parser finds `"hand":[` by searching: within
a text the quotes would have backslashes.
"""

import json
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from arena.cards import DECK_SIZE
from arena.protocol.v1 import player_pb2 as pb

EXAMPLE = '{"turn_id": "...", "action": "ACTION_STOCK"}'
"""What a program is to write."""

LONGEST_SHOWN = 80
"""Characters of a stray line that are repeated to its author."""

Json: TypeAlias = object
"""What JSON can say."""

_ACTIONS = dict(pb.Action.items())
_INTEGERS = (FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_SINT32)  # str is much quicker than an encoder
_NUMBERS = [str(number) for number in range(256)]
_to_json = json.JSONEncoder(separators=(",", ":")).encode


class LineError(ValueError):
    """A line that is no decision; says what was expected and what came."""


# What the program reads. Most fields of a turn say nothing: only those that do cost time.


def request_lines(request: pb.PlayRequest, setup: bool) -> bytes:
    """A request as lines: the setup if wanted, then notices, then turns."""
    lines = [line("setup", request.setup)] if setup else []
    lines += [line("hand_over", notice) for notice in request.hands_over]
    lines += [line("game_over", notice) for notice in request.games_over]
    lines += [line("turn", turn) for turn in request.turns]
    return b"".join(lines)


def line(kind: str, message: Message) -> bytes:
    """One message under the name of what it is, with its newline."""
    return f'{{"{kind}":{_object(message)}}}\n'.encode("ascii")


def _object(message: Message) -> str:
    nothing_said, writers = _fields(message.DESCRIPTOR)
    texts = nothing_said.copy()
    for field, value in message.ListFields():
        place, name, write = writers[field.number]
        texts[place] = name + write(value)
    return f"{{{','.join(texts)}}}"


_Write: TypeAlias = Callable[[Any], str]
"""Makes JSON of a field's value."""


@cache
def _fields(descriptor: Descriptor) -> tuple[list[str], dict[int, tuple[int, str, _Write]]]:
    """What the fields of a message say where nothing is given, and by their numbers place, name and writer of each."""
    fields = [(field, f'"{field.name}":', _writer(field)) for field in descriptor.fields]
    nothing = [name + _nothing(field, write) for field, name, write in fields]
    return nothing, {field.number: (place, name, write) for place, (field, name, write) in enumerate(fields)}


def _nothing(field: FieldDescriptor, write: _Write) -> str:
    """What a field says where it is not given."""
    if field.is_repeated:
        return write({} if _is_map(field) else [])
    return "null" if field.has_presence else write(field.default_value)


def _writer(field: FieldDescriptor) -> _Write:
    one = _one_writer(field)
    if _is_map(field):
        return lambda value: _to_json(dict(sorted(value.items())))
    if field.is_repeated:
        return lambda value: f"[{','.join([one(item) for item in value])}]"
    return one


def _one_writer(field: FieldDescriptor) -> _Write:
    """Makes JSON of one value of a field."""
    if field.type == FieldDescriptor.TYPE_BYTES:
        return lambda value: f"[{','.join([_NUMBERS[byte] for byte in value])}]"
    if field.type == FieldDescriptor.TYPE_FIXED64:
        return '"{}"'.format
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        return _object
    if field.enum_type is not None:
        names = {value.number: f'"{value.name}"' for value in field.enum_type.values}
        return lambda number: names.get(number) or str(number)  # a later version may have more
    return str if field.type in _INTEGERS else _to_json


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


# What the program writes.


def read_decision(text: bytes) -> pb.Decision:
    """The decision that a line gives. Raises `LineError`.

    What it leaves out, and what is null, is not given; fields that a decision does not have are not looked at.
    Whether the action is complete and legal is for the arena.
    """
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise LineError(f"expected a decision such as {EXAMPLE}, got {shown(text)}") from None
    if not isinstance(given, dict):
        raise LineError(f"expected an object such as {EXAMPLE}, got {shown(text)}")
    decision = pb.Decision(turn_id=_turn_id(given.get("turn_id")), action=_action(given.get("action")))
    if (card := given.get("card")) is not None:
        decision.card = _card("card", card)
    if (melds := given.get("melds")) is not None:
        inner = melds.get("melds") if isinstance(melds, dict) else None
        if not isinstance(inner, list):
            raise _error('"melds" as {"melds": [[0, 1, 2], ...]}', melds)
        decision.melds.CopyFrom(pb.Melds(melds=[_cards("melds", meld) for meld in inner]))
    if (layoffs := given.get("layoffs")) is not None:
        decision.layoffs = _cards("layoffs", layoffs)
    if (words := given.get("text")) is not None:
        if not isinstance(words, str):
            raise _error('"text" as text', words)
        decision.text = words.encode(errors="replace").decode()  # half a character would be no text
    return decision


def shown(text: bytes) -> str:
    """A line for its author's eyes."""
    words = text.decode(errors="backslashreplace").strip()
    return repr(words if len(words) <= LONGEST_SHOWN else words[:LONGEST_SHOWN] + "...")


def _turn_id(value: Json) -> int:
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 20 and int(value) < 1 << 64:
        return int(value)
    raise _error('"turn_id" as text, the "id" of the turn', value)


def _action(value: Json) -> pb.Action.ValueType:
    if not isinstance(value, str) or value not in _ACTIONS:
        raise _error(f'"action" as one of {", ".join(_ACTIONS)}', value)
    return _ACTIONS[value]


def _cards(name: str, value: Json) -> bytes:
    if not isinstance(value, list):
        raise _error(f'"{name}" as an array of cards', value)
    return bytes([_card(name, card) for card in value])


def _card(name: str, value: Json) -> int:
    if type(value) is not int or not 0 <= value < DECK_SIZE:
        raise _error(f'"{name}" as a card from 0 to 51' if name == "card" else f'cards from 0 to 51 in "{name}"', value)
    return value


def _error(expected: str, value: Json) -> LineError:
    return LineError(f"expected {expected}, got {'none' if value is None else shown(_to_json(value).encode())}")
