"""What is generated from proto/ and committed is what proto/ says: Python, Go, and the copies beside the bots."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from language_bots import build_timeout

ROOT = Path(__file__).parents[2]


def check(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tools/generate_protocol.py", "--check"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


@build_timeout
def test_generated_code_is_that_of_the_proto_files() -> None:
    done = check(ROOT)
    assert done.returncode == 0, done.stderr


def test_a_changed_proto_file_is_noticed(tmp_path: Path) -> None:
    for folder in ("proto", "tools", "arena/protocol/v1"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    copy = tmp_path / "sample_bots/simple-rust/player.proto"
    copy.parent.mkdir(parents=True)
    shutil.copyfile(ROOT / "proto/arena/v1/player.proto", copy)
    proto = tmp_path / "proto/arena/v1/player.proto"
    proto.write_text(proto.read_text().replace("fixed64 turn_id = 1;", "fixed64 turn_id = 7;"))
    done = check(tmp_path)
    assert done.returncode == 1
    assert "arena/protocol/v1/player_pb2.py: differs from proto/" in done.stderr
    assert "sample_bots/simple-rust/player.proto: differs from proto/" in done.stderr


@pytest.mark.languages
@build_timeout
def test_go_code_that_was_changed_is_noticed(tmp_path: Path) -> None:
    code = Path("sample_bots/simple-go/arenav1")
    for folder in (Path("proto"), Path("tools"), Path("arena/protocol/v1"), code):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    generated = tmp_path / code / "player.pb.go"
    generated.write_text(generated.read_text() + "// by hand\n")
    done = check(tmp_path)
    if "left alone" in done.stderr:  # never in CI
        pytest.skip("go is not installed here, or its plugins cannot be fetched")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"{code}/player.pb.go: differs from proto/")
