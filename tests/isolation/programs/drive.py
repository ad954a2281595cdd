"""Runs a program in a sandbox and tells what came of it, as an arena does it that runs as this user.

It needs nothing but `arena.isolation`, so that any user with a Python can run it. It reads a JSON object:

    argv, folder     the command
    limits           as `Limits` has them
    layers           to be used, `null` for all that work here
    wait             "exit": until it ends; "line": until it has printed a line, then it is killed;
                     "forever": until this process is killed
    sockets          whether to listen where the program could reach it, if it could reach anything

and prints one: code, out, err, layers (by name, the reason for those that are off), seconds of CPU, out_of_memory.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from arena.isolation.probe import find_isolation
from arena.isolation.sandbox import Sandbox
from arena.isolation.values import Limits, Mode

LIMIT = 40.0


def main() -> None:
    asked = json.load(sys.stdin)
    isolation = find_isolation(Mode.BEST_EFFORT, Limits(**asked.get("limits", {})))
    told = {state.layer.value: "on" if state.on else str(state) for state in isolation.layers}
    if asked.get("layers") is not None:
        isolation = replace(isolation, layers=tuple(s for s in isolation.layers if s.layer.value in asked["layers"]))
    private = Path(tempfile.mkdtemp(prefix="gin-"))
    (private / "scratch").mkdir()
    words, held = [*asked["argv"]], []
    if asked.get("sockets"):
        tcp, abstract, unix = socket.create_server(("127.0.0.1", 0)), f"gin-{os.getpid()}", private / "listens"
        named = [socket.socket(socket.AF_UNIX) for _ in range(2)]
        for server, path in zip(named, (f"\0{abstract}", str(unix)), strict=True):
            server.bind(path)
            server.listen()
        unix.chmod(0o777)
        held = [tcp, *named]
        words += [str(tcp.getsockname()[1]), abstract, str(unix)]
    sandbox = Sandbox(isolation, private)
    process = subprocess.Popen(
        sandbox.command([word.replace("{pid}", str(os.getpid())) for word in words], Path(asked["folder"])),
        cwd=asked["folder"],
        env={"PATH": os.environ["PATH"], "HOME": str(private / "scratch"), "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    out = b""
    try:
        if asked["wait"] in ("line", "forever"):
            out = process.stdout.readline()
            sys.stderr.write(out.decode())
            sys.stderr.flush()
        if asked["wait"] == "forever":
            process.wait()
        if asked["wait"] == "line":
            sandbox.kill(process.pid)
        more, err = process.communicate(timeout=LIMIT)
    finally:
        sandbox.kill(process.pid)
        process.wait()
        sandbox.over(process.pid)
    for one in held:
        one.close()
    sandbox.close()
    shutil.rmtree(private)
    report = {
        "code": sandbox.exit_code(process.returncode),
        "out": (out + more).decode(),
        "err": err.decode(),
        "layers": told,
        "cpu_seconds": sandbox.cpu_seconds(),
        "out_of_memory": sandbox.out_of_memory(),
    }
    print(json.dumps(report))


main()
