"""Generate what is made from proto/arena/v1, or check that what is committed is what would be generated.

    python tools/generate_protocol.py           write it
    python tools/generate_protocol.py --check   exit 1 and name every file that differs

It makes the Python code in arena/protocol/v1, the copies of player.proto and join.proto beside the sample bots that
compile them themselves, and the Go code of sample_bots/simple-go. The Go code is left alone where there is no `go`, or
no network to fetch its plugins, except in CI.

A proto file imports another by its path in proto/; its copies, and what is generated from them, by where that lies.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "proto" / "arena" / "v1"
PROTOS = ("player.proto", "join.proto")
"""What a bot needs."""
PACKAGE = Path("arena/protocol/v1")
BOTS = Path("sample_bots")
GO_PACKAGE = BOTS / "simple-go" / "arenav1"
GENERATORS = {"grpcio-tools": "1.76.0", "mypy-protobuf": "5.1.0"}
"""Pinned low on purpose: generated code refuses to run on a protobuf or grpcio older than its generator."""
GO_PLUGINS = {
    "protoc-gen-go": "google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.11",
    "protoc-gen-go-grpc": "google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.6.0",
}
PROTOC = [sys.executable, "-m", "grpc_tools.protoc"]


def generate(into: Path) -> None:
    """Write all that is generated below the folder `into`."""
    generate_python(into)
    for name in PROTOS:
        for proto in (ROOT / BOTS).glob(f"*/{name}"):
            copy_source(SOURCES / name, into / proto.relative_to(ROOT), "")
    if (ROOT / GO_PACKAGE).is_dir():
        generate_go(into / GO_PACKAGE)


def generate_python(into: Path) -> None:
    """Write the Python modules and their type stubs into their package below the folder `into`."""
    sources = sorted(SOURCES.glob("*.proto"))
    with tempfile.TemporaryDirectory() as mapped:
        for source in sources:
            copy_source(source, Path(mapped) / PACKAGE / source.name, f"{PACKAGE}/")
        _run_python(into, mapped, [str(PACKAGE / source.name) for source in sources])


def _run_python(into: Path, mapped: str, sources: list[str]) -> None:
    scripts = sysconfig.get_path("scripts")
    command = [*PROTOC, f"-I{mapped}"]
    command += [f"--plugin={plugin}={scripts}/{plugin}" for plugin in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")]
    command += [f"--{kind}_out={into}" for kind in ("python", "grpc_python")]
    command += [f"--{kind}_out=quiet:{into}" for kind in ("mypy", "mypy_grpc")]
    subprocess.run([*command, *sources], check=True, cwd=into)


def copy_source(source: Path, copy: Path, place: str) -> None:
    """Copy a proto file to where others lie in the folder `place`."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(source.read_text().replace('import "arena/v1/', f'import "{place}'))


def generate_go(into: Path) -> None:
    """Write the Go code into the folder `into`; what is committed where its plugins cannot be had outside CI."""
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as plugins:
        if not installed(plugins):
            if "CI" in os.environ:
                sys.exit(f"{GO_PACKAGE}: `go` and a network are needed to generate it")
            print(f"{GO_PACKAGE}: left alone, as its plugins cannot be had here", file=sys.stderr)
            if into != ROOT / GO_PACKAGE:
                shutil.copytree(ROOT / GO_PACKAGE, into, dirs_exist_ok=True)
            return
        sources = Path(plugins) / "sources"
        for name in PROTOS:
            copy_source(SOURCES / name, sources / name, "")
        command = [*PROTOC, f"-I{sources}", *(f"--plugin={plugin}={plugins}/{plugin}" for plugin in GO_PLUGINS)]
        places = "".join([f",M{name}=bot/{GO_PACKAGE.name}" for name in PROTOS])
        for kind in ("go", "go-grpc"):
            command += [f"--{kind}_out={into}", f"--{kind}_opt=paths=source_relative{places}"]
        subprocess.run([*command, *PROTOS], check=True)


def installed(folder: str) -> bool:
    """Whether the Go plugins could be installed into a folder."""
    if shutil.which("go") is None:
        return False
    environment = os.environ | {"GOBIN": folder}
    commands = [["go", "install", plugin] for plugin in GO_PLUGINS.values()]
    return all(subprocess.run(one, env=environment, check=False).returncode == 0 for one in commands)


def contents(root: Path) -> dict[str, str]:
    """Text of every generated file below `root`, by path."""
    protos = [path for name in PROTOS for path in (root / BOTS).glob(f"*/{name}")]
    found = [*(root / PACKAGE).glob("*_pb2*.py*"), *protos, *(root / GO_PACKAGE).glob("*")]
    return {str(path.relative_to(root)): path.read_text() for path in sorted(found)}


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
