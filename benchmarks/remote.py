"""Bots by the ways that lead to them: a unix socket, TCP, and the door where they have dialled in, by TLS or not.

The door is in a process of its own, as that of `arena serve` is, on this machine: the network costs nothing here, what
is measured is the work of passing messages on.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

import grpc

from arena.players.manifest import read_manifest
from arena.players.spec import BotSpec, Transport, inline_spec
from arena.protocol.v1.join_pb2_grpc import add_DoorServicer_to_server
from arena.server.access import SERVER_OPTIONS
from arena.server.caller import Caller, Role
from arena.server.certificates import kept_certificate
from arena.server.door import Door
from benchmarks.measure import ROOT, Figures, Size
from benchmarks.rooms import NAMES, measure_these

GRACE_SECONDS = 60.0


def measure_listening(bot: Path, transport: Transport, size: Size) -> Figures:
    """Two copies of a bot that listen as they are told, with hints."""
    spec = replace(read_manifest(bot), transport=transport)
    return measure_these([replace(spec, name=name) for name in NAMES], True, False, size)


def measure_joined(bot: Path, tls: bool, size: Size) -> Figures:
    """Two copies of a bot that have dialled in, with hints."""
    with TemporaryDirectory() as folder, ExitStack() as held:
        port, addresses = held.enter_context(_door(Path(folder), tls))
        environment = os.environ | {"ARENA_JOIN": f"localhost:{port}", "PYTHONPATH": str(ROOT)}
        if tls:
            environment["ARENA_CA"] = str(Path(folder) / "ca")
        for name in NAMES:
            held.enter_context(_dialling(bot, environment | {"ARENA_NAME": name}))
        bots = [_at(name, addresses[name]) for name in NAMES]
        return measure_these(bots, True, False, size)


def _at(name: str, address: str) -> BotSpec:
    return replace(inline_spec(name, joins=True), address=address)


@contextmanager
def _dialling(bot: Path, environment: dict[str, str]) -> Iterator[None]:
    with subprocess.Popen([sys.executable, "bot.py"], cwd=bot, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


@contextmanager
def _door(folder: Path, tls: bool) -> Iterator[tuple[int, dict[str, str]]]:
    """A door in a process of its own: its port, and where it answers for the bots."""
    command = [sys.executable, "-m", "benchmarks.remote", str(folder), *(["tls"] if tls else [])]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port, addresses = json.loads(_line(process.stdout))
            yield port, addresses
        finally:
            process.terminate()


def _line(output: IO[str]) -> str:
    line = output.readline()
    if not line:
        raise RuntimeError("the door did not open")
    return line


async def _open_door(folder: Path, tls: bool) -> None:
    """Be the door, until the end of this process."""
    door = Door(lambda _: Caller(Role.ORGANISER))
    server = grpc.aio.server(options=SERVER_OPTIONS)
    add_DoorServicer_to_server(door, server)
    if tls:
        certificate = kept_certificate(folder)
        assert certificate.authority is not None
        (folder / "ca").write_bytes(certificate.authority.read_bytes())
        port = server.add_secure_port("127.0.0.1:0", certificate.credentials())
    else:
        port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(json.dumps([port, await door.addresses("bench", NAMES, GRACE_SECONDS)]), flush=True)
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(_open_door(Path(sys.argv[1]), len(sys.argv) > 2))
