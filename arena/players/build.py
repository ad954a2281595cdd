"""Building a bot before it plays."""

import subprocess
from pathlib import Path

from arena.errors import InputError
from arena.players.launch import filled_in, missing_program
from arena.players.log import last_words
from arena.players.manifest import BotSpec

BUILD_SECONDS = 600.0
"""A build that takes longer has stalled."""


def build(spec: BotSpec) -> None:
    """Run a bot's build command, if it has one, in its folder and with the user's own environment.

    Raises InputError if it fails.
    """
    if spec.build is None:
        return
    folder = spec.folder or Path.cwd()
    told = f"{folder}: the build command {' '.join(spec.build)!r}"
    if missing := missing_program(spec.build, folder):
        raise InputError(f"{told} cannot be run: {missing}")
    try:
        done = subprocess.run(
            filled_in(spec.build),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=BUILD_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"{told} has not ended in {BUILD_SECONDS:g} s") from None
    except OSError as error:
        raise InputError(f"{told} cannot be run: {error.strerror}") from None
    if done.returncode:
        words = last_words(done.stdout) or "none"
        raise InputError(f"{told} failed with code {done.returncode}; its last words: {words}; run it there to see all")
