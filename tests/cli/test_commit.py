"""`arena commit`, as a process, and a contest on the secret that it has made."""

from hashlib import sha256
from pathlib import Path

from command import call_arena, run_arena

from arena.records.store import Run

SERIES = """
name: cup
bots: [{name: one, run: [none]}, {name: two, run: [neither]}]
play: deals
groups: 1
workers: 1
seed: commit
secret_file: secret
"""


def test_what_was_published_before_is_the_commitment_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(SERIES)
    made = run_arena("commit", tmp_path / "secret")
    assert made.returncode == 0
    assert made.stderr.startswith(f"Made {tmp_path / 'secret'}: 32 random bytes.")
    published = made.stdout.strip()
    assert published == sha256((tmp_path / "secret").read_bytes()).hexdigest()
    again = call_arena("commit", tmp_path / "secret")
    assert (again.returncode, again.stdout, again.stderr) == (0, made.stdout, "")

    played = run_arena("run", tmp_path / "cup.yaml", "--out", tmp_path / "run")
    assert played.returncode == 0, played.stderr
    assert f"Seed commitment {published}." in played.stdout
    with Run.open(tmp_path / "run") as run:
        assert run.info.secret == (tmp_path / "secret").read_bytes().hex()
    assert call_arena("verify", tmp_path / "run").returncode == 0
