"""The sample bots in other languages play the policy of Python's `simple`, card by card, in every game."""

import json
import os
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
from bots_at_table import bot_class, play_by
from command import run_arena
from language_bots import LANGUAGE_BOTS, TOOLS, another_language, built_bot, missing_tools
from series_bench import SAMPLES, Crew, games, named, play_series, records_of, write_series

from arena.players.manifest import read_manifest
from arena.players.spec import BotSpec, Transport

pytestmark = another_language

SIMPLE = SAMPLES / "simple"
SERIES: dict[str, dict[str, object]] = {
    "gin": {},
    "three-hand": {"game": "three-hand"},
    "oklahoma-hollywood": {"game": "oklahoma", "scoring": "hollywood"},
}


def test_every_language_has_its_tools_told() -> None:
    assert sorted(TOOLS) == LANGUAGE_BOTS


@pytest.mark.parametrize("keys", SERIES.values(), ids=SERIES)
def test_against_simple_every_group_is_exactly_zero(
    language_bot: BotSpec, keys: dict[str, object], tmp_path: Path
) -> None:
    """In three-hand a second `simple` is the third, and all six seatings are played."""
    assert language_bot.folder is not None
    bots = [language_bot.folder, SIMPLE]
    third = [named("third", SIMPLE)] if "game" in keys and keys["game"] == "three-hand" else []
    play_series(write_series(tmp_path, [*bots, *third], groups=3, **keys), tmp_path / "run")
    margins: dict[tuple[int, str], float] = defaultdict(float)
    hands = defaultdict(list)
    for spec, record in records_of(tmp_path / "run"):
        assert not record.faults
        hands[spec.group].append(record.hands)
        for name, margin in zip(spec.seats, record.outcome.margins, strict=True):
            margins[spec.group, name] += margin
    assert len(margins) == 3 * (2 + len(third))
    assert set(margins.values()) == {0}
    for first, *others in hands.values():  # who sits where makes no difference to a single card
        assert first
        assert others == [first] * (5 if third else 1)


def test_without_hints_every_decision_is_legal(language_bot: BotSpec, tmp_path: Path) -> None:
    """Against its own copy: without hints it does not knock, so that hands last, up to what may be the last discard."""
    assert language_bot.folder is not None
    copies = [named(name, language_bot.folder) for name in ("one", "two")]
    rules = {"wall_last_discard": "knock_only"}
    series = write_series(tmp_path, copies, groups=10, hints=False, play="deals", rules=rules)
    play_series(series, tmp_path / "run")
    records = records_of(tmp_path / "run")
    assert len(records) == 20
    assert [record.faults for _, record in records] == [()] * 20


def test_every_transport_carries_the_same_play(language_bot: BotSpec, tmp_path: Path) -> None:
    told = language_bot.transport
    transports = [Transport.UNIX, Transport.TCP] if told is Transport.AUTO else [told]
    crew = Crew((language_bot, read_manifest(SIMPLE)), tmp_path)
    at_table = games([play_by(crew.shared, one, [bot_class("simple")] * 2) for one in crew.specs(3)])
    for transport in transports:
        bots = (replace(language_bot, transport=transport), crew.bots[1])
        assert games(replace(crew, bots=bots).play(crew.specs(3))) == at_table


def test_a_mixed_round_robin_verifies(tmp_path: Path) -> None:
    """Every language that has its tools here, each by its own gRPC library, and C by the bridge."""
    names = [name for name in LANGUAGE_BOTS if not name.endswith("-bridge")]
    names = [name for name in names if "CI" in os.environ or not missing_tools(name)]
    if not names:
        pytest.skip("no language has its tools installed here")
    for name in names:
        built_bot(name)
    bots = [SIMPLE, *(SAMPLES / name for name in names)]
    series = write_series(tmp_path, bots, groups=1, rules={"target": 20})
    played = run_arena("run", series, "--out", tmp_path / "run")
    assert played.returncode == 0, played.stderr
    assert run_arena("verify", tmp_path / "run").returncode == 0
    rows = json.loads((tmp_path / "run" / "standings.json").read_text())["standings"]
    assert {row["bot"] for row in rows} == {"simple", *names}
    assert {(row["margin_a_game"], row["faults"]) for row in rows} == {(0, 0)}
