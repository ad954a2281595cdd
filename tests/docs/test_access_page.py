"""docs/access.md and what docs/security.md says of the service: roles, limits and statuses as the arena has them."""

import re

import grpc
import pytest
from pages import ROOT, page, section, tables

from arena.documents.document import LARGEST
from arena.kit.unpacking import MOST_BYTES, MOST_FILES
from arena.protocol.dialling import LARGEST_MESSAGE
from arena.server.access import LARGEST_REQUEST, MAY
from arena.server.caller import Role
from arena.server.certificates import VALID
from arena.server.rates import LIMITS
from arena.server.uploads import Limits

PAGE = page("access.md")
PROMISES, *_ = tables(section(page("security.md"), "The arena as a service"))


def test_every_call_is_told_with_who_may_make_it() -> None:
    (rows,) = tables(section(PAGE, "Roles"))
    told = {
        name: frozenset(role for role in Role if row[role] != "no")
        for row in rows
        for name in re.findall(r"`(\w+)`", row["call"])
    }
    assert told == {method.rpartition("/")[2]: may for method, may in MAY.items() if method.startswith("/arena.")}


def test_the_limits_are_those_of_the_code() -> None:
    (rows,) = tables(section(PAGE, "Limits"))
    uploads = Limits()
    assert {row["what"]: row["limit"] for row in rows} == {
        "a message to the arena": f"{LARGEST_REQUEST >> 20} MiB",
        "a message of the arena": f"{LARGEST_MESSAGE >> 20} MiB",
        "calls of one token, and without one from one address": f"{LIMITS.rate:g} a second, {LIMITS.burst} at once",
        "open streams (`Join`, `Watch`, `Submit`) of one token": f"{LIMITS.streams}",
        "open streams in all": f"{LIMITS.in_all:,}",
        "a series file": f"{LARGEST >> 10} KiB",
        "bots in a submission": f"{uploads.archives}",
        "the archive of a bot": f"{uploads.archive // 10**6} MB",
        "all archives of a submission": f"{uploads.in_all // 10**6} MB",
        "a bot, unpacked": f"{MOST_BYTES // 10**6} MB, {MOST_FILES:,} files",
        "all bots of a submission, unpacked": f"{uploads.unpacked // 10**9} GB",
        "a submission": f"{uploads.seconds / 60:g} minutes, "
        f"and {uploads.silence:g} seconds between two of its messages",
    }
    assert f"for {VALID.days} days" in PAGE


def test_every_status_is_one_and_one_that_the_server_names_is_told() -> None:
    (rows,) = tables(section(PAGE, "Refusals"))
    told = {row["status"].strip("`") for row in rows}
    assert told <= {code.name for code in grpc.StatusCode}
    source = "".join(path.read_text() for path in (ROOT / "arena" / "server").glob("*.py"))
    named = set(re.findall(r"StatusCode\.([A-Z_]+)", source)) - {"OK", "CANCELLED", "UNKNOWN"}
    assert named <= told


@pytest.mark.parametrize("row", PROMISES, ids=lambda row: row["promise"][:40])
def test_a_promise_of_the_service_is_held_by_tests_that_are_there(row: dict[str, str]) -> None:
    named = re.findall(r"`(test_\w+)`", row["held by"])
    files = re.findall(r"`(tests/[^`]+\.py)`", row["held by"])
    assert named or files
    written = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name in named if f"def {name}(" not in written] == []
    assert all((ROOT / path).is_file() for path in files)
