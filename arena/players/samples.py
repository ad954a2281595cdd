"""The sample bots: opponents at hand, and what `arena new` begins with."""

from pathlib import Path

import arena
from arena.players.files import MANIFEST
from arena.players.manifest import read_manifest
from arena.players.spec import BotSpec


def sample_folders() -> dict[str, Path]:
    """The folders of the sample bots by name: those that came with the package, or else those of the clone."""
    package = Path(arena.__file__).parent
    for folder in (package / "samples", package.parent / "sample_bots"):
        if found := {path.parent.name: path.parent for path in sorted(folder.glob(f"*/{MANIFEST}"))}:
            return found
    return {}


def sample(name: str) -> BotSpec | None:
    """The sample bot of that name, `None` where it has not come along."""
    folder = sample_folders().get(name)
    return None if folder is None else read_manifest(folder)
