"""docs/security.md: the limits it tells are those of the code."""

import re

from pages import ROOT, page, section, tables

from arena.isolation.values import Layer
from arena.players.build import BUILD_SECONDS
from arena.players.connection import LARGEST_ANSWER
from arena.players.log import HEAD, TAIL
from arena.players.place import last_words
from arena.protocol.codec import MAX_MELDS, MAX_TEXT

PAGE = page("security.md")


def test_the_limits_are_those_of_the_code() -> None:
    (table,) = tables(section(PAGE, "What always holds"))
    told = {row["what"]: row["limit"] for row in table}
    assert HEAD == TAIL
    assert (
        told
        | {
            "a message of a bot": f"{LARGEST_ANSWER >> 20} MiB",
            "melds in a decision": f"{MAX_MELDS}",
            "text of advice": f"{MAX_TEXT} characters",
            "log of a bot": f"first and last {HEAD >> 10} KiB of each stream",
            "last words quoted in a fault": f"{len(last_words('x' * 1000))} printable characters",
            "build": f"{BUILD_SECONDS / 60:g} minutes",
        }
        == told
    )


def test_every_layer_is_told_with_the_tests_that_hold_it() -> None:
    (table,) = tables(section(PAGE, "Layers"))
    assert [row["layer"].strip("`") for row in table] == [layer.value for layer in Layer]
    written = "\n".join(path.read_text() for path in (ROOT / "tests" / "isolation").glob("test_*.py"))
    for row in table:
        names = re.findall(r"`(test_\w+)`", row["tested by"])
        assert names
        assert [name for name in names if f"def {name}(" not in written] == []
