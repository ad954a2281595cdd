"""docs/bridge.md: every message and field that a program meets, and an example that is one."""

import json

import pytest
from google.protobuf import text_format
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from pages import ROOT, blocks, page, section, tables

from arena.bridge.lines import line, read_decision
from arena.cli.app import app
from arena.documents import parse_document, validated
from arena.players.manifest import _Manifest
from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.view import GameKind

PAGE = page("bridge.md")
GOLDEN = ROOT / "tests" / "protocol" / "golden"
FILE = FileDescriptorProto()
pb.DESCRIPTOR.CopyToProto(FILE)
Field = FieldDescriptorProto
NOT_IN_LINES = {"HelloRequest", "HelloResponse", "PlayRequest", "PlayResponse", "Link"}
MESSAGES = [message for message in FILE.message_type if message.name not in NOT_IN_LINES]

ONE = {
    Field.TYPE_UINT32: "number",
    Field.TYPE_SINT32: "number",
    Field.TYPE_FIXED64: "text",
    Field.TYPE_STRING: "text",
    Field.TYPE_BOOL: "true or false",
    Field.TYPE_BYTES: "numbers",
}
MANY = {Field.TYPE_UINT32: "numbers", Field.TYPE_SINT32: "numbers", Field.TYPE_BYTES: "lists of numbers"}


def json_of(field: FieldDescriptorProto) -> str:
    """What a field is in JSON, in the words of the page."""
    name = field.type_name.split(".")[-1]
    if name == "RulesEntry":
        return "object of texts"
    if field.label == Field.LABEL_REPEATED:
        return MANY.get(field.type) or f"list of {name}"
    return (ONE.get(field.type) or name) + " or null" * field.proto3_optional


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.name)
def test_a_message_is_told_field_by_field(message: DescriptorProto) -> None:
    (table,) = tables(section(PAGE, message.name))
    told = [(row["field"].strip("`"), row["JSON"]) for row in table]
    assert told == [(field.name, json_of(field)) for field in message.field]


def test_the_page_knows_no_other_messages() -> None:
    told = [line[4:] for line in PAGE.splitlines() if line.startswith("### ")]
    assert sorted(told) == sorted(message.name for message in MESSAGES)


def test_the_example_is_what_a_program_reads_and_may_write() -> None:
    lines = blocks(PAGE, "json")[0].splitlines(keepends=True)
    rules = json.loads(lines[0])["setup"]["rules"]
    setup = line("setup", codec.setup_message(GameKind.GIN, False, rules, hints=True))
    draw, discard = (golden(f"turn_{name}").turns[0] for name in ("draw", "discard"))
    hand, game = golden("hand_over_knock").hands_over[0], golden("game_over").games_over[0]
    reads = [setup, line("turn", draw), line("turn", discard), line("hand_over", hand), line("game_over", game)]
    assert [text.encode() for text in lines if "turn_id" not in text] == reads
    drawn, knocked = [read_decision(text.encode()) for text in lines if "turn_id" in text]
    assert (drawn.turn_id, knocked.turn_id) == (draw.id, discard.id)
    assert drawn.action in draw.legal
    assert knocked.action in discard.legal
    assert knocked.card in discard.knocks


def test_the_defence_is_one() -> None:
    told = read_decision(blocks(PAGE, "json")[1].encode())
    text = (GOLDEN / "decision_defend_with_all.txtpb").read_text()
    assert [told] == list(text_format.Parse(text, pb.PlayResponse()).decisions)


def test_the_manifest_is_one() -> None:
    text = blocks(PAGE, "yaml")[0]
    assert "bridge" in validated(_Manifest, parse_document(text, "bot.yaml")).run


def test_every_option_is_listed() -> None:
    (command,) = (
        command for command in app.registered_commands if command.callback and command.callback.__name__ == "bridge"
    )
    (table,) = tables(section(PAGE, "bot.yaml"))
    told = {row["option"].strip("`").split()[0].removeprefix("--") for row in table}
    assert command.callback is not None
    assert told == set(command.callback.__annotations__) - {"command", "return"}


def golden(name: str) -> pb.PlayRequest:
    return text_format.Parse((GOLDEN / f"{name}.txtpb").read_text(), pb.PlayRequest())
