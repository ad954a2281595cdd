"""What is committed under arena/protocol/v1 is what proto/ says."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def check(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tools/generate_protocol.py", "--check"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def test_generated_code_is_that_of_the_proto_files() -> None:
    done = check(ROOT)
    assert done.returncode == 0, done.stderr


def test_a_changed_proto_file_is_noticed(tmp_path: Path) -> None:
    for folder in ("proto", "tools", "arena/protocol/v1"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    proto = tmp_path / "proto/arena/v1/player.proto"
    proto.write_text(proto.read_text().replace("fixed64 turn_id = 1;", "fixed64 turn_id = 7;"))
    done = check(tmp_path)
    assert done.returncode == 1
    assert "arena/protocol/v1/player_pb2.py: differs from proto/" in done.stderr
