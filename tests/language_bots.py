"""The sample bots in other languages, built: what their tests share."""

import os
import shutil
from functools import cache

import pytest
from bots_at_table import SAMPLE_BOTS

from arena.isolation.probe import find_isolation
from arena.isolation.values import Isolation, Mode
from arena.players.build import BUILD_LIMITS, build
from arena.players.manifest import read_manifest
from arena.players.spec import BotSpec

LANGUAGE_BOTS = sorted(path.parent.name for path in SAMPLE_BOTS.glob("simple-*/bot.yaml"))
TOOLS = {
    "simple-c": ("make", "cc"),
    "simple-cpp": ("cmake", "c++", "pkg-config", "protoc", "grpc_cpp_plugin"),
    "simple-cpp-bridge": ("make", "c++"),
    "simple-go": ("go",),
    "simple-java": ("mvn", "javac"),
    "simple-java-bridge": ("javac",),
    "simple-rust": ("cargo", "cc"),
    "simple-typescript": ("node", "npm"),
}
"""The commands that a bot is built with."""

build_timeout = pytest.mark.timeout(900)
"""Seconds a test may take that is the first to ask for a bot: it builds it from nothing."""
another_language = [pytest.mark.languages, build_timeout]
"""The marks of a test that builds bots in other languages."""


def missing_tools(name: str) -> list[str]:
    """What a language's bot is built with and is not here."""
    return [tool for tool in TOOLS[name] if shutil.which(tool) is None]


@cache
def isolation() -> Isolation:
    """What a stranger's bot is built in, as far as this machine has it."""
    return find_isolation(Mode.BEST_EFFORT, BUILD_LIMITS)


def built_bot(name: str) -> BotSpec:
    """A language's bot, built unless it is already. Skips the test where its tools are missing, and fails it in CI."""
    if missing := missing_tools(name):
        words = f"{name} is built with {' and '.join(missing)}, not installed here"
        if "CI" in os.environ:
            pytest.fail(words)
        pytest.skip(words)
    spec = read_manifest(SAMPLE_BOTS / name)
    build(spec, isolate=isolation)
    return spec
