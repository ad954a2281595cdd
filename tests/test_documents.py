from pathlib import Path
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictInt

from arena.documents import Place, check, parse_document, read_document, unknown, validated
from arena.documents.document import LARGEST
from arena.errors import InputError


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Clock(Strict):
    ready: str = "10s"
    turns: Annotated[StrictInt, Field(ge=1, le=9)] = 3


def _even(number: int) -> int:
    if number % 2:
        raise ValueError("an even number")
    return number


class Sample(Strict):
    name: str = Field(description="the name for the tables")
    version: Annotated[str, Field(min_length=1)] = "1"
    run: tuple[str, ...] = ()
    hints: bool = True
    even: Annotated[StrictInt, AfterValidator(_even)] = 0
    games: Annotated[tuple[Literal["gin", "oklahoma"], ...], Field(min_length=1)] = ("gin",)
    clock: Clock = Clock()
    clocks: tuple[Clock, ...] = ()


def mistakes(text: str, *settings: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        validated(Sample, parse_document(text, "x.yaml", settings))
    return str(caught.value).split("\n")


def test_all_mistakes_are_told_at_once_each_at_its_place() -> None:
    text = """\
name: no
version: 1.10
run: [{py}, 3, 06:00, ~, [a]]
hints: of
clok: 1
clock: {redy: 5, turns: '7', ready: }
games: gin
clocks: [{turns: true}, 5, {turns: 1.5}, {turns: 12}]
name: x
even: 3
"""
    assert mistakes(text) == [
        "x.yaml:1:7: name is no, which YAML reads as false, expected text: write it in quotes, 'no'",
        "x.yaml:2:10: version is 1.10, which YAML reads as a number, expected text: write it in quotes, '1.10'",
        "x.yaml:3:7: item 1 of run is {py}, which YAML reads as a mapping, expected text: write it in quotes, '{py}'",
        "x.yaml:3:13: item 2 of run is 3, which YAML reads as a number, expected text: write it in quotes, '3'",
        "x.yaml:3:23: item 4 of run is ~, which YAML reads as empty, expected text: write it in quotes, '~'",
        "x.yaml:3:26: item 5 of run is [a], which YAML reads as a list, expected text: write it in quotes, '[a]'",
        "x.yaml:4:8: hints is 'of', expected true or false",
        "x.yaml:5:1: unknown key 'clok', did you mean 'clock'?",
        "x.yaml:6:9: unknown key 'redy', did you mean 'ready'?",
        "x.yaml:6:25: clock.turns is '7', expected a whole number",
        "x.yaml:6:36: clock.ready is empty, expected text",
        "x.yaml:7:8: games is 'gin', expected a list, as in [a, b]",
        "x.yaml:8:18: turns is true, expected a whole number",
        "x.yaml:8:25: item 2 of clocks is 5, expected keys and values, as in {key: value}",
        "x.yaml:8:36: turns is 1.5, expected a whole number",
        "x.yaml:8:50: turns is 12, expected 9 or less",
        "x.yaml:9:1: the key 'name' again, expected it once (line 1 has it)",
        "x.yaml:10:7: even is 3, expected an even number",
    ]


def test_what_is_missing_empty_or_of_the_wrong_kind() -> None:
    assert mistakes("version: ''\ngames: []\nclock: [1]\nrun: {a: b}\nclocks: [{turns: 0}]\nhint: on") == [
        "x.yaml:1:1: 'name' is missing, expected the name for the tables",
        "x.yaml:1:10: version is '', expected some text",
        "x.yaml:2:8: games is [], expected a list of 1 or more",
        "x.yaml:3:8: clock is [1], expected keys and values, as in {key: value}",
        "x.yaml:4:6: run is {a: b}, expected a list, as in [a, b]",
        "x.yaml:5:18: turns is 0, expected 1 or more",
        "x.yaml:6:1: unknown key 'hint', did you mean 'hints'?",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "x.yaml:1:1: nothing is in it, expected keys and values, as in 'name: something'"),
        ("# a comment\n", "x.yaml:1:1: nothing is in it, expected keys and values, as in 'name: something'"),
        ("- a\n- b\n", "x.yaml:1:1: a list at the top, expected keys and values, as in 'name: something'"),
        ("name\n", "x.yaml:1:1: text at the top, expected keys and values, as in 'name: something'"),
        ("a:\n\tb: 1\n", "x.yaml:2:1: a tab stands here, expected spaces"),
        ("a: @x\n", "x.yaml:1:4: a value begins with '@', expected it in quotes"),
        ("a: [*.bot]\n", "x.yaml:1:6: a value begins with '*' or '&', expected it in quotes"),
        ("c: *b\n", "x.yaml:1:4: a value begins with '*' or '&', expected it in quotes"),
        ("a: &b 1\nc: *b\n", "x.yaml:1:4: a value begins with '*' or '&', expected it in quotes"),
        ("a: [&b {c: 1}]\n", "x.yaml:1:5: a value begins with '*' or '&', expected it in quotes"),
        ("a: &b [1]\n", "x.yaml:1:4: a value begins with '*' or '&', expected it in quotes"),
        ("a: b: c\n", "x.yaml:1:5: a ':' that fits nothing, expected a line for each 'key: value', or quotes"),
        ("a: 1\n b: 2\n", "x.yaml:2:3: a ':' that fits nothing, expected a line for each 'key: value', or quotes"),
        ("a: 1\nb\n", "x.yaml:2:1: a line without ':', expected 'key: value'"),
        ("a: 'x\nb: 1\n", "x.yaml:1:4: quotes that are never closed, expected the closing ones"),
        ("a: [1, 2\nb: 3\n", "x.yaml:2:2: ':' stands here, expected ',' or ']' (a bracket before it is open)"),
        ("a: {b: c", "x.yaml:1:9: the end stands here, expected ',' or '}' (a bracket before it is open)"),
        ("a: [1]]\n", "x.yaml:1:7: ']' stands here, expected the next key or item, indented alike"),
        ("a: 1\n---\nb: 2\n", "x.yaml:2:1: a second document begins, expected one"),
        ("a: b\x01\n", "x.yaml:1:5: a character that cannot be shown, U+0001, expected text"),
        ("a: " + "[" * 500, "x.yaml:1:53: nested too deeply, expected a few levels"),
    ],
)
def test_text_that_cannot_be_read_past_is_told_at_its_place(text: str, told: str) -> None:
    assert mistakes(text) == [told]


def test_tags_and_keys_that_are_no_words_are_told_with_the_rest() -> None:
    assert mistakes('name: !!python/name:os.system x\n? [a]\n: 1\neven: !!int z\nhints: 1.5\nversion: "\\ud800"\n') == [
        "x.yaml:1:7: the tag 'tag:yaml.org,2002:python/name:os.system', expected a plain value without a tag",
        "x.yaml:2:3: a list stands as a key, expected a word",
        "x.yaml:4:7: 'z' is not a number, expected a plain value",
        "x.yaml:5:8: hints is 1.5, expected true or false",
        "x.yaml:6:10: '\\ud800' is not text, expected a plain value",
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("06:00", "06:00"),
        ("10:30", "10:30"),
        ("2026-01-01", "2026-01-01"),
        ("007", "007"),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
        (".inf", ".inf"),
        ("y", "y"),
        ("<<", "<<"),
        ("1.3.1", "1.3.1"),
        ("~", None),
        ("", None),
        ("Null", None),
        ("on", True),
        ("No", False),
        ("OFF", False),
        ("12", 12),
        ("-3", -3),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("'12'", "12"),
        ('"no"', "no"),
    ],
)
def test_scalars_are_read_without_surprises(text: str, value: object) -> None:
    read = parse_document(f"a: {text}", "x.yaml").value["a"]
    assert (type(read), read) == (type(value), value)


def test_a_key_with_a_line_break_is_told_in_one_line() -> None:
    assert mistakes('name: x\n"a\\nb": 1\n"a\\nb": 2') == [
        "x.yaml:2:1: unknown key 'a\\nb', expected name, version, run, hints, even, games, clock or clocks",
        "x.yaml:3:1: the key 'a\\nb' again, expected it once (line 2 has it)",
    ]


def test_booleans_are_words_of_yaml_and_keys_are_always_text() -> None:
    document = parse_document("name: a\nhints: off\n", "x.yaml")
    assert validated(Sample, document).hints is False
    assert list(parse_document("no: 1\n1: 2\n1.5: 3\n", "x.yaml").value) == ["no", "1", "1.5"]


def test_settings_lie_over_the_file_and_are_told_by_their_key() -> None:
    text = "name: x\nclock: {turns: 2}\nclocks: [{}]\n"
    settings = ("clock.ready=5s", "clocks=[{turns: 4}, {turns: 5}]", "even=2", "even=4", "run=[a]")
    sample = validated(Sample, parse_document(text, "x.yaml", settings))
    assert sample.clock == Clock(ready="5s", turns=2)
    assert [clock.turns for clock in sample.clocks] == [4, 5]
    assert (sample.even, sample.run) == (4, ("a",))
    assert mistakes(
        text, "clock.turns=x", "clok.ready=1s", "clocks=[{}, {turns: a}]", "name.first=x", "even", "=3"
    ) == [
        "--set : this sets nothing, expected key=value, as in --set clock.decision=200ms",
        "--set clock.turns: clock.turns is 'x', expected a whole number",
        "--set clocks: turns is 'a', expected a whole number",
        "--set clok.ready: unknown key 'clok', did you mean 'clock'?",
        "--set even: this sets nothing, expected key=value, as in --set clock.decision=200ms",
        "--set name.first: name is text and has no keys, expected to set it as a whole",
    ]
    assert mistakes(text, "run=[a") == [
        "--set run: the end stands here, expected ',' or ']' (a bracket before it is open)",
    ]


def test_a_setting_can_empty_a_key_and_fill_an_empty_one() -> None:
    assert parse_document("a: 1", "x.yaml", ("a=",)).value == {"a": None}
    assert parse_document("a:\n", "x.yaml", ("a.b.c=[1, x]",)).value == {"a": {"b": {"c": [1, "x"]}}}


def test_a_setting_replaces_a_key_that_stands_twice() -> None:
    document = parse_document("a: 1\na: 2\n", "x.yaml", ("a=3",))
    assert document.value == {"a": 3}
    assert not document.problems


def test_the_place_of_a_value_and_of_its_key() -> None:
    document = parse_document("a: 1\nb:\n  - c: [x, y]\n", "x.yaml")
    assert document.at(("b", 0, "c", 1)) == Place("x.yaml", 3, 12)
    assert document.key_at(("b", 0, "c")) == Place("x.yaml", 3, 5)
    assert document.at(("b", 0, "gone", "further")) == document.at(("b", 0)) == Place("x.yaml", 3, 5)
    assert document.key_at(("b", 7)) == Place("x.yaml", 2, 1)
    assert document.at(()) == Place("x.yaml", 1, 1)
    assert document.source(("b", 0, "c")) == "[x, y]"
    assert document.source(("b", 0, "gone")) == ""


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"name: x\nversion: \xff1\n", "2:10: the byte 0xff is no text, expected UTF-8"),
        ("näme: ü".encode() + b"\xe4", "1:8: the byte 0xe4 is no text, expected UTF-8"),
        ("name: x".encode("utf-16"), "1:1: the byte 0xff is no text, expected UTF-8"),
    ],
)
def test_files_that_are_no_utf8_are_told_at_the_byte(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_document(path)
    assert str(caught.value) == f"{path}:{told}"


def test_a_byte_order_mark_and_windows_line_ends_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\xef\xbb\xbfname: x\r\nhints: maybe\r\n")
    document = read_document(path)
    assert document.value == {"name": "x", "hints": "maybe"}
    _, problems = check(Sample, document)
    assert [str(problem) for problem in problems] == [f"{path}:2:8: hints is 'maybe', expected true or false"]


def test_a_folder_and_a_file_that_is_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_document(tmp_path)
    assert str(caught.value) == f"{tmp_path}: this is a folder, expected a YAML file"
    with pytest.raises(InputError) as caught:
        read_document(tmp_path / "gone.yaml")
    assert (
        str(caught.value) == f"{tmp_path}/gone.yaml: No such file or directory, expected a YAML file that can be read"
    )


def test_a_file_that_is_too_large_to_be_read_is_told_before_it_is_parsed(tmp_path: Path) -> None:
    path = tmp_path / "bot.yaml"
    path.write_text("# " + "x" * (LARGEST - 9) + "\na: 1\n\n")
    assert read_document(path).value == {"a": 1}
    path.write_text("[" * (LARGEST + 1))
    with pytest.raises(InputError) as caught:
        read_document(path)
    assert str(caught.value) == f"{path}: 262,145 bytes, expected a YAML file of at most 262,144"


def test_an_unknown_name_that_is_like_none_is_told_all_there_are() -> None:
    assert unknown("key", "zzz", ["name", "run", "games"]) == "unknown key 'zzz', expected name, run or games"


@given(st.text(max_size=80) | st.text("name: clockturns[]{}\n -#'\"&*!|>%@`\t,?\\0123", max_size=60))
def test_any_text_is_a_document_or_told_with_a_place(text: str) -> None:
    told = "x.yaml:"
    try:
        validated(Sample, parse_document(text, "x.yaml"))
    except InputError as error:
        told = str(error)
    assert all(line.startswith("x.yaml:") for line in told.split("\n"))
