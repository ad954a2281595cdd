"""YAML files as people write them: plain values that know their place, and mistakes told with that place.

`read_document` turns a file into a `Document`; `check` lays a pydantic model over it and tells everything that is wrong
at once, each as `file:line:column: what is wrong, what was expected`. It serves bot.yaml and series files alike and
knows neither.
"""

from arena.documents.document import Document, parse_document, read_document
from arena.documents.models import check, one_of, unknown, validated
from arena.documents.places import Keys, Place, Problem, refuse

__all__ = [
    "Document",
    "Keys",
    "Place",
    "Problem",
    "check",
    "one_of",
    "parse_document",
    "read_document",
    "refuse",
    "unknown",
    "validated",
]
