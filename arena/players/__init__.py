"""A bot as a process or an address: how it is found, started, asked, timed and ended."""

import os

# gRPC's own log of every bot that goes is no message to a user. It is read when gRPC is imported.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
