"""docs/statistics.md: every column of every table, and no other."""

import re

import pytest
from pages import page, section, tables

from arena.standings.ranking import CRITERIA
from arena.standings.sheet import Sheet
from arena.standings.tables import meetings, standings
from arena.standings.tally import Tally
from arena.standings.timing import timing_sheet
from arena.tournament.effects import ADVICE_COLUMNS, EFFECT_COLUMNS
from arena.tournament.ratings import PAIR_COLUMNS, RATING_COLUMNS

PAGE = page("statistics.md")
NOTHING = Tally({}, judged=True)


@pytest.mark.parametrize(
    ("heading", "sheet"),
    [
        ("Standings", standings(NOTHING, CRITERIA, three_hand=True)),
        ("Crosstable", meetings(NOTHING, CRITERIA)),
        ("Ratings", Sheet(RATING_COLUMNS, [])),
        ("Every two bots", Sheet(PAIR_COLUMNS, [])),
        ("Effects", Sheet(EFFECT_COLUMNS, [])),
        ("Worth of advice", Sheet(ADVICE_COLUMNS, [])),
        ("Timing", timing_sheet({})),
    ],
)
def test_every_column_of_a_table_is_explained(heading: str, sheet: Sheet) -> None:
    told = [
        name for table in tables(section(PAGE, heading)) for row in table for name in re.findall(r"`(\w+)`", row["key"])
    ]
    assert sorted(told) == sorted(sheet.keys())


def test_every_criterion_is_explained() -> None:
    (table,) = tables(section(PAGE, "Ranking"))
    assert [row["criterion"].strip("`") for row in table] == list(CRITERIA)
