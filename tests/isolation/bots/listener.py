"""A bot that only listens, until it is told to end: `listener.py [as it was told | on tcp | by a child]`."""

import os
import signal
import socket
import sys
import time


def leave(*_: object) -> None:
    print("told to end", flush=True)
    os._exit(0)


way = " ".join(sys.argv[1:])
if way == "by a child" and os.fork():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.wait()
    sys.exit(3)
signal.signal(signal.SIGTERM, leave)
listen = os.environ["ARENA_LISTEN"]
if listen.startswith("unix:"):
    server = socket.socket(socket.AF_UNIX)
    server.bind(listen.removeprefix("unix:"))
    server.listen()
else:
    server = socket.create_server(("127.0.0.1", 0))
    print(f"ARENA-READY 127.0.0.1:{server.getsockname()[1]}", flush=True)
if way == "uses up its memory":
    held = []
    for _ in range(8):
        if os.fork() == 0:
            held += [bytearray(1 << 20) for _ in range(100)]
            break
time.sleep(3600)
