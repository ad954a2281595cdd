"""A bridged bot in the arena: as good as any other, and its faults cost what those of any other cost."""

from dataclasses import replace
from pathlib import Path

import pytest
from bots_at_table import bot_class, play_by
from series_bench import GIN, SAMPLES, Crew, games
from thinning import thinned

from arena.dealer.table import FaultCost
from arena.dealer.values import FaultRecord, GameRecord
from arena.players.faults import Failure, Fault
from arena.players.manifest import read_manifest
from arena.players.spec import BotSpec, Transport, inline_spec
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import GameKind, Turn

EVERY = 53
"""At one turn in so many the program fails that is to fail."""
PROGRAMS = Path(__file__).parent / "programs"
SIMPLE = bot_class("simple")
FORMATS = {
    "gin": GIN,
    "oklahoma": replace(GIN, game=GameKind.OKLAHOMA, rules=Rules(knock_limit="upcard", spade_doubles=True, target=40)),
    "three-hand": replace(GIN, game=GameKind.THREE_HAND),
}


def bridged(*way: str, options: tuple[str, ...] = (), transport: Transport = Transport.AUTO) -> BotSpec:
    run = ("{python}", "-m", "arena", "bridge", *options, "--", "{python}", "liner.py", *way)
    return inline_spec("bridged", run=run, folder=PROGRAMS, transport=transport)


def crew(logs: Path, bot: BotSpec, game_format: GameFormat = GIN, size: int = 128) -> Crew:
    """A bridged bot in the last seat, the sample bot simple in the others."""
    simple = read_manifest(SAMPLES / "simple")
    others = tuple(replace(simple, name=f"simple {seat}") for seat in range(game_format.seats - 1))
    return Crew((*others, bot), logs, game_format, tables=size, batch=size)


def imagined(players: Crew, count: int, fault: Fault | None = None) -> list[GameRecord]:
    """The games as simple plays them against itself, where a bridged bot fails at the turns that are doomed."""

    def fate(turn: Turn, seat: int) -> Failure | None:
        doomed = seat == len(players.bots) - 1 and turn.seed % EVERY == 0
        return Failure(fault, "") if fault and doomed else None

    return [play_by(players.shared, spec, (SIMPLE,) * len(spec.seats), fate) for spec in players.specs(count)]


def faults(records: list[GameRecord]) -> list[FaultRecord]:
    return [fault for record in records for fault in record.faults]


@pytest.mark.parametrize("size", thinned([16, 1], 2))
@pytest.mark.parametrize("name", thinned(FORMATS, 2))
def test_a_bridged_bot_plays_the_games_of_the_same_policy_in_python(name: str, size: int, tmp_path: Path) -> None:
    players = crew(tmp_path, bridged(), FORMATS[name], size)
    count = 2 if size == 1 else 20
    assert games(players.play(players.specs(count))) == games(imagined(players, count))


@pytest.mark.thorough
def test_a_batch_of_256_and_tcp_make_no_difference(tmp_path: Path) -> None:
    players = crew(tmp_path, bridged(transport=Transport.TCP), replace(GIN, play=Play.DEALS), 256)
    assert games(players.play(players.specs(256))) == games(imagined(players, 256))


@pytest.mark.parametrize(
    ("way", "fault", "words"),
    thinned(
        [
            (("say", "hm"), Fault.CRASH, "bridge: a line of the program: expected a decision such as "),
            (
                ("exit", "3"),
                Fault.CRASH,
                "bridge: the program ended with code 3, expected it to go on until its input ends",
            ),
            (("say", '{"turn_id": "ID", "action": "ACTION_UNSPECIFIED"}'), Fault.MALFORMED, "an action from 1 to 8"),
            (("say", '{"turn_id": "ID", "action": "ACTION_BIG_GIN"}'), Fault.ILLEGAL, "got big_gin"),
        ],
        2,
    ),
)
def test_what_a_program_does_wrong_is_charged_to_its_turn(
    way: tuple[str, ...], fault: Fault, words: str, tmp_path: Path
) -> None:
    players = crew(tmp_path, bridged(*way), replace(GIN, rules=Rules(target=60)))
    records = players.play(players.specs(2))
    wanted = imagined(players, 2, fault)
    assert faults(wanted)
    assert games(records) == games(wanted)
    assert all(words in found.detail + found.output for found in faults(records))


def test_a_slow_program_runs_into_the_time_limit(tmp_path: Path) -> None:
    """Which costs it the game, so that it is waited for but once."""
    players = crew(tmp_path, bridged("sleep"), replace(GIN, rules=Rules(target=60)))
    players = replace(players, cost=FaultCost.GAME, decision=0.2, bank=1.5)
    records = players.play(players.specs(1))
    assert [fault.fault for fault in faults(records)] == [Fault.TIMEOUT]
    assert games(records) == games(imagined(players, 1, Fault.TIMEOUT))


def test_a_program_that_is_missing_is_a_bot_that_is_never_ready(tmp_path: Path) -> None:
    run = ("{python}", "-m", "arena", "bridge", "--", "./build/bot")
    players = crew(tmp_path, inline_spec("bridged", run=run, folder=PROGRAMS))
    (record,) = players.play(players.specs(1))
    (first, *_) = record.faults
    assert first.fault is Fault.NEVER_READY
    assert "bridge: there is no program './build/bot'" in first.output


def test_advice_goes_through_the_bridge(tmp_path: Path) -> None:
    players = crew(tmp_path, bridged(options=("--advises",)), FORMATS["three-hand"])
    records = players.play(players.specs(4))
    advice = [advice for record in records for hand in record.hands for advice in hand.advice]
    assert advice
    assert {one.text for one in advice} <= {"as I would, holding 10 \u2660", "as I would, holding 11 \u2660"}
    advised = [hand for record in records for hand in record.hands if hand.roles.out == 2]
    assert all(hand.advice for hand in advised)
