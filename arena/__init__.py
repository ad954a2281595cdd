"""Gin Arena: a tournament platform for gin rummy bots."""

import os

__version__ = "0.1.0"

# gRPC's own log, of every bot that goes and every handshake that fails, is no message to a user. It is read when gRPC
# is imported, by whichever module comes first. A bot that an arena has started keeps the environment that it was given.
if "ARENA_LISTEN" not in os.environ:
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
