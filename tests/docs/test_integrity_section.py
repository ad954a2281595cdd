"""docs/security.md, Integrity: every promise names tests that are there."""

import re

import pytest
from pages import ROOT, page, section, tables

(PROMISES,) = tables(section(page("security.md"), "Integrity"))


@pytest.mark.parametrize("row", PROMISES, ids=lambda row: row["promise"][:40])
def test_a_promise_is_held_by_tests_that_are_there(row: dict[str, str]) -> None:
    named = re.findall(r"`(tests/[^`]+)`", row["held by"])
    assert named
    for path in named:
        tests = [ROOT / path] if path.endswith(".py") else sorted((ROOT / path).glob("test_*.py"))
        assert tests
        assert all("def test_" in test.read_text(encoding="utf-8") for test in tests)
