"""A table in every form."""

import csv
import io
import json

import pytest
from tabulate import tabulate_formats

from arena.errors import InputError
from arena.standings.sheet import Column, Sheet, render

SHEET = Sheet(
    [Column("bot", "bot", text=True), Column("games", "games"), Column("mean", "points a hand", 2, signed=True)],
    [["ginny, the first", 1200, 0.31249], ["1e5", 7, -0.0001], ["none", 0, None]],
)


def test_markdown_shows_signs_decimals_and_leaves_empty_what_is_not_there() -> None:
    lines = render(SHEET, "pipe").splitlines()
    assert lines[0] == "| bot              |   games |   points a hand |"
    assert lines[2] == "| ginny, the first |    1200 |           +0.31 |"
    assert lines[3] == "| 1e5              |       7 |           +0.00 |"
    assert lines[4] == "| none             |       0 |                 |"


def test_csv_quotes_names_and_rounds_numbers() -> None:
    rows = list(csv.reader(io.StringIO(render(SHEET, "csv"))))
    assert rows == [
        ["bot", "games", "mean"],
        ["ginny, the first", "1200", "0.31"],
        ["1e5", "7", "0.0"],
        ["none", "0", ""],
    ]


def test_json_keeps_numbers_as_numbers() -> None:
    assert json.loads(render(SHEET, "json"))[0] == {"bot": "ginny, the first", "games": 1200, "mean": 0.31}
    assert json.loads(render(SHEET, "json"))[2]["mean"] is None


@pytest.mark.parametrize("form", tabulate_formats)
def test_every_format_of_tabulate_names_every_bot(form: str) -> None:
    text = render(SHEET, form)
    assert "ginny, the first" in text.replace("\\", "")
    assert text.endswith("\n")


def test_a_table_without_rows_has_its_headings() -> None:
    assert "points a hand" in render(Sheet(SHEET.columns, []), "simple")


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"--format: expected one of .*csv, json, got 'word'"):
        render(SHEET, "word")
