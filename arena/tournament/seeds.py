"""The master seed of a series, and what is published of it before the first card.

With `seed: commit` nobody can grind for a lucky seed: the organiser publishes the commitment to a secret before the
entries are known, and the seed hangs on both, see `arena.dealing.contest_seed`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from arena import dealing
from arena.tournament.config import COMMIT, FRESH


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


def series_seed(text: str, content_hashes: Iterable[str], secret: bytes | None = None) -> SeriesSeed:
    """The seed that a series asks for.

    text: its `seed`.
    content_hashes: of the bots; they matter to `commit` alone.
    secret: what was committed to for `commit`; `None` for a fresh one.
    """
    if text != COMMIT:
        master = dealing.fresh_seed() if text == FRESH else dealing.master_seed(text)
        return SeriesSeed(master, dealing.commitment(master))
    secret = secret or dealing.fresh_seed()
    return SeriesSeed(dealing.contest_seed(secret, content_hashes), dealing.commitment(secret), secret)
