"""A pydantic model over a document: its object, or everything that is wrong, at its place."""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from arena.documents.document import Document
from arena.documents.places import Keys, Problem, refuse
from arena.errors import short

Model = TypeVar("Model", bound=BaseModel)


def check(model: type[Model], document: Document) -> tuple[Model | None, list[Problem]]:
    """Lay a model over a document: the model's object, `None` where it does not fit, and all that is wrong.

    The model's validators raise `ValueError` with what was expected, as in `ValueError("a duration such as 5s")`; a
    message that holds `, expected ` stands as it is. Fields are no unions of models: their errors would come twice.
    The description of a field that may be missing says what it is.
    """
    try:
        return model.model_validate(document.value), list(document.problems)
    except ValidationError as error:
        told = [_told(model, document, details) for details in error.errors(include_url=False)]
        misread = {problem.place for problem in document.problems}
        return None, [*document.problems, *(problem for problem in told if problem.place not in misread)]


def validated(model: type[Model], document: Document) -> Model:
    """The model's object of a document. Raises one `InputError` with everything that is wrong."""
    result, problems = check(model, document)
    if result is None or problems:
        refuse(problems)
    return result


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """What to say of a name that is not known: the one that was probably meant, or all there are."""
    known = list(known)
    near = difflib.get_close_matches(name, known, 1)
    return f"unknown {kind} {short(name)!r}, " + (f"did you mean '{near[0]}'?" if near else "expected " + one_of(known))


def one_of(words: Iterable[str]) -> str:
    """Words in a sentence: `a, b or c`."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def _told(model: type[BaseModel], document: Document, details: ErrorDetails) -> Problem:
    """A pydantic error as a problem of the document."""
    keys, context = details["loc"], details.get("ctx", {})
    if details["type"] == "missing":
        field = _fields(model, keys[:-1])[str(keys[-1])]
        return Problem(document.at(keys), f"'{keys[-1]}' is missing, expected {field.description or 'it here'}")
    if details["type"] == "extra_forbidden":
        return Problem(document.key_at(keys), unknown("key", str(keys[-1]), _fields(model, keys[:-1])))
    said = str(context.get("error", ""))
    if ", expected " in said:
        return Problem(document.at(keys), said)
    value, source, expected = details["input"], short(document.source(keys)), said or _expected(details)
    got = repr(short(value)) if isinstance(value, str) else source or _kind(value)
    if expected == "text" and source:
        got += f", which YAML reads as {_kind(value)}"
        expected += f": write it in quotes, {source!r}"
    return Problem(document.at(keys), f"{_subject(keys)} is {got}, expected {expected}")


def _expected(details: ErrorDetails) -> str:
    """What pydantic expected, in words."""
    context: Mapping[str, object] = details.get("ctx", {})
    match details["type"]:
        case "string_type":
            return "text"
        case "int_type" | "int_parsing" | "int_from_float":
            return "a whole number"
        case "bool_type" | "bool_parsing":
            return "true or false"
        case "list_type" | "tuple_type":
            return "a list, as in [a, b]"
        case "dict_type" | "model_type" | "model_attributes_type":
            return "keys and values, as in {key: value}"
        case "literal_error" | "enum":
            return str(context["expected"])
        case "greater_than_equal":
            return f"{context['ge']} or more"
        case "less_than_equal":
            return f"{context['le']} or less"
        case "too_short":
            return f"a list of {context['min_length']} or more"
        case "string_too_short":
            return "some text"
        case _:
            return details["msg"].removeprefix("Input should be ").removeprefix("Value should ")


def _subject(keys: Keys) -> str:
    """What a message calls the value at `keys`: the place tells which of a list."""
    indices = [depth for depth, key in enumerate(keys) if isinstance(key, int)]
    if indices and indices[-1] == len(keys) - 1:
        return f"item {int(keys[-1]) + 1} of {_subject(keys[:-1])}"
    return ".".join(str(key) for key in keys[indices[-1] + 1 if indices else 0 :])


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "a number"
    kinds = {type(None): "empty", list: "a list", dict: "a mapping"}
    return kinds.get(type(value), "something else")


def _fields(model: type[BaseModel], keys: Keys) -> dict[str, FieldInfo]:
    """The fields of the model within `model` that stands at `keys`."""
    for key in keys:
        if isinstance(key, str):
            model = next(_models(model.model_fields[key].annotation))
    return model.model_fields


def _models(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models(inner)
