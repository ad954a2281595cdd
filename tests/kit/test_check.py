"""`arena check`: bots that are right pass, and one that is wrong fails at the step that is about it."""

import asyncio
import re
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from thinning import thinned
from wrong_bots import wrong

from arena.kit.check import trials
from arena.kit.check.candidate import Clock
from arena.kit.check.course import PARTS, Part, check_bot
from arena.kit.check.report import Outcome, Problem, Report, Step, tail_text
from arena.kit.check.scenes import DECISION_MS, Dealer, Setting, question
from arena.players.manifest import read_manifest
from arena.players.samples import sample
from arena.rules.view import GameKind
from arena.tournament.config import Clock as SeriesClock

VITAL = [part for part in PARTS if part.vital]
NAMES = [part.name for part in PARTS]
LEFT_BEHIND = Clock(ready=60.0, bank=60.0, goodbye=2.0)
"""For a bot that ends in time, on a busy machine too, and leaves a process that is waited for so long."""


def around(name: str) -> list[Part]:
    """A step, those that nothing can do without, and the one before it where that is short."""
    at = NAMES.index(name)
    before = PARTS[at - 1 : at] if VITAL[-1] in PARTS[: at - 1] and at < NAMES.index("gin-random") else ()
    return [*VITAL[:at], *before, PARTS[at]]


def checked(folder: Path, parts: list[Part], clock: Clock | None = None) -> Report:
    """What a quick check of these steps comes to."""
    return asyncio.run(check_bot(read_manifest(folder), "1", quick=True, parts=parts, clock=clock))


def failing(report: Report) -> Step:
    """The one step that failed."""
    (step,) = [step for step in report.steps if step.outcome is Outcome.FAILED]
    return step


@pytest.mark.timeout(240)
@pytest.mark.parametrize(  # simple is checked in test_check_command.py
    ("name", "games"),
    [
        pytest.param("random", [GameKind.THREE_HAND], marks=pytest.mark.thorough),
        pytest.param("greedy", [GameKind.OKLAHOMA], marks=pytest.mark.thorough),
        pytest.param("adviser", [*GameKind], marks=pytest.mark.thorough),
    ],
)
def test_a_sample_bot_passes(name: str, games: list[GameKind]) -> None:
    spec = sample(name)
    assert spec is not None
    report = asyncio.run(check_bot(replace(spec, games=tuple(games)), "1", quick=True))
    assert [step.problem for step in report.steps if step.problem] == []
    assert [step.warnings for step in report.steps if step.warnings] == []
    skipped = {step.name for step in report.steps if step.outcome is Outcome.SKIPPED}
    assert len(skipped) == {"random": 5, "greedy": 5, "adviser": 0}[name]


WAYS = [
    ("start", "exits at once", "gin", "the process exited with code 1 before it was ready", "bot that listens"),
    ("hello", "a newer protocol", "gin", "the bot speaks version 2 of the protocol", "protocol_version 1"),
    ("upcard", "upcard", "gin", "stock", "pass or take"),
    ("draw", "draw", "gin", "pass", "stock or pile"),
    ("discard", "discard", "gin", "discard ", "discard of "),
    ("knock", "knock", "gin", "knock ", "knock of "),
    ("big-gin", "big gin", "gin", "big_gin [AC 2C 3C]: 2C 3C in AC 2C 3C", "melds"),
    ("defence", "defence", "gin", "", "lay"),
    ("gin-defence", "gin defence", "gin", "", "lay"),
    ("last-discard", "last discard", "gin", "stock", "pile or pass"),
    ("captain", "captain", "three-hand", "the process exited with code 1", "a decision, within 5.1 s"),
    ("advice", "fails to advise", "three-hand", "advice on ", "a decision, within 5.1 s"),
    ("no-hints", "no hints", "gin", "the process exited with code 1", "a decision, within 5.1 s"),
    ("batches", "batches", "gin", "answered a turn a second time", "a decision for each turn, within 6.6 s"),
    ("notices", "notices", "gin", "the process exited with code 1", ""),
    ("interleaved", "interleaved", "gin", "", ""),
    ("unknown-fields", "unknown fields", "gin", "the process exited with code 1", "a decision, within 5.1 s"),
    ("unknown-values", "unknown values", "gin", "the process exited with code 1", "a decision, within 5.1 s"),
    ("restart", "restart", "gin", "the process exited with code 1", "a decision, within 5.1 s"),
    ("gin-random", "tires", "gin", "the process exited with code 1", "a game without faults"),
    ("gin-simple", "tires", "gin", "the process exited with code 1", "a game without faults"),
    ("oklahoma-random", "tires", "oklahoma", "the process exited with code 1", "a game without faults"),
    ("oklahoma-simple", "tires", "oklahoma", "the process exited with code 1", "a game without faults"),
    ("three-hand", "tires", "three-hand", "the process exited with code 1", "a game without faults"),
    ("speed", "tires", "gin", "the process exited with code 1", "a decision"),
    ("goodbye", "exits with 3", "gin", "the process exited with code 3", "exit code 0"),
]


@pytest.mark.parametrize(
    ("name", "way", "game", "came", "expected"), thinned(WAYS, 3), ids=[f"{way[0]}-{way[1]}" for way in WAYS]
)
def test_a_wrong_bot_fails_at_its_step(
    name: str, way: str, game: str, came: str, expected: str, tmp_path: Path
) -> None:
    report = checked(wrong(tmp_path, way, game), around(name))
    step = failing(report)
    assert step.name == name
    assert step.problem is not None
    print(tail_text(step))
    assert came in step.problem.came
    assert expected in step.problem.expected
    assert step.problem.sent
    assert step.problem.remedy
    if way == "tires":  # also where the room has started it again since
        assert step.problem.printed.endswith("MemoryError: so many games")


def test_every_step_has_a_wrong_bot() -> None:
    others = {"build", "repeat"}  # below
    assert {way[0] for way in WAYS} | others == set(NAMES)


def test_a_build_that_fails_is_shown_and_nothing_else_tried(tmp_path: Path) -> None:
    folder = wrong(tmp_path, "nothing", build="[sh, -c, 'echo bot.c:7: oh; exit 1']")
    report = checked(folder, list(PARTS))
    step = failing(report)
    assert step.name == "build"
    assert "    bot.c:7: oh" in tail_text(step)
    assert {step.note for step in report.steps[1:]} == {"not tried: build has failed"}


def test_after_a_failure_the_check_goes_on_with_new_processes(tmp_path: Path) -> None:
    folder = wrong(tmp_path, "captain", "three-hand")
    report = checked(folder, [*around("captain"), *(part for part in PARTS if part.name in ("batches", "goodbye"))])
    assert [step.name for step in report.steps if step.outcome is not Outcome.PASSED] == ["captain"]
    assert failing(report).problem.printed.rstrip().endswith("LookupError: what is advice?")  # type: ignore[union-attr]


def test_other_answers_to_the_same_turn_are_a_warning(tmp_path: Path) -> None:
    report = checked(wrong(tmp_path, "dice of its own"), [*VITAL, PARTS[NAMES.index("repeat")]])
    assert report.passed
    (warning,) = report.steps[-1].warnings
    assert warning.startswith("The same turn was answered by discard ")
    assert report.verdict() == "wrong passes: 4 steps, 1 with a warning."


def test_advice_that_cannot_be_followed_is_a_warning(tmp_path: Path) -> None:
    report = checked(wrong(tmp_path, "advises nonsense", "three-hand"), around("advice"))
    assert report.passed
    (warning,) = report.steps[-1].warnings
    assert "pieces of advice would be dropped, the first: expected " in warning


def test_advice_on_public_cards_alone_is_looked_at_too(tmp_path: Path) -> None:
    report = checked(wrong(tmp_path, "advises half in public", "three-hand"), around("advice"))
    (warning,) = report.steps[-1].warnings
    assert warning == "3 pieces of advice would be dropped, the first: expected a card with the action, got none."


def test_a_hello_that_differs_from_the_manifest_is_a_warning(tmp_path: Path) -> None:
    report = checked(wrong(tmp_path, "other games", version="'7'"), VITAL)
    assert report.steps[-1].warnings == (
        "Hello does not name gin as its games, bot.yaml does, and counts.",
        "Hello says version '0.1', bot.yaml '7', which counts.",
    )


def test_a_bot_that_wants_one_turn_at_a_time_gets_no_more(tmp_path: Path) -> None:
    many = [part for part in PARTS if part.name in ("batches", "interleaved", "repeat", "speed")]
    report = checked(wrong(tmp_path, "one at a time"), [*VITAL, *many])
    assert report.passed
    notes = {step.name: step.note for step in report.steps}
    assert notes["hello"].endswith("at most 1 turns a request")
    assert notes["batches"] == "requests with 1 turns, its max_batch is 1"
    assert "in batches of 1," in notes["speed"]


def test_a_bot_that_is_slow_is_warned_of(tmp_path: Path) -> None:
    clock = Clock(decision=1e-5)
    report = checked(wrong(tmp_path, "nothing"), around("speed"), clock)
    (warning,) = report.steps[-1].warnings
    assert warning.startswith("A decision takes ")


def test_games_that_take_too_long_are_broken_off_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "SECONDS_A_GAME", 0.1)
    report = checked(wrong(tmp_path, "slow"), around("interleaved"))
    assert report.passed
    assert report.steps[-1].warnings == ("8 of 8 games of gin were broken off after 0.1 s.",)


def test_a_process_for_a_step_ends_with_it(tmp_path: Path) -> None:
    """Beside it there is the one that was started first."""
    steps = [part for part in PARTS if part.name in ("notices", "unknown-fields", "restart", "repeat", "gin-random")]
    report = checked(wrong(tmp_path, "counts its processes"), [*VITAL, *steps])
    assert report.passed
    assert (tmp_path / ".living").read_text().split() == ["1", *["2"] * (len(steps) + 1)]  # one step starts it twice


def test_what_a_bot_says_does_nothing_to_a_terminal(tmp_path: Path) -> None:
    report = checked(wrong(tmp_path, "colours"), VITAL)
    assert report.steps[-1].note.endswith(r"calls itself Wrong \x1b[31m0.1")
    problem = Problem("a turn", "closed with \x1b[2J", "an answer", "mend it", "\x1b[31mred\n")
    text = tail_text(Step(1, "x", "X", Outcome.FAILED, "", 0.0, (), problem))
    assert "closed with \\x1b[2J\n" in text
    assert "| \\x1b[31mred\n" in text


@pytest.mark.parametrize(
    ("way", "name", "came", "expected"),
    [
        ("never listens", "start", "the bot did not listen at the address in ARENA_LISTEN within 5 s", "within 5 s"),
        ("sleeps", "upcard", "upcard asked; the bot did not answer in time", "within 0.3 s"),
        ("no action", "upcard", "0", "an action from 1 to 8"),
        ("never ends", "goodbye", "the process goes on", "its end within 0.3 s"),
        ("leaves a process", "goodbye", "processes that are still there (", "none"),
    ],
)
def test_other_ways_to_be_wrong(way: str, name: str, came: str, expected: str, tmp_path: Path) -> None:
    clock = Clock(ready=60.0, bank=60.0, goodbye=0.3)
    if way == "never listens":
        clock = Clock(ready=5.0)  # time enough to begin, on a busy machine too: it is not to be starved
    if way == "sleeps":
        clock = Clock(ready=60.0, bank=0.2)
    if way == "leaves a process":
        clock = LEFT_BEHIND
    report = checked(wrong(tmp_path, way), around(name), clock)
    step = failing(report)
    assert step.name == name
    assert step.problem is not None
    assert step.problem.came.startswith(came)
    assert expected in step.problem.expected


def test_what_a_bot_leaves_behind_is_ended(tmp_path: Path) -> None:
    report = checked(wrong(tmp_path, "leaves a process"), around("goodbye"), LEFT_BEHIND)
    problem = failing(report).problem
    assert problem is not None
    (left,) = re.findall(r"([0-9]+): sleep 60", problem.came)
    with suppress(OSError):
        while Path(f"/proc/{left}/cmdline").read_bytes():  # until the system has taken note
            time.sleep(0.01)


def test_what_a_step_deals_hangs_on_the_seed_alone() -> None:
    """Not on how many turns there was time for in the step before it."""
    setting = Setting(GameKind.GIN)
    quiet, busy = Dealer("1"), Dealer("1")
    for dealer, turns in ((quiet, 3), (busy, 1000)):
        dealer.begin(27)
        for _ in range(turns):
            dealer.number()
            dealer.anywhere(setting)
        dealer.begin(28)
    asked = [[question(dealer.anywhere(setting)) for _ in range(5)] for dealer in (quiet, busy)]
    assert asked[0] == asked[1]


def test_the_limits_are_those_of_a_series_that_says_nothing() -> None:
    usual, series = Clock(), SeriesClock()
    assert usual.decision * 1000 == DECISION_MS
    limits = (series.ready, series.decision, series.bank, series.goodbye)
    assert (usual.ready, usual.decision, usual.bank, usual.goodbye) == tuple(one.total_seconds() for one in limits)
