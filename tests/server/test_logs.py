"""The server's log: a line for people or for programs, with no token in it, and no harm where it cannot be written."""

import io
import json

import pytest

from arena.server.logs import Log

NOW = 1_777_777_777.1239


def written(*, as_json: bool, **fields: str | float | bool | None) -> str:
    stream = io.StringIO()
    Log(stream, as_json=as_json, clock=lambda: NOW).say("call", **fields)
    return stream.getvalue()


def test_a_line_for_people() -> None:
    line = written(as_json=False, caller="Ada's team", method="Watch", ms=1.5, why=None, live=True, told="a\n\x1b[2Jb")
    assert line == (
        '2026-05-03T03:09:37.123Z call caller="Ada\'s team" method=Watch ms=1.5 live=true told="a\\\\n\\\\x1b[2Jb"\n'
    )


def test_a_line_for_programs() -> None:
    line = written(as_json=True, caller="Ada's team", ms=1.5, why=None, told="a\nb")
    assert line.count("\n") == 1
    assert json.loads(line) == {
        "time": "2026-05-03T03:09:37.123Z",
        "event": "call",
        "caller": "Ada's team",
        "ms": 1.5,
        "told": "a\nb",
    }


@pytest.mark.parametrize("as_json", [True, False])
def test_no_token_is_ever_in_it(as_json: bool) -> None:
    token = "gin_" + "aB3-_" * 8 + "abc"
    line = written(as_json=as_json, why=f"Bearer {token}: unknown", caller=token)
    assert token[4:] not in line
    assert line.count("gin_...") == 2


def test_a_log_that_cannot_be_written_does_no_harm() -> None:
    class Full(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(28, "No space left on device")

    Log(Full()).say("call")
    closed = io.StringIO()
    closed.close()
    Log(closed).say("call")


def test_a_bug_is_told_with_its_traceback() -> None:
    stream = io.StringIO()
    with pytest.raises(KeyError) as raised:
        json.loads("{}")["x"]
    Log(stream, as_json=True).bug(raised.value, method="Hand")
    told = json.loads(stream.getvalue())
    assert (told["event"], told["error"], told["method"]) == ("bug", "KeyError: 'x'", "Hand")
    assert "test_logs.py" in told["traceback"]
