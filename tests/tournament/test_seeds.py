import stat
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import pytest
from command import run_arena

from arena.dealing import contest_seed, master_seed
from arena.errors import InputError
from arena.records.store import Run
from arena.tournament.seeds import SeriesSeed, made_secret, read_secret, series_seed
from arena.tournament.series import load_series


def seed_of(folder: Path, *settings: str, bots: str = "abb") -> SeriesSeed:
    """The seed of a series of bots by commands, of which some may be the same."""
    listed = "".join(f"- {{name: bot{number}, run: [{command}]}}\n" for number, command in enumerate(bots))
    (folder / "cup.yaml").write_text(f"name: cup\nbots:\n{listed}")
    return series_seed(load_series(folder / "cup.yaml", settings), folder)


def hashes(bots: str) -> list[str]:
    return [sha256(f"run\0{command}".encode()).hexdigest() for command in bots]


def test_a_seed_that_is_given_is_the_same_whoever_plays(tmp_path: Path) -> None:
    seed = seed_of(tmp_path, "seed=2026")
    assert seed == seed_of(tmp_path, "seed=2026", bots="xy")
    assert seed.master == master_seed("2026")
    assert seed.commitment == sha256(seed.master).hexdigest()
    assert seed.secret is None


def test_a_fresh_seed_is_never_the_same(tmp_path: Path) -> None:
    one, two = seed_of(tmp_path), seed_of(tmp_path)
    assert len(one.master) == 32
    assert one.master != two.master
    assert one.commitment == sha256(one.master).hexdigest()


def test_a_series_without_a_seed_draws_32_bytes_from_the_system(tmp_path: Path) -> None:
    with patch("secrets.token_bytes", side_effect=[bytes(range(32))]) as drawn:
        seed = seed_of(tmp_path)
    drawn.assert_called_once_with(32)
    assert seed.master == bytes(range(32))


def test_a_run_tells_its_commitment_before_the_first_card(tmp_path: Path) -> None:
    seed_of(tmp_path)
    done = run_arena("run", tmp_path / "cup.yaml", "--out", tmp_path / "run", "--max-time", "0s")
    assert done.returncode == 0
    with Run.open(tmp_path / "run") as run:
        assert not run.done()
        commitment = run.info.commitment
    told = f"Seed commitment {commitment}"
    assert told in done.stderr[: done.stderr.index("Playing ")].splitlines()
    assert sha256(bytes.fromhex(run.info.seed)).hexdigest() == commitment
    assert run.info.seed not in done.stdout + done.stderr


def test_a_committed_seed_hangs_on_the_secret_and_on_every_entry(tmp_path: Path) -> None:
    secret = bytes(range(32))
    (tmp_path / "secret").write_bytes(secret)
    told = ("seed=commit", "secret_file=secret")
    seed = seed_of(tmp_path, *told)
    assert seed.secret == secret
    assert seed.commitment == sha256(secret).hexdigest()
    entries = "".join(f"{content_hash}\n" for content_hash in sorted(hashes("abb")))
    assert seed.master == sha256(b"gin-arena/1/contest\0" + secret + entries.encode()).digest()
    assert seed.master == contest_seed(secret, hashes("bab"))
    assert seed_of(tmp_path, *told, bots="bba") == seed
    assert seed_of(tmp_path, *told, bots="ab").master != seed.master
    (tmp_path / "secret").write_bytes(bytes(32))
    assert seed_of(tmp_path, *told).master != seed.master


def test_a_secret_is_fresh_where_none_was_committed_before(tmp_path: Path) -> None:
    one, two = seed_of(tmp_path, "seed=commit"), seed_of(tmp_path, "seed=commit")
    assert one.secret is not None
    assert one.secret != two.secret
    assert one.master == contest_seed(one.secret, hashes("abb"))


def test_a_secret_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    assert made_secret(path)
    secret = read_secret(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not made_secret(path)
    assert read_secret(path) == secret
    made_secret(tmp_path / "other")
    assert read_secret(tmp_path / "other") != secret


def test_a_secret_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere/secret: No such file .*, expected a place for a new file"):
        made_secret(tmp_path / "nowhere" / "secret")


def test_a_file_that_is_no_secret_is_told(tmp_path: Path) -> None:
    told = ("seed=commit", "secret_file=secret")
    with pytest.raises(InputError, match=r"secret: No such file .*, expected a secret; to make one: arena commit /.*"):
        seed_of(tmp_path, *told)
    for content in (b"", bytes(31), bytes(33)):
        (tmp_path / "secret").write_bytes(content)
        with pytest.raises(InputError, match=r"secret: expected a secret of 32 bytes, got another file"):
            seed_of(tmp_path, *told)
    with pytest.raises(InputError, match=r"secret_file has no meaning with seed: fresh, expected it with seed: commit"):
        seed_of(tmp_path, "secret_file=secret")
