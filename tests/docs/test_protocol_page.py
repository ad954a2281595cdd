"""docs/protocol.md: every message, field and value of the protocol, and nothing else."""

from pathlib import Path

import pytest
from google.protobuf import text_format
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
)
from google.protobuf.message import Message
from pages import blocks, page, section, tables

from arena.protocol.v1 import join_pb2
from arena.protocol.v1 import player_pb2 as pb

PAGE = page("protocol.md")
GOLDEN = Path(__file__).parents[1] / "protocol" / "golden"
FILES = [FileDescriptorProto(), FileDescriptorProto()]
for file, descriptor in zip(FILES, (pb.DESCRIPTOR, join_pb2.DESCRIPTOR), strict=True):
    descriptor.CopyToProto(file)
MESSAGES = [message for file in FILES for message in file.message_type]
ENUMS = [enum for file in FILES for enum in file.enum_type]
Field = FieldDescriptorProto


def type_of(field: FieldDescriptorProto, message: DescriptorProto) -> str:
    """A field's type as a proto file has it."""
    entry = next((nested for nested in message.nested_type if nested.name == field.type_name.split(".")[-1]), None)
    if entry is not None:
        return f"map<{', '.join(type_of(inner, entry) for inner in entry.field)}>"
    name = field.type_name.split(".")[-1] or Field.Type.Name(field.type).removeprefix("TYPE_").lower()
    if field.label == Field.LABEL_REPEATED:
        return f"repeated {name}"
    return f"optional {name}" if field.proto3_optional else name


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.name)
def test_a_message_is_told_field_by_field(message: DescriptorProto) -> None:
    (table,) = tables(section(PAGE, message.name))
    told = [(row["field"].strip("`"), row["type"]) for row in table]
    assert told == [(field.name, type_of(field, message)) for field in message.field]


@pytest.mark.parametrize("enum", ENUMS, ids=lambda enum: enum.name)
def test_an_enumeration_is_told_value_by_value(enum: EnumDescriptorProto) -> None:
    (table,) = tables(section(PAGE, enum.name))
    told = [(row["name"].strip("`"), row["number"]) for row in table]
    assert told == [(value.name, str(value.number)) for value in enum.value]


def test_the_page_knows_no_other_messages() -> None:
    told = [line[4:] for line in PAGE.splitlines() if line.startswith("### ")]
    assert sorted(told) == sorted([*(one.name for one in MESSAGES), *(one.name for one in ENUMS)])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_calls_are_those_of_the_service(file: FileDescriptorProto) -> None:
    (service,) = file.service
    for method in service.method:
        sent, received = (name.split(".")[-1] for name in (method.input_type, method.output_type))
        sent, received = "stream " * method.client_streaming + sent, "stream " * method.server_streaming + received
        assert f"    rpc {method.name}({sent}) returns ({received})\n" in PAGE


@pytest.mark.parametrize(
    ("number", "message", "name"), [(0, pb.PlayRequest(), "turn_draw"), (1, pb.PlayResponse(), "decision_pile")]
)
def test_the_example_is_a_golden_message(number: int, message: Message, name: str) -> None:
    golden = text_format.Parse((GOLDEN / f"{name}.txtpb").read_text(), type(message)())
    assert text_format.Parse(blocks(PAGE, "textproto")[number], message) == golden
