"""The pages of the documentation, for the tests that hold them to the code."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def page(name: str) -> str:
    """The text of a page in docs/."""
    return (DOCS / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """What stands under a heading, up to the next one of its level or above."""
    lines = iter(text.splitlines())
    level = next(len(line.split()[0]) for line in lines if line.startswith("#") and line.lstrip("# ") == heading)
    found: list[str] = []
    fenced = False
    for line in lines:
        fenced ^= line.startswith("```")
        if line.startswith("#") and not fenced and len(line.split()[0]) <= level:
            break
        found.append(line)
    return "\n".join(found)


def tables(text: str) -> list[list[dict[str, str]]]:
    """Every table of a text, a row as its cells by heading. A `|` within a cell is written `\\|`."""
    found: list[list[dict[str, str]]] = []
    heads: list[str] = []
    for line in text.splitlines():
        if not line.startswith("|"):
            heads = []
        elif not heads:
            heads = _cells(line)
            found.append([])
        elif set(line) - set("|:- "):
            found[-1].append(dict(zip(heads, _cells(line), strict=True)))
    return found


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [cell.replace("\0", "|").strip() for cell in inner.replace(r"\|", "\0").split("|")]


def blocks(text: str, language: str) -> list[str]:
    """Every fenced block in a language, without its fence."""
    parts = text.split("```")[1::2]
    return [part.partition("\n")[2] for part in parts if part.partition("\n")[0] == language]
