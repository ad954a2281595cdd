from hashlib import sha256

from arena.dealing import contest_seed, master_seed
from arena.tournament.seeds import series_seed

HASHES = ("b" * 64, "a" * 64, "a" * 64)


def test_a_seed_that_is_given_is_the_same_whoever_plays() -> None:
    seed = series_seed("2026", HASHES)
    assert seed == series_seed("2026", ())
    assert seed.master == master_seed("2026")
    assert seed.commitment == sha256(seed.master).hexdigest()
    assert seed.secret is None


def test_a_fresh_seed_is_never_the_same() -> None:
    one, two = series_seed("fresh", HASHES), series_seed("fresh", HASHES)
    assert len(one.master) == 32
    assert one.master != two.master
    assert one.commitment == sha256(one.master).hexdigest()


def test_a_committed_seed_hangs_on_the_secret_and_on_every_entry() -> None:
    secret = bytes(range(32))
    seed = series_seed("commit", HASHES, secret)
    assert seed.secret == secret
    assert seed.commitment == sha256(secret).hexdigest()
    entries = "".join(f"{content_hash}\n" for content_hash in ("a" * 64, "a" * 64, "b" * 64))
    assert seed.master == sha256(b"gin-arena/1/contest\0" + secret + entries.encode()).digest()
    assert seed.master == contest_seed(secret, reversed(HASHES))
    assert seed.master != contest_seed(secret, HASHES[:2])
    assert seed.master != contest_seed(bytes(32), HASHES)


def test_a_secret_is_fresh_where_none_was_committed_before() -> None:
    one, two = series_seed("commit", HASHES), series_seed("commit", HASHES)
    assert one.secret is not None
    assert one.secret != two.secret
    assert one.master == contest_seed(one.secret, HASHES)
