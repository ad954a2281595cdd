"""Whatever comes in, nothing but a declared error comes out. Every run tries the same; `make fuzz` digs deeper."""

import json
from pathlib import Path

import pytest
from command import run_arena
from fuzz.campaign import breach, hunt
from fuzz.target import Target, check_message
from fuzz.targets import corpus, targets
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.documents import parse_document
from arena.errors import InputError
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.options import OPTIONS
from arena.rules.score import score_line
from arena.tournament.series import series_of

CASES = {"decision": 3000, "series": 60, "setting": 100, "manifest": 200, "notation": 4000, "score": 2000}
CASES |= {"archive": 150, "roster": 300, "metadata": 100, "assignment": 20, "submission": 600}


@pytest.fixture(scope="module")
def every_target(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Target]:
    return targets(tmp_path_factory.mktemp("fuzz"))


@pytest.mark.parametrize("name", CASES)
def test_real_input_keeps_the_law(name: str, every_target: dict[str, Target]) -> None:
    for data in every_target[name].inputs[:: 8 if name == "decision" else 1]:
        every_target[name].check(data)


def test_the_series_to_be_spoilt_are_sound(every_target: dict[str, Target]) -> None:
    folder = every_target["series"].check._folder  # type: ignore[attr-defined]
    for data in every_target["series"].inputs:
        assert series_of(parse_document(data.decode(), "x.yaml"), folder).bots


@pytest.mark.parametrize("name", CASES)
def test_spoilt_input_keeps_the_law(name: str, every_target: dict[str, Target]) -> None:
    found = hunt(name, every_target[name], CASES[name], seed=1)
    assert found.cases == CASES[name]
    assert not found.failures


@pytest.mark.parametrize(("name", "path"), corpus(), ids=lambda value: value.name if isinstance(value, Path) else value)
def test_what_once_broke_the_law_keeps_it(name: str, path: Path, every_target: dict[str, Target]) -> None:
    every_target[name].check(path.read_bytes())


def test_a_hunt_finds_what_breaks_the_law_and_does_the_same_again() -> None:
    def fussy(data: bytes) -> None:
        if b"[" in data:
            raise ValueError("a bracket")

    target = Target(fussy, (b"some text",), ())
    found = hunt("fussy", target, 300, seed=2)
    assert len(found.failures) == 1
    ((data, told),) = found.failures.values()
    assert b"[" in data
    assert "ValueError: a bracket" in told
    assert breach(target, data) is not None
    assert hunt("fussy", target, 300, seed=2).failures == found.failures


@pytest.mark.parametrize("message", ["no", "expected\x1b[2J this, got that", "expected this, got <class 'str'>", "\n"])
def test_messages_that_nobody_can_act_on_are_told(message: str) -> None:
    with pytest.raises(AssertionError):
        check_message(message)


# Input that has the right shape, from hypothesis.

_DECISIONS = st.builds(
    pb.Decision,
    turn_id=st.integers(0, 150),
    action=st.integers(0, 10),
    card=st.none() | st.integers(0, 60),
    melds=st.none() | st.builds(pb.Melds, melds=st.lists(st.binary(max_size=12), max_size=7)),
    layoffs=st.none() | st.binary(max_size=60),
    text=st.text(max_size=250),
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["4S 5S 6S", "AC"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*OPTIONS, "preset", "x"]), inner),
    max_leaves=8,
)
_FIELDS = ("rules", "knocker", "melds", "defender", "defender_melds", "layoffs", "upcard")


@settings(max_examples=60)
@given(st.lists(_DECISIONS, max_size=4))
def test_any_decisions_keep_the_law(every_target: dict[str, Target], decisions: list[pb.Decision]) -> None:
    every_target["decision"].check(pb.PlayResponse(decisions=decisions).SerializeToString())


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from(_FIELDS), _JSON))
def test_any_json_keeps_the_law(every_target: dict[str, Target], given: dict[str, object]) -> None:
    every_target["score"].check(json.dumps(given).encode())


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from(["name", "bots", "rules", "game", "groups", "clock", "seed", "x"]), _JSON))
def test_any_series_keeps_the_law(every_target: dict[str, Target], given: dict[str, object]) -> None:
    every_target["series"].check(json.dumps(given).encode())


def test_the_score_command_answers_every_line_of_a_file_of_garbage(every_target: dict[str, Target]) -> None:
    lines = [path.read_bytes() for name, path in corpus() if name == "score"] + [b"\0", b"\xff\xfe", b"[" * 9000, b"{}"]
    lines = [line.replace(b"\n", b" ") for line in (*every_target["score"].inputs, *lines)]
    done = run_arena("score", stdin=b"\n".join(lines).decode(errors="surrogateescape"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n")[:-1] == [score_line(line.decode(errors="replace")) for line in lines]


def test_nothing_of_a_bad_file_reaches_the_terminal_but_text(tmp_path: Path) -> None:
    path = tmp_path / "\x1b[2Jx.yaml"
    path.write_text('name: "\\e[2J"\nbots: ["\\e]0;title\\a"]\n"\\e[1m": 1\n')
    done = run_arena("schedule", path)
    assert done.returncode == 2
    assert all(line.isprintable() for line in done.stderr.splitlines())
    assert len(done.stderr.splitlines()) == 3
    with pytest.raises(InputError, match="expected"):
        raise InputError(done.stderr)
