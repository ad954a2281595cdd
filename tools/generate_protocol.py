"""Generate arena/protocol/v1 from proto/arena/v1, or check that what is committed is what would be generated.

    python tools/generate_protocol.py           write the generated code
    python tools/generate_protocol.py --check   exit 1 and name every file that differs

The proto files are mapped to the path of the Python package, so that the generated imports need no rewriting.
"""

import argparse
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "proto" / "arena" / "v1"
PACKAGE = Path("arena/protocol/v1")
GENERATORS = {"grpcio-tools": "1.76.0", "mypy-protobuf": "5.1.0"}
"""Pinned low on purpose: generated code refuses to run on a protobuf or grpcio older than its generator."""


def generate(into: Path) -> None:
    """Write the generated modules and their type stubs below the folder `into`."""
    scripts = sysconfig.get_path("scripts")
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PACKAGE}={SOURCES}"]
    command += [f"--plugin={plugin}={scripts}/{plugin}" for plugin in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")]
    command += [f"--{kind}_out={into}" for kind in ("python", "grpc_python")]
    command += [f"--{kind}_out=quiet:{into}" for kind in ("mypy", "mypy_grpc")]
    command += [str(PACKAGE / source.name) for source in sorted(SOURCES.glob("*.proto"))]
    subprocess.run(command, check=True, cwd=into)


def contents(root: Path) -> dict[str, str]:
    """Text of every generated file below `root`, by path."""
    return {str(path.relative_to(root)): path.read_text() for path in sorted((root / PACKAGE).glob("*_pb2*.py*"))}


def check() -> int:
    """Compare what is committed with what would be generated; exit code 0 or 1."""
    with tempfile.TemporaryDirectory() as scratch:
        generate(Path(scratch))
        wanted, found = contents(Path(scratch)), contents(ROOT)
    drifted = sorted(path for path in wanted | found if wanted.get(path) != found.get(path))
    for path in drifted:
        print(f"{path}: differs from proto/; run `python tools/generate_protocol.py`", file=sys.stderr)
    return 1 if drifted else 0


def main() -> int:
    """Read the command line and do as it says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail on drift")
    arguments = parser.parse_args()
    for package, wanted in GENERATORS.items():
        if version(package) != wanted:
            print(f"expected {package}=={wanted}, got {version(package)}; install that one", file=sys.stderr)
            return 2
    if arguments.check:
        return check()
    generate(ROOT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
