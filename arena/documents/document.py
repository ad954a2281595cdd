"""A YAML document whose top is a mapping: its values, and the place of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from arena.documents import nodes
from arena.documents.places import Keys, Place, Problem, place_after, refuse
from arena.errors import InputError

LARGEST = 256 * 1024
"""Bytes of a file that is read: a stranger's may be made to be parsed for minutes."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document whose top is a mapping.

    name: what messages call it, the path as the user gave it.
    text: the file's text, without the settings laid over it.
    value: the plain values: dict, list, str, int, float, bool, None.
    problems: mistakes that could be read past, such as a key given twice (the first counts); `check` tells them too.
    root: the nodes of the values, which know their places.
    """

    name: str
    text: str
    value: dict[str, object]
    problems: tuple[Problem, ...]
    root: yaml.MappingNode

    def at(self, keys: Keys) -> Place:
        """The place of the value at `keys`, or of what is nearest above it where the document does not have it."""
        return nodes.place_of(self._walk(keys)[-1].value)

    def key_at(self, keys: Keys) -> Place:
        """The place of the key that ends `keys`, or of what is nearest above it; of the item itself in a list."""
        last = self._walk(keys)[-1]
        return nodes.place_of(last.key or last.value)

    def source(self, keys: Keys) -> str:
        """How the value at `keys` is written, where it is there and in one line; else an empty text."""
        entries = self._walk(keys)
        return nodes.source(entries[-1].value) if len(entries) == len(keys) + 1 else ""

    def _walk(self, keys: Keys) -> list[nodes.Entry]:
        """The top, then the entry of each of `keys` as far as the document has them."""
        entries = [nodes.Entry(None, self.root)]
        for key in keys:
            found = nodes.child(entries[-1].value, key)
            if found is None:
                break
            entries.append(found)
        return entries


def read_document(path: Path, settings: Sequence[str] = ()) -> Document:
    """Read a file; see `parse_document`.

    Raises `InputError`, also for a file that is none, cannot be read or is larger than `LARGEST`.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
            size = path.stat().st_size
    except IsADirectoryError:
        raise InputError(f"{path}: this is a folder, expected a YAML file") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}, expected a YAML file that can be read") from None
    if len(data) > LARGEST:
        raise InputError(f"{path}: {size:,} bytes, expected a YAML file of at most {LARGEST:,}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = place_after(data[: error.start].decode("utf-8"), str(path))
        refuse([Problem(place, f"the byte 0x{data[error.start]:02x} is no text, expected UTF-8")])
    return parse_document(text, str(path), settings)


def parse_document(text: str, name: str, settings: Sequence[str] = ()) -> Document:
    """Parse a document and lay settings over it.

    settings: `key=value` as on the command line: the key dotted, the value YAML. The place of what they set is called
        `--set key`.

    Raises `InputError` where the text is no YAML or no mapping; what can be read past is left to `check`.
    """
    root = nodes.compose(text, name)
    if root is None:
        refuse([Problem(Place(name, 1, 1), "nothing is in it, expected keys and values, as in 'name: something'")])
    if not isinstance(root, yaml.MappingNode):
        wrong = f"{nodes.shape(root)} at the top, expected keys and values, as in 'name: something'"
        refuse([Problem(nodes.place_of(root), wrong)])
    problems = [problem for setting in settings for problem in nodes.graft(root, setting)]
    value = {key: nodes.plain(node, problems) for key, node in nodes.items(root, problems)}
    return Document(name, text, value, tuple(problems), root)
