"""Check a wheel in the environment it was installed into: `python tools/check_wheel.py dist/gin_arena-*.whl`.

The wheel must have everything of the package and of the sample bots that is under version control, and no more of
these. Every module must import from the environment and not from the source, and the command must do for an author
what it does in a clone: begin a bot, check it, play it against a sample bot, pack it.
"""

import importlib
import pkgutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import arena

ROOT = Path(__file__).resolve().parent.parent
SAMPLES, PLACE = "sample_bots/", "arena/samples/"
"""Where the sample bots are in the clone, and where in the wheel."""
EXTRAS = {
    "numpy": "arena.",
    "cryptography": "arena.server.",
    "grpc_health": "arena.server.",
    "grpc_reflection": "arena.server.",
    "distributed": "arena.tournament.",
}
"""Libraries of extras, which need not be here, and the modules that may need them."""


def main(wheel: str) -> None:
    """Raise, or exit with a message, at the first thing that is wrong."""
    tracked = subprocess.run(
        ["git", "ls-files", "arena", SAMPLES], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    wanted = {PLACE + path.removeprefix(SAMPLES) if path.startswith(SAMPLES) else path for path in tracked}
    there = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("arena/")}
    if wanted != there or not tracked:
        sys.exit(f"not in the wheel: {sorted(wanted - there)}, only in the wheel: {sorted(there - wanted)}")
    if Path(arena.__file__).is_relative_to(ROOT / "arena"):
        sys.exit(f"the arena was imported from its source, {arena.__file__}")
    modules = [module.name for module in pkgutil.walk_packages(arena.__path__, "arena.")]
    for name in modules:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if not name.startswith(EXTRAS.get((error.name or "").partition(".")[0], name + ".")):
                raise
    with tempfile.TemporaryDirectory() as folder:
        version = command(folder, "--version").strip()
        command(folder, "new", "python", "ginny")
        command(folder, "check", "ginny", "--quick")
        table = command(folder, "run", "ginny.yaml", "--set", "groups=2", "--set", "play=deals", "--out", "run")
        if not {"ginny", "greedy"} <= set(table.split()):
            sys.exit(f"expected a table with ginny and greedy, got\n{table}")
        command(folder, "report", "run")
        command(folder, "pack", "ginny")
    print(f"{version}: {len(there)} files in the wheel, {len(modules)} modules import, a new bot is checked and plays")


def command(folder: str, *arguments: str) -> str:
    """What an `arena` command of this environment prints, run in a folder. Exits where it fails."""
    program = Path(sys.executable).parent / "arena"
    done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"arena {' '.join(arguments)} exits with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main(*sys.argv[1:])
