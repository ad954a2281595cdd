"""The real `arena` command, as a process."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def run_arena(
    *arguments: str | Path,
    stdin: str = "",
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run `arena ARGUMENTS` to its end and return its code and output. `environment` is added to this process's."""
    return subprocess.run(
        [sys.executable, "-m", "arena", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=False,
        cwd=folder,
        env={**os.environ, **(environment or {})},
    )
