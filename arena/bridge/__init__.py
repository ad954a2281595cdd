"""What stands between a bot and the protocol where the two do not meet by themselves.

A program that reads and writes lines of JSON, for languages without gRPC at hand: `lines` is the form of the messages,
docs/bridge.md its reference; `program` is the process, and the conversation with it. `serve_program` is `arena bridge`.

A bot in a folder that dials in to an arena, in any language: `folder`. `joined` is `arena join`.
"""

from arena.bridge.folder import NotStartedError, joined
from arena.bridge.program import serve_program

__all__ = ["NotStartedError", "joined", "serve_program"]
