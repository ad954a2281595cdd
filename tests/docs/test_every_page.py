"""All pages for readers: their links lead somewhere, their commands exist, and they stand on their own."""

import re
from pathlib import Path

import pytest
import typer
from pages import DOCS, ROOT, blocks

from arena.cli.app import app

BOTS = [ROOT / "sample_bots", ROOT / "adapters"]
PAGES = sorted([*DOCS.glob("*.md"), *ROOT.glob("*.md"), *(page for bots in BOTS for page in bots.glob("*/README.md"))])
IDS = [str(path.relative_to(ROOT)) for path in PAGES]
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
OPTIONS = {
    name: {
        text
        for each in (command, *getattr(command, "commands", {}).values())
        for one in each.params
        for text in one.opts
    }
    for name, command in COMMANDS.items()
}
every_page = pytest.mark.parametrize("path", PAGES, ids=IDS)


def anchors(path: Path) -> set[str]:
    """What the headings of a page are called in links."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_page
def test_links_lead_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name) if name else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@every_page
def test_commands_and_their_options_exist(path: Path) -> None:
    text = re.sub(r"\\\n\s*", "", path.read_text())
    for name, rest in re.findall(r"(?:^    |`|bin/)arena ([a-z]+)\b([^`\n]*)", text, re.MULTILINE):
        assert name in COMMANDS, name
        for option in re.findall(r"(?<=[ \[])--[a-z-]+", rest):
            assert option in OPTIONS[name], f"arena {name} {option}"


@every_page
def test_a_page_needs_nothing_that_its_reader_does_not_have(path: Path) -> None:
    assert not re.search(r"RULES\.md|DESIGN\.md|FACTS\.md|MODELS\.md|/work/|shared/", path.read_text())


@every_page
def test_make_targets_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    told = re.findall(r"(?:^|`|    )make ([a-z-]+)", path.read_text(), re.MULTILINE)
    assert set(told) <= targets


def test_every_page_of_docs_can_be_found_from_the_first() -> None:
    start = ROOT / "README.md"
    found, left = {start}, [start]
    while left:
        here = left.pop()
        for link in re.findall(r"\]\(([^)#\s]+\.md)", here.read_text()):
            target = (here.parent / link).resolve()
            if target.is_file() and target not in found:
                found.add(target)
                left.append(target)
    assert {path for path in PAGES if path.parent == DOCS} <= found


def test_the_series_of_the_readme_is_the_one_that_make_demo_plays() -> None:
    (text,) = blocks((ROOT / "README.md").read_text(), "yaml")
    assert text == (ROOT / "tournaments" / "quickstart.yaml").read_text()
    assert "arena run tournaments/quickstart.yaml" in (ROOT / "Makefile").read_text()
