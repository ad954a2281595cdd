"""Check a wheel in the environment it was installed into: `python tools/check_wheel.py dist/gin_arena-*.whl`.

Everything of the package that is under version control must be in the wheel, every module must import
from the environment and not from the source, and the command must start.
"""

import importlib
import pkgutil
import subprocess
import sys
import zipfile
from pathlib import Path

import arena

ROOT = Path(__file__).resolve().parent.parent


def main(wheel: str) -> None:
    """Raise, or exit with a message, at the first thing that is missing."""
    tracked = subprocess.run(
        ["git", "ls-files", "arena"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    missing = set(tracked) - set(zipfile.ZipFile(wheel).namelist())
    if missing or not tracked:
        sys.exit(f"not in the wheel: {sorted(missing) or 'anything'}")
    if Path(arena.__file__).is_relative_to(ROOT / "arena"):
        sys.exit(f"the arena was imported from its source, {arena.__file__}")
    modules = [module.name for module in pkgutil.walk_packages(arena.__path__, "arena.")]
    for name in modules:
        importlib.import_module(name)
    command = Path(sys.executable).parent / "arena"
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{version}: {len(tracked)} files in the wheel, {len(modules)} modules import, the command starts")


if __name__ == "__main__":
    main(*sys.argv[1:])
