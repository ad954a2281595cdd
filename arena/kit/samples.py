"""The sample bots, as opponents at hand."""

from pathlib import Path

import arena
from arena.players.manifest import MANIFEST, BotSpec, read_manifest


def sample(name: str) -> BotSpec | None:
    """The sample bot of that name: one that came with the package, or else of the clone; `None` without either."""
    package = Path(arena.__file__).parent
    for folder in (package / "samples" / name, package.parent / "sample_bots" / name):
        if (folder / MANIFEST).is_file():
            return read_manifest(folder)
    return None
