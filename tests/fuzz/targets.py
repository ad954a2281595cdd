"""What is fuzzed: for each reader of strangers' input some real input, and the law that holds of any input at all.

The law: only a declared error comes out, whose message a person can act on; what is accepted is accepted alike again,
and written again it is read as the same.
"""

from pathlib import Path
from zlib import crc32

from fuzz.classes import class_targets
from fuzz.decisions import decision_target
from fuzz.documents import document_targets
from fuzz.lines import line_targets
from fuzz.submissions import submission_targets
from fuzz.target import Target


def targets(folder: Path) -> dict[str, Target]:
    """All of them by name. folder: an empty one, for the files that are to be read."""
    files = {**document_targets(folder), **class_targets(folder), **submission_targets(folder)}
    return {"decision": decision_target(), **files, **line_targets()}


CORPUS = Path(__file__).parent / "corpus"


def corpus() -> list[tuple[str, Path]]:
    """Every input that once broke the law, with the name of its target."""
    return [(path.parent.name, path) for path in sorted(CORPUS.glob("*/*"))]


def keep(target: str, data: bytes) -> Path:
    """Put an input into the corpus, to be replayed for ever."""
    path = CORPUS / target / f"{crc32(data):08x}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
