"""The master seed of a series, and what is published of it before the first card.

With `seed: commit` nobody can grind for a lucky seed: the organiser publishes the commitment to a secret before the
entries are known, and the seed hangs on both, see `arena.dealing.contest_seed`.
"""

from dataclasses import dataclass
from pathlib import Path

from arena import dealing
from arena.errors import InputError
from arena.tournament.config import COMMIT, FRESH
from arena.tournament.series import Series


@dataclass(frozen=True, slots=True)
class SeriesSeed:
    """The seed of a series.

    master: 32 bytes, what `arena.dealing` deals from.
    commitment: hex, what was published before: the hash of the secret, or of the master seed where there is no secret.
    secret: what the organiser committed to, `None` where the seed was given or is fresh.
    """

    master: bytes
    commitment: str
    secret: bytes | None = None


def series_seed(series: Series, base: Path) -> SeriesSeed:
    """The seed that a series asks for.

    base: the folder that paths of the series are relative to. Raises `InputError` for a secret that cannot be read.
    """
    text, file = series.config.seed, series.config.secret_file
    if text != COMMIT:
        master = dealing.fresh_seed() if text == FRESH else dealing.master_seed(text)
        return SeriesSeed(master, dealing.commitment(master))
    secret = dealing.fresh_seed() if file is None else read_secret(base / file)
    entries = [bot.content_hash for bot in series.bots]
    return SeriesSeed(dealing.contest_seed(secret, entries), dealing.commitment(secret), secret)


def read_secret(path: Path) -> bytes:
    """The secret in a file. Raises `InputError` for a file that is none."""
    try:
        with path.open("rb") as file:
            secret = file.read(dealing.SEED_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}, expected a secret; to make one: arena commit {path}") from None
    if len(secret) != dealing.SEED_BYTES:
        raise InputError(f"{path}: expected a secret of {dealing.SEED_BYTES} bytes, got another file")
    return secret


def made_secret(path: Path) -> bool:
    """Make a secret that only this user may read, if there is no such file; whether there was none.

    Raises `InputError` where none can be made.
    """
    try:
        path.touch(mode=0o600, exist_ok=False)
    except FileExistsError:
        return False
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}, expected a place for a new file") from None
    path.write_bytes(dealing.fresh_seed())
    return True
