"""Bots that want more memory than there is, and end as the runtimes of several languages do."""

import os
import sys

from culprit import WAY, Moment, serve

from arena.protocol.v1 import player_pb2 as pb

LAST_WORDS = {
    "C++": "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc",
    "Rust": "memory allocation of 8589934592 bytes failed",
    "Java": "Terminating due to java.lang.OutOfMemoryError: Java heap space",
    "Go": "fatal error: runtime: out of memory",
}


def allocate(moment: Moment) -> list[pb.Decision]:
    kept = [b"x" * (16 << 20) for _ in range(32)]  # half a gigabyte, which no machine minds
    print(len(kept), file=sys.stderr)
    return [moment.honest]


def abort(_: Moment) -> list[pb.Decision]:
    print(LAST_WORDS[WAY.removeprefix("ends as in ")], file=sys.stderr, flush=True)
    os.abort()


serve({"wants all memory": allocate, WAY if WAY.startswith("ends as in ") else "": abort})
