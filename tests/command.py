"""The real `arena` command, as a process or within this one."""

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from arena.cli.main import run


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


def call_arena(
    *arguments: str | Path, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The same without a process, which takes longer to start than most commands to run.

    For commands that start none themselves, beside a test that runs the command as a process.
    """
    out, err = StringIO(), StringIO()
    with (
        patch.dict(os.environ, environment or {}),
        chdir(folder or Path.cwd()),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = run([*map(str, arguments)])
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())
