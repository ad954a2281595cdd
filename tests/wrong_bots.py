"""Bots that are wrong in one way each, as folders."""

import shutil
from pathlib import Path

PROGRAM = Path(__file__).parent / "kit" / "bots" / "wrong.py"


def wrong(folder: Path, way: str, game: str = "gin", **keys: str) -> Path:
    """Make this the folder of a bot that is wrong in a way of kit/bots/wrong.py. keys: of its bot.yaml, as YAML."""
    shutil.copy(PROGRAM, folder)
    lines = {"name": "wrong", "run": f"['{{python}}', wrong.py, '{way}']", "games": f"[{game}]", **keys}
    (folder / "bot.yaml").write_text("".join(f"{key}: {value}\n" for key, value in lines.items()))
    return folder
