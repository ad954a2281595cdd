"""docs/classes.md: keys, kinds, columns and files as the arena has them."""

import csv

import yaml
from pages import ROOT, blocks, page, section, tables

from arena.classroom.assignment import REFUSED, OwnKeys, load_assignment
from arena.classroom.book import Book
from arena.classroom.graded import Status
from arena.kit.unpacking import LONGEST_PATH, MOST_BYTES, MOST_ENTRIES, MOST_FILES
from arena.standings.kinds import Kind

PAGE = page("classes.md")
EXAMPLE = ROOT / "tournaments" / "class" / "assignment.yaml"


def test_the_example_is_the_file() -> None:
    (text,) = blocks(section(PAGE, "1. The assignment"), "yaml")
    assert yaml.safe_load(text) == yaml.safe_load(EXAMPLE.read_text())


def test_every_key_is_told() -> None:
    rows = tables(section(PAGE, "1. The assignment"))[0]
    assert [row["key"].strip("`") for row in rows[:-1]] == list(OwnKeys.model_fields)
    refused = ", ".join(f"`{key}`" for key in REFUSED[:-1])
    assert f"{refused} and `{REFUSED[-1]}` are no keys" in PAGE


def test_every_kind_of_the_audit_is_told_and_on_which_side_it_stands() -> None:
    (rows,) = tables(section(PAGE, "7. The decision audit"))
    assert [row["kind"].strip("`") for row in rows] == list(Kind)
    assert [row["by what it knew"].startswith("no") for row in rows] == [kind.hindsight for kind in Kind]
    assert [row["points lost"].startswith("none") for row in rows] == [not kind.costs for kind in Kind]


def test_every_column_and_status_of_the_gradebook_is_told() -> None:
    assignment = load_assignment(EXAMPLE)
    keys = Book(assignment, [], [], b"").gradebook().keys()
    rows = tables(section(PAGE, "5. What you get"))[1]
    told = [word.strip(" `") for row in rows for word in row["column"].split(",")]
    expected = [key.replace("random_", "REFERENCE_") for key in keys if not key.startswith(("simple_", "greedy_"))]
    assert told == expected
    status = next(row["meaning"] for row in rows if row["column"] == "`status`")
    assert all(f"`{one}`" in status for one in Status)


def test_limits_and_the_roster_are_those_of_the_arena() -> None:
    collecting = " ".join(section(PAGE, "3. Collecting").split())
    assert f"at most {MOST_FILES:,} files and {MOST_BYTES // 1_000_000} MB" in collecting
    assert f"longer than {LONGEST_PATH:,} bytes" in collecting
    assert f"at most {MOST_ENTRIES:,} entries" in collecting
    lines = (EXAMPLE.parent / "roster.csv").read_text().splitlines()
    assert all(f"    {line}\n" in PAGE for line in lines[:3])
    assert next(csv.reader(lines)) == ["id", "name", "key"]
