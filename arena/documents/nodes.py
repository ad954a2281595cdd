"""YAML text to PyYAML's nodes, which know their place, and nodes to plain values.

The YAML is the plain part of YAML 1.1: numbers are decimal, `yes no on off true false` are booleans, and all else is
text, `06:00`, `2026-01-01` and `007` included. A key given twice, an anchor, an alias and a tag
are mistakes.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import yaml

from arena.documents.places import Place, Problem, place_after, refuse
from arena.errors import short

SETTING = "--set "
"""How the name of a place begins that is a setting and no file."""

DEEPEST = 50
"""Levels of lists and mappings, one in the other; a series has four. Whatever walks over nodes may call itself."""
_TOO_DEEP = "nested too deeply, expected a few levels"

_NULL, _BOOL, _INT, _FLOAT, _STR, _SEQ, _MAP = (
    f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float", "str", "seq", "map")
)
_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class _Loader(yaml.SafeLoader):
    """PyYAML's loader with the scalars of the module's docstring, and without anchors and aliases."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 -- PyYAML declares it so; filled below
    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if getattr(event, "anchor", None) is not None:  # an alias has one too
            raise yaml.composer.ComposerError(problem="an alias", problem_mark=event.start_mark)
        if self.depth == DEEPEST:
            raise yaml.composer.ComposerError(problem=_TOO_DEEP, problem_mark=event.start_mark)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


for _tag, _pattern in (
    (_NULL, r"|~|null|Null|NULL"),
    (_BOOL, "|".join(form for word in _BOOLEANS for form in (word, word.capitalize(), word.upper()))),
    (_INT, r"[-+]?(0|[1-9][0-9]*)"),
    (_FLOAT, r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?"),
):
    _Loader.add_implicit_resolver(_tag, re.compile(rf"(?:{_pattern})\Z"), None)

_EXPLAINED = (
    (r"found character '\\t'.*", "a tab stands here, expected spaces"),
    (r"found character (.*) that cannot start any token", r"a value begins with \1, expected it in quotes"),
    (r"an alias|expected alphabetic or numeric.*", "a value begins with '*' or '&', expected it in quotes"),
    (
        r"mapping values are not allowed here",
        "a ':' that fits nothing, expected a line for each 'key: value', or quotes",
    ),
    (r"could not find expected ':'", "a line without ':', expected 'key: value'"),
    (r"found unexpected end of stream", "quotes that are never closed, expected the closing ones"),
    (r"expected <block end>, but found (.*)", r"\1 stands here, expected the next key or item, indented alike"),
    (r"expected (',' or '.'), but got (.*)", r"\2 stands here, expected \1 (a bracket before it is open)"),
    (r"but found another document", "a second document begins, expected one"),
    (r"expected (.*), but found (.*)", r"\2 stands here, expected \1"),
    (_TOO_DEEP, _TOO_DEEP),
    (r"(.*)", r"this is no YAML (\1), expected 'key: value' lines"),
)
"""What PyYAML says (the first that fits), and how it is told here."""

_BEGUN_BEFORE = ("could not find expected ':'", "found unexpected end of stream")
"""What is told where it began, rather than where PyYAML gave up."""


def compose(text: str, name: str) -> yaml.Node | None:
    """The node of a text, `None` for an empty one; `name` is what places are called. Raises `InputError`."""
    try:
        loader = _Loader(text)
        loader.name = name
        return loader.get_single_node()
    except yaml.reader.ReaderError as error:
        place = place_after(text[: error.position], name)
        refuse([Problem(place, f"a character that cannot be shown, U+{ord(text[error.position]):04X}, expected text")])
    except yaml.MarkedYAMLError as error:
        said = str(error.problem).replace("'<stream end>'", "the end")
        mark = error.context_mark if said in _BEGUN_BEFORE and error.context_mark else error.problem_mark
        told = next(match.expand(words) for form, words in _EXPLAINED if (match := re.fullmatch(form, said, re.DOTALL)))
        refuse([Problem(_marked(mark) if mark else Place(name, 1, 1), told)])


class Entry(NamedTuple):
    """A value's node, and the node of its key where it has one."""

    key: yaml.Node | None
    value: yaml.Node


def child(node: yaml.Node, key: str | int) -> Entry | None:
    """What a mapping has under a key, or a list at an index."""
    if isinstance(node, yaml.MappingNode):
        return next((Entry(name, value) for name, value in node.value if name.value == key), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
        return Entry(None, node.value[key])
    return None


def graft(root: yaml.MappingNode, setting: str) -> list[Problem]:
    """Put the value of a setting, `key=value`, under its dotted key; returns what is in its way."""
    key, equals, text = setting.partition("=")
    place = Place(SETTING + short(key))
    path = key.split(".")
    if not equals or not all(path):
        return [Problem(place, "this sets nothing, expected key=value, as in --set clock.decision=200ms")]
    if len(path) > DEEPEST:
        return [Problem(place, _TOO_DEEP)]
    mark = yaml.Mark(place.name, 0, 0, 0, None, 0)
    node = root
    for part in path[:-1]:
        found = child(node, part)
        inner = found.value if found else None
        if inner is None or inner.tag == _NULL:
            inner = _put(node, part, yaml.MappingNode(_MAP, []), mark)
        if not isinstance(inner, yaml.MappingNode):
            return [Problem(place, f"{short(part)} is {shape(inner)} and has no keys, expected to set it as a whole")]
        node = inner
    _put(node, path[-1], compose(text, place.name) or yaml.ScalarNode(_NULL, ""), mark)
    return []


def _put(mapping: yaml.MappingNode, key: str, value: yaml.Node, mark: yaml.Mark) -> yaml.Node:
    value.start_mark = value.start_mark or mark
    value.end_mark = value.end_mark or mark
    others = [pair for pair in mapping.value if pair[0].value != key]
    mapping.value = [*others, (yaml.ScalarNode(_STR, key, mark, mark), value)]
    return value


def items(node: yaml.MappingNode, problems: list[Problem]) -> Iterator[tuple[str, yaml.Node]]:
    """Keys and values of a mapping; keys that are no words or come again are left out and added to `problems`."""
    first: dict[str, Place] = {}
    for key, value in node.value:
        place = place_of(key)
        if not isinstance(key, yaml.ScalarNode):
            problems.append(Problem(place, f"{shape(key)} stands as a key, expected a word"))
        elif key.value in first:
            line = first[key.value].line
            problems.append(
                Problem(place, f"the key {short(key.value)!r} again, expected it once (line {line} has it)")
            )
        else:
            first[key.value] = place
            yield key.value, value


def _text(text: str) -> str:
    """The text itself. Raises `ValueError` for one with half a surrogate pair, which could be written nowhere."""
    text.encode()
    return text


_SCALARS: dict[str, tuple[str, Callable[[str], object]]] = {
    _NULL: ("nothing", lambda _: None),
    _BOOL: ("true or false", lambda text: _BOOLEANS[text.lower()]),
    _INT: ("a number", int),
    _FLOAT: ("a number", float),
    _STR: ("text", _text),
}


def plain(node: yaml.Node, problems: list[Problem]) -> object:
    """The plain value of a node; what has none is `None` and added to `problems`."""
    if isinstance(node, yaml.MappingNode) and node.tag == _MAP:
        return {key: plain(value, problems) for key, value in items(node, problems)}
    if isinstance(node, yaml.SequenceNode) and node.tag == _SEQ:
        return [plain(value, problems) for value in node.value]
    if not isinstance(node, yaml.ScalarNode) or node.tag not in _SCALARS:
        problems.append(Problem(place_of(node), f"the tag {short(node.tag)!r}, expected a plain value without a tag"))
        return None
    kind, convert = _SCALARS[node.tag]
    try:
        return convert(node.value)
    except (ValueError, KeyError):
        problems.append(Problem(place_of(node), f"{short(node.value)!r} is not {kind}, expected a plain value"))
        return None


def shape(node: yaml.Node) -> str:
    """What YAML takes a node for."""
    if isinstance(node, yaml.ScalarNode):
        return _SCALARS[node.tag][0] if node.tag in _SCALARS else "a tagged value"
    return "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"


def source(node: yaml.Node) -> str:
    """How a node is written, where that is in one line."""
    start, end = node.start_mark, node.end_mark
    return start.buffer[start.pointer : end.pointer] if start.buffer and start.line == end.line else ""


def place_of(node: yaml.Node) -> Place:
    """Where a node begins."""
    return _marked(node.start_mark)


def _marked(mark: yaml.Mark) -> Place:
    return Place(mark.name) if mark.name.startswith(SETTING) else Place(mark.name, mark.line + 1, mark.column + 1)
