"""The adapter for bots of the EAAI framework, with a stand-in for the framework and a player that watches its calls."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from bots_at_table import bot_class, play_by
from command import run_arena
from series_bench import GIN, SAMPLES, Crew

from arena.dealer.table import FaultCost
from arena.dealer.values import GameRecord
from arena.players.build import build
from arena.players.faults import Failure, Fault
from arena.players.manifest import read_manifest
from arena.players.spec import BotSpec
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import GameKind, Turn, TurnKind

ADAPTER = Path(__file__).parents[2] / "adapters" / "eaai-java"
STAND_IN = Path(__file__).parent / "eaai"
EXAMPLE = "ginrummy.SimpleGinRummyPlayer"
"""The class that the adapter's bot.yaml names."""
FATAL = (38, 51)
"""The kings of hearts and spades, at whose sight fixture.Mortal dies."""
SIMPLE = bot_class("simple")
FORMATS = {
    "gin": GIN,
    "oklahoma": replace(GIN, game=GameKind.OKLAHOMA, rules=Rules(knock_limit="upcard", target=40)),
}

pytestmark = [pytest.mark.languages, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the adapter with the stand-in compiled into its lib, as a user does with the framework."""
    missing = [tool for tool in ("javac", "java") if shutil.which(tool) is None]
    if missing:
        words = f"the EAAI adapter needs {' and '.join(missing)}, not installed here"
        if "CI" in os.environ:
            pytest.fail(words)
        pytest.skip(words)
    copy = tmp_path_factory.mktemp("eaai") / "copy"
    shutil.copytree(ADAPTER, copy, ignore=shutil.ignore_patterns("build", ".arena"))
    sources = sorted(STAND_IN.rglob("*.java"))
    subprocess.run(["javac", "-d", copy / "lib", *sources], check=True)
    return copy


def bot(folder: Path, player: str) -> BotSpec:
    """The adapter with a class of the fixture as its bot, built."""
    spec = read_manifest(folder)
    assert spec.run[-1] == EXAMPLE
    spec = replace(spec, run=(*spec.run[:-1], player))
    build(spec)
    return spec


def crew(logs: Path, spec: BotSpec, game_format: GameFormat, seat: int, size: int) -> Crew:
    """The adapter's bot in a seat, `simple` in the other."""
    bots = [read_manifest(SAMPLES / "simple")] * 2
    bots[seat] = spec
    return Crew(tuple(bots), logs, game_format, cost=FaultCost.HAND, tables=size, batch=size)


def scored(records: Iterable[GameRecord]) -> list[object]:
    """Every card moved and every point. Melds that come to the same may be others."""
    return [
        (
            record.outcome,
            [(hand.moves, hand.result.kind, hand.result.winner, hand.result.points) for hand in record.hands],
            [(fault.seat, fault.hand, fault.fault) for fault in record.faults],
        )
        for record in records
    ]


def breaches(logs: Path, spec: BotSpec) -> list[str]:
    """The calls that its framework would not have made, in the player's own words."""
    log = (logs / spec.name / "stderr.log").read_text()
    assert "a player who talks" in log  # which is what it prints, and is no decision
    return [line for line in log.splitlines() if "BREACH" in line or "Exception" in line]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", FORMATS)
def test_the_policy_of_simple_plays_the_games_of_simple(name: str, seat: int, folder: Path, tmp_path: Path) -> None:
    """In Oklahoma it knocks at ten in every hand, which the limit mostly forbids, and yet every card is the same."""
    spec = bot(folder, "fixture.Simple")
    players = crew(tmp_path, spec, FORMATS[name], seat, 16)
    specs = players.specs(25)
    assert scored(players.play(specs)) == scored(play_by(players.shared, one, [SIMPLE] * 2) for one in specs)
    assert breaches(tmp_path, spec) == []


def test_a_process_that_dies_is_followed_by_one_that_goes_on_in_the_middle(folder: Path, tmp_path: Path) -> None:
    """Many games at once: one hand is lost, and the others are taken up from their histories."""
    spec = bot(folder, "fixture.Mortal")

    def fate(turn: Turn, seat: int) -> Failure | None:
        offered = turn.view.kind in {TurnKind.UPCARD, TurnKind.DRAW} and turn.view.discard_pile[-1] in FATAL
        return Failure(Fault.CRASH, "") if seat == 0 and offered else None

    players = crew(tmp_path, spec, replace(GIN, play=Play.DEALS), 0, 16)
    imagined = [play_by(players.shared, one, (SIMPLE, SIMPLE), fate) for one in players.specs(20)]
    faults = [fault for record in imagined for fault in record.faults]
    assert len(faults) >= 3
    assert scored(players.play(players.specs(20))) == scored(imagined)
    assert breaches(tmp_path, spec) == []


def test_the_check_passes(folder: Path) -> None:
    manifest = (folder / "bot.yaml").read_text()
    (folder / "bot.yaml").write_text(manifest.replace(EXAMPLE, "fixture.Simple"))
    try:
        checked = run_arena("check", folder, "--quick")
    finally:
        (folder / "bot.yaml").write_text(manifest)
    assert checked.returncode == 0, checked.stdout
    assert "BREACH" not in checked.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "expected one argument, the class of the bot, such as ginrummy.SimpleGinRummyPlayer"),
        (("fixture.Nobody",), "there is no class fixture.Nobody on the class path "),
        (("java.lang.String",), "java.lang.String is no bot: expected a class that implements ginrummy.GinRummyPlayer"),
    ],
)
def test_what_is_not_a_bot_is_said(arguments: tuple[str, ...], words: str, folder: Path) -> None:
    spec = bot(folder, "")
    command = [*spec.run[spec.run.index("--") + 1 : -1], *arguments]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, input="")
    assert ended.returncode == 2
    assert ended.stderr.startswith(words)
