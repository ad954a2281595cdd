"""A bot whose decisions come from a program that reads and writes lines of JSON, for languages without gRPC at hand.

`lines` is the form of the messages, docs/bridge.md its reference. `program` is the process, and the conversation with
it. `serve_program` is `arena bridge`.
"""

from arena.bridge.program import serve_program

__all__ = ["serve_program"]
