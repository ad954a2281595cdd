"""Bots that do not go when they are told to, or in their own way."""

import os
import signal

from culprit import WAY, serve, wait_for_ever


def goodbye() -> None:
    match WAY:
        case "sleeps through the goodbye" | "ignores TERM":
            wait_for_ever()
        case "exits with its stream":
            os._exit(7)


if WAY == "ignores TERM":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
serve({}, goodbye=goodbye)
