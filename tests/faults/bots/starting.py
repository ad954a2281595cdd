"""Bots that go wrong before they are asked anything."""

import os
import sys
import time

from culprit import FOR_EVER, WAY, introduce, listen, serve, wait_for_ever
from wire import HELLO, Wire

from arena.protocol.v1 import player_pb2 as pb


def hello(wire: Wire) -> pb.HelloResponse:
    introduction = introduce()
    match WAY:
        case "never says hello":
            wait_for_ever()
        case "hangs up":
            wire.hang_up()
            wait_for_ever()
        case "refuses to say hello":
            wire.end(HELLO, 12, "this is no bot")
            wait_for_ever()
        case "speaks another version":
            introduction.protocol_version = 2
        case "says hello in no protobuf":
            wire.send(HELLO, b"\xff\xff\xff")
            wire.end(HELLO)
        case "says a long hello":
            introduction.name = "x" * 2_000_000
        case "changes its name":
            introduction.name = f"{os.getpid()}"
            introduction.version = f"{time.time_ns()}"
    return introduction


def speak_first(greeting: bytes) -> None:
    """Say something else than gRPC does to whoever calls."""
    listener = listen()
    while True:
        connection, _ = listener.accept()
        try:
            connection.sendall(greeting)
            while connection.recv(4096):
                pass
        except OSError:
            pass


match WAY:
    case "exits" | "exits with 0":
        sys.exit("no such opening book" if WAY == "exits" else 0)
    case "never listens":
        time.sleep(FOR_EVER)
    case "never takes a call":
        call = listen()
        time.sleep(FOR_EVER)
    case "speaks no gRPC":
        speak_first(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    case _:
        serve({}, hello)
