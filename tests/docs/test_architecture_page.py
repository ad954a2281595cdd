"""docs/architecture.md: its rooms are those of the import contract, and the files it names are there."""

import re
import tomllib

from pages import ROOT, page, section, tables

PAGE = page("architecture.md")


def test_the_rooms_stand_in_the_order_of_the_import_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "one-way")
    (table,) = tables(section(PAGE, "Rooms"))
    told = [sorted(re.findall(r"`(\w+)`", row["room"])) for row in table]
    assert told == [sorted(layer.split(" | ")) for layer in layers]


def test_the_files_that_the_page_names_are_there() -> None:
    named = re.findall(r"`(?:arena/)?([a-z]+/[a-z]+\.py)`", PAGE)
    assert named
    assert [name for name in named if not (ROOT / "arena" / name).is_file()] == []
