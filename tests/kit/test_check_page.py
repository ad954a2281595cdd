"""docs/bot-authors.md on checking: its steps are those of the check, and its report looks like one."""

import re

from pages import page, section, tables

from arena.kit.check.course import PARTS
from arena.kit.check.report import head_text

CHECKING = section(page("bot-authors.md"), "Checking a bot")


def test_every_step_is_listed() -> None:
    steps = tables(CHECKING)[-1]
    assert [row["step"] for row in steps] == [part.title for part in PARTS]


def test_the_lines_of_the_report_are_those_of_the_check() -> None:
    heads = [head_text(number, part.title) for number, part in enumerate(PARTS, 1)]
    told = re.findall(r"^ ?\d+  .*?  +(?=ok  |FAILED)", CHECKING, re.MULTILINE)
    assert len(told) > 8
    assert set(told) <= set(heads)
