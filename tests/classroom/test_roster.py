"""Rosters as people save them."""

from pathlib import Path

import pytest

from arena.classroom.roster import Student, alike, read_roster, spellings
from arena.errors import InputError


def read(folder: Path, data: bytes, *taken: str) -> list[Student]:
    path = folder / "roster.csv"
    path.write_bytes(data)
    return read_roster(path, frozenset(taken))


@pytest.mark.parametrize(
    "data",
    [
        b'id,name,key\ns1,"Doe, Jane",4711\n\ns2,Bob,\n',
        '\ufeffID;Name;Group;Key\r\ns1;"Doe, Jane";A;4711\r\ns2;Bob;B;\r\n'.encode(),
        b"key\tname\tid\n4711\tDoe, Jane\ts1\n\tBob\ts2\n",
    ],
    ids=["commas", "as a spreadsheet writes it", "tabs"],
)
def test_columns_are_found_by_their_names(tmp_path: Path, data: bytes) -> None:
    assert read(tmp_path, data) == [Student("s1", "Doe, Jane", "4711"), Student("s2", "Bob")]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", ":1:1: no column id and name"),
        (b"id;key\ns1;2\n", ":1:1: no column name"),
        (b"id,name\n", ":1:1: no student is in it"),
        (b"id,ID,name\ns1,s2,A\n", ":1:1: the column id comes twice"),
        (b"id,name\ns1,A\nS1,B\n", ":3:1: the id 'S1' again, expected it once (line 2 has it)"),
        (b"id,name\n../x,A\n", ":2:1: id is '../x', expected up to 40 letters"),
        (b"id,name\nrandom,A\n", ":2:1: the id 'random' is the name of a reference"),
        (b'id,name\ns1,"A\n', "this is no line of a CSV file"),
        (b"id,name\ns1,\xff\n", "this is no UTF-8"),
    ],
)
def test_mistakes_are_told_with_their_lines(tmp_path: Path, data: bytes, told: str) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, data, "random")
    assert told in str(refused.value)


def test_names_are_compared_without_what_course_systems_change() -> None:
    assert alike("Zoë Müller-Lüdenscheidt") == "zoemullerludenscheidt"
    assert spellings("Doe, Jane Ann") == {"doejaneann", "janeanndoe", "anndoejane"}
