"""A table in every form."""

import csv
import io
import json
from dataclasses import replace

import pytest
from tabulate import tabulate_formats

from arena.errors import InputError
from arena.standings.sheet import Column, Sheet, render
from arena.standings.statistics import Estimate

SHEET = Sheet(
    [
        Column("bot", "bot", text=True),
        Column("games", "games"),
        Column("margin", "margin a hand", 2, signed=True, pm="margin_pm"),
    ],
    [
        ["ginny, the first", 1200, Estimate(0.312494, 0.12)],
        ["1e5", 7, Estimate(-0.000001, None)],
        ["none", 0, None],
    ],
)


def test_markdown_shows_signs_decimals_and_intervals_and_leaves_empty_what_is_not_there() -> None:
    assert render(SHEET, "pipe").splitlines() == [
        "| bot              | games | margin a hand |",
        "|:-----------------|------:|--------------:|",
        "| ginny, the first |  1200 |  +0.31 ± 0.12 |",
        "| 1e5              |     7 |         +0.00 |",
        "| none             |     0 |               |",
    ]


def test_on_a_terminal_headings_take_several_lines_rather_than_room() -> None:
    sheet = Sheet(
        [Column("a", "bot", text=True), Column("b", "won by undercut"), Column("c", "walls")], [["ann", 3, 4]]
    )
    assert render(sheet, "simple").splitlines() == [
        "       won by",
        "bot  undercut  walls",
        "---  --------  -----",
        "ann         3      4",
    ]


def test_csv_gives_half_widths_a_column_quotes_names_and_rounds_to_four_decimals() -> None:
    rows = list(csv.reader(io.StringIO(render(SHEET, "csv"))))
    assert rows == [
        ["bot", "games", "margin", "margin_pm"],
        ["ginny, the first", "1200", "0.3125", "0.12"],
        ["1e5", "7", "0.0", ""],
        ["none", "0", "", ""],
    ]


def test_json_keeps_numbers_as_numbers() -> None:
    first, second, third = json.loads(render(SHEET, "json"))
    assert first == {"bot": "ginny, the first", "games": 1200, "margin": 0.3125, "margin_pm": 0.12}
    assert str(second["margin"]) == "0.0"  # and not minus zero
    assert second["margin_pm"] is None
    assert third["margin"] is None


@pytest.mark.parametrize("form", tabulate_formats)
def test_every_format_of_tabulate_names_every_bot(form: str) -> None:
    text = render(SHEET, form)
    assert "ginny, the first" in text.replace("\\", "")
    assert text.endswith("\n")


@pytest.mark.parametrize("form", ["pipe", "github"])
@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("my_bot", "my_bot"),  # within a word an underscore marks nothing
        ("_bot_", r"\_bot\_"),
        ("a__b c_", r"a\_\_b c\_"),
        ("a|b", r"a\|b"),
        ("*b*", r"\*b\*"),
        ("<b>", r"\<b\>"),
        ("[b](c)", r"\[b\](c)"),
        ("`b`", r"\`b\`"),
        ("C++ 1.0-é", "C++ 1.0-é"),
    ],
)
def test_names_stand_for_themselves_in_markdown(form: str, name: str, written: str) -> None:
    table = render(Sheet([Column("bot", "bot", text=True), Column(name, name)], [[name, 1]]), form)
    heading, _, row = table.splitlines()
    assert heading.split(" | ")[1].strip(" |") == written
    assert row.split(" | ")[0].strip(" |") == written


def test_letters_of_two_columns_push_nothing_aside_on_a_terminal() -> None:
    narrow, wide = (
        render(replace(SHEET, rows=[[name, 1, None], ["b", 2, None]]), "simple") for name in ("anna", "牌手")
    )
    assert wide == narrow.replace("anna", "牌手")


def test_columns_are_selected_in_the_order_asked_for() -> None:
    assert SHEET.select("games", "bot").records()[1] == {"games": 7, "bot": "1e5"}
    assert list(SHEET.select("games", "bot").records()[1]) == ["games", "bot"]


@pytest.mark.parametrize("form", ["simple", "pipe", "csv"])
def test_a_table_without_rows_has_its_headings(form: str) -> None:
    assert "margin" in render(Sheet(SHEET.columns, []), form)


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"--format: expected one of .*csv, json, got 'word'"):
        render(SHEET, "word")
