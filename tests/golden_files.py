"""The golden files: what the arena makes of fixed games, kept as text, so that no change of it goes unseen.

    python tests/golden_files.py

writes them anew. Look at every difference before it is committed: it is a change of the rules, the dealing, the
scoring or the tables, and wanted or not.
"""

from pathlib import Path

from finished_runs import result_files
from playthroughs import PLAYTHROUGHS

GOLDEN = Path(__file__).parent / "golden"


def made() -> dict[str, str]:
    """Every golden file as it is made now, by its path below `GOLDEN`."""
    games = {f"playthroughs/{name}.txt": playthrough.text() for name, playthrough in PLAYTHROUGHS.items()}
    return games | {f"results/{name}": text for name, text in result_files().items()}


def kept() -> dict[str, str]:
    """The golden files as they are kept."""
    files = [path for path in GOLDEN.rglob("*") if path.is_file() and path.suffix != ".py"]
    files = [path for path in files if path.parent.name != "__pycache__"]  # Python's own, beside the tests
    return {path.relative_to(GOLDEN).as_posix(): path.read_bytes().decode() for path in files}


def main() -> None:
    """Write the files anew; those that are made no more go."""
    new, old = made(), kept()
    for name in sorted(old.keys() - new.keys()):
        (GOLDEN / name).unlink()
        print(f"gone     {name}")
    for name, text in new.items():
        if old.get(name) != text:
            (GOLDEN / name).parent.mkdir(parents=True, exist_ok=True)
            (GOLDEN / name).write_bytes(text.encode())
            print(f"{'changed ' if name in old else 'new     '} {name}")


if __name__ == "__main__":
    main()
