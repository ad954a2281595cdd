"""The arena as a service: series that are submitted and watched over gRPC, and the door where bots dial in."""

import arena.players  # noqa: F401 - before gRPC, whose own log it sees to
