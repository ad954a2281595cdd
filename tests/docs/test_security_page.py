"""docs/security.md: the limits it tells are those of the code."""

from pages import page, tables

from arena.players.build import BUILD_SECONDS
from arena.players.connection import LARGEST_ANSWER
from arena.players.log import HEAD, TAIL, last_words
from arena.protocol.codec import MAX_MELDS, MAX_TEXT

PAGE = page("security.md")


def test_the_limits_are_those_of_the_code() -> None:
    (table,) = tables(PAGE)
    told = {row["what"]: row["limit"] for row in table}
    assert HEAD == TAIL
    assert (
        told
        | {
            "a message of a bot": f"{LARGEST_ANSWER >> 20} MiB",
            "melds in a decision": f"{MAX_MELDS}",
            "text of advice": f"{MAX_TEXT} characters",
            "log of a bot": f"first and last {HEAD >> 10} KiB of each stream",
            "last words quoted in a fault": f"{len(last_words(b'x' * 1000))} printable characters",
            "build": f"{BUILD_SECONDS / 60:g} minutes",
        }
        == told
    )
